"""`referee serve`: the page opened with everything beside it."""

from __future__ import annotations

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


def run(settings: Settings, say: Callable[[str], None], *, open_browser: bool = False) -> None:
    """Serve until somebody stops it; ``say`` names the addresses."""
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
