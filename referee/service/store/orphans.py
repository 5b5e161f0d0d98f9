"""Files that no row knows: what a process left that died between writing a picture and writing it down.

A file that is being written down at this moment is none.  So whoever looks for orphans looks twice, with a while in
between by a steady clock, and forgets only what was an orphan both times.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import Connection, select

from referee.service.store.open import Store
from referee.service.store.tables import checks, race_looks

HALF = ".part"
"""How the name of a file ends that was not written to its end."""
DRAWINGS, KEPT_BY_KEY = "drawings", ("photos", "looks")
NOTHING = "nothing"
WHILE_S = 600.0
"""No process writes a picture down so late after writing it."""


@dataclass
class Orphans:
    """Forgets what nobody knows."""

    store: Store
    while_s: float = WHILE_S
    _since_s: dict[str, float] = field(default_factory=dict)

    def look(self, now_s: float) -> int:
        """Look at all files at a steady time; returns how many were forgotten."""
        there = set(self.store.pictures.everything())
        with self.store.database.reading() as connection:
            is_known = _known(connection)
        lost = {path for path in there if not is_known(path)}
        self._since_s = {path: self._since_s.get(path, now_s) for path in lost}
        gone = [path for path, since_s in self._since_s.items() if now_s - since_s >= self.while_s]
        for path in gone:
            self.store.pictures.forget_orphan(path)
            del self._since_s[path]
        return len(gone)


def _known(connection: Connection) -> Callable[[str], bool]:
    """Whether a row knows a file; of files that are none of these folders nothing is said."""
    about = connection.execute(select(checks.c.id, checks.c.picture, checks.c.baseline, checks.c.drawn, checks.c.state))
    keys: set[str | None] = set()
    drawn: dict[str, str | None] = {}
    for row in about:
        keys |= {row.picture, row.baseline}
        drawn[row.id] = row.drawn or NOTHING if row.state == "judged" else None
    for look in connection.execute(select(race_looks.c.picture, race_looks.c.drawn)):
        keys |= {look.picture, look.drawn}

    def is_known(path: str) -> bool:
        folder, _, rest = path.partition("/")
        if path.endswith(HALF):
            return False
        if folder in KEPT_BY_KEY:
            return path in keys
        if folder == DRAWINGS:
            check = rest.partition("/")[0]
            return check in drawn and (drawn[check] is None or path.startswith(f"{drawn[check]}/"))
        return True

    return is_known
