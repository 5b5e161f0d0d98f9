"""Files that somebody named: reading one, and only so much of it; how the picture in one is turned."""

from __future__ import annotations

import errno
import stat
import struct
from pathlib import Path

MOST_TEXT = 1_000_000
"""No file of settings is larger than so many bytes."""
ORIENTATION = 274
"""The EXIF tag that says how a picture is to be turned: 1 as it is, up to 8."""


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


def exif_orientation(tiff: bytes) -> int:
    """The orientation in an EXIF block's first directory; 1 where it has none or makes no sense."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (at,) = struct.unpack_from(order + "I", tiff, 4)
        (count,) = struct.unpack_from(order + "H", tiff, at)
        for entry in range(at + 2, at + 2 + 12 * count, 12):
            tag, kind, values = struct.unpack_from(order + "HHI", tiff, entry)
            if tag == ORIENTATION and kind == 3 and values == 1:
                (value,) = struct.unpack_from(order + "H", tiff, entry + 8)
                return int(value) if 1 <= value <= 8 else 1
    except struct.error:
        pass
    return 1
