"""``python -m tests.turbo.many 10000``: so many random races to the end; says what came of them."""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict

from referee.turbo.deeds import Counters, Stay
from referee.turbo.moves import OFF
from referee.turbo.race import finishing_order
from tests.turbo.holds import check_race
from tests.turbo.test_perft import by_force


def main(count: int) -> None:
    """Races 0, 1, 2 …; a broken invariant ends in its traceback, with the race's seed before it."""
    began = time.monotonic()
    turns: dict[int, list[int]] = defaultdict(list)
    firsts: Counter[tuple[int, bool]] = Counter()
    stays, ambulances = 0, 0
    for seed in range(count):
        try:
            log = check_race(seed, by_force())
        except BaseException:
            print(f"race {seed}:", file=sys.stderr)
            raise
        at = log.position
        turns[at.players].append(sum(isinstance(entry.deed, Counters) for entry in log.entries))
        firsts[at.players, finishing_order(at)[0] == log.start.player] += 1
        stays += sum(isinstance(entry.deed, Stay) for entry in log.entries)
        ambulances += at.ambulance == OFF
        if (seed + 1) % 500 == 0:
            print(f"{seed + 1} races, {time.monotonic() - began:.0f} s", flush=True)
    for players, lengths in sorted(turns.items()):
        won = firsts[players, True] / len(lengths)
        span = f"turns {min(lengths)} to {max(lengths)}, mean {sum(lengths) / len(lengths):.1f}"
        print(f"{players} players: {len(lengths)} races, {span}; who began won {won:.0%}")
    print(
        f"halves in which nothing could move {stays}, races that the ambulance left {ambulances}, broken invariants 0"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
