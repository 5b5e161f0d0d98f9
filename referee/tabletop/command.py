"""What all words of a game's command take, and how they refuse.  Nothing heavy is read to ask for help."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.errors import RefereeError

Handler = Callable[[argparse.Namespace], int]


def add_command(commands: Any, name: str, handler: Handler, says: str) -> argparse.ArgumentParser:
    """A word of the command, with the choices that all of them have."""
    parser: argparse.ArgumentParser = commands.add_parser(name, help=says, description=f"{says[0].upper()}{says[1:]}.")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument("--language", choices=("en", "fr"), default="en", help="the language of the words (en)")
    parser.set_defaults(handler=handler)
    return parser


def refuse(chosen: argparse.Namespace, error: RefereeError, as_json: Mapping[str, object]) -> None:
    """What is wrong, on standard error, and as JSON if asked."""
    from referee.words import told

    if chosen.json:
        print(json.dumps(as_json))
    print(f"{told(error.message, chosen.language)}\n  {told(error.hint, chosen.language)}", file=sys.stderr)
