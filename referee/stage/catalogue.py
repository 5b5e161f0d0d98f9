"""The stages at hand: the built-in ones, and folders and files that people add.

A file is only looked over until its stage is wanted; what was loaded stays until the file changes.  A broken file
hinders nothing but its own stage.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from pathlib import Path

from referee.errors import BadStageFile, UnknownStage, WrongUsage
from referee.model import Copy, Stage
from referee.stage.load import load_stage, read_bytes
from referee.stage.markers import COPY_STEP, STAGE_STEP
from referee.words import say

_STAGE = re.compile(rb"data-stage\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_NAME = re.compile(rb"data-name\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_KIND = re.compile(rb"data-kind\s*=\s*[\"']reference[\"']")
_PICTURE = re.compile(rb"href\s*=\s*[\"']\s*([^/\\:%?#\"']+\.(?i:png|jpe?g|gif|webp))\s*[\"']")
_EMBEDDED = re.compile(rb"data:image/[a-z]+;base64,[A-Za-z0-9+/=\s]*")
_ID = re.compile(rb"data-id\s*=\s*[\"']\s*\+?([0-9]{1,6})\s*[\"']")
"""Each begins with plain letters: that is twenty times as fast as beginning with the white space before them."""


def builtin_folder() -> Path:
    """Where the built-in stages lie: beside the package in a checkout, inside it when installed."""
    package = Path(__file__).resolve().parents[1]
    checkout = package.parent / "stage_masks"
    return checkout if checkout.is_dir() else package / "stage_masks"


@dataclass(frozen=True)
class StageFile:
    """A stage file as far as a glance tells: its number (None: not to be made out) and all its ``data-id``."""

    path: Path
    number: int | None
    ids: frozenset[int]
    stamp: tuple[int, ...]
    name: str | None = None
    """None: only loading the file tells."""
    digest: str = ""
    """What the print of a board without markers is known by, as long as its file stays as it is."""
    beside: str | None = None
    """The file of its reference picture, if that is a file of its own."""

    def open(self) -> Stage:
        """The stage itself; raises `BadStageFile`."""
        stage = _loaded(self.path, self.stamp)
        if isinstance(stage, BadStageFile):
            raise BadStageFile(stage.message, stage.hint)
        return stage

    def fault(self) -> BadStageFile | None:
        """What is wrong with the file, None if it loads."""
        stage = _loaded(self.path, self.stamp)
        return stage if isinstance(stage, BadStageFile) else None

    def may_carry(self, marker_id: int) -> bool:
        """Whether a marker may be one of this stage's."""
        return marker_id in self.ids or marker_id - COPY_STEP in self.ids or self._numbered_for(marker_id)

    def _numbered_for(self, marker_id: int) -> bool:
        return self.number == marker_id // STAGE_STEP + 1


class Catalogue:
    """Stages by number and by marker: single ``files`` first, then the last of the ``folders``, the built-in last.

    Raises `WrongUsage` for a folder that is not there.
    """

    def __init__(
        self, folders: Sequence[Path | str] = (), *, files: Sequence[Path | str] = (), builtin: bool = True
    ) -> None:
        searched = [Path(folder) for folder in folders]
        for folder in searched:
            if not folder.is_dir():
                raise WrongUsage(f"There is no folder {folder}.", "Name a folder that holds stage files (.svg).")
        self._files = tuple(Path(file) for file in files)
        self._folders = (*reversed(searched), *([builtin_folder()] if builtin else []))

    def numbers(self) -> tuple[int, ...]:
        """The numbers of all stages at hand, broken ones included."""
        return tuple(sorted(self._by_number()))

    def names(self) -> Mapping[int, str]:
        """The name of each stage at hand by its number: a glance where that suffices; broken files are left out if they
        had to be loaded."""
        found = {}
        for number, files in self._by_number().items():
            with suppress(BadStageFile):
                found[number] = files[0].open().name if files[0].name is None else files[0].name
        return dict(sorted(found.items()))

    def find(self, number: int) -> Stage:
        """The stage of a number; raises `UnknownStage`, or `BadStageFile` if its file is broken."""
        files = self._by_number().get(number)
        if not files:
            raise self._unknown(number)
        if len(files) > 1:
            names = " and ".join(file.path.name for file in files)
            raise BadStageFile(f"{files[0].path.parent}: {names} are both stage {number}.", "Keep one of them there.")
        try:
            return files[0].open()
        except BadStageFile as fault:
            if not any(file.number == number and file.path != files[0].path for file in self._glances()):
                raise
            cure = f"{fault.hint} Or take the file away: it stands before another stage {number}."
            raise BadStageFile(fault.message, cure) from None

    def of_marker(self, marker_id: int) -> tuple[Stage, Copy, int] | None:
        """The stage that carries a marker of AprilTag 36h11, on which copy and in which corner (0 top left, clockwise).

        None if no stage at hand carries it; raises `BadStageFile` if only a broken file may.
        """
        broken: BadStageFile | None = None
        for number, files in self._by_number().items():
            if not any(file.may_carry(marker_id) for file in files):
                continue
            try:
                stage = self.find(number)
            except BadStageFile as fault:
                broken = broken or fault
                continue
            found = corner_of(stage, marker_id)
            if found:
                return stage, *found
        broken = broken or next((f.fault() for f in self._nameless() if f.may_carry(marker_id)), None)
        if broken:
            raise broken
        return None

    def unmarked(self) -> tuple[StageFile, ...]:
        """The files of the stages that carry no markers, by number: they are known by their artwork."""
        found = ((number, files[0]) for number, files in self._by_number().items() if len(files) == 1)
        return tuple(file for _, file in sorted(found, key=lambda one: one[0]) if not file.ids)

    def broken(self) -> Mapping[Path, BadStageFile]:
        """Every file that does not load, with what is wrong; loads them all."""
        faults = ((file.path, file.fault()) for file in self._glances())
        return {path: fault for path, fault in faults if fault}

    def files(self) -> Mapping[int, Path]:
        """The file of each number."""
        return {number: files[0].path for number, files in sorted(self._by_number().items())}

    def _by_number(self) -> dict[int, list[StageFile]]:
        """The files of each number, those of added folders first: more than one only if they lie in one folder."""
        found: dict[int, list[StageFile]] = {}
        for group in self._groups():
            here: dict[int, list[StageFile]] = {}
            for file in group:
                if file.number is not None:
                    here.setdefault(file.number, []).append(file)
            for number, files in here.items():
                found.setdefault(number, files)
        return found

    def _groups(self) -> Iterator[list[StageFile]]:
        """The files at hand, those that go before others first."""
        yield from ([_glance(path)] for path in self._files)
        for folder in self._folders:
            yield [_glance(path) for path in sorted(folder.glob("*")) if path.suffix.lower() == ".svg"]

    def _glances(self) -> list[StageFile]:
        return [file for group in self._groups() for file in group]

    def _nameless(self) -> list[StageFile]:
        return [file for file in self._glances() if file.number is None]

    def _unknown(self, number: int) -> UnknownStage:
        there = ", ".join(map(str, self.numbers())) or say("stages.none")
        return UnknownStage(say("fault.no-stage", number=number, there=there), say("cure.add-folder"))


