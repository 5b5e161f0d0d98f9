"""A checked document -> what it draws that means something, in the order of the file.

What an element means, its id, its ``data-*`` and its stroke width come from the nearest element that has them;
transforms add up; ``use`` draws its target where it stands; what is only kept in store (``defs`` and the like)
is not on the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from xml.etree.ElementTree import Element

from referee.model import Floats
from referee.stage import transform
from referee.stage.document import Document, is_svg, link_of, local
from referee.stage.faults import Fault
from referee.stage.figures import length, number_list, shorten
from referee.stage.shapes import SHAPES, Piece, pieces_of
from referee.stage.styles import Styles, styles_of

CLOSED_KINDS = ("road", "start", "jump", "landing", "acceleration", "slowdown", "oil-spill", "pipe", "fiducial")
OPEN_KINDS = ("course", "finish", "checkpoint")
KINDS = frozenset({*CLOSED_KINDS, *OPEN_KINDS, "white-line", "reference"})
_GROUPS = frozenset({"svg", "g", "a", "switch"})
_MOST_USES_DEEP = 16


@dataclass(frozen=True, eq=False)
class Drawn:
    """An element of the board that means something.

    ``id`` is its name in reports; ``id_from`` tells elements that share an inherited id, None for a name of its own.
    ``place`` is its place among its kind in the file, from 1.
    """

    kind: str
    id: str
    id_from: Element | None
    place: int
    node: Node
    styles: Styles

    def nearest(self, name: str) -> str | None:
        """An attribute of the nearest element that has it."""
        return next((n.element.attrib[name] for n in self.node.line() if name in n.element.attrib), None)

    def needs(self, name: str, cure: str) -> str:
        """An attribute that must be there; raises `Fault`."""
        value = self.nearest(name)
        if value is None or not value.strip():
            raise Fault(f"it has no {name}", cure)
        return value.strip()

    def property(self, name: str) -> str | None:
        """A style property of the nearest element that has it."""
        found = (self.styles.own(n.element, name) for n in self.node.line())
        return next((value for value in found if value is not None), None)

    def width_mm(self) -> float:
        """The printed width of its stroke; raises `Fault`."""
        diagonal = float((self.node.size[0] ** 2 + self.node.size[1] ** 2) / 2) ** 0.5
        try:
            width = length(self.property("stroke-width") or "1", diagonal)
        except Fault as fault:
            raise Fault(f"stroke-width: {fault.what}", "Write the line's width in mm, such as 2.") from None
        width *= transform.scale_of(self.node.way())
        if not 0 < width < 100:
            raise Fault(f"a stroke-width of {width:g} mm is no line", "Write the line's width in mm, such as 2.")
        return width

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Its outlines in board mm; raises `Fault`."""
        element = self.node.element
        return tuple(pieces_of(local(element.tag), element.attrib, self.node.way(), self.node.size))


@dataclass(frozen=True, eq=False)
class Node:
    """An element where it is drawn: through its ancestors, and through the ``use`` elements that brought it there."""

    element: Element
    parent: Node | None
    matrix: Floats | Fault
    size: tuple[float, float]
    uses: int = 0

    def line(self) -> Iterator[Node]:
        """This node and all above it, the nearest first."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent

    def way(self) -> Floats:
        """From its own coordinates to board mm; raises `Fault`."""
        if isinstance(self.matrix, Fault):
            raise self.matrix
        return self.matrix

    def kind_owner(self) -> Node | None:
        """The nearest node that says what it means."""
        return next((n for n in self.line() if n.element.get("data-kind") is not None), None)


@dataclass
class _Walk:
    """The state of one walk through a document."""

    styles: Styles
    named: dict[str, Element]
    kinds: frozenset[str]
    places: dict[str, int] = field(default_factory=dict)


def drawn_in(document: Document, kinds: frozenset[str] = KINDS) -> list[Drawn]:
    """Everything on the board that means something, in file order; ``kinds`` is what there can be. Raises `Fault`."""
    root = document.root
    named = {e.get("id", ""): e for e in reversed(list(root.iter())) if e.get("id")}
    walk = _Walk(styles_of(root), named, kinds)
    found: list[Drawn] = []
    board = Node(root, None, document.to_board, document.size_mm)
    work = [Node(root, None, _moved(walk, board, root), document.size_mm)]
    while work:
        node = work.pop()
        tag = local(node.element.tag)
        if not is_svg(node.element):
            continue
        if tag in _GROUPS:
            work += [_below(walk, node, child) for child in reversed(_shown(node.element, tag))]
        elif tag == "use":
            work += _used(walk, node)
        elif tag in SHAPES or tag in ("image", "text"):
            found += _meaning(walk, node, tag)
    return found


def _shown(element: Element, tag: str) -> list[Element]:
    """The children that are drawn: of a switch the first one that asks for nothing special."""
    children = list(element)
    if tag != "switch":
        return children
    plain = [c for c in children if not (c.get("requiredExtensions") or c.get("systemLanguage"))]
    return plain[:1]


def _below(walk: _Walk, parent: Node, element: Element) -> Node:
    matrix = _moved(walk, parent, element)
    if local(element.tag) == "svg" and not isinstance(matrix, Fault):
        return _framed(parent, element, element, matrix)
    return Node(element, parent, matrix, parent.size, parent.uses)


def _moved(walk: _Walk, parent: Node, element: Element) -> Floats | Fault:
    """The parent's matrix with the element's own transform; a fault waits until something needs the matrix."""
    text = walk.styles.own(element, "transform")
    if text is None or isinstance(parent.matrix, Fault):
        return parent.matrix
    try:
        own = transform.parse_transform(text)
        origin = walk.styles.own(element, "transform-origin")
        if origin is not None:
            x, y = _origin(origin, parent.size)
            own = transform.after(transform.after(transform.moved(x, y), own), transform.moved(-x, -y))
        return transform.after(parent.matrix, own)
    except Fault as fault:
        return fault


def _origin(text: str, size: tuple[float, float]) -> tuple[float, float]:
    words = text.replace(",", " ").split()
    if not 1 <= len(words) <= 2:
        raise Fault(f"the transform-origin {shorten(text)!r} makes no sense", "Write two numbers, or leave it out.")
    return length(words[0], size[0]), length(words[-1], size[1]) if len(words) == 2 else size[1] / 2


def _used(walk: _Walk, node: Node) -> list[Node]:
    """What a ``use`` draws: its target, moved by x and y, with its styles and data below the use's own."""
    target = walk.named.get(link_of(node.element).removeprefix("#"))
    if target is None:
        owner = node.kind_owner()
        if owner is not None and owner.element.get("data-kind") in walk.kinds:
            raise Fault(
                f"it uses {shorten(link_of(node.element))!r}, which is not in the file",
                "Mend its href.",
                _shown_id(node),
            )
        return []
    if node.uses >= _MOST_USES_DEEP:
        raise Fault(f"<use> is nested more than {_MOST_USES_DEEP} deep", "Unlink the clones.", _shown_id(node))
    try:
        x, y = (length(node.element.get(name, "0"), node.size[i]) for i, name in enumerate(("x", "y")))
        matrix: Floats | Fault = node.matrix
        if not isinstance(matrix, Fault):
            matrix = transform.after(matrix, transform.moved(x, y))
    except Fault as fault:
        matrix = fault
    inner = Node(node.element, node.parent, matrix, node.size, node.uses + 1)
    child = _below(walk, inner, target)
    if local(target.tag) != "symbol":
        return [child]
    if not isinstance(child.matrix, Fault):
        child = _framed(inner, target, node.element, child.matrix)
    return [_below(walk, child, part) for part in reversed(list(target))]


