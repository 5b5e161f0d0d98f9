"""The clean print as pixels: the stage's own SVG drawn by resvg, with the markers of the copy that is asked for."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import lru_cache
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from referee.model import Copy, Fiducial, Stage
from referee.stage.document import SVG, Document, is_svg, local, read_document
from referee.stage.faults import Fault
from referee.stage.figures import number_list
from referee.stage.load import refusal
from referee.stage.markers import white_boxes_mm
from referee.stage.reference import reference_pixels
from referee.stage.shapes import settled

MOST_PIXELS = 120_000_000
_KEPT = 3
"""So many renderings stay in memory: at 8 px/mm one of an A4 board takes 12 MB."""


def artwork(stage: Stage, copy: Copy | None, px_per_mm: float) -> NDArray[np.uint8]:
    """The clean print as RGB (H, W, 3), read-only, board's corner to corner.

    H and W are the board's size times ``px_per_mm``, rounded; the centre of pixel (r, c) lies at
    ((c + 0.5), (r + 0.5)) / px_per_mm mm.  The markers of ``copy`` are drawn over the fiducials (None: the file as
    it is).  The print of a board without markers that has a reference picture is that picture.  Raises `BadStageFile`
    where the file cannot be drawn, `ValueError` for a size beyond all use.
    """
    width, height = (round(side * px_per_mm) for side in stage.size_mm)
    if not (width >= 1 and height >= 1 and width * height <= MOST_PIXELS):
        raise ValueError(f"px_per_mm must give 1 to {MOST_PIXELS} pixels, got {px_per_mm}")
    try:
        if stage.reference and not stage.fiducials:
            return reference_pixels(stage.reference, (width, height))
        return _pixels(stage.svg, stage.fiducials, copy, float(px_per_mm), (width, height))
    except Fault as fault:
        raise refusal(stage.source, fault) from None
    except (ValueError, OSError) as error:
        raise refusal(stage.source, Fault(f"it cannot be drawn ({error})", "Simplify its artwork.")) from None


def svg_of_copy(svg: bytes, fiducials: Sequence[Fiducial], copy: Copy) -> bytes:
    """The stage's SVG with the markers of one copy over its fiducials."""
    document = read_document(svg)
    _draw_markers(document, fiducials, copy)
    return ElementTree.tostring(document.root)


@lru_cache(maxsize=_KEPT)
def _pixels(
    svg: bytes, fiducials: tuple[Fiducial, ...], copy: Copy | None, px_per_mm: float, size_wh: tuple[int, int]
) -> NDArray[np.uint8]:
    document = read_document(svg)
    if copy is not None:
        _draw_markers(document, fiducials, copy)
    root = document.root
    box = number_list(root.get("viewBox", ""))
    # whole pixels, and exactly px_per_mm of them a millimetre: a last half pixel shows what lies beyond the board
    scale = [side / size for side, size in zip(box[2:], document.size_mm, strict=True)]
    seen = [pixels / px_per_mm * s for pixels, s in zip(size_wh, scale, strict=True)]
    root.set("viewBox", f"{box[0]!r} {box[1]!r} {seen[0]!r} {seen[1]!r}")
    root.set("width", str(size_wh[0]))
    root.set("height", str(size_wh[1]))
    root.set("preserveAspectRatio", "none")
    _settle_arcs(document)
    pixels = _drawn(ElementTree.tostring(root, encoding="unicode"), size_wh, _has_words(document))
    pixels.flags.writeable = False
    return pixels


def _drawn(svg: str, size_wh: tuple[int, int], words: bool) -> NDArray[np.uint8]:
    """resvg's picture on white paper (its transform is row by row, not SVG's column by column)."""
    import resvg
    from PIL import Image

    options = resvg.usvg.Options.default()
    if words:
        options.load_system_fonts()
    tree = resvg.usvg.Tree.from_str(svg, options)
    png = resvg.render(tree, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0), bg_color=(255, 255, 255, 255), bg_size=size_wh)
    return np.array(Image.open(io.BytesIO(png)).convert("RGB"), dtype=np.uint8)


def _settle_arcs(document: Document) -> None:
    """Writes every path so that resvg, which reckons in single precision, draws what the loader measures."""
    for element in document.root.iter():
        if local(element.tag) == "path" and is_svg(element):
            element.set("d", settled(element.get("d", "")))


def _has_words(document: Document) -> bool:
    return any(local(e.tag) == "text" and is_svg(e) for e in document.root.iter())


def _draw_markers(document: Document, fiducials: Sequence[Fiducial], copy: Copy) -> None:
    """Black squares and, as one path so that no seams show, the white squares in them."""
    inverse = np.linalg.inv(document.to_board[:, :2])
    group = ElementTree.SubElement(document.root, f"{{{SVG}}}g", {"data-kind": "art"})
    for fiducial in fiducials:
        for fill, boxes in (("#000000", [fiducial.corners_mm]), ("#ffffff", white_boxes_mm(fiducial, copy))):
            loops = (
                "M" + "L".join(f"{x:.5f} {y:.5f}" for x, y in (box - document.to_board[:, 2]) @ inverse.T) + "Z"
                for box in boxes
            )
            look = {"d": "".join(loops), "fill": fill, "stroke": "none"}
            ElementTree.SubElement(group, f"{{{SVG}}}path", look)
