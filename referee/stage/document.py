"""A stage file's bytes -> a checked XML tree: no scripts, no outside references, no bombs, and a size in mm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from referee.model import Floats
from referee.stage import transform
from referee.stage.faults import Fault
from referee.stage.figures import NUMBER, finite, number_list, shorten

MOST_BYTES = 10_000_000
MOST_PICTURE_BYTES = 60_000_000
"""The reference picture comes on top of `MOST_BYTES`, yet not without any end."""
MOST_DEPTH = 150
MOST_ELEMENTS = 100_000
MOST_DRAWN = 150_000
"""Elements that a drawing program would draw once every `use`, pattern and the like is followed."""
LARGEST_BOARD_MM = 3000.0

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
_XHTML = "http://www.w3.org/1999/xhtml"

_ACTIVE = frozenset({"script", "handler", "listener", "iframe", "object", "embed", "foreignobject"})
_MERE_NUMBERS = frozenset(
    {"d", "points", "transform", "x", "y", "width", "height", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry"}
    | {"opacity", "stroke-width", "viewBox", "offset"}
)
"""Attributes that nothing is ever fetched for."""
_PICTURE = re.compile(r"data:image/(?:png|jpe?g|gif|webp)[;,]", re.IGNORECASE)
_PICTURE_BYTES = re.compile(rb"data:image/[a-zA-Z]+;base64,[A-Za-z0-9+/=\s]*")
_URL = re.compile(r"url\(\s*['\"]?\s*([^'\")]*)", re.IGNORECASE)
_RUNS = re.compile(r"\s*j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t\s*:", re.IGNORECASE)
_MM = re.compile(rf"\s*({NUMBER.pattern})\s*mm\s*")
_PLAIN_NAME = re.compile(r"[^/\\:%?#]+\.(?:png|jpe?g|gif|webp)", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Document:
    """A stage file that is safe to read: its tree, the board's size, and the way from user units to board mm."""

    root: Element
    size_mm: tuple[float, float]
    to_board: Floats


def read_document(svg: bytes) -> Document:
    """The checked tree of a stage file; raises `Fault`."""
    _refuse_size(svg)
    root = _parse(svg)
    if local(root.tag) != "svg":
        raise Fault(f"expected an SVG drawing, found <{shorten(local(root.tag))}>", "Save the board as SVG.")
    if not root.tag.startswith(f"{{{SVG}}}"):
        raise Fault("its <svg> element does not say that it is SVG, so no browser shows it", f'Write xmlns="{SVG}".')
    kinds = list(_with_kinds(root))
    for element, kind in kinds:
        _refuse_danger(element, kind)
    _refuse_bombs(root)
    _refuse_weight(len(svg), [element for element, kind in kinds if kind == "reference"])
    size_mm, to_board = _frame(root)
    return Document(root, size_mm, to_board)


def local(tag: object) -> str:
    """An element's or attribute's name without its namespace ("" for what is no element)."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def is_svg(element: Element) -> bool:
    """Whether an element belongs to SVG, not to a drawing program's own notes."""
    return element.tag.startswith(f"{{{SVG}}}")


def link_of(element: Element) -> str:
    """What an element's ``href`` points at, "" if it has none."""
    return (element.get("href") or element.get(f"{{{XLINK}}}href") or "").strip()


# ------------------------------------------------------------------------------------------- parsing


