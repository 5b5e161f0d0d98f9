"""``referee turbo-time ...``: points, powers, logs, photos, cards and the printed set of this game.

`turbo_time_words` hooks the words into the command; everything else is found when a word is used.  A log that does not
replay and a photo that shows nothing end in status 3; what cannot be understood is the command's own business
(status 2).
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import WrongUsage
from referee.tabletop.command import Handler, add_command, refuse

if TYPE_CHECKING:
    from referee.turbo_time.log import Log
    from referee.turbo_time.position import Position
    from referee.turbo_time.settings import Settings
    from referee.words import Language

DONE = 0
NOT_REPLAYED = 3
NOT_SEEN = 3
MOST_TOLD = 20
"""So many moves are told in words."""


def turbo_time_words(parser: argparse.ArgumentParser) -> None:
    """The words of ``referee turbo-time``."""
    parser.description = "The toy shelf game It's Turbo Time: its points, its powers, its logs, its cards."
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    score = _command(commands, "score", _score, "count the points of carts, and say who wins")
    score.add_argument("carts", nargs="+", metavar="CART", help="a cart's toys, a letter each: tlbb (t u l g d m b)")
    powers = _command(commands, "powers", _powers, "say whose turn it is in a position, and everything that is allowed")
    powers.add_argument("position", nargs="+", metavar="POSITION", help="tulg/dmmm/mbbb b,b 1-5,6-10 * - 1 - play")
    replay = _command(commands, "replay", _replay, "play a game's log again, and say how it stands")
    replay.add_argument("log", type=Path, metavar="LOG", help="the log, a text file")
    replay.add_argument("--player", type=int, choices=(1, 2, 3, 4), help="only what this player may know")
    looking = _command(commands, "look", _look, "read a photo of the turned-up carts, or of the played cards")
    looking.add_argument("photo", type=Path, metavar="PHOTO", help="the picture")
    about = looking.add_mutually_exclusive_group()
    about.add_argument("--carts", action="store_true", help="it is about the carts: points, and who wins")
    about.add_argument(
        "--trick", action="store_true", help="it is about the played cards: whose power is first, who takes"
    )
    looking.add_argument(
        "--players", metavar="N|NAMES", help="how many play, or their names: Ann,Ben,Cleo, as one reads the picture"
    )
    looking.add_argument("--toys", type=int, metavar="N", help="how many toys lie in the carts, if not all of a game")
    cards = _command(commands, "cards", _cards, "list the 36 cards with their powers and markers")
    cards.add_argument("--toml", action="store_true", help="all settings, as a file for --settings")
    printing = _command(commands, "print", _print, "print the toys and cards to a PDF at their exact size")
    printing.add_argument("--paper", choices=("a4", "letter"), default="a4", help="the paper (a4)")
    printing.add_argument("--no-backs", action="store_true", help="only the fronts")
    printing.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the PDF to write")


def _command(commands: Any, name: str, handler: Handler, says: str) -> argparse.ArgumentParser:
    parser = add_command(commands, name, handler, says)
    parser.add_argument("--settings", type=Path, metavar="FILE", help="your own set: as `cards --toml` writes it")
    return parser


def _settings(chosen: argparse.Namespace) -> Settings:
    from referee.turbo_time.settings import STANDARD, load

    return load(chosen.settings) if chosen.settings else STANDARD


# ----------------------------------------------------------------------------------------- score


def _score(chosen: argparse.Namespace) -> int:
    """The points of carts, line by line."""
    from referee.turbo_time.scoring import result
    from referee.turbo_time.telling import result_json, result_lines

    done = result(_carts(chosen.carts, _settings(chosen)))
    print(json.dumps(result_json(done)) if chosen.json else "\n".join(result_lines(done, chosen.language)))
    return DONE


def _carts(words: list[str], settings: Settings) -> list[list[Any]]:
    """The carts' toys; raises `WrongUsage` where a set does not have so many."""
    from referee.turbo_time.faults import BadNotation
    from referee.turbo_time.toys import tiles_of
    from referee.turbo_time.words import say

    carts = [[tile.toy for tile in tiles_of(word)] for word in words]
    for toy, most in settings.toys:
        if (there := sum(cart.count(toy) for cart in carts)) > most:
            raise BadNotation("too-many", toy=say(f"toy.{toy}"), most=most, came=there)
    return carts


