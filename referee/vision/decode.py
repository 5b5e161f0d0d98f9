"""Any picture file to an upright BGR array: the bytes say what they are, never the file's name.

Two roads lead to the pixels.  JPEG and plain PNG, the common ones, have their header read here (size, EXIF turning)
and go to OpenCV.  Everything else is opened by Pillow, which reads no pixel before it is asked to.  On both the
size is checked before a pixel is decoded, so that a small file that claims a huge picture costs nothing.
Colour profiles are left alone: the segmentation fits the colours of the known print anyway.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from referee.errors import NotAPicture, PictureTooLarge
from referee.files import exif_orientation
from referee.model import Photo
from referee.vision.opencv import MAX_PIXELS, cv2
from referee.words import say

if TYPE_CHECKING:
    from PIL import Image

Pixels = NDArray[np.uint8]

MAX_BYTES = 200_000_000
"""The largest file that is read."""

MAX_SIDE = 32_000
"""The longest side that OpenCV can lay flat."""

_HEIC_BRANDS = {b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"hevm", b"hevs", b"mif1", b"msf1"}
_AVIF_BRANDS = {b"avif", b"avis"}
_PILLOW_FORMATS = ("AVIF", "BMP", "GIF", "JPEG", "JPEG2000", "PNG", "PPM", "TGA", "TIFF", "WEBP")
_READS = say("cure.reads")
_DECODER_FAULTS = (
    OSError,
    EOFError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    RuntimeError,
    struct.error,
    cv2.error,
)
"""What Pillow's and libheif's readers raise over damaged files."""
_DAMAGED = say("cure.damaged")

_END, _SCAN, _HEIGHT = 0xD9, 0xDA, 0xDC
_BETWEEN_SCANS = {0xC4, _SCAN, 0xDB, _HEIGHT, 0xDD, 0xFE, *range(0xE0, 0xF0)}
"""Markers of a JPEG that may follow a scan before its end: tables, another scan, the height, notes."""

# What undoes each EXIF orientation: (transpose first, then flip code of cv2.flip or None).
_TURNS: dict[int, tuple[bool, int | None]] = {
    1: (False, None),
    2: (False, 1),
    3: (False, -1),
    4: (False, 0),
    5: (True, None),
    6: (True, 1),
    7: (True, -1),
    8: (True, 0),
}


@dataclass(frozen=True)
class Header:
    """What a picture says about itself before a pixel is decoded: stored size and EXIF orientation 1 to 8."""

    size_wh: tuple[int, int]
    orientation: int = 1
    plain: bool = True
    """OpenCV decodes it as it should be seen: no transparency to lay on white."""


def decode(picture: Path | bytes | bytearray | Pixels, source: str | None = None) -> Photo:
    """The upright photo in a file, in a file's bytes, or in an array (H, W, 3) BGR uint8 that is upright already.

    Transparency is laid on white, 16 bits become 8, of an animation the first frame is taken.
    Raises `NotAPicture` and `PictureTooLarge`; nothing larger than `MAX_PIXELS` is ever decoded.
    """
    name = source or (Path(picture).name if isinstance(picture, Path | str) else "picture")
    if isinstance(picture, np.ndarray):
        return Photo(_checked_array(picture), name)
    return Photo(_pixels(content_of(picture)), name)


def content_of(picture: Path | bytes | bytearray) -> bytes:
    """The bytes of a picture's file.  Raises `NotAPicture` and `PictureTooLarge`."""
    content = bytes(picture) if isinstance(picture, bytes | bytearray) else _read(Path(picture))
    if not content:
        raise NotAPicture(say("fault.empty"), _DAMAGED)
    if len(content) > MAX_BYTES:
        raise _too_many_bytes(len(content))
    return content


