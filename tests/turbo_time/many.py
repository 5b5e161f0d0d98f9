"""``python -m tests.turbo_time.many 10000``: so many random games to the end; says what came of them."""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict

from referee.turbo_time.game import scores
from tests.turbo_time.holds import check_game


def main(count: int) -> None:
    """Plays games 0, 1, 2 …; a broken invariant ends in its traceback, with the game's seed before it."""
    began, shared, by_toys = time.monotonic(), 0, 0
    points: dict[int, list[int]] = defaultdict(list)
    games: Counter[int] = Counter()
    for seed in range(count):
        try:
            at = check_game(seed)
        except BaseException:
            print(f"game {seed}:", file=sys.stderr)
            raise
        done = scores(at)
        games[at.players] += 1
        points[at.players] += [score.points for score in done.scores]
        shared += len(done.winners) > 1
        by_toys += len(done.tied) > len(done.winners)
        if (seed + 1) % 500 == 0:
            print(f"{seed + 1} games, {time.monotonic() - began:.0f} s", flush=True)
    for players in sorted(games):
        got = points[players]
        span = f"points {min(got)} to {max(got)}, mean {sum(got) / len(got):.1f}"
        print(f"{players} players: {games[players]} games, {span}")
    print(f"shared wins {shared}, ties told by the number of toys {by_toys}, broken invariants 0")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
