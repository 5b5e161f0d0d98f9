"""A board of one's own, as owners of a box have it: no markers, and a photo of the clean board for a reference."""

from __future__ import annotations

import base64
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.model import Stage
from referee.stage.draft import draft_svg
from referee.stage.load import parse_stage
from referee.stage.render import artwork
from referee.vision.draft import jpeg, straighten, unshade
from tests.simulation.hand import Race
from tests.simulation.paint import Marker, texture
from tests.simulation.photograph import without_markers
from tests.simulation.snapshot import Camera, projected, snapshot

Bgr = NDArray[np.uint8]
PX_PER_MM = 8.0
BUILTIN = Path(__file__).parents[2] / "stage_masks"
REFERENCE_CAMERA = Camera(
    size_wh=(2000, 1500), tilt_deg=6, roll_deg=2, fill=0.9, blur_px=0.9, noise=0.006, cast=(0.85, 1.0, 1.1)
)


def bare_stage(number: int) -> Stage:
    """A built-in stage whose board is printed without markers."""
    path = BUILTIN / f"stage-{number:02}.svg"
    return parse_stage(without_markers(path.read_bytes()), path.name)


def photographed(stage: Stage, race: Race | None, camera: Camera, seed: int) -> tuple[Bgr, NDArray[np.float64]]:
    """A quick photo of a stage's board, raced or clean, and the board's corners (4, 2) in it."""
    board = artwork(stage, None, PX_PER_MM)
    if race is not None:
        board = texture(board, race.strokes, Marker(), [], np.random.default_rng(seed), stage.size_mm, "true")
    bgr, plane = snapshot(board, stage.size_mm, camera, np.random.default_rng([seed, 1]))
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * stage.size_mm
    return bgr, projected(plane, corners)


def traced_stage(bare: Stage, camera: Camera = REFERENCE_CAMERA) -> Stage:
    """The same stage as somebody has it who photographed the clean board and traced it: its print is that photo."""
    bgr, corners = photographed(bare, None, camera, 77)
    picture = jpeg(unshade(straighten(bgr, corners, bare.size_mm)))
    image = draft_svg(picture, bare.size_mm, bare.number, bare.name).split(b"\n")[1]
    assert base64.b64encode(picture) in image
    head, end = bare.svg[: bare.svg.rindex(b"</")], bare.svg[bare.svg.rindex(b"</") :]
    namespace = b"ns0:image" if b"<ns0:svg" in bare.svg else b"image"
    return parse_stage(head + image.replace(b"<image", b"<" + namespace) + end, "traced.svg")
