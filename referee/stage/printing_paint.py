"""A drawing (SVG) put on a PDF page as lines and areas, at exactly its own size.

Shapes, fills, strokes, dashes, opacities, gradients, clones and simple clips stay vectors; whatever else a
drawing program may write (blur, masks, patterns, words, pictures) goes in as pixels by `printing_picture`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from referee.model import Floats
from referee.stage import transform
from referee.stage.document import Document, is_svg, link_of, local
from referee.stage.faults import Fault
from referee.stage.figures import length, number_list
from referee.stage.printing_look import Cascade, Look, Paint, UnknownLookError, colour
from referee.stage.printing_picture import picture_of
from referee.stage.shapes import SHAPES, Step, pieces_of, steps_of

_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "miter-clip": 0, "arcs": 0, "round": 1, "bevel": 2}
_GROUPS = frozenset({"g", "a"})
_DRAWN = frozenset({*SHAPES, *_GROUPS, "use", "text", "image", "switch", "svg", "foreignObject"})
_PLAIN = {"mask": "none", "filter": "none", "mix-blend-mode": "normal", "vector-effect": "none",
          "marker": "none", "marker-start": "none", "marker-mid": "none", "marker-end": "none"}  # fmt: skip
_MOST_USES_DEEP = 16
_PAINT = {("", True): "S", ("f", False): "f", ("f*", False): "f*", ("f", True): "B", ("f*", True): "B*"}
"""PDF's word for filling (by either rule) and stroking a path."""
Canvas = Any
Call = tuple[str, tuple[Any, ...], dict[str, Any]]


