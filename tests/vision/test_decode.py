"""Decoding: every kind of file becomes the same upright picture, or one clear line says why not."""

from __future__ import annotations

import contextlib
import io
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from referee.errors import NotAPicture, PictureTooLarge, RefereeError
from referee.files import exif_orientation
from referee.vision.decode import _straight_into_place, decode, upright
from referee.vision.opencv import MAX_PIXELS, OpenCVMissing, cv2, import_fault

WIDTH, HEIGHT = 96, 64


def scene() -> np.ndarray:
    """An RGB picture (64, 96, 3) whose four quarters differ: red and green above, blue and yellow below."""
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    picture[:32, :48], picture[:32, 48:] = (200, 30, 30), (30, 180, 30)
    picture[32:, :48], picture[32:, 48:] = (30, 30, 200), (220, 210, 40)
    return picture


def saved(picture: np.ndarray | Image.Image, kind: str, **settings: object) -> bytes:
    image = picture if isinstance(picture, Image.Image) else Image.fromarray(picture)
    out = io.BytesIO()
    image.save(out, kind, **settings)
    return out.getvalue()


def exif(orientation: int) -> bytes:
    about = Image.Exif()
    about[274] = orientation
    return about.tobytes()


def quarters(bgr: np.ndarray) -> list[str]:
    """The colours of the quarters, row by row."""
    rgb = bgr[:, :, ::-1].astype(int)
    h, w = rgb.shape[:2]
    names = {"red": (200, 30, 30), "green": (30, 180, 30), "blue": (30, 30, 200), "yellow": (220, 210, 40)}
    seen = [rgb[int(h * y), int(w * x)] for y in (0.25, 0.75) for x in (0.25, 0.75)]
    return [min(names, key=lambda name: float(np.abs(colour - names[name]).sum())) for colour in seen]


UPRIGHT = ["red", "green", "blue", "yellow"]


def stored_under(orientation: int) -> np.ndarray:
    """The scene as a camera stores it that says it must be turned by this orientation."""
    turned = {
        1: scene(),
        2: scene()[:, ::-1],
        3: scene()[::-1, ::-1],
        4: scene()[::-1],
        5: scene().transpose(1, 0, 2),
        6: np.rot90(scene(), 1),
        7: scene()[::-1, ::-1].transpose(1, 0, 2),
        8: np.rot90(scene(), -1),
    }
    return np.ascontiguousarray(turned[orientation])


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_every_orientation_comes_out_upright_in_every_container(kind: str, orientation: int) -> None:
    about = Image.Exif()
    about[274] = orientation
    photo = decode(saved(stored_under(orientation), kind, exif=about), "x")
    assert photo.bgr.shape == (HEIGHT, WIDTH, 3)
    assert quarters(photo.bgr) == UPRIGHT


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "BMP", "GIF", "JPEG2000", "PPM", "TGA"])
def test_every_common_format_is_read_from_its_bytes(kind: str) -> None:
    photo = decode(saved(scene(), kind), "some name.xyz")
    assert photo.source == "some name.xyz"
    assert photo.bgr.dtype == np.uint8
    assert quarters(photo.bgr) == UPRIGHT


def heic(picture: np.ndarray) -> bytes:
    pillow_heif = pytest.importorskip("pillow_heif")
    out = io.BytesIO()
    mode = "RGB" if picture.shape[2] == 3 else "RGBA"
    pillow_heif.from_bytes(mode, picture.shape[1::-1], picture.tobytes()).save(out, quality=90)
    return out.getvalue()


def test_heic_is_read_also_when_it_is_called_jpg(tmp_path: Path) -> None:
    path = tmp_path / "IMG_2041.jpg"
    path.write_bytes(heic(scene()))
    photo = decode(path)
    assert photo.source == "IMG_2041.jpg"
    assert quarters(photo.bgr) == UPRIGHT


def test_a_transparent_heic_lies_on_white() -> None:
    clear = np.dstack([scene(), np.zeros((HEIGHT, WIDTH), np.uint8)])
    assert decode(heic(clear)).bgr.min() > 245


def test_a_cut_off_heic_is_refused_and_not_painted_green() -> None:
    whole = heic(np.repeat(np.repeat(scene(), 8, axis=0), 8, axis=1))
    with pytest.raises(NotAPicture, match="cut off"):
        decode(whole[:-200])


