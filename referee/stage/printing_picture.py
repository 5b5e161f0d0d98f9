"""What a PDF cannot take as lines (blur, masks, patterns, words, pictures): that part of the drawing as pixels.

The part is cut out of the file together with what it refers to, and drawn by resvg as the clean print is.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from referee.stage.document import SVG, Document, is_svg, link_of, local
from referee.stage.figures import number_list

if TYPE_CHECKING:
    from PIL.Image import Image

DOTS_PER_MM = 12.0
"""About 300 to the inch; whole, since resvg rounds a pattern's tile to whole pixels."""
_LOOK_PER_MM = 2.0
"""A first, coarse look finds where the part lies."""
_URL = re.compile(r"url\(\s*['\"]?#([^'\")]+)")
_STORES = frozenset(
    {"defs", "style", "symbol", "clipPath", "mask", "filter", "linearGradient", "radialGradient", "pattern"}
)


@dataclass(frozen=True, eq=False)
class Picture:
    """Pixels with an opacity channel and where they lie in user units: x, y, width, height."""

    rgba: Image
    box: tuple[float, float, float, float]


def picture_of(document: Document, chain: Sequence[Element], parts: Sequence[Element]) -> Picture | None:
    """Some children of the last element of ``chain`` (root first) as they look on the board; None if nothing shows."""
    frame = number_list(document.root.get("viewBox", ""))
    cut = _framed(_cut_out(chain, parts, _referred(document.root, [*chain, *parts])), frame)
    words = any(local(e.tag) == "text" and is_svg(e) for part in parts for e in part.iter())
    coarse = _drawn(cut, (frame[0], frame[1], frame[2], frame[3]), _LOOK_PER_MM, words)
    found = coarse.getchannel("A").getbbox()
    if found is None:
        return None
    left, top = (max(0, math.floor((v - 1) / _LOOK_PER_MM)) for v in found[:2])
    right, low = (math.ceil(min(side, (v + 1) / _LOOK_PER_MM)) for v, side in zip(found[2:], frame[2:], strict=True))
    box = (frame[0] + left, frame[1] + top, right - left, low - top)
    return Picture(_drawn(cut, box, DOTS_PER_MM, words), box)


def _drawn(root: Element, box: tuple[float, float, float, float], per_mm: float, words: bool) -> Image:
    import resvg
    from PIL import Image

    size = max(1, round(box[2] * per_mm)), max(1, round(box[3] * per_mm))
    root.set("viewBox", " ".join(repr(v) for v in box))
    root.set("width", str(size[0]))
    root.set("height", str(size[1]))
    root.set("preserveAspectRatio", "none")
    options = resvg.usvg.Options.default()
    if words:
        options.load_system_fonts()
    tree = resvg.usvg.Tree.from_str(ElementTree.tostring(root, encoding="unicode"), options)
    png = resvg.render(tree, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0), bg_size=size)
    return Image.open(io.BytesIO(png)).convert("RGBA")


def _framed(drawing: Element, frame: list[float]) -> Element:
    """The drawing inside another, so that a window can be cut out while percentages still mean the whole board."""
    outer = Element(f"{{{SVG}}}svg")
    x, y, w, h = (repr(v) for v in frame)
    drawing.attrib.update(
        {"x": x, "y": y, "width": w, "height": h, "overflow": "visible", "preserveAspectRatio": "none"}
    )
    outer.append(drawing)
    return outer


def _cut_out(chain: Sequence[Element], parts: Sequence[Element], referred: set[str]) -> Element:
    """A tree with the parts alone in it; siblings that something refers to are kept in store, undrawn."""
    kept: dict[int, Element] = {}
    for level in range(len(chain) - 1, -1, -1):
        element = chain[level]
        copy = Element(element.tag, dict(element.attrib))
        wanted = set(map(id, parts)) if level == len(chain) - 1 else {id(chain[level + 1])}
        for child in element:
            if id(child) in wanted:
                copy.append(kept.get(id(child), child))
            elif local(child.tag) in _STORES:
                copy.append(child)
            elif any(e.get("id") in referred for e in child.iter()):
                ElementTree.SubElement(copy, f"{{{SVG}}}defs").append(child)
        kept[id(element)] = copy
    return kept[id(chain[0])]


def _referred(root: Element, seen_from: Sequence[Element]) -> set[str]:
    """The ids that some elements lead to, through however many steps."""
    named = {e.get("id", ""): e for e in reversed(list(root.iter())) if e.get("id")}
    found: set[str] = set()
    work = [e for top in seen_from[-1:] for e in top.iter()] + list(seen_from)
    while work:
        element = work.pop()
        texts = " ".join(element.attrib.values())
        for name in {link_of(element).removeprefix("#"), *_URL.findall(texts)}:
            if name in named and name not in found:
                found.add(name)
                work += list(named[name].iter())
    return found
