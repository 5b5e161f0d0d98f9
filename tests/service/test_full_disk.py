"""A disk that is full is said as such, leaves nothing behind, and takes everything again once there is room."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from fsspec.implementations.local import LocalFileSystem
from sqlalchemy import event

from referee.service.checks import shelf
from referee.service.jobs.bell import open_bell
from tests.service.conftest import SAMPLES, Visitor, house

PHOTO = (SAMPLES / "webcam-park.jpg").read_bytes()
Work = Callable[[], int]


def kept(app: Flask) -> list[Path]:
    return [path for path in (house(app).settings.data / "pictures").rglob("*") if path.is_file()]


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk with room for half a picture."""

    def pipe_file(_files: Any, path: str, value: bytes, **_: object) -> None:
        Path(path).write_bytes(value[: len(value) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(LocalFileSystem, "pipe_file", pipe_file)


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_is_said_and_no_half_of_a_picture_stays(client: Visitor, app: Flask) -> None:
    answer = client.call("POST", "/api/checks", picture=(PHOTO, "a.jpg"))
    assert answer.status_code == 507
    assert answer.get_json()["error"]["code"] == "disk-full"
    assert "disk is full" in answer.get_json()["error"]["message"]
    page = client.send("/checks/", picture=(PHOTO, "a.jpg"))
    assert page.status_code == 507
    assert "disk is full" in page.text.replace("&#39;", "'")
    assert kept(app) == []


def test_a_full_database_is_said_and_its_picture_goes(client: Visitor, app: Flask) -> None:
    engine = house(app).store.database.engine
    with engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()

    def no_page_more(connection: Any, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages}")

    event.listen(engine, "checkout", no_page_more)
    codes = [client.call("POST", "/api/checks", picture=(PHOTO, "a.jpg")).status_code for _ in range(200)]
    assert set(codes) == {201, 507}
    assert len(kept(app)) == codes.count(201)


def test_a_verdict_that_finds_no_room_leaves_no_half_of_its_drawings(
    app: Flask, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = shelf.add(house(app).store, PHOTO, "a.jpg")
    before = kept(app)
    write, room = LocalFileSystem.pipe_file, iter(range(3))

    def pipe_file(files: Any, path: str, value: bytes, **more: Any) -> None:
        if next(room, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(files, path, value, **more)

    monkeypatch.setattr(LocalFileSystem, "pipe_file", pipe_file)
    work()
    check = shelf.found(house(app).store, number)
    assert check is not None
    assert check.state == "failed"
    assert next(room, None) is None
    assert kept(app) == before


def test_a_bell_that_cannot_be_rung_loses_no_photo(client: Visitor, app: Flask, work: Work) -> None:
    bell = open_bell(house(app).settings)
    with bell.storage.db(commit=True) as cursor:
        cursor.execute("DROP TABLE task")
    assert client.call("POST", "/api/checks", picture=(PHOTO, "a.jpg")).status_code == 201
    assert work() == 1
