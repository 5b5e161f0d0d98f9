"""What is true of every game at every moment: the same for the few hundred games of the tests and for ten thousand."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from referee.turbo_time import log as logs
from referee.turbo_time.game import acting, legal, scores
from referee.turbo_time.log import Log
from referee.turbo_time.moves import SHELF, Look, Place
from referee.turbo_time.position import Position, read
from referee.turbo_time.seen import shown, view
from referee.turbo_time.toys import Tile
from tests.turbo_time.play import random_game

PHASE_AFTER = {
    "play": {"play", "powers"},
    "powers": {"powers", "peek", "take"},
    "peek": {"take"},
    "take": {"take", "turbo-time", "over"},
    "turbo-time": {"draw"},
    "draw": {"play"},
}


def check_game(seed: int) -> Position:
    """A random game to its end, everything checked after each move."""
    dice, tricks, taken, log = Random(seed), 0, 0, None
    for before, log in random_game(seed):
        check_step(before.position, log, dice)
        tricks += before.position.phase == "play" and not before.position.played
        taken += before.position.left - log.position.left
    assert log is not None
    assert (tricks, taken) == (6, 12)
    check_end(log)
    return log.position


def check_step(before: Position, log: Log, dice: Random) -> None:
    """What a move leaves as it should be."""
    at = log.position
    check_table(at)
    assert at.phase in PHASE_AFTER[before.phase]
    assert before.left - at.left == (before.phase == "take")
    assert read(at.text) == at
    assert (acting(at) is None) == (at.phase in ("draw", "over"))
    assert at.phase in ("draw", "over") or any(True for _ in legal(at))
    check_secrets(at, dice.choice((None, *range(at.players))), dice)
    for player in (None, *range(at.players)):
        check_looks(before, log, player)


def check_table(at: Position) -> None:
    """Sixteen tiles and thirty-six cards, each once."""
    spare = "b" * (4 - at.players)
    letters = at.text.split(" ")[0] + at.text.split(" ")[1] + spare
    assert "".join(sorted(letters.lower().translate(str.maketrans("", "", "/,.")))) == "bbbbbbbdglmmmmtu"
    cards = [*at.deck, *at.discards, *at.played, *(card for hand in at.hands for card in hand)]
    assert sorted(cards) == list(range(1, 37))


def check_secrets(at: Position, player: int | None, dice: Random) -> None:
    """Whatever lies where a player cannot see it, the player sees the same."""
    assert view(at, player) == view(with_other_secrets(at, player, dice), player)


def with_other_secrets(at: Position, player: int | None, dice: Random) -> Position:
    """The same table but for what a player may not know, which is dealt anew."""
    known = at.touched if player is not None and acting(at) == player else ()
    hidden = [
        place for place in at.places
        if not (tile := at.tile(place)) or not (tile.up or place in known or (place.cart == player != SHELF))
    ]  # fmt: skip
    tiles = [at.tile(place) for place in hidden]
    dice.shuffle(tiles)
    others = [number for number in range(at.players) if number != player]
    cards = [*at.deck, *(card for number in others for card in at.hands[number])]
    dice.shuffle(cards)
    hands = list(at.hands)
    for number in others:
        hands[number], cards = tuple(sorted(cards[: len(at.hands[number])])), cards[len(at.hands[number]) :]
    laid: dict[Place, Tile | None] = dict(zip(hidden, tiles, strict=True))
    return replace(at, hands=tuple(hands), deck=tuple(cards), **at.relaid(laid))


def check_looks(before: Position, log: Log, player: int | None) -> None:
    """A look shows one toy to one player, and nothing else shows anything."""
    entry = log.entries[-1]
    found = shown(before, entry.move, player)
    if isinstance(entry.move, Look) and player is not None and player == entry.player:
        tile = before.tile(entry.move.place)
        assert tile is not None
        assert found == {entry.move.place: tile.toy}
    else:
        assert not found


def check_end(log: Log) -> None:
    """The points are those of the table, and the log replays."""
    at = log.position
    for cart, score in zip(at.text.split(" ")[1].lower().split(","), scores(at).scores, strict=True):
        assert score.points == points(cart)
    ranks = [(points(cart), len(cart)) for cart in at.text.split(" ")[1].lower().split(",")]
    assert [ranks[player] for player in scores(at).winners] == [max(ranks)] * ranks.count(max(ranks))
    text = logs.write(log)
    assert logs.read(text) == log
    assert logs.read(text).position.text == at.text


def points(cart: str) -> int:
    """A cart's points, reckoned from its letters."""
    single = 10 * cart.count("t") - 5 * cart.count("u") + 8 * cart.count("l") + 5 * cart.count("g")
    demons = (0, 2, 10, 15, 20)[cart.count("m")]
    boosters = (0, 2, 4, 9, 16, 25, 25, 25)[cart.count("b")]
    return single + demons + boosters + (6 if demons else 3) * cart.count("d")