# ----------------------------------------------------------------------------------------- powers


def _powers(chosen: argparse.Namespace) -> int:
    """Whose power is next, and every legal use of it; in another phase whose turn it is, and what is allowed."""
    from referee.turbo_time.position import read

    position = read(" ".join(chosen.position), _settings(chosen))
    print(json.dumps(_turn_json(position)) if chosen.json else "\n".join(_turn_lines(position, chosen.language)))
    return DONE


def _turn_json(position: Position) -> dict[str, Any]:
    from referee.turbo_time.game import acting, legal
    from referee.turbo_time.moves import move_text

    turn = acting(position)
    told: dict[str, Any] = {"phase": position.phase, "player": None if turn is None else turn + 1}
    if position.phase == "powers":
        steps = position.settings.steps_of(position.card)
        told |= {"card": position.card, "power": position.settings.power_of(position.card)}
        told |= {"step": len(position.touched) + 1, "steps": len(steps)}
    return told | {"moves": [move_text(move) for move in legal(position)]}


def _turn_lines(position: Position, language: Language) -> list[str]:
    from referee.turbo_time.telling import tell
    from referee.turbo_time.words import say

    told = _turn_json(position)
    if position.phase == "over":
        return [tell(language, "table.nothing")]
    who = say("table.everybody") if told["player"] is None else say("player.name", n=told["player"])
    lines = [tell(language, "table.turn", player=who, what=_what(position, told))]
    if told["moves"]:
        moves: Any = ", ".join(told["moves"][:MOST_TOLD])
        moves = say("table.more", moves=moves) if len(told["moves"]) > MOST_TOLD else moves
        lines.append(tell(language, "table.ways", n=len(told["moves"]), moves=moves))
    return lines


def _what(position: Position, told: dict[str, Any]) -> str:
    """What is to be done now, in words."""
    from referee.turbo_time.words import say

    if position.phase != "powers":
        return say(f"now.{position.phase}")
    power = told["power"]
    retold = power == "flip" and position.settings.flip == "retelling"
    does = say("does.flip-retelling" if retold else f"does.{power}")
    parts = {name: told[name] for name in ("card", "step", "steps")}
    return say("table.step", power=say(f"power.{power}"), does=does, **parts)


# ----------------------------------------------------------------------------------------- replay


def _replay(chosen: argparse.Namespace) -> int:
    """The log played again; one that is refused is told with its line and rule, and ends in status 3."""
    from referee.tabletop.texts import text_of
    from referee.turbo_time.faults import BadLog
    from referee.turbo_time.log import read
    from referee.turbo_time.words import say

    try:
        log = read(text_of(chosen.log, say))
    except BadLog as error:
        where = {"line": error.line, "rule": error.rule}
        refuse(chosen, error, {**where, "message": str(error.message), "hint": str(error.hint)})
        return NOT_REPLAYED
    if chosen.player and chosen.player > log.start.players:
        raise WrongUsage(f"--player {chosen.player}: {log.start.players} play.", "Name one of them.")
    print(json.dumps(_log_json(log, chosen.player)) if chosen.json else "\n".join(_log_lines(log, chosen)))
    return DONE


def _log_json(log: Log, player: int | None) -> dict[str, Any]:
    """How the game stands; for one player only what that player may know, and no moves, since they tell more."""
    from referee.turbo_time.log import entry_text

    told = {"checked": log.checked, "position": _position_text(log, player), **_turn_json_for(log, player)}
    if player is None:
        told["log"] = [entry_text(entry) for entry in log.entries]
    if log.position.phase == "over":
        told["result"] = _result_of(log)
    return told


def _turn_json_for(log: Log, player: int | None) -> dict[str, Any]:
    """Whose turn it is; what is allowed only to whom it is told."""
    told = _turn_json(log.position)
    if player is not None and player != told["player"]:
        del told["moves"]
    return told


