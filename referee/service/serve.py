"""`referee serve`: the page opened with everything beside it."""

from __future__ import annotations

import sys
import time
import webbrowser
from collections.abc import Callable

from referee.service.app import FORM_MB, MEGA, create_app
from referee.service.checks import shelf
from referee.service.jobs.bell import Bell
from referee.service.jobs.watch import Watch
from referee.service.races import games
from referee.service.serving import Opening, serve
from referee.service.settings import Settings
from referee.service.store.open import open_store

SWITCH_S = 0.0005
"""How long a thread may hold the interpreter while others want it.  A clock's request waits for it several times: with
fifty uploads at once, on two busy cores, this takes its p95 from 105 to 170 ms down to 85 to 135 ms."""


def run(settings: Settings, say: Callable[[str], None], *, open_browser: bool = False) -> None:
    """Serve until somebody stops it; ``say`` names the addresses."""
    sys.setswitchinterval(SWITCH_S)
    store = open_store(settings)
    opening = Opening(
        settings.data,
        host=settings.host,
        port=settings.port,
        https=settings.https,
        join_code=settings.join_code,
        hosts=settings.other_names,
        body_bytes=(FORM_MB + 1) * MEGA,
    )

    def sweep() -> None:
        shelf.sweep(store, settings.keep_days, time.time())
        games.sweep(store, settings.keep_days, time.time())

    watch = Watch(store, settings, Bell(settings), sweep)
    try:
        serve(create_app(settings, store), opening, [watch], say, webbrowser.open if open_browser else None)
    finally:
        store.close()
