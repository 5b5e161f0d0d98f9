"""The boards that carry no markers, as they are known again: what is known of each stage is kept between runs.

It takes a quarter of a second to look a print over for its features, and there may be two hundred; so they are kept
in the user's cache folder, by the content that they come from.  A cache that cannot be read or written only costs
time.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from referee.errors import BadStageFile
from referee.model import Stage
from referee.stage.catalogue import Catalogue
from referee.stage.render import artwork
from referee.vision.artwork.find import Shelf
from referee.vision.artwork.known import REFERENCE_PX_PER_BOARD, VERSION, Known

CACHE_VARIABLE = "REFEREE_CACHE"
"""The environment variable that names another folder for the cache."""
MOST_FILES = 1000
"""The cache keeps so many boards; the oldest go."""
MOST_KEPT = 400
"""And the process so many: 0.3 MB each."""


def shelf_of(catalogue: Catalogue, said: Stage | None) -> Shelf:
    """The boards without markers that may be in a picture: the stage that is said to be in it, or all at hand."""
    if said is not None:
        return _shelf([(said.number, _digest(said), lambda: said)])
    return _shelf([(file.number or 0, file.digest, file.open) for file in catalogue.unmarked()])


def knows_some(catalogue: Catalogue, said: Stage | None) -> bool:
    """Whether a board without markers may be in a picture at all."""
    return not said.fiducials if said is not None else bool(catalogue.unmarked())


def _digest(stage: Stage) -> str:
    return hashlib.sha256(stage.svg + stage.reference).hexdigest()


def _shelf(boards: Sequence[tuple[int, str, Callable[[], Stage]]]) -> Shelf:
    """The shelf of these boards, the one of the last time if they are the same; broken files are left out."""
    key = tuple((number, digest) for number, digest, _ in boards)
    if key in _SHELVES:
        return _SHELVES[key]
    found = []
    for number, digest, stage in boards:
        with suppress(BadStageFile):
            found.append((number, _known(digest, stage)))
    shelf = Shelf(tuple(number for number, _ in found), tuple(known for _, known in found))
    while len(_SHELVES) >= 2:
        _SHELVES.popitem(last=False)
    _SHELVES[key] = shelf
    return shelf


_SHELVES: OrderedDict[tuple[tuple[int, str], ...], Shelf] = OrderedDict()
_KNOWN: OrderedDict[str, Known] = OrderedDict()


def _known(digest: str, stage: Callable[[], Stage]) -> Known:
    if digest in _KNOWN:
        _KNOWN.move_to_end(digest)
        return _KNOWN[digest]
    known = _read(digest)
    if known is None:
        known = _looked_over(stage())
        _write(digest, known.to_bytes())
    while len(_KNOWN) >= MOST_KEPT:
        _KNOWN.popitem(last=False)
    _KNOWN[digest] = known
    return known


def _looked_over(stage: Stage) -> Known:
    """What is known of a stage from its clean print."""
    px_per_mm = REFERENCE_PX_PER_BOARD / max(stage.size_mm)
    return Known.of(artwork(stage, None, px_per_mm), stage.size_mm)


# ------------------------------------------------------------------------------------------- the cache folder


def cache_folder() -> Path:
    """Where this user's programs keep what can be made again."""
    said = os.environ.get(CACHE_VARIABLE)
    if said:
        return Path(said)
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "camera-referee"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "camera-referee" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "camera-referee"


def _file(digest: str) -> Path:
    return cache_folder() / "boards" / f"{digest}-{VERSION}.npz"


def _read(digest: str) -> Known | None:
    try:
        return Known.from_bytes(_file(digest).read_bytes())
    except (OSError, RuntimeError):  # no home folder is a RuntimeError
        return None


def _write(digest: str, content: bytes) -> None:
    """Written beside and moved into place: another process may read it at any time."""
    with suppress(OSError, RuntimeError):
        path = _file(digest)
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
            part.write(content)
        Path(part.name).replace(path)
        _forget_the_oldest(path.parent)


def _forget_the_oldest(folder: Path) -> None:
    files = list(folder.glob("*.npz"))
    if len(files) > MOST_FILES:
        for old in sorted(files, key=lambda file: file.stat().st_mtime)[: len(files) - MOST_FILES]:
            old.unlink(missing_ok=True)
