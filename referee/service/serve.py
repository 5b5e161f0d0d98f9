"""`referee serve`: the page opened with everything beside it."""

from __future__ import annotations

import sys
import time
import webbrowser
from collections.abc import Callable

from referee.service import instants
from referee.service.app import FORM_MB, MEGA, create_app
from referee.service.crowd import Crowd
from referee.service.jobs.bell import Bell
from referee.service.jobs.watch import Watch
from referee.service.past import sweep_all
from referee.service.serving import Opening, serve
from referee.service.settings import Settings
from referee.service.store.open import open_store
from referee.service.store.orphans import Orphans

SWITCH_S = 0.0005
"""How long a thread may hold the interpreter while others want it: a clock's request waits for it several times.

With fifty uploads at once, on two cores that each have eight programs to run, the p95 of a clock's requests was 105 to
170 ms; with this it was 87 to 135 ms, with `crowd` too 60 to 107 ms.
"""


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
        language=settings.language,
        body_bytes=(FORM_MB + 1) * MEGA,
    )

    orphans = Orphans(store)

    def sweep() -> None:
        sweep_all(store, settings.keep_days, instants.now())
        orphans.look(time.monotonic())

    watch = Watch(store, settings, Bell(settings), sweep)
    try:
        serve(Crowd(create_app(settings, store)), opening, [watch], say, webbrowser.open if open_browser else None)
    finally:
        store.close()
