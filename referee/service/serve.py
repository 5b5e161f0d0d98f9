"""`referee serve`: the server, and the watch over its workers."""

from __future__ import annotations

import logging
import signal
import socket
import time
import webbrowser
from collections.abc import Callable
from typing import Any

from waitress.server import create_server

from referee.errors import WrongUsage
from referee.service.app import create_app
from referee.service.checks.shelf import sweep
from referee.service.jobs.bell import Bell
from referee.service.jobs.watch import Watch
from referee.service.settings import Settings
from referee.service.store.open import open_store

THREADS = 32
SMALLEST_BODY_IN_MEMORY = 256 * 1024


def run(settings: Settings, say: Callable[[str], None], *, open_browser: bool = False) -> None:
    """Serve until somebody stops it; ``say`` names the address."""
    _refuse_a_taken_port(settings)
    store = open_store(settings)
    server: Any = create_server(
        create_app(settings, store),
        host=settings.host,
        port=settings.port,
        threads=THREADS,
        inbuf_overflow=SMALLEST_BODY_IN_MEMORY,
        ident=None,
        clear_untrusted_proxy_headers=True,
    )
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # fifty uploads at once are no news
    watch = Watch(store, settings, Bell(settings), lambda: _sweep(settings))
    watch.start()
    address = f"http://{_named(settings.host)}:{server.effective_port}/"
    say(f"The camera referee: {address}\n  Data: {settings.data}   Stop it with Ctrl-C.")
    if open_browser:
        webbrowser.open(address)
    signal.signal(signal.SIGTERM, _end)
    try:
        server.run()
    finally:
        watch.stop()
        server.close()
        store.close()


def _end(_signal: int, _frame: object) -> None:
    """End as Ctrl-C does: what the workers are at is put back."""
    raise KeyboardInterrupt


def _sweep(settings: Settings) -> None:
    store = open_store(settings)
    try:
        sweep(store, settings.keep_days, time.time())
    finally:
        store.close()


def _refuse_a_taken_port(settings: Settings) -> None:
    """Say in words what a traceback would say otherwise."""
    try:
        family = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family[0], family[1]) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(family[4])
    except OSError as error:
        raise WrongUsage(
            f"{settings.host}:{settings.port} cannot be opened: {error.strerror or error}.",
            "Is the page running already? Otherwise name another --port, or a --host of this machine.",
        ) from None


def _named(host: str) -> str:
    """A host as an address has it."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host
