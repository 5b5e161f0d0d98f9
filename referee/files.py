"""Reading a file that somebody named: only a file, and only so much of it."""

from __future__ import annotations

import errno
import stat
from pathlib import Path

MOST_TEXT = 1_000_000
"""No file of settings is larger than so many bytes."""


def bytes_of(path: Path, most: int) -> bytes:
    """The bytes of a regular file of at most so many.

    Raises OSError, its ``strerror`` in plain words, for anything else: a pipe or a device could block or never end.
    """
    about = path.stat()
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(about.st_mode):
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file")
    if about.st_size > most:
        raise OSError(errno.EFBIG, f"it is larger than {most / 1e6:.0f} MB")
    return path.read_bytes()
