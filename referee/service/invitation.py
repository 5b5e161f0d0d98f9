"""What the terminal and the page show so that a phone can come in: addresses, code, and the link in the QR code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.service import qr
from referee.service.join import Join


@dataclass(frozen=True)
class Invitation:
    """How others come in."""

    join: Join
    addresses: Callable[[], tuple[str, ...]]
    """Asked anew each time, since a laptop may change networks: where the page is now (``http://192.168.1.5:8150``),
    best first; none without a network."""
    fingerprint: Callable[[], str] = lambda: ""
    """Of the certificate that is in use, as browsers show it; "" without https."""

    @property
    def code(self) -> str:
        """The join code as it is read aloud."""
        return self.join.spoken()

    @property
    def link(self) -> str | None:
        """Where the QR code leads; None without a network.  The ticket is in the fragment, which is never sent."""
        found = self.addresses()
        return f"{found[0]}/join#{self.join.ticket}" if found else None

    def svg(self, label: str) -> str | None:
        """The QR code for a page; ``label`` is what a screen reader says instead."""
        link = self.link
        return qr.svg(link, label) if link is not None else None