def test_a_damaged_heic_is_refused() -> None:
    whole = bytearray(heic(scene()))
    whole[40:120] = bytes(80)
    with pytest.raises(NotAPicture, match="damaged"):
        decode(whole)


def test_a_jpeg_with_foreign_bytes_in_its_middle_is_refused() -> None:
    noise = np.random.default_rng(1).integers(0, 256, (200, 300, 3), dtype=np.uint8)
    whole = bytearray(saved(noise, "JPEG"))
    assert decode(bytes(whole)).bgr.shape == noise.shape
    whole[4000:6000] = np.random.default_rng(2).integers(0, 256, 2000, dtype=np.uint8).tobytes()
    with pytest.raises(NotAPicture, match="damaged"):
        decode(bytes(whole))


@pytest.mark.parametrize("how", [{"progressive": True}, {"restart_marker_blocks": 2}])
def test_jpegs_of_several_scans_and_with_restarts_are_whole(how: dict[str, Any]) -> None:
    stored = io.BytesIO()
    Image.fromarray(np.random.default_rng(1).integers(0, 256, (200, 300, 3), dtype=np.uint8)).save(
        stored, "JPEG", **how
    )
    assert decode(stored.getvalue()).bgr.shape == (200, 300, 3)


@pytest.mark.parametrize("how", [{}, {"progressive": True}, {"subsampling": 0}, {"restart_marker_blocks": 3}])
def test_a_jpeg_decoded_straight_into_place_is_the_same_picture(how: dict[str, Any]) -> None:
    content = saved(scene(), "JPEG", **how)
    straight = _straight_into_place(content, (WIDTH, HEIGHT))
    usual = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
    assert straight is not None or sys.platform != "linux"
    assert straight is None or (straight == usual).all()
    assert (decode(content).bgr == usual).all()


def test_what_leaves_its_last_row_black_goes_the_usual_road() -> None:
    black = saved(np.zeros_like(scene()), "JPEG")
    assert _straight_into_place(black, (WIDTH, HEIGHT)) is None
    assert not decode(black).bgr.any()
    assert _straight_into_place(b"no picture at all", (WIDTH, HEIGHT)) is None
    assert _straight_into_place(saved(scene(), "JPEG"), (WIDTH + 1, HEIGHT)) is None


def test_avif_is_read() -> None:
    assert quarters(decode(saved(scene(), "AVIF")).bgr) == UPRIGHT


@pytest.mark.parametrize("kind", ["AVIF", "HEIC"])
def test_whatever_byte_of_a_small_file_is_wrong_it_is_read_or_refused(kind: str) -> None:
    whole = heic(scene()) if kind == "HEIC" else saved(scene(), kind)
    for at in range(8, min(len(whole), 400)):
        for value in (0, 255):
            wrong = bytearray(whole)
            wrong[at] = value
            with contextlib.suppress(RefereeError):
                decode(wrong)


def test_a_cmyk_jpeg_keeps_its_colours() -> None:
    assert quarters(decode(saved(Image.fromarray(scene()).convert("CMYK"), "JPEG")).bgr) == UPRIGHT


def test_a_grey_picture_gets_three_channels() -> None:
    bgr = decode(saved(np.full((5, 7), 90, np.uint8), "PNG")).bgr
    assert bgr.shape == (5, 7, 3)
    assert (bgr == 90).all()


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_sixteen_bits_become_eight(kind: str) -> None:
    deep = np.full((6, 8), 200 * 256 + 17, np.uint16)
    assert np.abs(decode(saved(Image.fromarray(deep), kind)).bgr.astype(int) - 200).max() <= 1


def test_palettes_and_transparency_are_laid_on_white() -> None:
    image = Image.fromarray(scene()).convert("RGBA")
    image.putalpha(Image.fromarray(np.where(np.arange(WIDTH) < 48, 0, 255)[None].repeat(HEIGHT, 0).astype(np.uint8)))
    for content in (saved(image, "PNG"), saved(image, "WEBP", lossless=True), saved(image, "GIF")):
        bgr = decode(content).bgr
        assert bgr[10, 10].min() > 250
        assert quarters(bgr)[1::2] == ["green", "yellow"]


