"""A picture without what it tells beside its pixels: place, time, camera, thumbnails, notes, appended films.

Nothing is decoded or encoded: the pixels stay bit for bit, and so does the way the picture is turned.  What cannot
be taken apart with certainty gives None: `checks.judging` keeps such a picture as the pixels that the referee sees.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from referee.files import ORIENTATION, exif_orientation

_NO_EXIF = b"\0\0\0\0II*\0\x08\0\0\0\0\0\0\0\0\0"
"""An EXIF item without an entry: AVIF's decoder refuses the picture if it finds none where one should be."""
_EXIF = b"Exif\0\0"
_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"sBIT"}
_WEBP_KEPT = {b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF"}
_ISO_BOXES_KEPT = {b"ftyp", b"meta", b"mdat", b"free"}
_ISO_ITEMS_DROPPED = {b"Exif", b"mime", b"uri "}
_ISO_IMAGES = {b"hvc1", b"av01", b"grid", b"iden", b"iovl", b"hev1", b"jpeg"}


def stripped(content: bytes) -> bytes | None:
    """The picture without metadata; None if it is of another kind or not whole."""
    try:
        if content[:2] == b"\xff\xd8":
            return _jpeg(content)
        if content[:8] == _PNG:
            return _png(content)
        if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
            return _webp(content)
        if content[4:8] == b"ftyp":
            return _iso(content)
    except (struct.error, IndexError):
        pass
    return None


# ---------------------------------------------------------------------------------------------------------- EXIF


def _exif_with_only(orientation: int) -> bytes:
    """A TIFF block that says how the picture is turned and nothing else."""
    return b"II*\0\x08\0\0\0" + struct.pack("<HHHIHHI", 1, ORIENTATION, 3, 1, orientation, 0, 0)


# ---------------------------------------------------------------------------------------------------------- JPEG


def _jpeg(content: bytes) -> bytes | None:
    """Tables, frame and scans up to the end; of the application segments only JFIF's and Adobe's (they say how colours
    are stored)."""
    head, body, orientation, at = [b"\xff\xd8"], [], 1, 2
    while True:
        while content[at] == 0xFF and content[at + 1] == 0xFF:
            at += 1
        if content[at] != 0xFF:
            return None
        marker = content[at + 1]
        if marker == 0xD9:
            break
        (length,) = struct.unpack_from(">H", content, at + 2)
        end = at + 2 + length
        if length < 2 or end > len(content):
            return None
        payload = content[at + 4 : end]
        if marker == 0xE1 and payload.startswith(_EXIF):
            orientation = exif_orientation(payload[6:])
        elif (marker == 0xE0 and payload[:5] == b"JFIF\0") or (marker == 0xEE and payload[:5] == b"Adobe"):
            head.append(content[at : at + 4] + _without_thumbnail(marker, payload))
        elif not (0xE0 <= marker <= 0xEF or marker == 0xFE):
            body.append(content[at:end])
        at = end
        if marker == 0xDA:
            end = _scan_end(content, at)
            if end is None:
                return None
            body.append(content[at:end])
            at = end
    if orientation != 1:
        exif = _EXIF + _exif_with_only(orientation)
        head.append(b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif)
    return b"".join((*_with_lengths(head), *body, b"\xff\xd9"))


def _without_thumbnail(marker: int, payload: bytes) -> bytes:
    return payload[:12] + b"\0\0" if marker == 0xE0 and len(payload) >= 14 else payload[:12]


def _with_lengths(segments: list[bytes]) -> Iterator[bytes]:
    """Segments whose payload may have become shorter, with their true length."""
    for segment in segments:
        yield segment if len(segment) < 4 else segment[:2] + struct.pack(">H", len(segment) - 2) + segment[4:]


def _scan_end(content: bytes, at: int) -> int | None:
    """Where coded data end: at the next marker that is neither a stuffed zero nor a restart."""
    while (at := content.find(b"\xff", at)) >= 0 and at + 1 < len(content):
        if content[at + 1] == 0xFF:
            at += 1
        elif content[at + 1] == 0 or 0xD0 <= content[at + 1] <= 0xD7:
            at += 2
        else:
            return at
    return None


# ----------------------------------------------------------------------------------------------------- PNG, WebP


def _png(content: bytes) -> bytes | None:
    kept, orientation, at = [_PNG], 1, 8
    while at + 12 <= len(content):
        length, name = struct.unpack_from(">I4s", content, at)
        end = at + 12 + length
        if end > len(content):
            return None
        if name == b"eXIf":
            orientation = exif_orientation(content[at + 8 : at + 8 + length])
        elif name in _PNG_KEPT:
            kept.append(content[at:end])
        if name == b"IEND":
            return b"".join(_png_turned(kept, orientation))
        at = end
    return None


def _png_turned(chunks: list[bytes], orientation: int) -> list[bytes]:
    if orientation == 1:
        return chunks
    import zlib

    exif = _exif_with_only(orientation)
    chunk = struct.pack(">I4s", len(exif), b"eXIf") + exif
    return [*chunks[:2], chunk + struct.pack(">I", zlib.crc32(chunk[4:])), *chunks[2:]]


def _webp(content: bytes) -> bytes | None:
    kept, exif, at = [], b"", 12
    size = min(8 + struct.unpack_from("<I", content, 4)[0], len(content))
    while at + 8 <= size:
        name, length = struct.unpack_from("<4sI", content, at)
        end = at + 8 + length + length % 2
        if at + 8 + length > len(content):
            return None
        if name == b"VP8X":
            flags = content[at + 8] & ~0b00101100  # no ICC, EXIF or XMP
            kept.append(content[at : at + 8] + bytes([flags]) + content[at + 9 : end])
        elif name == b"EXIF":
            exif = content[at + 8 : at + 8 + length]
        elif name in _WEBP_KEPT:
            kept.append(content[at:end])
        at = end
    orientation = exif_orientation(exif.removeprefix(_EXIF))
    if orientation != 1 and kept and kept[0][:4] == b"VP8X":
        only = _exif_with_only(orientation)
        kept[0] = kept[0][:8] + bytes([kept[0][8] | 0b1000]) + kept[0][9:]
        kept.append(struct.pack("<4sI", b"EXIF", len(only)) + only + b"\0" * (len(only) % 2))
    body = b"WEBP" + b"".join(kept)
    return b"RIFF" + struct.pack("<I", len(body)) + body if kept else None


# ---------------------------------------------------------------------------------------------------- HEIC, AVIF


def _iso(content: bytes) -> bytes | None:
    """The same file with what is no picture painted over: places in it are counted from its beginning.

    How the picture is turned stands in a box of its own, which stays.
    """
    out = bytearray(content)
    spans: list[tuple[int, int]] = []
    seen = False
    for name, at, start, end in _boxes(content, 0, len(content)):
        if name == b"meta":
            found = _iso_spans(content, start + 4, end)
            if found is None:
                return None
            spans += found
            seen = True
        elif name not in _ISO_BOXES_KEPT:
            out[at + 4 : at + 8] = b"free"
            spans.append((start, end))
    if not seen:
        return None
    for first, last in spans:
        out[first:last] = _NO_EXIF[: last - first].ljust(last - first, b"\0")
    return bytes(out)


def _iso_spans(content: bytes, start: int, end: int) -> list[tuple[int, int]] | None:
    """Where the items lie that are no picture (EXIF, XMP); None where that is not to be made out."""
    boxes = {name: (begin, stop) for name, _, begin, stop in _boxes(content, start, end)}
    if b"iinf" not in boxes or b"iloc" not in boxes:
        return None
    kinds = dict(_item_kinds(content, *boxes[b"iinf"]))
    dropped = {number for number, kind in kinds.items() if kind in _ISO_ITEMS_DROPPED}
    if not any(kind in _ISO_IMAGES for kind in kinds.values()):
        return None
    idat = boxes.get(b"idat", (0, 0))
    spans = []
    for number, method, first, length in _item_places(content, *boxes[b"iloc"]):
        if number in dropped:
            if method > 1:
                return None
            first += idat[0] if method == 1 else 0
            spans.append((first, first + length if length else len(content)))
    if any(last > len(content) for _, last in spans):
        return None
    return spans


def _boxes(content: bytes, at: int, stop: int) -> Iterator[tuple[bytes, int, int, int]]:
    """(name, start, start and end of its payload) of each box."""
    while at + 8 <= stop:
        length, name = struct.unpack_from(">I4s", content, at)
        start = at + 8
        if length == 1:
            (length,) = struct.unpack_from(">Q", content, at + 8)
            start = at + 16
        end = stop if length == 0 else at + length
        if end < start or end > stop:
            raise IndexError("a box reaches beyond its file")
        yield name, at, start, end
        at = end


def _item_kinds(content: bytes, start: int, end: int) -> Iterator[tuple[int, bytes]]:
    """(item, kind) of an item information box (ISO 14496-12, 8.11.6)."""
    wide = content[start] > 0
    for name, _, begin, _ in _boxes(content, start + (8 if wide else 6), end):
        version = content[begin]
        if name == b"infe" and version >= 2:
            long = version > 2
            (number,) = struct.unpack_from(">I" if long else ">H", content, begin + 4)
            at = begin + 4 + (4 if long else 2) + 2
            yield number, content[at : at + 4]


def _item_places(content: bytes, start: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """(item, method, offset, length) of each extent of an item location box (ISO 14496-12, 8.11.3)."""
    version = content[start]
    sizes = content[start + 4], content[start + 5]
    offset_size, length_size, base_size = sizes[0] >> 4, sizes[0] & 15, sizes[1] >> 4
    index_size = sizes[1] & 15 if version else 0
    at = start + 6
    at, count = _number(content, at, 4 if version == 2 else 2)
    for _ in range(count):
        at, item = _number(content, at, 4 if version == 2 else 2)
        method = 0
        if version:
            at, method = _number(content, at, 2)
        at, base = _number(content, at + 2, base_size)
        at, extents = _number(content, at, 2)
        for _ in range(extents):
            at, _ = _number(content, at, index_size)
            at, offset = _number(content, at, offset_size)
            at, length = _number(content, at, length_size)
            yield item, method & 15, base + offset, length
    if at > end:
        raise IndexError("an item location box reaches beyond its end")


def _number(content: bytes, at: int, size: int) -> tuple[int, int]:
    if at + size > len(content):
        raise IndexError("a number beyond the end")
    return at + size, int.from_bytes(content[at : at + size], "big")
