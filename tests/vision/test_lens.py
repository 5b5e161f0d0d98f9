"""Lens profiles as files: written, read, and refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.errors import WrongLens, WrongUsage
from referee.model import LensProfile
from referee.vision.lens import lens_from_text, lens_from_toml, lens_toml, refuse_other_size

LENS = LensProfile((1280, 720), (1120.25, 1124.5), (652.0, 349.125), (-0.3, 0.09, 0.0006, -0.0004, 0.0), 0.0625, 9)
TEXT = lens_toml(LENS)


def test_a_profile_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "webcam.toml"
    path.write_text(lens_toml(LENS, "30 November"))
    assert lens_from_toml(path) == LENS
    assert 'date = "30 November"' in path.read_text()
    assert "date" not in TEXT


def test_a_date_may_hold_anything() -> None:
    assert lens_from_text(lens_toml(LENS, 'to"day\\ \n\x1b[31m')) == LENS


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match=r"gone\.toml: No such file"):
        lens_from_toml(tmp_path / "gone.toml")


def test_a_picture_is_no_profile(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(WrongUsage, match="no lens profile: it is not text"):
        lens_from_toml(path)


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("picture_px", "picture_px [", "broken or no lens profile"),
        ('kind = "lens-profile"', "", "no lens profile: it lacks the line"),
        ("format = 1", "format = 2", "has format 2; this referee reads format 1"),
        ("rms_px = 0.0625", 'rms_px = "good"', "rms_px must be a number, got 'good'"),
        ("rms_px = 0.0625", "", "rms_px must be a number, got nothing"),
        ("[1280, 720]", "[1280, 720, 3]", "picture_px must be two numbers"),
        ("[1280, 720]", "[1280.5, 720]", "two whole numbers"),
        ("[1280, 720]", "[-1280, 720]", "two whole numbers"),
        ("[1120.2500, 0.0,", "[1120.2500, 0.5,", "camera_matrix must be"),
        ("[1120.2500, 0.0,", "[nan, 0.0,", "three rows of three numbers"),
        ("[1120.2500, 0.0,", "[-9.0, 0.0,", "camera_matrix must be"),
        ("-0.3000000, 0.0900000", "-0.3000000", "distortion must be five numbers"),
        ("-0.3000000, 0.0900000", "-0.9000000, 0.0", "no lens bends as its distortion says"),
        ("-0.3000000, 0.0900000", "1e300, 1e300", "no lens bends as its distortion says"),
    ],
)
def test_what_is_wrong_with_a_profile_is_said(before: str, after: str, says: str) -> None:
    assert before in TEXT
    with pytest.raises(WrongUsage, match=says) as refusal:
        lens_from_text(TEXT.replace(before, after), "webcam.toml")
    assert "webcam.toml" in refusal.value.message
    assert "referee calibrate" in refusal.value.hint


def test_a_picture_of_the_profiles_size_is_taken() -> None:
    refuse_other_size(LENS, (1280, 720))


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(WrongLens, match="1920 x 1080 pixels; the lens profile is for 1280 x 720"):
        refuse_other_size(LENS, (1920, 1080))


def test_a_picture_turned_by_a_quarter_is_told_how_it_is_read() -> None:
    with pytest.raises(WrongLens, match="turned by a quarter") as refusal:
        refuse_other_size(LENS, (720, 1280))
    assert "EXIF" in refusal.value.hint
    with pytest.raises(WrongLens) as other:
        refuse_other_size(replace(LENS, picture_wh=(640, 480)), (720, 1280))
    assert "turned" not in other.value.message
