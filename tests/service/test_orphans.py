"""Files that nobody knows: what a process left that was killed between writing a picture and writing it down."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from referee.service.checks import shelf
from referee.service.settings import Settings
from referee.service.store.open import Store, open_store
from referee.service.store.orphans import WHILE_S, Orphans
from referee.service.store.tables import checks, race_looks
from tests.race.test_match import at_the_boards
from tests.service.at_the_table import ONE_PIXEL
from tests.service.what_was import game, photo


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(Settings(tmp_path))
    yield store
    store.close()


def kept(tmp_path: Path) -> set[str]:
    root = tmp_path / "pictures"
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_a_picture_that_nobody_wrote_down_and_halves_of_files_go_at_the_second_look(
    store: Store, tmp_path: Path
) -> None:
    number = photo(store)
    known = kept(tmp_path)
    lost = [store.pictures.keep(ONE_PIXEL, "photos"), store.pictures.keep(ONE_PIXEL, "looks", ".jpg")]
    for name in ("drawings/gone/1-1/page-en.html", f"drawings/{number}/0-1/thumb.jpg"):
        store.pictures.write(name, ONE_PIXEL)
        lost.append(name)
    half = tmp_path / "pictures" / "photos" / "abc.0a1b2c3d.part"
    half.write_bytes(b"half")
    orphans = Orphans(store)
    assert orphans.look(0.0) == 0
    assert kept(tmp_path) == known | set(lost) | {"photos/abc.0a1b2c3d.part"}
    assert orphans.look(WHILE_S - 1) == 0
    assert orphans.look(WHILE_S) == len(lost) + 1
    assert kept(tmp_path) == known


def test_what_is_written_down_between_two_looks_stays(store: Store, tmp_path: Path) -> None:
    key = store.pictures.keep(ONE_PIXEL, "photos")
    orphans = Orphans(store)
    orphans.look(0.0)
    number = shelf.add(store, ONE_PIXEL, "a.jpg")
    with store.database.writing() as connection:
        connection.execute(update(checks).where(checks.c.id == number).values(baseline=key))
    orphans.look(WHILE_S)
    assert key in kept(tmp_path)


def test_pictures_of_every_journey_and_what_is_being_drawn_are_no_orphans(store: Store, tmp_path: Path) -> None:
    photo(store)
    waiting = shelf.add(store, ONE_PIXEL, "waiting.jpg")
    store.pictures.write(f"drawings/{waiting}/7-1/thumb.jpg", ONE_PIXEL)
    store.pictures.write("stages/1-abc.jpg", ONE_PIXEL)
    game(store, at_the_boards().match)
    look = {"race_id": "match-1", "heat": 0, "team": "A", "stage": 1, "state": "judged", "told": True}
    keys = {"picture": store.pictures.keep(ONE_PIXEL, "photos"), "drawn": store.pictures.keep(ONE_PIXEL, "looks")}
    with store.database.writing() as connection:
        connection.execute(race_looks.insert().values(**look, **keys, id="look", created_at=0))
    before, orphans = kept(tmp_path), Orphans(store)
    orphans.look(0.0)
    assert orphans.look(WHILE_S) == 0
    assert kept(tmp_path) == before