def thumbnail(content: bytes, step: int) -> NDArray[np.uint8] | None:
    """A grey, upright copy (h, w) of a JPEG in which a pixel is the mean of ``step`` x ``step``; None if not to be had.

    A JPEG can be decoded at a half, a quarter or an eighth for half the price, if its sides are whole multiples.
    """
    try:
        header = _jpeg_header(content) if content[:2] == b"\xff\xd8" else None
        if header is None or step not in _REDUCED or any(side % step for side in header.size_wh):
            return None
        _check_size(header.size_wh)
        seen = cv2.imdecode(np.frombuffer(content, np.uint8), _REDUCED[step] | cv2.IMREAD_IGNORE_ORIENTATION)
    except (NotAPicture, PictureTooLarge, cv2.error):  # whoever decodes the whole picture says so
        return None
    return None if seen is None else upright(np.asarray(seen, np.uint8), header.orientation)


def jpeg_size(content: bytes) -> tuple[int, int] | None:
    """Width and height of a JPEG as it is stored; None for any other file, or one that does not say."""
    try:
        return _jpeg_header(content).size_wh if content[:2] == b"\xff\xd8" else None
    except NotAPicture:
        return None


# ------------------------------------------------------------------------------------------------ reading


def _read(path: Path) -> bytes:
    """The bytes of a regular file; nothing else is opened, since a pipe or device could block for ever."""
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            raise NotAPicture(say("fault.folder"), say("cure.name-pictures"))
        if not stat.S_ISREG(about.st_mode):
            raise NotAPicture(say("fault.device"), say("cure.save-first"))
        if about.st_size > MAX_BYTES:
            raise _too_many_bytes(about.st_size)
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise NotAPicture(say("fault.no-file"), say("cure.check-name")) from None
    except PermissionError:
        raise NotAPicture(say("fault.not-allowed"), say("cure.right")) from None
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise NotAPicture(say("fault.cannot-read", reason=reason), say("cure.copy-elsewhere")) from None


def _too_many_bytes(count: int) -> PictureTooLarge:
    return PictureTooLarge(say("fault.too-many-bytes", mb=count / 1e6, most=MAX_BYTES / 1e6), say("cure.jpeg"))


def _checked_array(picture: Pixels) -> Pixels:
    if picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3 or picture.size == 0:
        raise NotAPicture(say("fault.array", got=f"{picture.dtype} {picture.shape}"), say("cure.convert"))
    _check_size((picture.shape[1], picture.shape[0]))
    return np.ascontiguousarray(picture)


