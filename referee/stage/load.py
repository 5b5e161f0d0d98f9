"""Stage files (SVG, format 1) -> `Stage`: start here."""

from __future__ import annotations

import errno
from pathlib import Path

from shapely.errors import ShapelyError

from referee.errors import BadStageFile
from referee.files import bytes_of
from referee.model import Stage
from referee.stage.assemble import assemble
from referee.stage.document import MOST_BYTES, MOST_PICTURE_BYTES, read_document
from referee.stage.faults import Fault


def load_stage(path: Path | str) -> Stage:
    """The stage of a file; raises `BadStageFile`, which names the file, the element and the cure."""
    path = Path(path)
    return parse_stage(read_bytes(path), path.name, path.parent)


def parse_stage(svg: bytes, source: str, folder: Path | None = None) -> Stage:
    """The stage of a file's bytes, ``source`` being its name for messages; raises `BadStageFile`.

    A reference picture that is a file of its own is looked for in the ``folder``.
    """
    try:
        return assemble(read_document(svg), svg, source, folder)
    except Fault as fault:
        raise refusal(source, fault) from None
    except (ShapelyError, ArithmeticError, MemoryError, RecursionError) as error:
        raise refusal(source, Fault(f"its shapes make no sense ({error})", "Simplify the drawing.")) from None


def read_bytes(path: Path) -> bytes:
    """A stage file's bytes; raises `BadStageFile` for what cannot be read or is far too large."""
    try:
        return bytes_of(path, MOST_BYTES + MOST_PICTURE_BYTES)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise refusal(path.name, Fault("it is larger than 10 MB", "Simplify the artwork.")) from None
        fault = Fault(f"it cannot be read ({error.strerror})", "Check the file's name and its rights.")
        raise refusal(path.name, fault) from None


def refusal(source: str, fault: Fault) -> BadStageFile:
    """A fault as people are told of it."""
    place = f"{source}: {fault.element}: " if fault.element else f"{source}: "
    return BadStageFile(f"{place}{fault.what}.", fault.cure)