class Painting:
    """A drawing as calls to a PDF canvas, worked out once and played on as many pages as are wanted."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    def __getattr__(self, name: str) -> Callable[..., None]:
        """Whatever is asked of the canvas is written down."""
        return lambda *words, **named: self.calls.append((name, words, named))

    def play(self, canvas: Canvas) -> None:
        """Draws it; the canvas is in user units, y down, and is left as it was."""
        for name, words, named in self.calls:
            getattr(canvas, name)(*words, **named)


def painting_of(document: Document) -> Painting:
    """A document as it will be drawn; raises `ValueError` or `OSError` where a part of it cannot be."""
    painting = Painting()
    _Painter(painting, document).root()
    return painting


class _Painter:
    def __init__(self, painting: Painting, document: Document) -> None:
        self.canvas: Canvas = painting
        self.document = document
        self.cascade = Cascade(document.root)
        self.named = {e.get("id", ""): e for e in reversed(list(document.root.iter())) if e.get("id")}
        self._outlines: dict[int, list[Step]] = {}
        box = number_list(document.root.get("viewBox", ""))
        self._size = box[2], box[3]

    def root(self) -> None:
        """Paints everything."""
        root = self.document.root
        self._children(root, self.cascade.look(root, None), [root], 0)

    # -------------------------------------------------------------------------------- walking

    def _children(self, parent: Element, look: Look, chain: list[Element], uses: int) -> None:
        """Paints the children of an element; neighbours that need pixels share one picture."""
        run: list[Element] = []
        for child in parent:
            if not is_svg(child) or local(child.tag) not in _DRAWN:
                continue
            own = self.cascade.look(child, look)
            if own["display"] == "none":
                continue
            if self._is_plain(child, own, uses):
                self._pixels(chain, run)
                run = []
                self._element(child, own, chain, uses)
            else:
                run.append(child)
        self._pixels(chain, run)

    def _pixels(self, chain: list[Element], run: list[Element]) -> None:
        """Some children of the last of ``chain`` as a picture.

        The canvas stands in that element's coordinates, the picture is in the root's: its way there is undone.
        """
        if not run:
            return
        from reportlab.lib.utils import ImageReader

        found = picture_of(self.document, chain, run)
        if found is None:
            return
        x, y, w, h = found.box
        self.canvas.saveState()
        back = self._way(chain)
        self._transform(_inverse(back))
        self.canvas.transform(1, 0, 0, -1, x, y + h)
        self.canvas.setFillAlpha(1)
        self.canvas.drawImage(ImageReader(found.rgba), 0, 0, w, h, mask="auto")
        self.canvas.restoreState()

    def _way(self, chain: Sequence[Element]) -> Floats:
        matrix: Floats = transform.IDENTITY
        for element in chain[1:]:
            matrix = transform.after(matrix, self._matrix(element))
        return matrix

    def _is_plain(self, element: Element, look: Look, uses: int) -> bool:
        """Whether an element (itself, not what is in it) can be drawn as lines and areas."""
        tag = local(element.tag)
        if any(look[name] != plain for name, plain in _PLAIN.items()):
            return False
        try:
            if _flat(self._matrix(element)):
                return False
            if look["clip-path"] != "none" and self._clip_steps(look) is None:
                return False
            if tag in _GROUPS:
                return look.opacity("opacity") == 1 or self._lone_shape(element, look) is not None
            if tag == "use":
                return self._use_is_plain(element, look, uses)
            return tag in SHAPES and self._shape_is_plain(element, look)
        except (Fault, UnknownLookError):
            return False

    def _lone_shape(self, group: Element, look: Look) -> Element | None:
        """The only thing in a see-through group, if it takes the group's opacity as its own."""
        drawn = [e for e in group if is_svg(e) and local(e.tag) in _DRAWN]
        if len(drawn) == 1 and local(drawn[0].tag) in SHAPES:
            own = self.cascade.look(drawn[0], look)
            if own["fill"] == "none" or own["stroke"] == "none":
                return drawn[0]
        return None

    def _use_is_plain(self, element: Element, look: Look, uses: int) -> bool:
        target = self.named.get(link_of(element).removeprefix("#"))
        if target is None or uses >= _MOST_USES_DEEP or look.opacity("opacity") != 1:
            return False
        return local(target.tag) in SHAPES or local(target.tag) in _GROUPS or local(target.tag) == "use"

    def _shape_is_plain(self, element: Element, look: Look) -> bool:
        fill, stroke = look.paint("fill"), look.paint("stroke")
        self._steps(element)
        if fill and stroke and (look.opacity("opacity") < 1 or look["paint-order"] != "normal"):
            return False
        if stroke and (stroke.server or not self._stroke_is_plain(look)):
            return False
        return not fill or fill.server is None or self._gradient(fill.server, element) is not None

    def _stroke_is_plain(self, look: Look) -> bool:
        self._dashes(look)
        length(look["stroke-width"], self._diagonal())
        look.number("stroke-miterlimit")
        return look["stroke-linecap"] in _CAPS and look["stroke-linejoin"] in _JOINS

    # -------------------------------------------------------------------------------- elements

    def _element(self, element: Element, look: Look, chain: list[Element], uses: int, dim: float = 1.0) -> None:
        self.canvas.saveState()
        self._transform(self._matrix(element))
        if look["clip-path"] != "none":
            self._clip(look)
        tag = local(element.tag)
        dim *= look.opacity("opacity")
        if tag == "use":
            self._use(element, look, chain, uses)
        elif tag in _GROUPS and dim < 1:
            lone = self._lone_shape(element, look)
            own = self.cascade.look(lone, look) if lone is not None else None
            if lone is not None and own is not None and self._is_plain(lone, own, uses):
                self._element(lone, own, [*chain, element], uses, dim)
            elif lone is not None:
                self._children(element, look, [*chain, element], uses)
        elif tag in _GROUPS:
            self._children(element, look, [*chain, element], uses)
        elif look["visibility"] == "visible":
            self._shape(element, look, dim)
        self.canvas.restoreState()

    def _use(self, element: Element, look: Look, chain: list[Element], uses: int) -> None:
        """A clone: its target, moved by x and y; parts of it that need pixels are left to a picture of the whole."""
        target = self.named[link_of(element).removeprefix("#")]
        x, y = (length(element.get(name, "0"), self._size[i]) for i, name in enumerate(("x", "y")))
        own = self.cascade.look(target, look)
        if own["display"] == "none":
            return
        if self._all_plain(target, own, uses + 1):
            self.canvas.transform(1, 0, 0, 1, x, y)
            self._element(target, own, chain, uses + 1)
        else:
            self._transform(_inverse(self._matrix(element)))
            self._pixels(chain, [element])

    def _all_plain(self, element: Element, look: Look, uses: int) -> bool:
        if not self._is_plain(element, look, uses):
            return False
        if local(element.tag) == "use":
            target = self.named[link_of(element).removeprefix("#")]
            return self._all_plain(target, self.cascade.look(target, look), uses + 1)
        parts = [e for e in element if is_svg(e) and local(e.tag) in _DRAWN]
        return all(self._all_plain(e, self.cascade.look(e, look), uses) for e in parts)

    def _shape(self, element: Element, look: Look, dim: float) -> None:
        steps = self._steps(element)
        fill, stroke = look.paint("fill"), look.paint("stroke")
        if not steps:
            return
        even_odd = look["fill-rule"] == "evenodd"
        if fill and fill.server:
            self._fill_gradient(element, steps, fill, even_odd, dim)
            fill = None
        if fill:
            self.canvas.setFillColorRGB(*fill.rgb)
            self.canvas.setFillAlpha(fill.opacity * dim)
        width = length(look["stroke-width"], self._diagonal()) if stroke else 0.0
        if stroke and width > 0:
            self._pen(look, stroke, width, dim)
        if fill or (stroke and width > 0):
            fills = "" if fill is None else "f*" if even_odd else "f"
            self.canvas.addLiteral(f"n {_path(steps)} {_PAINT[fills, width > 0]}")

    def _pen(self, look: Look, stroke: Paint, width: float, dim: float) -> None:
        self.canvas.setStrokeColorRGB(*stroke.rgb)
        self.canvas.setStrokeAlpha(stroke.opacity * dim)
        self.canvas.setLineWidth(width)
        self.canvas.setLineCap(_CAPS[look["stroke-linecap"]])
        self.canvas.setLineJoin(_JOINS[look["stroke-linejoin"]])
        self.canvas.setMiterLimit(max(1.0, look.number("stroke-miterlimit")))
        dashes, phase = self._dashes(look)
        self.canvas.setDash(dashes, phase)

    def _dashes(self, look: Look) -> tuple[list[float], float]:
        """The dash array (empty for a solid line) and a phase that is not negative."""
        text = look["stroke-dasharray"].strip()
        if text == "none":
            return [], 0.0
        dashes = [length(word, self._diagonal()) for word in text.replace(",", " ").split()]
        if not dashes or min(dashes) < 0 or sum(dashes) <= 0:
            return [], 0.0
        dashes = dashes * (1 + len(dashes) % 2)
        return dashes, length(look["stroke-dashoffset"], self._diagonal()) % sum(dashes)

    # -------------------------------------------------------------------------------- outlines

    def _steps(self, element: Element) -> list[Step]:
        """A shape's outline in its own coordinates; raises `Fault`."""
        if id(element) not in self._outlines:
            self._outlines[id(element)] = list(steps_of(local(element.tag), element.attrib, self._size))
        return self._outlines[id(element)]

    def _clip_steps(self, look: Look) -> tuple[list[Step], Floats, bool] | None:
        """A clip of one shape in the element's own coordinates; None if it is more than that."""
        name = look["clip-path"].removeprefix("url(").removesuffix(")").strip("'\" ").removeprefix("#")
        clip = self.named.get(name)
        if clip is None or local(clip.tag) != "clipPath" or clip.get("clipPathUnits", "") == "objectBoundingBox":
            return None
        parts = [e for e in clip if is_svg(e) and local(e.tag) in _DRAWN]
        if len(parts) != 1 or local(parts[0].tag) not in SHAPES:
            return None
        own = self.cascade.look(parts[0], self.cascade.look(clip, None))
        if self.cascade.look(clip, None)["clip-path"] != "none" or own["clip-path"] != "none":
            return None
        matrix = transform.after(self._matrix(clip), self._matrix(parts[0]))
        if _flat(matrix):
            return None
        steps = self._steps(parts[0])
        return steps, matrix, own["clip-rule"] == "evenodd"

    def _clip(self, look: Look) -> None:
        found = self._clip_steps(look)
        if found is not None:
            steps, matrix, even_odd = found
            self._transform(matrix)
            self._clip_to(steps, even_odd)
            self._transform(_inverse(matrix))

    def _clip_to(self, steps: list[Step], even_odd: bool) -> None:
        self.canvas.addLiteral(f"n {_path(steps)} {'W*' if even_odd else 'W'} n")

    # -------------------------------------------------------------------------------- gradients

    def _fill_gradient(self, element: Element, steps: list[Step], fill: Paint, even_odd: bool, dim: float) -> None:
        found = self._gradient(fill.server or "", element)
        if found is None:
            return
        kind, matrix, n, positions, colours, opacity = found
        self.canvas.saveState()
        self._clip_to(steps, even_odd)
        self._transform(matrix)
        self.canvas.setFillAlpha(fill.opacity * dim * opacity)
        if kind == "linearGradient":
            self.canvas.linearGradient(*n, colours, positions)
        else:
            self.canvas.radialGradient(*n, colours, positions)
        self.canvas.restoreState()

    def _gradient(
        self, name: str, element: Element
    ) -> tuple[str, Floats, list[float], list[float], list[Any], float] | None:
        """A gradient: its kind, its matrix, its numbers, stops and opacity; None if it needs pixels."""
        from reportlab.lib.colors import Color

        line = self._gradient_line(name)
        if not line:
            return None

        def said(key: str, default: str) -> str:
            return next((e.attrib[key] for e in line if key in e.attrib), default)

        kind = local(line[0].tag)
        stops = next((s for e in line if (s := [c for c in e if local(c.tag) == "stop"])), [])
        looks = [self.cascade.look(stop, None) for stop in stops]
        opacities = {look.opacity("stop-opacity") * colour(look["stop-color"])[1] for look in looks}
        focal = any(key in e.attrib for key in ("fx", "fy", "fr") for e in line) and kind == "radialGradient"
        if len(stops) < 2 or len(opacities) != 1 or said("spreadMethod", "pad") != "pad" or focal:
            return None
        in_box = said("gradientUnits", "objectBoundingBox") == "objectBoundingBox"
        frame = self._box_matrix(element) if in_box else transform.IDENTITY
        if frame is None:
            return None
        whole = (1.0, 1.0, 1.0) if in_box else (*self._size, self._diagonal())
        if kind == "linearGradient":
            keys = [("x1", "0%", 0), ("y1", "0%", 1), ("x2", "100%", 0), ("y2", "0%", 1)]
        else:
            keys = [("cx", "50%", 0), ("cy", "50%", 1), ("r", "50%", 2)]
        n = [length(said(key, default), whole[i]) for key, default, i in keys]
        if (kind == "linearGradient" and n[:2] == n[2:]) or (kind == "radialGradient" and n[2] <= 0):
            return None
        matrix = transform.after(frame, transform.parse_transform(said("gradientTransform", "")))
        places = _rising([Look({"offset": stop.get("offset", "0")}).number("offset") for stop in stops])
        colours = [Color(*colour(look["stop-color"])[0]) for look in looks]
        return kind, matrix, n, places, colours, opacities.pop()

    def _gradient_line(self, name: str) -> list[Element]:
        """A gradient and those it takes its stops and numbers from; empty if there is none."""
        line: list[Element] = []
        element = self.named.get(name)
        while element is not None and element not in line and len(line) < 8:
            if local(element.tag) not in ("linearGradient", "radialGradient"):
                return []
            line.append(element)
            element = self.named.get(link_of(element).removeprefix("#"))
        return line

    def _box_matrix(self, element: Element) -> Floats | None:
        """From the unit square to a shape's bounding box; None for a shape without width or height."""
        pieces = pieces_of(local(element.tag), element.attrib, transform.IDENTITY, self._size)
        points = np.concatenate([piece.points_mm for piece in pieces])
        low, high = points.min(axis=0), points.max(axis=0)
        if min(high - low) <= 0:
            return None
        return transform.after(transform.moved(*low), transform.scaled(*(high - low)))

    # -------------------------------------------------------------------------------- measures

    def _matrix(self, element: Element) -> Floats:
        """An element's own transform; raises `Fault`."""
        look = self.cascade.look(element, None)
        own = transform.parse_transform(look["transform"])
        if look["transform-origin"]:
            words = look["transform-origin"].replace(",", " ").split()
            if len(words) != 2:
                raise Fault("transform-origin", "")
            x, y = (length(word, side) for word, side in zip(words, self._size, strict=True))
            own = transform.after(transform.after(transform.moved(x, y), own), transform.moved(-x, -y))
        return own

    def _transform(self, matrix: Floats) -> None:
        if not np.array_equal(matrix, transform.IDENTITY):
            (a, c, e), (b, d, f) = matrix.tolist()
            self.canvas.transform(a, b, c, d, e, f)

    def _diagonal(self) -> float:
        return math.hypot(*self._size) / math.sqrt(2)