def _check_size(size_wh: tuple[int, int]) -> None:
    width, height = size_wh
    if width <= 0 or height <= 0:
        raise NotAPicture(say("fault.claims-pixels", width=width, height=height), _DAMAGED)
    if width * height > MAX_PIXELS:
        raise PictureTooLarge(
            say("fault.too-many-pixels", width=width, height=height, most=MAX_PIXELS // 10**6), say("cure.smaller")
        )
    if max(width, height) > MAX_SIDE:
        raise PictureTooLarge(say("fault.too-long", long=max(width, height), most=MAX_SIDE), say("cure.cut"))


def _pixels(content: bytes) -> Pixels:
    if content[:2] == b"\xff\xd8":
        header, scans = _jpeg_header(content), _jpeg_scans(content)
        if scans == "damaged":
            raise _broken("damaged")
        return _by_opencv(content, header, has_its_end=scans == "whole")
    if content[:8] == b"\x89PNG\r\n\x1a\n":
        header = _png_header(content)
        return _by_opencv(content, header) if header.plain else _by_pillow(content)
    if content[4:8] == b"ftyp":
        return _from_iso_file(content)
    return _by_pillow(content)


def _from_iso_file(content: bytes) -> Pixels:
    """HEIC, AVIF or a film: all three are boxes after an ``ftyp`` box that lists brands."""
    length = min(struct.unpack(">I", content[:4])[0], 512)
    brands = {content[at : at + 4] for at in (8, *range(16, length - 3, 4))}
    if not brands & (_AVIF_BRANDS | _HEIC_BRANDS):
        raise NotAPicture(say("fault.film"), say("cure.frame"))
    if not _boxes_are_whole(content):
        raise _broken("truncated")
    return _by_pillow(content) if brands & _AVIF_BRANDS else _by_heif(content)


def _boxes_are_whole(content: bytes) -> bool:
    """No box claims more bytes than there are: its decoder would paint what is missing in green."""
    at = 0
    while at + 8 <= len(content):
        (length,) = struct.unpack_from(">I", content, at)
        if length == 0:  # to the file's end
            return True
        if length == 1:  # a 64-bit length follows
            if at + 16 > len(content):
                return False
            (length,) = struct.unpack_from(">Q", content, at + 8)
        if length < 8:
            return True  # no box any more; whether that matters is for the decoder to say
        at += length
    return at <= len(content)


# ------------------------------------------------------------------------------------------------ OpenCV


# Turned here and not by OpenCV: it does so more slowly, and differently from one container to another.
_REDUCED = {
    2: cv2.IMREAD_REDUCED_GRAYSCALE_2,
    4: cv2.IMREAD_REDUCED_GRAYSCALE_4,
    8: cv2.IMREAD_REDUCED_GRAYSCALE_8,
}
_AS_STORED = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION


def _by_opencv(content: bytes, header: Header, *, has_its_end: bool = False) -> Pixels:
    _check_size(header.size_wh)
    seen = _straight_into_place(content, header.size_wh) if has_its_end else None
    if seen is None:
        try:
            seen = cv2.imdecode(np.frombuffer(content, np.uint8), _AS_STORED)
        except cv2.error:
            seen = None
    if seen is None:
        return _by_pillow(content)
    return upright(np.asarray(seen, np.uint8), header.orientation)


def _straight_into_place(content: bytes, size_wh: tuple[int, int]) -> Pixels | None:
    """The stored pixels (H, W, 3) of a JPEG that has its end; None where that cannot be done or was not.

    ``imdecode`` decodes into memory of its own and copies that: twice the memory and, for 12 megapixels, 55 ms instead
    of 34.  Only ``imread`` fills an array that it is given, and it wants a file: one that lies in memory alone.
    It does not say whether it succeeded, and takes a file without its end for a whole one.
    """
    if sys.platform != "linux":
        return None
    seen = np.zeros((size_wh[1], size_wh[0], 3), np.uint8)
    try:
        with os.fdopen(os.memfd_create("picture"), "wb", buffering=0) as file:
            file.write(content)
            cv2.imread(f"/proc/self/fd/{file.fileno()}", seen, _AS_STORED)
    except (OSError, cv2.error):
        return None
    # Rows come from the top: if the last was written, all were.  If it is black, the other road has to say so.
    return seen if seen[-1].any() else None


def upright(stored: Pixels, orientation: int) -> Pixels:
    """The picture (H, W, ...) as it was taken, from the way it is stored under an EXIF orientation of 1 to 8."""
    transposed, flip = _TURNS.get(orientation, _TURNS[1])
    turned = cv2.transpose(stored) if transposed else stored
    return np.asarray(turned if flip is None else cv2.flip(turned, flip), np.uint8)


def _jpeg_header(content: bytes) -> Header:
    """Size and orientation from the segments before the first scan (ITU T.81 annex B)."""
    orientation: int | None = None
    for marker, start, length in _jpeg_segments(content):
        if marker == 0xE1 and orientation is None and content[start : start + 6] == b"Exif\0\0":
            orientation = exif_orientation(content[start + 6 : start + length])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC) and length >= 6:
            height, width = struct.unpack(">HH", content[start + 1 : start + 5])
            return Header((width, height), orientation or 1)
    raise NotAPicture(say("fault.jpeg-without-size"), _DAMAGED)