class _Builder(TreeBuilder):
    """Builds the tree and stops at once where it grows beyond all use."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0
        self._count = 0

    def start(self, tag: str, attrs: dict[str, str], /) -> Element:
        self._depth += 1
        self._count += 1
        if self._depth > MOST_DEPTH:
            raise Fault(f"elements are nested more than {MOST_DEPTH} deep", "Ungroup the drawing.")
        if self._count > MOST_ELEMENTS:
            raise Fault(f"it has more than {MOST_ELEMENTS} elements", "Simplify the artwork.")
        return super().start(tag, attrs)

    def end(self, tag: str, /) -> Element:
        self._depth -= 1
        return super().end(tag)

    def pi(self, target: str, _text: str | None = None, /) -> Element:
        if target.lower() == "xml-stylesheet":
            raise Fault("it asks for a style sheet outside itself", "Put the styles into the file.")
        return Element(target)


def _parse(svg: bytes) -> Element:
    parser = DefusedXMLParser(target=_Builder(), forbid_dtd=True, forbid_entities=True, forbid_external=True)
    try:
        parser.feed(svg)
        root = parser.close()
    except DefusedXmlException:
        raise Fault(
            "it has a <!DOCTYPE> or entities, which stages do not take", "Delete the <!DOCTYPE ...> part."
        ) from None
    except ParseError as error:
        raise Fault(f"it is no well-formed XML ({error})", "Save the board as SVG again.") from None
    except (ValueError, LookupError, UnicodeError) as error:
        raise Fault(f"its text cannot be read ({shorten(str(error))})", "Save the board as SVG in UTF-8.") from None
    if not isinstance(root, Element):
        raise Fault("it is empty", "Save the board as SVG.")
    return root


def _refuse_size(svg: bytes) -> None:
    """Before parsing: 10 MB, the largest embedded picture apart."""
    picture = 0
    if MOST_BYTES < len(svg) <= MOST_BYTES + MOST_PICTURE_BYTES:
        picture = max((len(found[0]) for found in _PICTURE_BYTES.finditer(svg)), default=0)
    if len(svg) - picture > MOST_BYTES:
        raise Fault(f"it has {len(svg) / 1e6:.1f} MB, more than 10 MB", "Simplify the artwork.")


def _refuse_weight(size: int, references: list[Element]) -> None:
    """After parsing: 10 MB, the reference picture and no other apart."""
    if size > MOST_BYTES:
        size -= max((len(link_of(element)) for element in references), default=0)
        if size > MOST_BYTES:
            raise Fault(f"it has {size / 1e6:.1f} MB beside the reference picture", "Embed smaller pictures.")


# ------------------------------------------------------------------------------------------- dangers


def _with_kinds(root: Element) -> Iterator[tuple[Element, str]]:
    """Every element with the kind it has or inherits."""
    work = [(root, "")]
    while work:
        element, kind = work.pop()
        kind = element.get("data-kind", kind)
        yield element, kind
        work += [(child, kind) for child in element]


def _refuse_danger(element: Element, kind: str) -> None:
    """Scripts and anything that would be fetched from elsewhere."""
    name = local(element.tag)
    shown = element.get("id") or f"<{shorten(name)}>"
    if name.lower() in _ACTIVE or element.tag.startswith(f"{{{_XHTML}}}"):
        raise Fault(f"<{shorten(name)}> has no place in a stage", "Delete it: stages are drawings only.", shown)
    for key, value in element.attrib.items():
        if key in _MERE_NUMBERS:
            continue
        _refuse_attribute(element, key, value, shown)
        if local(key).lower() in ("href", "src", "base") and not _is_inside(element, kind, value.strip()):
            raise Fault(
                f"it refers to {shorten(value)!r} outside the file", "Embed it in the file, or delete it.", shown
            )
    if name == "style" and element.text:
        _refuse_styles(element.text, shown)


def _refuse_attribute(element: Element, key: str, value: str, shown: str) -> None:
    key = key.lower()
    animates = local(element.tag).lower() in ("set", "animate") and key == "attributename"
    if (key.startswith("on") and is_svg(element)) or _RUNS.match(value):
        raise Fault(f"the script in {shorten(key)} has no place in a stage", "Delete it.", shown)
    if animates and (value.lower().startswith("on") or local(value).lower().endswith("href")):
        raise Fault("an animation may not change what is fetched or run", "Delete it.", shown)
    if "(" in value or "@" in value or (key == "style" and "\\" in value):
        _refuse_styles(value, shown, strict=not key.startswith(("{", "data-")))


def _is_inside(element: Element, kind: str, value: str) -> bool:
    """Whether a reference stays in the file: a name in it, an embedded picture, the reference picture's file."""
    if not value or value.startswith("#"):
        return True
    if local(element.tag) not in ("image", "feImage"):
        return False
    return bool(_PICTURE.match(value)) or (kind == "reference" and _is_plain_name(value))


