"""Lens profiles as files: a few readable lines of TOML, written by `referee calibrate`, named by `--lens`."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from referee.errors import WrongLens, WrongUsage
from referee.files import MOST_TEXT, bytes_of
from referee.model import LensProfile
from referee.words import say

KIND, FORMAT = "lens-profile", 1
_MAKE = "Make one with `referee calibrate PICTURES... --out PROFILE`."
_AGAIN = "Write it again with `referee calibrate`."
_FOLDED_PX = 0.5
"""A lens whose bending cannot be undone to within this, anywhere in its picture, is none."""


def lens_toml(lens: LensProfile, date: str | None = None) -> str:
    """A profile as the text of its file; ``date`` is whatever the caller wants to remember of when it was made."""
    (fx, fy), (cx, cy) = lens.focal_px, lens.middle_px
    lines = [
        "# Lens profile of the camera referee: written by `referee calibrate`, used by `referee judge --lens`.",
        "# It holds for this camera at this picture size and zoom.",
        f'kind = "{KIND}"',
        f"format = {FORMAT}",
        *([f"date = {_quoted(date)}"] if date else []),
        f"picture_px = [{lens.picture_wh[0]}, {lens.picture_wh[1]}]",
        f"pictures = {lens.pictures}",
        f"rms_px = {lens.rms_px:.4f}",
        f"camera_matrix = [[{fx:.4f}, 0.0, {cx:.4f}], [0.0, {fy:.4f}, {cy:.4f}], [0.0, 0.0, 1.0]]",
        f"distortion = [{', '.join(f'{k:.7f}' for k in lens.distortion)}]  # k1, k2, p1, p2, k3, as OpenCV has them",
    ]
    return "\n".join(lines) + "\n"


def _quoted(words: str) -> str:
    plain = "".join(letter for letter in words if letter.isprintable())
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def lens_from_toml(path: Path) -> LensProfile:
    """The profile of a file; `WrongUsage` says what is wrong with it."""
    try:
        text = bytes_of(Path(path), MOST_TEXT).decode("utf-8")
    except OSError as fault:
        raise WrongUsage(f"Lens profile {path}: {fault.strerror}.", f"Check its name. {_MAKE}") from fault
    except UnicodeDecodeError as fault:
        raise WrongUsage(f"{path} is no lens profile: it is not text.", _MAKE) from fault
    return lens_from_text(text, str(path))


def lens_from_text(text: str, source: str = "lens profile") -> LensProfile:
    """As `lens_from_toml`, from the file's text."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise WrongUsage(f"{source} is broken or no lens profile: {fault}.", _MAKE) from fault
    if table.get("kind") != KIND:
        raise WrongUsage(f'{source} is no lens profile: it lacks the line kind = "{KIND}".', _MAKE)
    if table.get("format") != FORMAT:
        raise WrongUsage(
            f"{source} has format {table.get('format')!r}; this referee reads format {FORMAT}.", f"{_AGAIN[:-1]} here."
        )
    return _checked(table, source)


def _checked(table: dict[str, Any], source: str) -> LensProfile:
    size = _numbers(table, "picture_px", (2,), source)
    matrix = _numbers(table, "camera_matrix", (3, 3), source)
    lens = LensProfile(
        picture_wh=(int(size[0]), int(size[1])),
        focal_px=(float(matrix[0, 0]), float(matrix[1, 1])),
        middle_px=(float(matrix[0, 2]), float(matrix[1, 2])),
        distortion=tuple(_numbers(table, "distortion", (5,), source).tolist()),
        rms_px=float(_numbers(table, "rms_px", (), source)),
        pictures=int(_numbers(table, "pictures", (), source)),
    )
    if min(size) < 1 or not np.array_equal(size, lens.picture_wh):
        raise WrongUsage(f"{source}: picture_px must be two whole numbers, got {size.tolist()}.", _AGAIN)
    if min(lens.focal_px) <= 0 or not np.array_equal(matrix.ravel()[[1, 3, 6, 7, 8]], [0, 0, 0, 0, 1]):
        raise WrongUsage(f"{source}: camera_matrix must be [[fx, 0, cx], [0, fy, cy], [0, 0, 1]].", _AGAIN)
    if folds(lens):
        raise WrongUsage(f"{source}: no lens bends as its distortion says.", _AGAIN)
    return lens


def _numbers(table: dict[str, Any], name: str, shape: tuple[int, ...], source: str) -> np.ndarray[Any, Any]:
    """A finite number, list or table of the shape that is wanted."""
    try:
        found = np.array(table[name], float)
    except (KeyError, TypeError, ValueError):
        found = np.array(math.nan)
    if found.shape != shape or not np.isfinite(found).all():
        wanted = {(): "a number", (2,): "two numbers", (5,): "five numbers"}.get(shape, "three rows of three numbers")
        got = repr(table[name]) if name in table else "nothing"
        raise WrongUsage(f"{source}: {name} must be {wanted}, got {got[:60]}.", _AGAIN)
    return found


def folds(lens: LensProfile) -> bool:
    """Whether some part of the picture cannot come from a lens like this: its model has folded back before the rim."""
    w, h = lens.picture_wh
    rim = np.array([(x, y) for x in np.linspace(0, w - 1, 9) for y in np.linspace(0, h - 1, 9)])
    off = lens.bent(lens.straight(rim)) - rim
    ideal = (lens.straight(rim) - np.array(lens.middle_px)) / np.array(lens.focal_px)
    return bool(not np.isfinite(off).all() or np.abs(off).max() > _FOLDED_PX or np.hypot(*ideal.T).max() > lens.reach)


def refuse_other_size(lens: LensProfile, picture_wh: tuple[int, int]) -> None:
    """Raises `WrongLens` for a picture of another size than the profile's."""
    if picture_wh == lens.picture_wh:
        return
    (w, h), (seen_w, seen_h) = lens.picture_wh, picture_wh
    message = say("fault.lens-size", seen_w=seen_w, seen_h=seen_h, w=w, h=h)
    if (seen_h, seen_w) == (w, h):
        raise WrongLens(say("fault.lens-turned", size=message), say("cure.as-target"))
    raise WrongLens(message, say("cure.profile-size"))