def test_of_an_animation_the_first_frame_is_taken() -> None:
    frames = [Image.fromarray(scene()), Image.new("RGB", (WIDTH, HEIGHT), "black")]
    content = saved(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert quarters(decode(content).bgr) == UPRIGHT


def test_of_several_pictures_in_one_jpeg_the_first_is_taken() -> None:
    content = saved(Image.fromarray(scene()), "MPO", save_all=True, append_images=[Image.new("RGB", (40, 40), "black")])
    assert quarters(decode(content).bgr) == UPRIGHT
    assert quarters(decode(saved(scene(), "JPEG") + b"a gain map or a film may follow").bgr) == UPRIGHT


@pytest.mark.parametrize("value", [0, 9, 4711])
def test_an_absurd_orientation_counts_as_none(value: int) -> None:
    assert quarters(decode(saved(scene(), "JPEG", exif=exif(value))).bgr) == UPRIGHT


@pytest.mark.parametrize(
    "block", [b"", b"II", b"II*\0\xff\xff\xff\xff", b"MM\0*\0\0\0\x08\xff\xff" + bytes(20), b"junk" * 9]
)
def test_a_damaged_exif_block_turns_nothing(block: bytes) -> None:
    assert exif_orientation(block) == 1


def test_both_byte_orders_of_exif_are_read() -> None:
    for order, mark in (("<", b"II*\0"), (">", b"MM\0*")):
        block = mark + struct.pack(order + "IHHHIHH", 8, 1, 274, 3, 1, 6, 0)
        assert exif_orientation(block) == 6


def test_turning_and_storing_are_inverse() -> None:
    for orientation in range(1, 9):
        assert (upright(stored_under(orientation), orientation) == scene()).all()


def test_an_array_is_taken_as_it_is() -> None:
    bgr = scene()[:, :, ::-1]
    photo = decode(bgr)
    assert (photo.bgr == bgr).all()
    assert photo.source == "picture"


@pytest.mark.parametrize("wrong", [np.zeros((4, 4), np.uint8), np.zeros((4, 4, 3)), np.zeros((0, 4, 3), np.uint8)])
def test_an_array_of_another_kind_is_refused(wrong: np.ndarray) -> None:
    with pytest.raises(NotAPicture, match="BGR uint8"):
        decode(wrong)


# ------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"", "empty"),
        (b"I am a board, believe me.\n" * 9, "text"),
        ("Straße – ünïcode".encode() * 40, "text"),
        (bytes(range(256)) * 8, "not a picture"),
        (b"\xff\xd8\xff", "JPEG"),
        (b"\x89PNG\r\n\x1a\n", "cut off"),
        (b"GIF89a\x00\x00 \x00\xf1\x03", "damaged"),
        (b"%PDF-1.7 ...", "PDF"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(40), "film"),
        (b"RIFF\0\0\0\0AVI LIST", "film"),
        (b"P6\n4 -4\n255\n" + bytes(48), "picture"),
    ],
)
def test_what_is_no_picture_is_refused_in_one_line_with_a_cure(content: bytes, word: str) -> None:
    with pytest.raises(NotAPicture) as caught:
        decode(content, "x.jpg")
    assert word in caught.value.message
    assert caught.value.hint
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "BMP", "JPEG2000", "AVIF"])
@pytest.mark.parametrize("share", [0.3, 0.7, 0.97])
def test_a_cut_off_picture_is_refused(kind: str, share: float) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (80, 90, 3), dtype=np.uint8)
    content = saved(noise, kind)
    with pytest.raises(NotAPicture) as caught:
        decode(content[: int(len(content) * share)])
    assert (
        "cut off" in caught.value.message
        or "damaged" in caught.value.message
        or "not a picture" in caught.value.message
    )