def _is_plain_name(value: str) -> bool:
    return bool(_PLAIN_NAME.fullmatch(value)) and not value.startswith(".")


def _refuse_styles(text: str, shown: str, strict: bool = True) -> None:
    """Refuses what would be fetched; escapes could hide it, and are refused where styles are read (``strict``)."""
    lower = text.lower()
    if "@import" in lower or "image-set(" in lower or (strict and "\\" in text):
        raise Fault("its styles import or escape something", "Write the styles out in the file.", shown)
    outside = [url for url in _URL.findall(text) if not url.startswith("#") and not _PICTURE.match(url)]
    if outside:
        raise Fault(f"its styles refer to {shorten(outside[0])!r} outside the file", "Embed it, or delete it.", shown)


def _refuse_bombs(root: Element) -> None:
    """Counts what would be drawn once every reference is followed, and refuses circles of `use`."""
    named = {element.get("id", ""): element for element in reversed(list(root.iter())) if element.get("id")}
    counts: dict[Element, int] = {}
    open_now: set[Element] = set()
    work: list[tuple[Element, bool]] = [(root, False)]
    while work:
        element, leaving = work.pop()
        if leaving:
            open_now.discard(element)
            counts[element] = 1 + sum(counts.get(part, 0) for part in _parts(element, named))
            if counts[element] > MOST_DRAWN:
                raise Fault("its uses multiply beyond all bounds", "Draw fewer copies.", element.get("id"))
        elif element not in counts and element not in open_now:
            open_now.add(element)
            work.append((element, True))
            parts = list(_parts(element, named))
            circle = local(element.tag) == "use" and any(part in open_now for part in parts)
            if circle:
                raise Fault("it uses itself in a circle", "Break the circle of <use> elements.", element.get("id"))
            work += [(part, False) for part in parts if part not in counts and part not in open_now]


def _parts(element: Element, named: dict[str, Element]) -> Iterator[Element]:
    yield from element
    names = [link_of(element)]
    names += [name for value in element.attrib.values() if "url(" in value for name in _URL.findall(value)]
    targets = [named[name[1:].strip()] for name in names if name.startswith("#") and name[1:].strip() in named]
    yield from (target for target in targets if not local(target.tag).endswith("Gradient"))


# ------------------------------------------------------------------------------------------- size


def _frame(root: Element) -> tuple[tuple[float, float], Floats]:
    """The board's size in mm, and the matrix from user units to board mm."""
    width, height = _millimetres(root, "width"), _millimetres(root, "height")
    text = root.get("viewBox")
    cure = f'Write viewBox="0 0 {width:g} {height:g}".'
    if text is None:
        raise Fault("it has no viewBox", cure)
    try:
        box = number_list(text)
    except Fault as fault:
        raise Fault(f"viewBox: {fault.what}", cure) from None
    if len(box) != 4 or box[2] <= 0 or box[3] <= 0:
        raise Fault(f"expected four numbers in viewBox, found {shorten(text)!r}", cure)
    if abs(box[2] - width) > 0.02 or abs(box[3] - height) > 0.02:
        raise Fault(
            f"one user unit must be one mm, but {width:g} x {height:g} mm is drawn as {box[2]:g} x {box[3]:g} units",
            cure + " Scale the drawing to fit.",
        )
    scale = transform.scaled(width / box[2], height / box[3])
    return (width, height), transform.after(scale, transform.moved(-box[0], -box[1]))


def _millimetres(root: Element, name: str) -> float:
    text = root.get(name)
    cure = f'Write {name}="297mm" (with the board\'s own size).'
    if text is None:
        raise Fault(f"it has no {name}", cure)
    found = _MM.fullmatch(text)
    if not found:
        raise Fault(f"{name} must be in mm, found {shorten(text)!r}", cure)
    try:
        value = finite(found[1])
    except Fault as fault:
        raise Fault(f"{name}: {fault.what}", cure) from None
    if not 1 <= value <= LARGEST_BOARD_MM:
        raise Fault(f"{name} must be from 1 to {LARGEST_BOARD_MM:g} mm, found {value:g}", cure)
    return value
