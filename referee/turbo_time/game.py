"""I1 and I6: a game from its set-up to its end.

`set_up` lays the table, `acting` says whose turn it is, `legal` what may be done, `step` does it.  What may follow what
is the table in `phases`; what each move does stands in `tricks`, `powers` and `refill`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from random import Random

from referee.turbo_time import powers, refill, tricks
from referee.turbo_time.cards import CARDS, HAND
from referee.turbo_time.faults import BrokenRule
from referee.turbo_time.moves import SHELF, Discard, Draw, Move, Place, Play, Take
from referee.turbo_time.phases import TABLE
from referee.turbo_time.position import PLAYERS, Position
from referee.turbo_time.scoring import Result, result
from referee.turbo_time.settings import STANDARD, Settings
from referee.turbo_time.toys import Tile, Toy

# ----------------------------------------------------------------------------------------- I1: set-up


def set_up(
    players: int, leader: int, shelf: Sequence[Toy], deck: Sequence[int], settings: Settings = STANDARD
) -> Position:
    """The table before the first trick: ``shelf`` and ``deck`` are the shuffled toys and cards, the next card first.

    ``leader`` (from 0) is who last received a gift.  Raises `BrokenRule`.
    """
    if players not in PLAYERS:
        raise BrokenRule("I1", "players", came=players)
    if not 0 <= leader < players:
        raise BrokenRule("I1", "leader", players=players)
    allow_shelf(shelf, settings)
    if sorted(deck) != list(CARDS):
        raise BrokenRule("I1", "deck")
    return Position(
        shelf=tuple(map(Tile, shelf)),
        carts=((Tile("booster"),),) * players,
        hands=tuple(tuple(sorted(deck[at * HAND : (at + 1) * HAND])) for at in range(players)),
        deck=tuple(deck[players * HAND :]),
        discards=(),
        leader=leader,
        settings=settings,
    )


def allow_shelf(shelf: Sequence[Toy], settings: Settings) -> None:
    """The shelf is the twelve toys that are left when four Boosters are out (I1)."""
    if Counter(shelf) != Counter(settings.shelf_toys):
        raise BrokenRule("I1", "shelf")


def shuffled(players: int, leader: int, seed: int, settings: Settings = STANDARD) -> Position:
    """A table set up with toys and cards shuffled by a seed: the same seed, the same table."""
    dice = Random(seed)
    shelf, deck = list(settings.shelf_toys), list(CARDS)
    dice.shuffle(shelf)
    dice.shuffle(deck)
    return set_up(players, leader, shelf, deck, settings)


# ----------------------------------------------------------------------------------------- I6: to the end


def acting(position: Position) -> int | None:
    """Whose turn it is; None where all draw at once, and when the game is over."""
    match position.phase:
        case "play":
            return position.seats[len(position.played)]
        case "powers" | "take":
            return tricks.ranking(position)[position.done]
        case "peek":
            return tricks.ranking(position)[0]
        case "turbo-time":
            return tricks.ranking(position)[-1]
    return None


def allow(position: Position, move: Move, player: int | None = None) -> None:
    """Raises `BrokenRule` for what may not be done now; ``player`` is who does it, if that is to be checked, too."""
    row, turn = TABLE[position.phase], acting(position)
    if position.phase == "over":
        raise BrokenRule("I6", "over")
    if player is not None and player != turn:
        rule = "I2" if position.phase == "powers" else row.rule
        raise BrokenRule(rule, "nobodys-turn" if turn is None else "not-your-turn", player=(turn or 0) + 1)
    if not isinstance(move, row.moves):
        raise BrokenRule(row.rule, f"phase-{position.phase}")
    if isinstance(move, Draw):
        refill.allow_draw(position, move)
    elif turn is not None:
        _allow_turn(position, move, turn)


def _allow_turn(position: Position, move: Move, player: int) -> None:
    match move:
        case Play():
            tricks.allow_play(position, move, player)
        case Take():
            tricks.allow_take(position, move, player)
        case Discard():
            tricks.allow_discard(position, move, player)
        case _:
            powers.allow(position, move, player)


def step(position: Position, move: Move, player: int | None = None) -> Position:
    """The table after a move; raises `BrokenRule` for one that is not allowed."""
    allow(position, move, player)
    turn = acting(position)
    match move:
        case Draw():
            return refill.draw(position, move)
        case Play() if turn is not None:
            return tricks.play(position, move, turn)
        case Take() if turn is not None:
            return tricks.take(position, move, turn)
        case Discard() if turn is not None:
            return tricks.discard(position, move, turn)
    assert turn is not None
    return powers.use(position, move, turn)


def legal(position: Position) -> Iterator[Move]:
    """Everything that may be done now, each once.

    A draw for which the discards are shuffled is not in it: their order is not chosen.
    """
    player = acting(position)
    if position.phase == "draw" and not refill.needs_shuffle(position):
        yield Draw()
    if player is None:
        return
    match position.phase:
        case "play":
            yield from map(Play, position.hands[player])
        case "powers" | "peek":
            yield from powers.uses(position, player)
        case "take":
            yield from (Take(Place(SHELF, at)) for at, tile in enumerate(position.shelf) if tile)
        case "turbo-time":
            hand = position.hands[player]
            yield from map(Discard, chain.from_iterable(combinations(hand, n) for n in range(len(hand) + 1)))


def scores(position: Position) -> Result:
    """Who has won, and by how many points; raises `BrokenRule` before the end."""
    if position.phase != "over":
        raise BrokenRule("I5", "not-over", left=position.left)
    return result([[tile.toy for tile in cart] for cart in position.carts])