def _jpeg_scans(content: bytes) -> Literal["whole", "cut off", "damaged"]:
    """Whether a JPEG's scans reach its end, and hold nothing that cannot stand in one.

    Behind such damage a decoder goes on with the picture moved aside; what is cut off it says itself.
    """
    stuffed = np.frombuffer(content, np.uint8)
    marks = np.flatnonzero(stuffed[:-1] == 0xFF)
    kinds = stuffed[marks + 1]
    # In the coded data only stuffed zeros, restarts and fill bytes follow an FF (ITU T.81 B.1.1.5).
    marks = marks[(kinds != 0) & (kinds != 0xFF) & ((kinds < 0xD0) | (kinds > 0xD7))]
    at, components, allowed = 2, 0, _BETWEEN_SCANS
    for marker, start, length in _jpeg_segments(content):
        at = start + length
        if marker in (0xC0, 0xC1) and length >= 6:
            components = content[start + 5]
    while len(later := marks[np.searchsorted(marks, at) :]):
        at = int(later[0])
        kind = content[at + 1]
        if kind == _END:
            return "whole"
        if at + 5 > len(content):
            return "cut off"
        length = int(struct.unpack(">H", content[at + 2 : at + 4])[0])
        if kind not in allowed or (kind == _HEIGHT and length != 4):
            return "damaged"
        if kind == _SCAN and content[at + 4] == components:
            allowed = {_HEIGHT}  # the one scan has them all
        at += 2 + length
    return "cut off"


def _jpeg_segments(content: bytes) -> Iterator[tuple[int, int, int]]:
    """(marker, start and length of its payload), up to the scan; junk between segments is skipped as decoders do."""
    at = 2
    while (at := content.find(b"\xff", at)) >= 0 and at + 4 <= len(content):
        marker = content[at + 1]
        if marker in (0x00, 0x01, 0xFF) or 0xD0 <= marker <= 0xD8:
            at += 1 if marker == 0xFF else 2
            continue
        if marker in (0xD9, 0xDA):
            return
        length = int(struct.unpack(">H", content[at + 2 : at + 4])[0])
        payload = max(length, 2) - 2
        if at + 4 + payload > len(content):
            return
        yield marker, at + 4, payload
        at += 4 + payload


def _png_header(content: bytes) -> Header:
    """Size, orientation and transparency from the chunks; a PNG must reach its end chunk."""
    size_wh, orientation, plain = (0, 0), 1, True
    for name, start, length in _png_chunks(content):
        if name == b"IHDR" and length == 13:
            size_wh = struct.unpack(">II", content[start : start + 8])
            _check_size(size_wh)
            plain = content[start + 9] not in (4, 6)
        elif name == b"tRNS":
            plain = False
        elif name == b"eXIf":
            orientation = exif_orientation(content[start : start + length])
        elif name == b"IEND":
            return Header(size_wh, orientation, plain)
    raise NotAPicture(say("fault.end-missing"), _DAMAGED)