def _result_of(log: Log) -> dict[str, Any]:
    from referee.turbo_time.game import scores
    from referee.turbo_time.telling import result_json

    return result_json(scores(log.position))


def _position_text(log: Log, player: int | None) -> str:
    from referee.turbo_time.seen import view

    return log.position.text if player is None else view(log.position, player - 1).text


def _log_lines(log: Log, chosen: argparse.Namespace) -> list[str]:
    from referee.turbo_time.game import scores
    from referee.turbo_time.log import entry_text
    from referee.turbo_time.telling import result_lines, tell

    language, player = chosen.language, chosen.player
    lines = [] if player else [f"  {entry_text(entry)}" for entry in log.entries]
    lines.append(tell(language, "table.checked" if log.checked else "table.unchecked"))
    lines.append(tell(language, "table.position", position=_position_text(log, player)))
    if log.position.phase == "over":
        return lines + result_lines(scores(log.position), language)
    turn = _turn_lines(log.position, language)
    return lines + (turn if player in (None, _turn_json(log.position)["player"]) else turn[:1])


# ----------------------------------------------------------------------------------------- look


def _look(chosen: argparse.Namespace) -> int:
    """What a photo shows, with questions where it leaves something open; status 3 if it shows nothing."""
    from referee.errors import Mirrored, NotAPicture, PictureTooLarge
    from referee.turbo_time.camera.look import About, look, players_of, toys_of
    from referee.turbo_time.camera.telling import seen_json, seen_lines
    from referee.turbo_time.faults import NothingSeen

    players, settings = players_of(chosen.players), _settings(chosen)
    about: About | None = "carts" if chosen.carts else "trick" if chosen.trick else None
    try:
        seen = look(chosen.photo, about, players, toys_of(chosen.toys))
    except (NothingSeen, NotAPicture, PictureTooLarge, Mirrored) as error:
        failure = {"code": error.code, "message": str(error.message), "hint": str(error.hint)}
        refuse(chosen, error, {"failure": failure})
        return NOT_SEEN
    if chosen.json:
        print(json.dumps(seen_json(seen, players, settings, chosen.language)))
    else:
        print("\n".join(seen_lines(seen, players, settings, chosen.language)))
    return DONE


# ----------------------------------------------------------------------------------------- cards and print


def _cards(chosen: argparse.Namespace) -> int:
    """The table of cards."""
    from referee.turbo_time.cards import CARDS
    from referee.turbo_time.markers import DICTIONARY, card_marker
    from referee.turbo_time.settings import toml
    from referee.turbo_time.telling import tell

    settings, language = _settings(chosen), chosen.language
    if chosen.toml:
        print(toml(settings), end="")
        return DONE
    rows = [{"card": card, "power": settings.power_of(card), "marker": card_marker(card)} for card in CARDS]
    if chosen.json:
        print(json.dumps({"dictionary": DICTIONARY, "cards": rows}))
        return DONE
    print(f"    {tell(language, 'table.power'):<20}{tell(language, 'table.marker')}")
    for row in rows:
        name = tell(language, f"power.{row['power']}")
        print(f"{row['card']:>2}  {name:<20}{row['marker']}")
    return DONE


def _print(chosen: argparse.Namespace) -> int:
    """The printable set."""
    from referee.turbo_time.markers import CARD_OF, DICTIONARY, TOY_OF
    from referee.turbo_time.sheets import print_pdf
    from referee.turbo_time.telling import tell

    pdf = print_pdf(chosen.paper, _settings(chosen), chosen.language, backs=not chosen.no_backs)
    try:
        chosen.output.write_bytes(pdf)
    except OSError as error:
        raise WrongUsage(f"{chosen.output}: {error.strerror}.", "Name a file in a folder that is there.") from error
    if chosen.json:
        markers = {"dictionary": DICTIONARY, "toys": TOY_OF, "cards": CARD_OF}
        print(json.dumps({"file": str(chosen.output), "paper": chosen.paper, "markers": markers}))
    print(tell(chosen.language, "table.printed", name=str(chosen.output)), file=sys.stderr)
    return DONE