def corner_of(stage: Stage, marker_id: int) -> tuple[Copy, int] | None:
    """Which copy of a stage carries a marker, and in which corner (0 top left, clockwise); None if neither does."""
    for fiducial in stage.fiducials:
        if marker_id == fiducial.marker_id:
            return "A", fiducial.place
        if marker_id == fiducial.marker_id + COPY_STEP:
            return "B", fiducial.place
    return None


def _glance(path: Path) -> StageFile:
    try:
        stat = path.stat()
        stamp: tuple[int, ...] = (stat.st_mtime_ns, stat.st_size)
    except OSError:
        stamp = (0, -1)
    file = _glanced(path.absolute(), stamp)
    return file if file.beside is None else _with_its_picture(file, file.beside)


def _with_its_picture(file: StageFile, name: str) -> StageFile:
    """The same file, another one when the picture beside it changes."""
    try:
        stat = (file.path.parent / name).stat()
        stamp = (*file.stamp, stat.st_mtime_ns, stat.st_size)
    except OSError:
        stamp = (*file.stamp, 0, -1)
    return replace(file, stamp=stamp, digest=hashlib.sha256(f"{file.digest} {stamp}".encode()).hexdigest())


@lru_cache(maxsize=4096)
def _glanced(path: Path, stamp: tuple[int, ...]) -> StageFile:
    """Number and ids by their spelling alone; where that leaves a doubt, by loading the file."""
    try:
        text = read_bytes(path)
    except BadStageFile:
        return StageFile(path, None, frozenset(), stamp)
    digest = hashlib.sha256(text).hexdigest()
    text = _EMBEDDED.sub(b"", text)  # a picture of a megabyte says nothing here, and would be searched three times
    ids = frozenset(int(found[1]) for found in _attributes(_ID, text))
    pictures = _PICTURE.findall(text) if _attributes(_KIND, text) else []
    beside = unescape(pictures[0].decode("utf-8", errors="replace")) if len(pictures) == 1 else None
    spelled = [found[1] or found[2] for found in _attributes(_STAGE, text)]
    if len(spelled) == 1 and re.fullmatch(rb"\s*[1-9][0-9]{0,8}\s*", spelled[0]):
        named = [found[1] or found[2] for found in _attributes(_NAME, text)]
        name = unescape(named[0].decode("utf-8", errors="replace")).strip() if len(named) == 1 else None
        return StageFile(path, int(spelled[0]), ids, stamp, name or None, digest, beside)
    stage = _loaded(path, stamp)
    if isinstance(stage, BadStageFile):
        return StageFile(path, None, ids, stamp)
    return StageFile(path, stage.number, frozenset(f.marker_id for f in stage.fiducials), stamp, None, digest, beside)


def _attributes(spelling: re.Pattern[bytes], text: bytes) -> list[re.Match[bytes]]:
    """Where an attribute stands in a file, with white space before it."""
    return [found for found in spelling.finditer(text) if text[found.start() - 1 : found.start()].isspace()]


@lru_cache(maxsize=64)
def _loaded(path: Path, _stamp: tuple[int, ...]) -> Stage | BadStageFile:
    """A file's stage, or what is wrong with it, until its time or size changes."""
    try:
        return load_stage(path)
    except BadStageFile as fault:
        return fault
