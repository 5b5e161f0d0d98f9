"""``referee turbo ...``: circuits, legal moves, checked moves, logs and the printed circuit of this game.

`turbo_words` hooks the words into the command; everything else is found when a word is used.  A move that breaks a
rule, a log that does not replay and a circuit file that is broken end in status 3; what cannot be understood is the
command's own business (status 2).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.errors import WrongUsage
from referee.tabletop.command import Handler, add_command, refuse

if TYPE_CHECKING:
    from referee.errors import RefereeError
    from referee.turbo.circuit import Circuit
    from referee.turbo.load import Board
    from referee.turbo.log import Log
    from referee.turbo.position import Position, Scale
    from referee.words import Language

DONE = 0
BROKEN = 3


def turbo_words(parser: argparse.ArgumentParser) -> None:
    """The words of ``referee turbo``."""
    parser.description = "The circuit race Turbo: its circuits, its moves, its logs."
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _command(commands, "circuit", _circuit, "check a circuit file, and list its squares")
    moves = _command(commands, "moves", _moves, "say whose turn it is in a position, and everything that is allowed")
    _position_words(moves)
    check = _command(commands, "check", _check, "say whether a move is allowed, or which rule it breaks")
    _position_words(check)
    check.add_argument("--move", nargs="+", required=True, metavar="WORD", help="move 1 4 b5; or its way: b2-b3-b4-b5")
    replay = _command(commands, "replay", _replay, "play a race's log again, and say how it stands")
    replay.add_argument("log", type=Path, metavar="LOG", help="the log, a text file")
    printing = _command(commands, "print", _print, "print the circuit to a PDF at its exact size")
    printing.add_argument(
        "--paper", choices=("a4", "letter", "a3"), default="a4", help="the paper: a4 and letter in two"
    )
    printing.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help="the PDF to write")


def _command(commands: Any, name: str, handler: Handler, says: str) -> argparse.ArgumentParser:
    parser = add_command(commands, name, handler, says)
    parser.add_argument("--circuit", type=Path, metavar="FILE", help="your own circuit, an SVG file (the built-in one)")
    return parser


def _position_words(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("position", nargs="+", metavar="POSITION", help="a5,b4 b19 '*' 1 own:2,1")
    parser.add_argument("--counters", type=int, nargs=2, metavar="N", help="what the counters can show (1 6)")


def _board(chosen: argparse.Namespace) -> Board:
    from referee.turbo.load import builtin, load

    return load(chosen.circuit) if chosen.circuit else builtin()


def _position(chosen: argparse.Namespace) -> Position:
    from referee.turbo.position import read

    return read(" ".join(chosen.position), _board(chosen).circuit, _scale(chosen))


def _scale(chosen: argparse.Namespace) -> Scale:
    from referee.turbo.position import STANDARD, Scale

    return Scale(*chosen.counters) if chosen.counters else STANDARD


def _tell(language: Language, key: str, **parts: object) -> str:
    from referee.turbo.words import say
    from referee.words import told

    return told(say(key, **parts), language)


def _show(chosen: argparse.Namespace, as_json: Callable[[], Any], lines: Callable[[], Iterable[str]]) -> int:
    """What was asked for, as JSON or in words."""
    print(json.dumps(as_json()) if chosen.json else "\n".join(lines()))
    return DONE


def _refuse(chosen: argparse.Namespace, error: RefereeError, **told_json: object) -> int:
    """What is wrong, in words or as JSON."""
    refuse(chosen, error, {**told_json, "message": str(error.message), "hint": str(error.hint)})
    return BROKEN


# ----------------------------------------------------------------------------------------- circuit


def _circuit(chosen: argparse.Namespace) -> int:
    """What a circuit has; a file that is broken is told with its element, and ends in status 3."""
    from referee.turbo.faults import BadCircuit

    try:
        board = _board(chosen)
    except BadCircuit as error:
        return _refuse(chosen, error, element=error.element)
    return _show(chosen, lambda: _board_json(board), lambda: _circuit_lines(board.circuit, chosen.language))


def _board_json(board: Board) -> dict[str, Any]:
    from referee.turbo.log import circuit_check

    circuit = board.circuit
    squares = [
        {
            "name": square.name,
            "lane": square.lane,
            "row": square.row,
            "features": sorted(square.features),
            **dict(zip(("ahead", "left", "right"), square.links, strict=True)),
            "outline_mm": board.outlines_mm[square.name],
        }
        for square in circuit.squares
    ]
    lines = [
        {"name": line.name, "inside": sorted(line.inside), "outside": sorted(line.outside)}
        for line in circuit.yellow_lines
    ]
    told = {"name": circuit.name, "check": circuit_check(circuit), "size_mm": board.size_mm, "finish": circuit.finish}
    return {**told, "squares": squares, "yellow_lines": lines, "markers_mm": board.markers_mm}


def _circuit_lines(circuit: Circuit, language: Language) -> list[str]:
    from referee.turbo.features import FEATURES, LANES

    lanes = {lane: [square.name for square in circuit.squares if square.lane == lane] for lane in LANES}
    there = {lane: names for lane, names in lanes.items() if names}
    count = {"squares": len(circuit.squares), "lanes": len(there), "dots": len(circuit.dots)}
    lines = [_tell(language, "table.circuit", name=circuit.name, players=len(circuit.grid), **count)]
    for lane, names in there.items():
        lines.append(_tell(language, "table.lane", lane=lane, count=len(names), names=f"{names[0]} … {names[-1]}"))
    for feature in FEATURES:
        if names := sorted(circuit.with_feature(feature)):
            lines.append(_tell(language, "table.feature", feature=feature, names=", ".join(names)))
    return [*lines, _tell(language, "table.sound")]


# ----------------------------------------------------------------------------------------- moves


def _moves(chosen: argparse.Namespace) -> int:
    """Whose turn it is, and every move that is allowed."""
    position = _position(chosen)
    return _show(chosen, lambda: _turn_json(position), lambda: _turn_lines(position, chosen.language))


def _turn_json(position: Position) -> dict[str, Any]:
    """The state of the turn; moves with their ends, the number of ways, and one way."""
    from referee.turbo.race import acting

    turn = acting(position)
    told = {"phase": position.phase, "player": None if turn is None else turn + 1, "numbers": position.numbers}
    return {**told, "moves": _moves_json(position)}


def _moves_json(position: Position) -> list[dict[str, Any]]:
    from referee.turbo.deeds import Move, Stay, deed_text, vehicle_text
    from referee.turbo.moves import way_to
    from referee.turbo.turn import ends, is_stuck, movers

    if position.phase in ("own", "other") and is_stuck(position):
        return [{"move": deed_text(Stay())}]
    found = []
    for vehicle in movers(position):
        for number in dict.fromkeys(position.numbers):
            for reach in ends(position, vehicle, number):
                end, taken = reach.end.square, position.taken_beside(vehicle)
                way = way_to(position.circuit, position.spot(vehicle), number, end, taken)
                told = {"vehicle": vehicle_text(vehicle), "number": number, "end": end, "ways": reach.ways, "way": way}
                found.append({"move": deed_text(Move(vehicle, number, (end,))), **told})
    return found


def _turn_lines(position: Position, language: Language) -> list[str]:
    from referee.turbo.race import acting
    from referee.turbo.turn import ends, is_stuck, movers, named
    from referee.turbo.words import say

    turn = acting(position)
    if turn is None:
        return [*_result_lines(position, language)]
    stuck = position.phase != "counters" and is_stuck(position)
    either = _tell(language, "table.or").join(map(str, dict.fromkeys(position.numbers)))
    what = say("now.stuck") if stuck else say(f"now.{position.phase}", numbers=either)
    lines = [_tell(language, "table.turn", player=say("player.name", n=turn + 1), what=what)]
    for vehicle in movers(position):
        for number in dict.fromkeys(position.numbers):
            there = [
                _tell(language, "table.end", square=reach.end.square, n=reach.ways)
                for reach in ends(position, vehicle, number)
            ]
            shown = ", ".join(there) or say("table.none")
            lines.append(_tell(language, "table.ways", vehicle=named(vehicle), number=number, ends=shown))
    return lines


def _result_lines(position: Position, language: Language) -> list[str]:
    from referee.turbo.championship import points_of
    from referee.turbo.race import finishing_order
    from referee.turbo.words import say

    order = finishing_order(position)
    points = points_of(order)
    lines = [
        _tell(language, "table.places", player=say("player.name", n=player + 1), place=place, points=points[player])
        for place, player in enumerate(order, 1)
    ]
    return [_tell(language, "table.over"), *lines]


# ----------------------------------------------------------------------------------------- check


def _check(chosen: argparse.Namespace) -> int:
    """Whether a deed is allowed, and the position that it leads to; the rule that it breaks ends in status 3."""
    from referee.turbo.deeds import deed_of
    from referee.turbo.faults import BrokenRule
    from referee.turbo.race import step

    position, deed = _position(chosen), deed_of(" ".join(chosen.move))
    try:
        after = step(position, deed)
    except BrokenRule as error:
        return _refuse(chosen, error, allowed=False, rule=error.rule, word=error.word)
    told = {"allowed": True, "position": after.text}
    position_line = _tell(chosen.language, "table.position", position=after.text)
    return _show(chosen, lambda: told, lambda: [_tell(chosen.language, "table.fair"), position_line])


# ----------------------------------------------------------------------------------------- replay


def _replay(chosen: argparse.Namespace) -> int:
    """The log played again; one that is refused is told with its line and rule, and ends in status 3."""
    from referee.tabletop.texts import text_of
    from referee.turbo.faults import BadLog
    from referee.turbo.log import read
    from referee.turbo.words import say

    circuit = _board(chosen).circuit
    try:
        log = read(text_of(chosen.log, say), circuit)
    except BadLog as error:
        return _refuse(chosen, error, line=error.line, rule=error.rule)
    return _show(chosen, lambda: _log_json(log), lambda: _log_lines(log, chosen.language))


def _log_json(log: Log) -> dict[str, Any]:
    from referee.turbo.log import entry_text
    from referee.turbo.race import finishing_order

    told = {"checked": log.checked, "position": log.position.text, **_turn_json(log.position)}
    told["log"] = [entry_text(entry) for entry in log.entries]
    if log.position.phase == "over":
        told["order"] = [player + 1 for player in finishing_order(log.position)]
    return told


def _log_lines(log: Log, language: Language) -> list[str]:
    from referee.turbo.log import entry_text

    lines = [f"  {entry_text(entry)}" for entry in log.entries]
    lines.append(_tell(language, "table.checked" if log.checked else "table.unchecked"))
    lines.append(_tell(language, "table.position", position=log.position.text))
    return lines + _turn_lines(log.position, language)


# ----------------------------------------------------------------------------------------- print


def _print(chosen: argparse.Namespace) -> int:
    """The printed circuit."""
    from referee.turbo.markers import DICTIONARY
    from referee.turbo.sheets import print_pdf
    from referee.turbo.words import say

    board = _board(chosen)
    pdf = print_pdf(board, chosen.paper, chosen.language)
    try:
        chosen.output.write_bytes(pdf)
    except OSError as error:
        why = say("file.unwritten", name=str(chosen.output), why=error.strerror or "?")
        raise WrongUsage(why, say("file.name-folder")) from error
    if chosen.json:
        markers = {"dictionary": DICTIONARY, "corners_mm": board.markers_mm}
        print(json.dumps({"file": str(chosen.output), "paper": chosen.paper, "markers": markers}))
    print(_tell(chosen.language, "table.printed", name=str(chosen.output)), file=sys.stderr)
    return DONE
