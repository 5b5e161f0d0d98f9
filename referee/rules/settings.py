"""Every decision of the referee as a named setting: its default, unit, rule and meaning.

The values can be changed in Python (``Rules(start_tolerance_mm=10)``) or with a TOML file of the same names.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from referee.errors import WrongUsage
from referee.facts import Limits
from referee.files import MOST_TEXT, bytes_of

Value = float | int | bool | str | tuple[str, ...]
FOUND_AT_A_LINE = ("checkpoint-missed", "donuts-missing", "slowdown-missed")


def _setting(
    default: Any, unit: str, rule: str, says: str, low: float = 0.0, high: float = 1000.0, choices: tuple[str, ...] = ()
) -> Any:
    told = {"unit": unit, "rule": rule, "says": says, "low": low, "high": high, "choices": choices}
    return field(default=default, metadata=told)


@dataclass(frozen=True)
class Rules:
    """How the referee reads the rulebook; every field is one decision or stated number."""

    mode: str = _setting("coop", "", "R12", "whether one team races alone or two race each other",
                         choices=("coop", "competitive"))  # fmt: skip
    nitro: bool = _setting(False, "", "R8", "the Nitro gadget: the next checkpoint or the finish is the slowdown zone")
    start_tolerance_mm: float = _setting(
        8.0, "mm", "R1", "how far outside the start arrow's outline the first ink may begin"
    )
    contact_merge_mm: float = _setting(
        3.0, "mm", "R2", "contacts with one line (or spill) with less path than this between them are one"
    )
    one_excursion_one_accident: bool = _setting(
        True, "", "R2", "after a break nothing is judged until the stroke ends, restarts or crosses the next line"
    )
    restart_tolerance_mm: float = _setting(
        10.0, "mm", "R3", "how far from the checkpoint line or the arrow's outline a restart may begin"
    )
    restart_off_road_mm: float = _setting(
        2.0, "mm", "R3", "how far outside the road (on the white band) the tip's centre may stand at a restart"
    )
    drag_back_counts: bool = _setting(
        True, "", "R3", "a marker dragged back to the restart line without being lifted has restarted there"
    )
    drag_back_within_mm: float = _setting(10.0, "mm", "R3", "how near the restart line a dragged marker must come")
    drag_back_from_mm: float = _setting(20.0, "mm", "R3", "how far from the restart line it must have been before")
    found_first: tuple[str, ...] = _setting(
        FOUND_AT_A_LINE, "", "R3", "which accident counts where several are found at one line", choices=FOUND_AT_A_LINE
    )
    dry_gap_mm: float = _setting(2.0, "mm", "R4", "a gap in line up to this wide is a dry marker, no lift")
    unclear_gap_mm: float = _setting(4.0, "mm", "R4", "a gap in line up to this wide is too close to call")
    in_line_deg: float = _setting(
        35.0, "degrees", "R4", "how far a gap's two ends may be out of line for a dry marker", high=180.0
    )
    lead_mm: float = _setting(4.0, "mm", "R4", "how much of a stroke's end says in which direction it goes", low=0.5)
    first_crossing_only: bool = _setting(
        True, "", "R5", "once a line is crossed, crossing it again changes nothing and is not reported"
    )
    jump_short_mm: float = _setting(
        15.0, "mm", "R6", "ink that ends no farther than this before a jump zone is a failed jump, farther off a lift"
    )
    donuts_owed: int = _setting(3, "donuts", "R9", "how many donuts a wipeout costs", low=1, high=20)
    donut_hole_mm: float = _setting(1.5, "mm", "R9", "a donut's hole must hold a circle of this diameter")
    wipeout_again_after_donuts: bool = _setting(
        True, "", "R9", "after the last owed donut is closed, touching the same spill is a new wipeout"
    )
    near_miss_mm: float = _setting(4.0, "mm", "R14", "margins under this are listed as near misses", high=10.0)
    too_close_factor: float = _setting(
        2.0, "sigma", "words", "a margin of less than this many uncertainties is too close to call", high=10.0
    )
    reading_share: float = _setting(
        0.05, "", "R3", "an order of the strokes this much less likely than the likeliest is not considered", high=1.0
    )
    rope_touch_is_crossing: bool = _setting(True, "", "R11", "touching the clothesline's solid line counts as crossing")
    rope_short_mm: float = _setting(15.0, "mm", "R11", "as jump_short_mm, for a clothesline's first dotted line")
    cheating_loses: str = _setting("stage", "", "R12", "what a team gives away by cheating", choices=("stage", "game"))
    both_cheated: str = _setting(
        "again", "", "R12", "what becomes of a stage in which both teams cheated", choices=("again", "nobody")
    )
    different_stages: bool = _setting(True, "", "R13", '"any n stages" means n different ones')

    def __post_init__(self) -> None:
        for setting in fields(self):
            _check(setting.name, getattr(self, setting.name))
        _in_order(self, "dry_gap_mm", "unclear_gap_mm")
        _in_order(self, "drag_back_within_mm", "drag_back_from_mm")
        if self.nitro and self.mode != "competitive":
            raise WrongUsage(
                "nitro is a gadget of competitive races only.", 'Set mode = "competitive" or leave it out.'
            )

    def limits(self) -> Limits:
        """The numbers that geometry needs to know what to look for."""
        return Limits(self.dry_gap_mm, self.in_line_deg, self.lead_mm, self.near_miss_mm, self.unclear_gap_mm)


@dataclass(frozen=True)
class Setting:
    """One line of the list of decisions."""

    name: str
    default: Value
    unit: str
    rule: str
    says: str


def settings() -> tuple[Setting, ...]:
    """All decisions with their defaults, in the order of the rules."""
    return tuple(
        Setting(f.name, getattr(Rules, f.name), f.metadata["unit"], f.metadata["rule"], f.metadata["says"])
        for f in fields(Rules)
    )


# ----------------------------------------------------------------------------------------- checking


TOLD = {f.name: f.metadata for f in fields(Rules)}


def _check(name: str, value: Any) -> None:
    """Refuses a value of the wrong type or out of range."""
    kind = type(getattr(Rules, name))
    checkers = {bool: _check_bool, int: _check_number, float: _check_number, str: _check_choice, tuple: _check_order}
    checkers[kind](name, value, TOLD[name])


def _wrong(name: str, expected: str, value: Any) -> WrongUsage:
    return WrongUsage(
        f"{name} must be {expected}, got {value!r}.", "Run `referee rules` to see every setting with its default."
    )


def _check_bool(name: str, value: Any, _: Any) -> None:
    if not isinstance(value, bool):
        raise _wrong(name, "true or false", value)


def _check_number(name: str, value: Any, told: Any) -> None:
    whole = isinstance(getattr(Rules, name), int)
    kinds = (int,) if whole else (int, float)
    what = f"a {'whole ' if whole else ''}number from {told['low']:g} to {told['high']:g}"
    if isinstance(value, bool) or not isinstance(value, kinds) or not told["low"] <= value <= told["high"]:
        raise _wrong(name, what, value)


def _check_choice(name: str, value: Any, told: Any) -> None:
    if value not in told["choices"]:
        raise _wrong(name, " or ".join(repr(c) for c in told["choices"]), value)


def _check_order(name: str, value: Any, told: Any) -> None:
    if not isinstance(value, tuple) or sorted(map(str, value)) != sorted(told["choices"]):
        raise _wrong(name, f"a list of {', '.join(told['choices'])} in some order", value)


def _in_order(rules: Rules, small: str, large: str) -> None:
    if getattr(rules, small) > getattr(rules, large):
        raise WrongUsage(
            f"{small} ({getattr(rules, small):g}) must not be larger than {large} ({getattr(rules, large):g}).",
            "Change one of the two.",
        )


# ----------------------------------------------------------------------------------------- reading a file


def rules_from_toml(path: Path) -> Rules:
    """The rules with a TOML file's values in place of the defaults; WrongUsage says what is wrong with it."""
    try:
        text = bytes_of(Path(path), MOST_TEXT).decode("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise WrongUsage(
            f"cannot read the rules file {path}: {fault}.", "Check its name and that it is text."
        ) from fault
    return rules_from_text(text, str(path))


def rules_from_text(text: str, source: str = "rules") -> Rules:
    """As `rules_from_toml`, from the file's text; a table called ``rules`` may hold the values."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise WrongUsage(
            f"{source} is not valid TOML: {fault}.", "Write lines such as: start_tolerance_mm = 10"
        ) from fault
    inner = table.pop("rules", {})
    if not isinstance(inner, dict):
        raise WrongUsage(f"{source}: rules must be a table, got {inner!r}.", "Write [rules] on a line of its own.")
    return Rules(**{name: _value(name, value, source) for name, value in {**table, **inner}.items()})


def _value(name: str, value: Any, source: str) -> Any:
    known = [f.name for f in fields(Rules)]
    if name not in known:
        close = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
        hint = f"Did you mean {' or '.join(close)}?" if close else "Run `referee rules` to see every setting."
        raise WrongUsage(f"{source}: there is no setting called {name!r}.", hint)
    return tuple(value) if isinstance(value, list) else value


__all__ = ["FOUND_AT_A_LINE", "Rules", "Setting", "rules_from_text", "rules_from_toml", "settings"]
