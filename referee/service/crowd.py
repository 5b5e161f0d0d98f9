"""Large bodies a few at a time, so that small requests, such as a clock's, never queue behind them."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

LARGE_BYTES = 64 * 1024
AT_ONCE = 4
PAST = "/api/live/"
"""The frames of a camera go past: one camera sends one at a time, and a call waits for it."""


class Crowd:
    """WSGI: who brings much waits for one of a few places; the others go past."""

    def __init__(self, application: WSGIApplication, at_once: int = AT_ONCE) -> None:
        self._application = application
        self._places = threading.BoundedSemaphore(at_once)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        if environ.get("PATH_INFO", "").startswith(PAST) or not _is_large(environ.get("CONTENT_LENGTH", "")):
            return self._application(environ, start_response)
        with self._places:
            return self._application(environ, start_response)


def _is_large(length: str) -> bool:
    """Whether a request says that it brings much.

    >>> _is_large("900000"), _is_large("12"), _is_large(""), _is_large("much")
    (True, False, False, False)
    """
    return length.isdecimal() and int(length[:20]) > LARGE_BYTES