def test_a_cut_off_jpeg_says_so() -> None:
    content = saved(np.random.default_rng(3).integers(0, 255, (80, 90, 3), dtype=np.uint8), "JPEG")
    with pytest.raises(NotAPicture, match="cut off"):
        decode(content[: len(content) // 2])


def jpeg_of(width: int, height: int) -> bytes:
    """A small JPEG whose header claims another size."""
    content = bytearray(saved(scene(), "JPEG"))
    at = content.index(b"\xff\xc0")
    content[at + 5 : at + 9] = struct.pack(">HH", height, width)
    return bytes(content)


def png_of(width: int, height: int) -> bytes:
    def chunk(name: bytes, payload: bytes) -> bytes:
        return struct.pack(">I", len(payload)) + name + payload + struct.pack(">I", zlib.crc32(name + payload))

    about = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", about) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def bmp_of(width: int, height: int) -> bytes:
    return b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54, 0, 0, 54, 40, width, height, 1, 24, 0, 0, 2835, 2835, 0, 0)


def gif_of(width: int, height: int) -> bytes:
    size = struct.pack("<HH", width, height)
    return b"GIF89a" + size + b"\0\0\0,\0\0\0\0" + size + b"\0\x08\x02\x4c\x01\0;"


def tiff_of(width: int, height: int) -> bytes:
    tags = [(256, 4, width), (257, 4, height), (258, 3, 8), (262, 3, 1), (273, 4, 200), (278, 4, height), (279, 4, 10)]
    body = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags)
    return b"II*\0" + struct.pack("<IH", 8, len(tags)) + body + bytes(200)


def ppm_of(width: int, height: int) -> bytes:
    return f"P6\n{width} {height}\n255\n".encode() + bytes(100)


@pytest.mark.parametrize("claim", [jpeg_of, png_of, bmp_of, gif_of, tiff_of, ppm_of])
def test_a_huge_claim_is_refused_from_the_header(claim) -> None:  # type: ignore[no-untyped-def]
    content = claim(60000, 60000)
    with pytest.raises(PictureTooLarge) as caught:
        decode(content)
    assert "megapixels" in caught.value.message


@pytest.mark.skipif(sys.platform == "win32", reason="the peak of memory is not to be had")
def test_a_huge_claim_costs_no_memory() -> None:
    import resource

    decode(saved(scene(), "TIFF"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for claim in (jpeg_of, png_of, bmp_of, gif_of, tiff_of, ppm_of):
        with pytest.raises(PictureTooLarge):
            decode(claim(30000, 30000))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000


def test_the_largest_picture_that_is_taken_has_a_named_limit() -> None:
    with pytest.raises(PictureTooLarge, match="12001 × 10001"):
        decode(png_of(12001, 10001))
    assert MAX_PIXELS == 120_000_000


def test_a_folder_a_missing_file_and_a_device_are_refused(tmp_path: Path) -> None:
    for path, word in ((tmp_path, "folder"), (tmp_path / "gone.jpg", "no such file"), (Path("/dev/null"), "device")):
        with pytest.raises(NotAPicture, match=word):
            decode(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    with pytest.raises(NotAPicture, match="pipe"):
        decode(tmp_path / "pipe.jpg")


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.jpg"
    path.write_bytes(saved(scene(), "JPEG"))

    def refuse(_: Path) -> bytes:
        raise PermissionError

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(NotAPicture, match="may not be read"):
        decode(path)


def test_an_impossible_name_is_refused() -> None:
    with pytest.raises(NotAPicture):
        decode(Path("a\0b.jpg"))


# ------------------------------------------------------------------------------------------------ OpenCV


def test_a_system_without_opencvs_libraries_is_told_what_to_install() -> None:
    fault = import_fault(ImportError("libxcb.so.1: cannot open shared object file: No such file or directory"))
    assert isinstance(fault, OpenCVMissing)
    assert isinstance(fault, ImportError)
    assert isinstance(fault, RefereeError)
    assert "libgl1 libglib2.0-0" in fault.hint
    assert "headless" in fault.hint


def test_an_opencv_that_is_not_there_is_told_apart() -> None:
    assert "pip install" in import_fault(ModuleNotFoundError("No module named 'cv2'", name="cv2")).hint


def test_opencvs_own_limit_is_set_before_it_is_imported() -> None:
    ask = "import os; import referee.vision.opencv; print(os.environ['OPENCV_IO_MAX_IMAGE_PIXELS'])"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV")}
    told = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, env=clean)
    assert told.stdout.strip() == str(MAX_PIXELS)


def test_nothing_is_printed_about_damaged_pictures(capfd: pytest.CaptureFixture[str]) -> None:
    for content in (b"\x89PNG\r\n\x1a\n" + bytes(50), saved(scene(), "JPEG")[:300], b"GIF89a\0\0 \0\xf1\x03"):
        with pytest.raises(NotAPicture):
            decode(content)
    assert capfd.readouterr().out == ""