def _framed(parent: Node, element: Element, frame: Element, matrix: Floats) -> Node:
    """A nested ``svg`` or a used ``symbol``: its viewBox is fitted into the frame that it is given."""
    try:
        x, y = (length(frame.get(n, "0"), parent.size[i]) for i, n in enumerate(("x", "y")))
        w, h = (length(frame.get(n, "100%"), parent.size[i]) for i, n in enumerate(("width", "height")))
        if element is frame:  # a use has moved its symbol already
            matrix = transform.after(matrix, transform.moved(x, y))
        text = element.get("viewBox")
        box = number_list(text) if text else []
        if len(box) != 4 or box[2] <= 0 or box[3] <= 0:
            return Node(element, parent, matrix, (w, h), parent.uses)
        fit = _fitted(box, (w, h), element.get("preserveAspectRatio", "").split())
        return Node(element, parent, transform.after(matrix, fit), (box[2], box[3]), parent.uses)
    except Fault as fault:
        return Node(element, parent, fault, parent.size, parent.uses)


def _fitted(box: list[float], frame: tuple[float, float], ratio: list[str]) -> Floats:
    sx, sy = frame[0] / box[2], frame[1] / box[3]
    align = ratio[0] if ratio else "xMidYMid"
    if align == "none":
        return transform.after(transform.scaled(sx, sy), transform.moved(-box[0], -box[1]))
    s = max(sx, sy) if "slice" in ratio else min(sx, sy)
    part = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
    dx = (frame[0] - s * box[2]) * part.get(align[1:4], 0.5)
    dy = (frame[1] - s * box[3]) * part.get(align[5:8], 0.5)
    return transform.after(
        transform.moved(dx, dy), transform.after(transform.scaled(s, s), transform.moved(-box[0], -box[1]))
    )


# ------------------------------------------------------------------------------------------- meaning


def _meaning(walk: _Walk, node: Node, tag: str) -> Iterator[Drawn]:
    """What a shape means, if anything; raises `Fault` for a kind that the format does not have."""
    owner = node.kind_owner()
    kind = (owner.element.get("data-kind") or "").strip() if owner else ""
    if owner is None or kind in ("", "art"):
        return
    if kind not in walk.kinds:
        near = get_close_matches(kind, walk.kinds, 1)
        cure = f"Did you mean {near[0]!r}?" if near else 'Write "art" for what means nothing.'
        raise Fault(f"there is no data-kind {shorten(kind)!r}", cure, _shown_id(node))
    if (tag == "image") != (kind == "reference") or tag == "text":
        if owner is node:
            raise Fault(f"a <{tag}> cannot be a {kind}", "Draw it as a path, or give it no data-kind.", _shown_id(node))
        return  # a picture or a word in a layer of that kind: decoration
    walk.places[kind] = walk.places.get(kind, 0) + 1
    place = walk.places[kind]
    source = _id_source(node, owner)
    name = source.element.get("id", "") if source else f"{kind}-{place}"
    inherited = source.element if source and source is not node else None
    yield Drawn(kind, name, inherited, place, node, walk.styles)


def _id_source(node: Node, owner: Node) -> Node | None:
    """The nearest node with an id.

    A clone's own id goes before those of what it copies, if the clone says what it means.  The id of the whole file is
    no name for a part of it.
    """
    line = [n for n in node.line() if n.parent is not None and n.element.get("id")]
    clones = [n for n in line if local(n.element.tag) == "use" and any(above is owner for above in n.line())]
    return clones[-1] if clones else next(iter(line), None)


def _shown_id(node: Node) -> str:
    return next((n.element.get("id", "") for n in node.line() if n.element.get("id")), f"<{local(node.element.tag)}>")
