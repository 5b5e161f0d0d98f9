"""The reference of a stage: the flat picture of its clean board, where the board carries no markers."""

from __future__ import annotations

import base64
import binascii
import io
import warnings
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

import numpy as np
from numpy.typing import NDArray

from referee.files import bytes_of
from referee.stage.faults import Fault
from referee.stage.figures import shorten

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_BYTES = 60_000_000
MOST_PIXELS = 60_000_000
SMALLEST_PX = 200
"""A picture whose shorter side has fewer pixels shows no lines to judge by."""
_CURE = "Embed a flat picture of the clean board: JPEG or PNG."


def picture_of(link: str, folder: Path | None) -> bytes:
    """The content of the picture that a link names: embedded, or a file in the stage's ``folder``; raises `Fault`."""
    picture = _embedded(link) if link.lower().startswith("data:") else _beside(link, folder)
    with opened(picture) as image:
        if min(image.size) < SMALLEST_PX:
            raise Fault(f"the reference picture has only {image.size[0]} x {image.size[1]} pixels", _CURE)
    return picture


def _embedded(link: str) -> bytes:
    head, comma, body = link.partition(",")
    if not comma:
        raise Fault("the reference picture is damaged", _CURE)
    if not head.lower().endswith(";base64"):
        return unquote_to_bytes(body)
    try:
        return base64.b64decode("".join(body.split()), validate=True)
    except (binascii.Error, ValueError):
        raise Fault("the reference picture is damaged", _CURE) from None


def _beside(name: str, folder: Path | None) -> bytes:
    if folder is None:
        raise Fault(f"the reference picture {shorten(name)!r} is a file of its own", "Embed it in the stage's file.")
    try:
        return bytes_of(folder / name, MOST_BYTES)
    except OSError as error:
        cure = "Put it into the same folder, or embed it in the stage's file."
        raise Fault(f"the reference picture {shorten(name)!r} cannot be read ({error.strerror})", cure) from None


def opened(picture: bytes) -> Image:
    """A picture of which the head was read; raises `Fault` for what is none, or too large."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(picture), formats=("JPEG", "PNG", "WEBP", "GIF"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise Fault("the reference is no picture", _CURE) from None
    if image.size[0] * image.size[1] > MOST_PIXELS:
        raise Fault(f"the reference picture has {image.size[0]} x {image.size[1]} pixels", "Make it smaller.")
    return image


@lru_cache(maxsize=2)
def reference_pixels(picture: bytes, size_wh: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture as RGB (H, W, 3), read-only, rim to rim; raises `Fault` where it is damaged."""
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole = ImageOps.exif_transpose(opened(picture))
            if whole.mode in ("RGBA", "LA", "PA", "P"):
                whole = whole.convert("RGBA")
                whole = Image.alpha_composite(Image.new("RGBA", whole.size, "white"), whole)
            flat = whole.convert("RGB").resize(size_wh, Image.Resampling.LANCZOS, reducing_gap=3.0)
    except (OSError, ValueError, SyntaxError, EOFError) as error:
        raise Fault(f"the reference picture is damaged ({shorten(str(error))})", _CURE) from None
    pixels = np.array(flat, dtype=np.uint8)
    pixels.flags.writeable = False
    return pixels
