"""What cannot be judged is told on the page in the same clear words as on the command line, costing no other photo."""

import io
import struct
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from flask import Flask
from PIL import Image

from referee.pipeline import judge_boards
from referee.service.checks import shelf
from referee.words import told
from tests.service.conftest import SAMPLES, Visitor, house

Work = Callable[[], int]
PHOTO = (SAMPLES / "webcam-park.jpg").read_bytes()


def saved(picture: Image.Image, kind: str = "JPEG", **more: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **more)
    return out.getvalue()


def claiming(width: int, height: int) -> bytes:
    """A PNG whose header claims a size, and nothing more."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = [head, b"IDAT" + zlib.compress(b"\0" * 100), b"IEND"]
    body = [struct.pack(">I", len(one) - 4) + one + struct.pack(">I", zlib.crc32(one)) for one in chunks]
    return b"\x89PNG\r\n\x1a\n" + b"".join(body)


def cat() -> Image.Image:
    """A face of sorts: no board."""
    y, x = np.mgrid[0:480, 0:640]
    grey = 200 - 90 * (np.hypot(x - 320, y - 240) < 150) + 80 * (np.hypot(abs(x - 320) - 60, y - 200) < 25)
    return Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8)).convert("RGB")


BAD: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "a text": lambda: b"Dear diary, today we raced.",
    "a PDF": lambda: b"%PDF-1.7 nothing",
    "truncated": lambda: PHOTO[: len(PHOTO) // 2],
    "a huge claim": lambda: claiming(60_000, 60_000),
    "black": lambda: saved(Image.new("RGB", (640, 480))),
    "a cat": lambda: saved(cat()),
    "a film": lambda: struct.pack(">I", 24) + b"ftypisom\0\0\0\0isommp42" + bytes(40),
    "a broken TIFF": lambda: b"II*\0" + bytes(range(60)),
    "mirrored": lambda: saved(Image.open(io.BytesIO(PHOTO)).transpose(Image.Transpose.FLIP_LEFT_RIGHT)),
    "too small": lambda: saved(Image.open(io.BytesIO(PHOTO)).resize((240, 180))),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_picture_gets_the_same_words_in_the_page(client: Visitor, work: Work, app: Flask, kind: str) -> None:
    content = BAD[kind]()
    failure = judge_boards(content, source="bad.jpg")[0].failure
    assert failure is not None
    number = shelf.add(house(app).store, content, "bad.jpg")
    assert work() == 1
    check = client.get(f"/api/checks/{number}").json
    assert check is not None
    assert [board["verdict"] for board in check["boards"]] == ["error"]
    report = client.get(f"/api/checks/{number}/boards/1").json
    assert report is not None
    assert report["error"] == {"code": failure.code, "message": failure.message, "hint": failure.hint}
    for language in ("en", "fr"):
        page = plain(client.get(f"/checks/{number}", headers={"Accept-Language": language}).text)
        assert told(failure.message, language) in page
        assert told(failure.hint, language) in page


def plain(page: str) -> str:
    import html

    return html.unescape(page)


def test_what_is_no_picture_is_not_kept(client: Visitor, work: Work, app: Flask) -> None:
    number = shelf.add(house(app).store, b"Dear diary", "diary.jpg")
    work()
    check = shelf.found(house(app).store, number)
    assert check is not None
    assert check.picture is None
    kept = [path.read_bytes() for path in house(app).settings.data.rglob("pictures/**/*") if path.is_file()]
    assert not [content for content in kept if b"Dear diary" in content]
    assert client.get("/checks/").status_code == 200


ODD: dict[str, Callable[[Image.Image], bytes]] = {
    "TIFF": lambda photo: saved(photo, "TIFF", description="48 Rue Secrete"),
    "GIF": lambda photo: saved(photo, "GIF", comment=b"48 Rue Secrete"),
    "BMP": lambda photo: saved(photo, "BMP") + b"48 Rue Secrete",
    "CMYK": lambda photo: saved(photo.convert("CMYK"), "JPEG", quality=90),
}


@pytest.mark.parametrize("kind", ODD)
def test_a_picture_of_an_odd_kind_is_judged_and_kept_as_its_pixels(work: Work, app: Flask, kind: str) -> None:
    content = ODD[kind](Image.open(io.BytesIO(PHOTO)))
    number = shelf.add(house(app).store, content, "odd.tif")
    work()
    check = shelf.found(house(app).store, number)
    assert check is not None
    assert [board.stage for board in check.boards] == [1]
    assert check.picture is not None
    kept = house(app).store.pictures.read(check.picture)
    assert b"Secrete" not in kept
    assert Image.open(io.BytesIO(kept)).size == Image.open(io.BytesIO(content)).size
    assert sum(1 for path in (house(app).settings.data / "pictures" / "photos").iterdir()) == 1


def with_note(photo: bytes) -> bytes:
    """A JPEG that tells where it was taken."""
    return photo[:2] + b"\xff\xe1\0\x16Exif\0\0" + b"48 Rue Secrete" + photo[2:]


def huge_jpeg() -> bytes:
    """A JPEG with a note that claims to be huge, and breaks off."""
    at = PHOTO.index(b"\xff\xc0")
    return with_note(PHOTO[: at + 5] + struct.pack(">HH", 60_000, 60_000) + PHOTO[at + 9 : at + 2000])


NOT_DECODED: dict[str, Callable[[], bytes]] = {
    "a long TIFF": lambda: saved(Image.new("RGB", (40_000, 30)), "TIFF", description="48 Rue Secrete"),
    "a huge JPEG": huge_jpeg,
}


def still_told(app: Flask) -> list[str]:
    """The pictures in the data folder that tell where they were taken."""
    kept = [path for path in house(app).settings.data.rglob("pictures/**/*") if path.is_file()]
    return [path.name for path in kept if b"48 Rue Secrete" in path.read_bytes()]


@pytest.mark.parametrize("kind", NOT_DECODED)
def test_a_picture_that_is_too_large_to_be_read_leaves_no_note_behind(work: Work, app: Flask, kind: str) -> None:
    number = shelf.add(house(app).store, NOT_DECODED[kind](), "a.jpg")
    assert still_told(app)
    work()
    check = shelf.found(house(app).store, number)
    assert check is not None
    assert check.boards[0].verdict == "error"
    assert still_told(app) == []


def test_a_picture_whose_judging_fails_for_good_leaves_no_note_behind(
    work: Work, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumbling(*_: object, **__: object) -> None:
        raise RuntimeError("stumbled")

    monkeypatch.setattr("referee.service.checks.judging.judge_boards", stumbling)
    store = house(app).store
    odd = shelf.add(store, saved(Image.new("RGB", (64, 48)), "TIFF", description="48 Rue Secrete"), "a.tif")
    clean = shelf.add(store, PHOTO, "b.jpg")
    work()
    checks = [shelf.found(store, odd), shelf.found(store, clean)]
    assert [(one.state, one.picture is None) for one in checks if one] == [("failed", True), ("failed", False)]
    assert still_told(app) == []


def test_a_photo_that_lacks_its_baseline_is_kept_as_its_pixels(work: Work, app: Flask) -> None:
    content = saved(Image.new("RGB", (64, 48)), "TIFF", description="48 Rue Secrete")
    number = shelf.add(house(app).store, content, "a.tif", baseline="photos/gone")
    work()
    check = shelf.found(house(app).store, number)
    assert check is not None
    assert check.picture is not None
    assert still_told(app) == []


@pytest.mark.parametrize("content", [b"Dear diary", saved(Image.new("RGB", (640, 480)), "TIFF")], ids=["text", "TIFF"])
def test_a_photo_whose_worker_dies_at_the_last_moment_is_not_lost(work: Work, app: Flask, content: bytes) -> None:
    """What was handed in is cleared away only when its verdict is safely written."""
    from referee.service.checks.judging import judge_photo
    from referee.service.jobs.kinds import Work as Doing

    store, settings = house(app).store, house(app).settings
    number = shelf.add(store, content, "a.tif")
    job = store.jobs.claim("dying")
    assert job is not None
    judge_photo(Doing(store, settings, job, store.jobs), job.payload)
    assert store.jobs.put_back(job.id, job.attempt)
    assert work() == 1
    check = shelf.found(store, number)
    assert check is not None
    assert [board.code for board in check.boards] in (["not-a-picture"], ["no-board"])
