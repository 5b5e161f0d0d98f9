"""What a picture tells beside its pixels is not kept; its pixels and the way it is turned are."""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from PIL import Image, PngImagePlugin

from referee.service.store.metadata import stripped
from referee.vision.decode import decode
from tests.service.conftest import SAMPLES

SECRET = b"48 Rue Secrete"
PLACE = "48.8584 N, 2.2945 E"


def picture() -> Image.Image:
    """A picture that shows if it is turned: 60 x 40, its top left corner red."""
    pixels = np.random.default_rng(1).integers(0, 255, (40, 60, 3), np.uint8)
    pixels[:8, :8] = (255, 0, 0)
    return Image.fromarray(pixels)


def exif(orientation: int = 6) -> Image.Exif:
    told = Image.Exif()
    told[274] = orientation
    told[0x010E] = SECRET.decode()
    told.get_ifd(0x8825)[2] = (48.0, 51.0, 30.0)
    told.get_ifd(0x8825)[29] = PLACE
    return told


def saved(kind: str, **more: object) -> bytes:
    out = io.BytesIO()
    picture().save(out, kind, **more)
    return out.getvalue()


def png_notes() -> PngImagePlugin.PngInfo:
    notes = PngImagePlugin.PngInfo()
    notes.add_text("Comment", SECRET.decode())
    notes.add_itxt("XML:com.adobe.xmp", SECRET.decode())
    return notes


def heic() -> bytes:
    out = io.BytesIO()
    made = pillow_heif.from_pillow(picture())
    made.info["xmp"] = b"<x>" + SECRET + b"</x>"
    made.info["exif"] = exif(1).tobytes()
    made.save(out, quality=90)
    return out.getvalue()


TELLING = {
    "jpeg": lambda: saved("JPEG", quality=92, exif=exif(), comment=SECRET, icc_profile=SECRET * 4),
    "progressive jpeg": lambda: saved("JPEG", progressive=True, exif=exif()),
    "jpeg with more behind its end": lambda: saved("JPEG", exif=exif()) + b"film of " + SECRET,
    "png": lambda: saved("PNG", exif=exif(), pnginfo=png_notes()),
    "webp": lambda: saved("WEBP", exif=exif(), xmp=SECRET, lossless=True),
    "heic": heic,
    "avif": lambda: saved("AVIF", exif=exif(1), xmp=SECRET),
}


@pytest.mark.parametrize("kind", TELLING)
def test_what_a_picture_tells_is_gone_and_its_pixels_stay(kind: str) -> None:
    content = TELLING[kind]()
    assert SECRET in content
    clean = stripped(content)
    assert clean is not None
    assert SECRET not in clean
    assert PLACE.encode() not in clean
    assert np.array_equal(decode(clean).bgr, decode(content).bgr)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_stays_turned_as_it_was(orientation: int) -> None:
    for kind in ("JPEG", "PNG", "WEBP"):
        content = saved(kind, exif=exif(orientation))
        clean = stripped(content)
        assert clean is not None
        assert np.array_equal(decode(clean).bgr, decode(content).bgr), kind
        with Image.open(io.BytesIO(clean)) as opened:
            assert dict(opened.getexif()) in ({}, {274: orientation})


def test_a_thumbnail_in_the_head_is_gone() -> None:
    content = saved("JPEG")
    thumb = b"JFIF\0\x01\x01\0\0\x01\0\x01\x02\x02" + b"#thumbnail#!"
    head = b"\xff\xd8\xff\xe0" + struct.pack(">H", len(thumb) + 2) + thumb
    old = struct.unpack(">H", content[4:6])[0]
    clean = stripped(head + content[4 + old :])
    assert clean is not None
    assert b"thumbnail" not in clean
    assert np.array_equal(decode(clean).bgr, decode(content).bgr)


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jpg"))[:6], ids=lambda path: path.name)
def test_a_photo_is_the_same_to_the_referee(path: Path) -> None:
    clean = stripped(path.read_bytes())
    assert clean is not None
    assert np.array_equal(decode(clean).bgr, decode(path).bgr)


@pytest.mark.parametrize("kind", ["TIFF", "BMP", "GIF"])
def test_other_kinds_are_left_to_the_worker(kind: str) -> None:
    assert stripped(saved(kind)) is None


def test_no_broken_file_makes_it_stumble() -> None:
    chance = np.random.default_rng(7)
    for make in TELLING.values():
        content = make()
        for _ in range(60):
            cut = content[: int(chance.integers(0, len(content)))]
            assert stripped(cut) is None or isinstance(stripped(cut), bytes)
            broken = bytearray(content)
            for at in chance.integers(0, min(len(content), 400), 4):
                broken[at] = int(chance.integers(0, 256))
            assert stripped(bytes(broken)) is None or isinstance(stripped(bytes(broken)), bytes)


def test_a_chunk_that_lies_about_its_length_is_no_picture() -> None:
    lie = struct.pack(">I4s", 0xFFFFFFF0, b"tEXt") + SECRET + struct.pack(">I", zlib.crc32(SECRET))
    assert stripped(b"\x89PNG\r\n\x1a\n" + lie) is None
