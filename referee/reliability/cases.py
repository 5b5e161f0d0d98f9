"""Photos with truth: a folder each, with ``photo.jpg`` and ``truth.json``; and their reports, kept in a cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from referee.errors import RefereeError, WrongUsage
from referee.model import Json, Progress, one_line
from referee.pipeline import judge_boards
from referee.report.document import document
from referee.rules.settings import Rules
from referee.stage.catalogue import Catalogue, builtin_folder

TRUTH, PHOTO, BASELINE = "truth.json", "photo.jpg", "baseline.jpg"
KEPT = ("verdict", "error", "stage", "board", "accidents", "donuts", "events")
"""What of a report is held against the truth."""
_HEAD = '{"kept": "reports of referee reliability"}'
_HOUSE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, eq=False)
class Case:
    """One photo and what is true of it."""

    name: str
    photo: Path
    truth: Json

    @property
    def baseline(self) -> Path | None:
        """The picture of the board before the race, if the case has one."""
        return self.photo.parent / BASELINE if "--baseline" in self.truth.get("args", ()) else None

    @property
    def rules(self) -> Rules:
        """The settings that the case is played by."""
        return Rules(mode=self.truth.get("mode", "coop"), nitro=bool(self.truth.get("nitro", False)))


@dataclass(frozen=True, eq=False)
class Judged:
    """A case with the report on its board; ``fault`` says what went wrong inside, where something did."""

    case: Case
    report: Json
    fault: str | None = None


def cases_in(folders: Sequence[Path], progress: Progress) -> list[Case]:
    """The cases of some folders, each a case itself or a folder of cases, by name; raises `WrongUsage`."""
    places = [place for folder in folders for place in _cases_of(folder)]
    found = [_case(place) for place in dict.fromkeys(places)]
    lost = [case for case in found if case.baseline and not case.baseline.is_file()]
    for case in lost:
        progress(f"{one_line(case.name)}: left out, it has no {BASELINE}.")
    return [case for case in found if case not in lost]


def _cases_of(folder: Path) -> list[Path]:
    if (folder / TRUTH).is_file():
        return [folder]
    inside = sorted(path.parent for path in folder.glob(f"*/{TRUTH}")) if folder.is_dir() else []
    if not inside:
        raise WrongUsage(
            f"{folder}: no photos with truth.", f"Name a folder whose folders each hold {PHOTO} and {TRUTH}."
        )
    return inside


def _case(folder: Path) -> Case:
    path = folder / TRUTH
    try:
        truth = json.loads(path.read_text(encoding="utf-8"))
        whole = isinstance(truth["events"], list) and "accept_verdicts" in truth and "number" in truth["stage"]
    except (OSError, ValueError, KeyError, TypeError):
        whole = False
    if not whole or not (folder / PHOTO).is_file():
        raise WrongUsage(f"{folder}: {PHOTO} or its truth is missing or broken.", "Mend it, or take the folder away.")
    return Case(folder.name, folder / PHOTO, truth)


# ------------------------------------------------------------------------------------------------ judging


def judge_cases(cases: Sequence[Case], stages: Path | None, cache: Path | None, progress: Progress) -> Iterator[Judged]:
    """Each case with its report, from the cache where it is known, else judged now and kept at once.

    A report holds for one photo, the stage files, and the referee's own code: what has changed is judged again.
    """
    catalogue = Catalogue([stages] if stages else [])
    served = [path for path in (builtin_folder(), stages) if path is not None]
    ground = _digest(*sorted(_HOUSE.rglob("*.py")), *(file for path in served for file in sorted(path.glob("*.svg"))))
    kept = _kept(cache) if cache else {}
    with _Book(cache) as book:
        for number, case in enumerate(cases, 1):
            pictures = [case.photo, *([case.baseline] if case.baseline else [])]
            key = hashlib.sha256((ground + _digest(*pictures) + repr(case.rules)).encode()).hexdigest()
            known = kept.get(key)
            progress(f"[{number}/{len(cases)}] {one_line(case.name)}{' (known)' if known else ''}")
            if known is None:
                try:
                    known = _judged(case, catalogue)
                except RefereeError:
                    raise
                except Exception as fault:  # a fault of ours must not cost the other photos their figures
                    yield Judged(case, {}, f"{type(fault).__name__}: {fault}")
                    continue
                book.keep({"key": key, "case": case.name, "report": known})
            yield Judged(case, known)


def _judged(case: Case, catalogue: Catalogue) -> Json:
    """The report on the board that the truth is about."""
    judged = judge_boards(case.photo, catalogue=catalogue, rules=case.rules, baseline=case.baseline)
    reports = [document(report) for report in judged]
    meant = case.truth["stage"]
    own = [
        report
        for report in reports
        if (report["stage"] or {}).get("number") == meant["number"] and report["stage"]["copy"] == meant.get("copy")
    ]
    return {name: value for name, value in (own or reports)[0].items() if name in KEPT}


def _digest(*files: Path) -> str:
    whole = hashlib.sha256()
    for file in files:
        whole.update(hashlib.sha256(file.name.encode()).digest() + hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def _kept(cache: Path) -> dict[str, Json]:
    """The reports of a cache file; what a line that was cut off held is judged again."""
    if not cache.exists():
        return {}
    try:
        lines = cache.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise WrongUsage(f"--cache {cache}: it cannot be read.", "Name a file of this command's own.") from error
    if lines and lines[0] != _HEAD:
        raise WrongUsage(f"--cache {cache}: that is another file, not kept reports.", "Name a file of its own.")
    kept: dict[str, Json] = {}
    for line in lines[1:]:
        with suppress(ValueError):
            entry = json.loads(line)
            kept[entry["key"]] = entry["report"]
    return kept


class _Book:
    """The cache file, written to line by line, so that a run that is stopped goes on where it was."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.file: TextIO | None = None

    def __enter__(self) -> _Book:
        if self.path is not None:
            try:
                self.file = self.path.open("a", encoding="utf-8")
            except OSError as error:
                raise WrongUsage(f"--cache {self.path}: {error.strerror}.", "Name a file that can be made.") from error
            self.file.write("\n" if self.file.tell() else _HEAD + "\n")  # a line may have been cut off
        return self

    def __exit__(self, *_: object) -> None:
        if self.file is not None:
            self.file.close()

    def keep(self, entry: Json) -> None:
        if self.file is not None:
            self.file.write(json.dumps(entry) + "\n")
            self.file.flush()
