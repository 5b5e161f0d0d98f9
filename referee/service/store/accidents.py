"""The accidents of a report as rows of their table."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, insert, select

from referee.model import Json
from referee.service.store.tables import accidents, boards

LONGEST = 200
AT_ONCE = 50
"""So many reports are read at once where all are."""


def accident_rows(check: str, board: int, stage: int | None, report: Json) -> Iterator[Json]:
    """A row for each accident of a board's report; none where its stage is not known."""
    for event in report.get("events", ()) if stage is not None else ():
        if event.get("kind") == "accident":
            x_mm, y_mm = event["at_mm"]
            row = {"check_id": check, "board": board, "seq": event["seq"], "stage": stage, "cause": event["cause"]}
            row |= {"outcome": event.get("outcome"), "certain": event.get("certain") is not False}
            row |= {"element": _short(event.get("element")), "restart": _short(event.get("restart_element"))}
            yield row | {"x_mm": float(x_mm), "y_mm": float(y_mm)}


def _short(name: str | None) -> str | None:
    return None if name is None else name[:LONGEST]


def write_accidents(connection: Connection, rows: list[Json]) -> None:
    """Write the accidents of rows of boards, which are written already."""
    found = [one for row in rows for one in _of_board(row)]
    if found:
        connection.execute(insert(accidents), found)


def _of_board(row: Json) -> Iterator[Json]:
    return accident_rows(row["check_id"], row["number"], row["stage"], row["report"])


def gather_accidents(connection: Connection) -> None:
    """The table of accidents, made and filled from the reports of a time when there was none."""
    accidents.create(connection, checkfirst=True)
    columns = (boards.c.check_id, boards.c.number, boards.c.stage, boards.c.report)
    numbers = connection.execute(select(boards.c.check_id).distinct().order_by(boards.c.check_id)).scalars().all()
    for first in range(0, len(numbers), AT_ONCE):
        wanted = select(*columns).where(boards.c.check_id.in_(numbers[first : first + AT_ONCE]))
        write_accidents(connection, [dict(row) for row in connection.execute(wanted).mappings()])
