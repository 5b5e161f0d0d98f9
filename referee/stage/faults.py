"""What is wrong with a stage file, before it is known which file it was."""

from __future__ import annotations


class Fault(Exception):
    """Something in a stage file that does not follow the format.

    ``what`` says what was expected and what came, ``cure`` what to do, ``element`` is the id of the element.
    """

    def __init__(self, what: str, cure: str, element: str | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.cure = cure
        self.element = element

    def at(self, element: str) -> Fault:
        """The same fault with the element's name, unless it has one already."""
        return Fault(self.what, self.cure, self.element or element)
