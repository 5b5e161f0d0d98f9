"""Everything that is kept as one ZIP, made while it is sent: no more of it is in memory than a piece of one file."""

from __future__ import annotations

import io
import time
from collections.abc import Iterable, Iterator
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from referee.service.history import tables, timeline
from referee.service.history.best import best
from referee.service.language import say
from referee.service.past import File, pasts
from referee.service.store.open import Store

PIECE = 256 * 1024
SMALL_ALREADY = (".jpg", ".png", ".webp", ".heic")
EARLIEST_S = 315_619_200.0
"""2 January 1980: a ZIP knows no time before that year."""


def everything(store: Store, now: float, pictures: bool) -> Iterator[bytes]:
    """The whole parcel, piece by piece."""
    return zipped(_files(store, now, pictures))


def _files(store: Store, now: float, pictures: bool) -> Iterator[File]:
    yield File(say("history.parcel.file"), now, _letter(pictures).encode())
    entries = tables.history_rows(timeline.everything(store))
    yield File("history.csv", now, tables.as_file(tables.HISTORY, entries))
    yield File("best-times.csv", now, tables.as_file(tables.BEST, tables.best_rows(best(store))))
    for past in pasts().values():
        yield from past.files(store, pictures)


def _letter(pictures: bool) -> str:
    told = ("history.parcel.letter", "history.parcel.with" if pictures else "history.parcel.without")
    return "\r\n".join((say("title"), "", *(say(key) for key in told), ""))


class _Way(io.RawIOBase):
    """What is written comes out at the other end."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, content: bytes) -> int:  # type: ignore[override]
        self._written.append(bytes(content))
        return len(content)

    def taken(self) -> bytes:
        """What was written since it was last asked for."""
        written, self._written = b"".join(self._written), []
        return written


def zipped(files: Iterable[File]) -> Iterator[bytes]:
    """A ZIP of some files; what is opened to be read is closed."""
    way = _Way()
    with ZipFile(way, "w") as parcel:
        for file in files:
            with parcel.open(_label(file), "w") as inside:
                for piece in _pieces(file):
                    inside.write(piece)
                    if written := way.taken():
                        yield written
    yield way.taken()


def _pieces(file: File) -> Iterator[bytes]:
    if isinstance(file.content, bytes):
        yield file.content
        return
    with file.content as content:
        while piece := content.read(PIECE):
            yield piece


def _label(file: File) -> ZipInfo:
    label = ZipInfo(file.path, time.localtime(max(file.at, EARLIEST_S))[:6])
    label.compress_type = ZIP_STORED if file.path.endswith(SMALL_ALREADY) else ZIP_DEFLATED
    label.external_attr = 0o600 << 16
    return label