def _png_chunks(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """(name, start and length of its payload) of each whole chunk."""
    at = 8
    while at + 12 <= len(content):
        length, name = struct.unpack(">I4s", content[at : at + 8])
        if at + 12 + length > len(content):
            return
        yield name, at + 8, length
        at += 12 + length


# ------------------------------------------------------------------------------------------------ Pillow


def _by_pillow(content: bytes) -> Pixels:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # odd EXIF and large sizes: both are dealt with here
            with Image.open(io.BytesIO(content), formats=_PILLOW_FORMATS) as opened:
                _check_size(opened.size)
                opened.load()  # before the orientation: some of Pillow's readers turn the picture themselves
                return upright(_bgr(opened), _pillow_orientation(opened))
    except Image.DecompressionBombError:
        raise PictureTooLarge(say("fault.claims-more", most=MAX_PIXELS // 10**6), say("cure.smaller")) from None
    except UnidentifiedImageError:
        raise _unknown(content) from None
    except _DECODER_FAULTS as fault:
        raise _broken(str(fault)) from None


def _pillow_orientation(opened: Image.Image) -> int:
    try:
        value = opened.getexif().get(274)
    except Exception:  # Pillow's readers of damaged EXIF fail in many ways; none is worth losing the picture for
        return 1
    return value if value in _TURNS else 1


def _bgr(opened: Image.Image) -> Pixels:
    """The first frame's pixels (H, W, 3), as stored."""
    if opened.mode in ("I", "F") or opened.mode.startswith("I;16"):
        return _deep_grey(opened)
    if opened.has_transparency_data:
        return _on_white(opened)
    return np.ascontiguousarray(np.asarray(opened.convert("RGB"))[:, :, ::-1])


def _on_white(opened: Image.Image) -> Pixels:
    from PIL import Image

    seen = opened.convert("RGBA")
    white = Image.new("RGBA", seen.size, "white")
    white.alpha_composite(seen)
    return np.ascontiguousarray(np.asarray(white)[:, :, 2::-1])


def _deep_grey(opened: Image.Image) -> Pixels:
    """Grey of more than 8 bits; whole numbers have 16, whatever holds them, and fractions go up to the brightest."""
    deep = np.asarray(opened)
    if opened.mode == "F":
        grey = np.nan_to_num(deep, posinf=0.0) * (255 / max(float(np.nanmax(deep, initial=0)), 1e-6))
    else:
        grey = deep.astype(np.int64) // 256
    return np.repeat(np.clip(grey, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)


def _by_heif(content: bytes) -> Pixels:
    try:
        import pillow_heif
    except ImportError:
        raise NotAPicture(say("fault.heic"), say("cure.heif")) from None
    try:
        # libheif turns the picture by the file's own boxes; its EXIF orientation is only a copy of that.
        opened = pillow_heif.open_heif(io.BytesIO(content), convert_hdr_to_8bit=True, bgr_mode=True)
        _check_size(opened.size)
        seen = np.asarray(opened)
    except _DECODER_FAULTS as fault:
        raise _broken(str(fault)) from None
    if opened.mode.startswith("BGRA"):
        alpha = seen[:, :, 3:].astype(np.uint16)
        seen = ((seen[:, :, :3] * alpha + 255 * (255 - alpha)) // 255).astype(np.uint8)
    elif seen.ndim == 2:
        seen = np.repeat(seen[:, :, None], 3, axis=2)
    return np.ascontiguousarray(seen[:, :, :3])


# ------------------------------------------------------------------------------------------------ refusals


def _broken(fault: str) -> NotAPicture:
    if "trunc" in fault.lower() or "end of" in fault.lower():
        return NotAPicture(say("fault.part-missing"), _DAMAGED)
    return NotAPicture(say("fault.damaged"), _DAMAGED)


def _unknown(content: bytes) -> NotAPicture:
    if content[:5] == b"%PDF-":
        return NotAPicture(say("fault.pdf"), say("cure.photograph-print"))
    if content[:4] == b"\x1aE\xdf\xa3" or (content[:4] == b"RIFF" and content[8:12] == b"AVI "):
        return NotAPicture(say("fault.film"), say("cure.frame"))
    if content[:4] in (b"\x89PNG", b"GIF8") or content[:2] == b"BM":
        return NotAPicture(say("fault.bad-header"), _DAMAGED)
    if _is_text(content[:512]):
        return NotAPicture(say("fault.text"), _READS)
    return NotAPicture(say("fault.unknown-picture"), _READS)


def _is_text(start: bytes) -> bool:
    try:
        words = start.decode("utf-8", errors="strict")
    except UnicodeDecodeError as fault:
        if fault.start < len(start) - 3:
            return False
        words = start[: fault.start].decode("utf-8")
    return all(letter.isprintable() or letter in "\r\n\t\f\ufeff" for letter in words)
