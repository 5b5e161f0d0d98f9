"""Small boards for the tests, an element a line, so that a test can leave one out or write it another way."""

# ruff: noqa: E501 (tables of elements read best with a row a line)

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from referee.model import Stage
from referee.stage.load import parse_stage

ROOT = {
    "xmlns": "http://www.w3.org/2000/svg",
    "width": "297mm",
    "height": "210mm",
    "viewBox": "0 0 297 210",
    "data-stage-format": "1",
    "data-stage": "9",
    "data-name": "Ruler Road",
    "data-theme": "city",
}

RULER = {
    "art": '<rect id="art" width="297" height="210" fill="#cde8c0"/>',
    "road-1": '<polygon id="road-1" data-kind="road" data-section="1" points="20,40 100,40 100,60 20,60"/>',
    "road-2": '<rect id="road-2" data-kind="road" data-section="2" x="100" y="40" width="80" height="20"/>',
    "road-3": '<path id="road-3" data-kind="road" data-section="3" d="M198 40h82v20h-82z"/>',
    "white-line-1": '<path id="white-line-1" data-kind="white-line" data-section="1" stroke-width="2"'
    ' d="M100 39H19V61H100"/>',
    "white-line-2": '<path id="white-line-2" data-kind="white-line" data-section="2" stroke-width="2" d="M100 39H180"/>',
    "white-line-3": '<path id="white-line-3" data-kind="white-line" data-section="2" stroke-width="2" d="M100 61H180"/>',
    "white-line-4": '<path id="white-line-4" data-kind="white-line" data-section="3" stroke-width="2"'
    ' d="M198 39H280M198 61H280"/>',
    "jump-1": '<rect id="jump-1" data-kind="jump" data-pattern="zigzag" x="155" y="40" width="25" height="20"/>',
    "landing-1": '<rect id="landing-1" data-kind="landing" data-pattern="zigzag" x="198" y="40" width="25" height="20"/>',
    "acceleration-1": '<rect id="acceleration-1" data-kind="acceleration" data-pair="a" x="50" y="40" width="8" height="20"/>',
    "slowdown-1": '<rect id="slowdown-1" data-kind="slowdown" data-pair="a" x="66" y="40" width="8" height="20"/>',
    "oil-spill-1": '<circle id="oil-spill-1" data-kind="oil-spill" cx="135" cy="50" r="4" stroke-width="1.4"/>',
    "pipe-1": '<rect id="pipe-1" data-kind="pipe" x="228" y="38" width="8" height="24"/>',
    "checkpoint-1": '<line id="checkpoint-1" data-kind="checkpoint" data-order="1" x1="80" y1="40" x2="80" y2="60"/>',
    "checkpoint-2": '<line id="checkpoint-2" data-kind="checkpoint" data-order="2" x1="120" y1="40" x2="120" y2="60"/>',
    "checkpoint-3": '<line id="checkpoint-3" data-kind="checkpoint" data-order="3" x1="240" y1="40" x2="240" y2="60"/>',
    "start": '<polygon id="start" data-kind="start" points="30,48 38,48 38,45 44,50 38,55 38,52 30,52"/>',
    "finish": '<line id="finish" data-kind="finish" x1="270" y1="40" x2="270" y2="60"/>',
    "course": '<path id="course" data-kind="course" d="M25 50H180M198 50H280"/>',
}
for _i, (_x, _y) in enumerate([(6, 6), (277, 6), (277, 190), (6, 190)]):
    RULER[f"fiducial-{_i + 1}"] = (
        f'<rect id="fiducial-{_i + 1}" data-kind="fiducial" data-dictionary="AprilTag 36h11" data-id="{64 + _i}"'
        f' x="{_x}" y="{_y}" width="14" height="14"/>'
    )

BRIDGE = {
    "road-1": '<path data-kind="road" data-section="1" d="M20 110H120V130H20z"/>',
    "road-2": '<path data-kind="road" data-section="2" d="M120 110H160V130H120z"/>',
    "road-3": '<path data-kind="road" data-section="3" d="M160 110H230V60H130V40H250V130H160z"/>',
    "road-4": '<path data-kind="road" data-section="4" d="M130 60H150V185H130z"/>',
    "start": '<path data-kind="start" d="M30 118h10v4h-10z"/>',
    "checkpoint-1": '<path data-kind="checkpoint" data-order="1" d="M152 110V130"/>',
    "checkpoint-2": '<path data-kind="checkpoint" data-order="2" d="M130 120H150"/>',
    "finish": '<path data-kind="finish" d="M130 175H150"/>',
    "course": '<path data-kind="course" d="M25 120H240V50H140V185"/>',
}
"""A road that passes under itself: section 4 is the deck above section 2."""


def board(
    elements: Mapping[str, str] = RULER,
    *,
    drop: Iterable[str] = (),
    change: Mapping[str, str] | None = None,
    root: Mapping[str, str | None] | None = None,
    extra: str = "",
    wrap: tuple[str, str] = ("", ""),
) -> bytes:
    """A stage file: elements left out (``drop``), written another way (``change``), or all put inside ``wrap``."""
    kept = {name: text for name, text in elements.items() if name not in set(drop)} | dict(change or {})
    attributes = {name: value for name, value in (ROOT | dict(root or {})).items() if value is not None}
    head = " ".join(f'{name}="{value}"' for name, value in attributes.items())
    return "\n".join([f"<svg {head}>", wrap[0], *kept.values(), extra, wrap[1], "</svg>"]).encode()


def stage_of(elements: Mapping[str, str] = RULER, **changes: object) -> Stage:
    """The stage of such a board."""
    return parse_stage(board(elements, **changes), "board.svg")  # type: ignore[arg-type]


def assert_same(a: object, b: object, within: float = 1e-6, where: str = "stage") -> None:
    """Two stages are the same: coordinates within so many mm, everything else exactly (text and file name apart)."""
    if isinstance(a, np.ndarray):
        assert a.shape == b.shape, where  # type: ignore[attr-defined]
        assert np.abs(a - b).max(initial=0.0) <= within, where
    elif hasattr(a, "geom_type"):
        assert a.equals_exact(b.normalize(), within) or a.normalize().hausdorff_distance(b) <= within, where  # type: ignore[attr-defined]
    elif isinstance(a, tuple):
        assert isinstance(b, tuple), where
        assert len(a) == len(b), where
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            assert_same(x, y, within, f"{where}[{i}]")
    elif hasattr(a, "__dataclass_fields__"):
        assert type(a) is type(b), where
        for name in set(a.__dataclass_fields__) - {"svg", "source"}:
            assert_same(getattr(a, name), getattr(b, name), within, f"{where}.{name}")
    elif isinstance(a, float):
        assert abs(a - b) <= within, where  # type: ignore[operator]
    else:
        assert a == b, where