def _flat(matrix: Floats) -> bool:
    """Whether a matrix squeezes everything into a line or a point: there is no way back from it."""
    return abs(float(np.linalg.det(matrix[:, :2]))) < 1e-9


def _inverse(matrix: Floats) -> Floats:
    inner = np.linalg.inv(matrix[:, :2])
    return np.column_stack([inner, -inner @ matrix[:, 2]])


def _rising(offsets: Sequence[float]) -> list[float]:
    """Stops' places between 0 and 1, each a little beyond the one before (two at one place are a hard edge)."""
    places: list[float] = []
    for i, offset in enumerate(offsets):
        least = places[-1] + 1e-5 if places else 0.0
        most = 1.0 - 1e-5 * (len(offsets) - 1 - i)
        places.append(min(max(offset, least), most))
    return places


def _path(steps: Sequence[Step]) -> str:
    """An outline in PDF's words."""
    words = []
    for step in steps:
        if step.kind == "C":
            (a, b), (c, d), (e, f) = step.points
            words.append(f"{a:.5f} {b:.5f} {c:.5f} {d:.5f} {e:.5f} {f:.5f} c")
        elif step.kind == "A":
            words += ["{:.5f} {:.5f} {:.5f} {:.5f} {:.5f} {:.5f} c".format(*curve) for curve in _arc_curves(step)]
        elif step.kind == "Z":
            words.append("h")
        else:
            x, y = step.points[0]
            words.append(f"{x:.5f} {y:.5f} {'m' if step.kind == 'M' else 'l'}")
    return " ".join(words)


def _arc_curves(step: Step) -> Iterator[tuple[float, float, float, float, float, float]]:
    """An arc as cubic curves of at most 45 degrees (within a millionth of its radius)."""
    (cx, cy), end = step.points
    rx, ry, turn, first, sweep = step.arc
    count = max(1, math.ceil(abs(sweep) / (math.pi / 4)))
    part = sweep / count
    k = 4 / 3 * math.tan(part / 4)
    c, s = math.cos(turn), math.sin(turn)

    def at(u: float, v: float) -> tuple[float, float]:
        return cx + c * rx * u - s * ry * v, cy + s * rx * u + c * ry * v

    for i in range(count):
        a, b = first + i * part, first + (i + 1) * part
        near = at(math.cos(a) - k * math.sin(a), math.sin(a) + k * math.cos(a))
        far = at(math.cos(b) + k * math.sin(b), math.sin(b) - k * math.cos(b))
        yield (*near, *far, *(end if i == count - 1 else at(math.cos(b), math.sin(b))))
