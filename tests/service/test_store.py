"""What the page remembers: one data folder after another, and other engines by a setting."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, inspect, select, text, update

from referee.errors import WrongUsage
from referee.service.checks import shelf
from referee.service.jobs.bell import QUEUE_FILE, Bell
from referee.service.settings import Settings, settings_from
from referee.service.store import database as databases
from referee.service.store.open import open_store
from referee.service.store.pictures import Pictures
from referee.service.store.tables import challenge_photos, challenge_runs, checks, schema
from tests.service.conftest import SAMPLES

PHOTO = (SAMPLES / "webcam-park.jpg").read_bytes()


def test_what_was_handed_in_is_there_after_a_restart(tmp_path: Path) -> None:
    store = open_store(Settings(tmp_path))
    number = shelf.add(store, PHOTO, "a.jpg")
    secret = store.database.secret("forms")
    store.close()
    again = open_store(Settings(tmp_path))
    assert shelf.found(again, number) is not None
    assert again.jobs.waiting() == 1
    assert again.database.secret("forms") == secret
    again.close()


def test_the_data_are_for_their_owners_eyes_alone(tmp_path: Path) -> None:
    store = open_store(Settings(tmp_path / "data"))
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
    store.close()


def test_an_older_data_folder_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(Settings(tmp_path))
    number = shelf.add(store, PHOTO, "a.jpg")
    store.close()

    def one_more_column(connection: Connection) -> None:
        connection.execute(text("ALTER TABLE photo_check ADD COLUMN mood VARCHAR(10)"))
        connection.execute(text("UPDATE photo_check SET mood = 'good'"))

    monkeypatch.setattr(databases, "STEPS", (*databases.STEPS, one_more_column))
    monkeypatch.setattr(databases, "VERSION", databases.VERSION + 1)
    for _ in range(2):  # the second time nothing is left to do
        store = open_store(Settings(tmp_path))
        with store.database.reading() as connection:
            assert "mood" in {column["name"] for column in inspect(connection).get_columns("photo_check")}
            assert connection.execute(select(schema.c.version)).scalar_one() == databases.VERSION
        assert shelf.found(store, number) is not None
        store.close()


def test_photos_of_a_time_without_running_numbers_get_them_in_their_order(tmp_path: Path) -> None:
    store = open_store(Settings(tmp_path))
    first, second = (shelf.add(store, PHOTO, "a.jpg") for _ in range(2))
    run = {"id": "r", "created_at": 0, "changed_at": 0, "challenge": "x", "phase": "board", "version": 1, "state": {}}
    with store.database.writing() as connection:
        connection.execute(challenge_runs.insert().values(**run))
        for check in (second, first):
            connection.execute(challenge_photos.insert().values(check_id=check, run_id="r", turn=0, shows="after"))
        for table in ("challenge_photo", "race_photo", "race_look"):
            connection.execute(text(f"ALTER TABLE {table} DROP COLUMN number"))
        connection.execute(text("DROP TABLE race_look"))  # it was not there yet
        connection.execute(update(schema).values(version=2))
    store.close()
    store = open_store(Settings(tmp_path))
    with store.database.reading() as connection:
        numbers = {row.check_id: row.number for row in connection.execute(select(challenge_photos))}
    assert numbers == {first: 1, second: 2}
    store.close()


def test_the_data_of_a_newer_referee_are_left_alone(tmp_path: Path) -> None:
    store = open_store(Settings(tmp_path))
    with store.database.writing() as connection:
        connection.execute(update(schema).values(version=databases.VERSION + 1))
    store.close()
    with pytest.raises(WrongUsage, match="newer referee"):
        open_store(Settings(tmp_path))


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(WrongUsage, match="--data"):
        open_store(Settings(tmp_path / "file" / "data"))


RUBBISH = [b"Dear diary, today we raced. " * 200, b"SQLite format 3\0" + bytes(range(256)) * 20]


@pytest.mark.parametrize("rubbish", RUBBISH, ids=["a text", "a damaged database"])
def test_a_database_of_rubbish_is_said(tmp_path: Path, rubbish: bytes) -> None:
    (tmp_path / "referee.db").write_bytes(rubbish)
    with pytest.raises(WrongUsage, match=r"referee\.db cannot be opened"):
        open_store(Settings(tmp_path))
    assert (tmp_path / "referee.db").read_bytes() == rubbish


def test_a_database_without_its_version_is_said(tmp_path: Path) -> None:
    store = open_store(Settings(tmp_path))
    with store.database.writing() as connection:
        connection.execute(delete(schema))
    store.close()
    with pytest.raises(WrongUsage, match=r"referee\.db cannot be opened"):
        open_store(Settings(tmp_path))


@pytest.mark.parametrize("rubbish", RUBBISH, ids=["a text", "a damaged database"])
def test_a_queue_of_rubbish_is_said(tmp_path: Path, rubbish: bytes) -> None:
    (tmp_path / QUEUE_FILE).write_bytes(rubbish)
    with pytest.raises(WrongUsage, match=r"queue\.db cannot be opened"):
        Bell(Settings(tmp_path))


def test_pictures_that_are_too_old_go_and_their_verdicts_stay(tmp_path: Path) -> None:
    store = open_store(Settings(tmp_path))
    old, young = shelf.add(store, PHOTO, "old.jpg"), shelf.add(store, PHOTO, "young.jpg")
    today = 40 * shelf.DAY_MS
    with store.database.writing() as connection:
        connection.execute(update(checks).values(state="judged", kept_from_ms=0))
        connection.execute(update(checks).where(checks.c.id == young).values(kept_from_ms=today - 29 * shelf.DAY_MS))
    assert shelf.sweep(store, 0, today) == 0
    assert shelf.sweep(store, 30, today) == 1
    kept = {number: shelf.found(store, number) for number in (old, young)}
    assert [bool(check and check.picture) for check in kept.values()] == [False, True]
    assert len([path for path in (tmp_path / "pictures").rglob("*") if path.is_file()]) == 1
    store.close()


@pytest.mark.parametrize("key", ["../x", "photos/../../x", "/etc/passwd", "photos", "photos/a b", "", "Photos/x"])
def test_a_key_that_was_not_made_here_is_refused(tmp_path: Path, key: str) -> None:
    pictures = Pictures(str(tmp_path))
    for act in (pictures.read, pictures.delete, lambda key: pictures.write(key, b"")):
        with pytest.raises(ValueError, match="key"):
            act(key)


def test_pictures_can_be_kept_wherever_fsspec_reaches() -> None:
    pictures = Pictures("memory://referee-test")
    key = pictures.keep(b"photo", "photos")
    assert pictures.read(key) == b"photo"
    pictures.write("drawings/a/1/x.jpg", b"1")
    pictures.write("drawings/a/2/x.jpg", b"2")
    pictures.delete_beside("drawings/a/2", "drawings/a")
    assert (pictures.has("drawings/a/1/x.jpg"), pictures.has("drawings/a/2/x.jpg")) == (False, True)
    pictures.delete_folder("drawings/a")
    pictures.delete(key)
    pictures.delete(key)
    assert not pictures.has(key)


# ----------------------------------------------------------------------------------------------------------- settings


def test_settings_reach_a_worker_through_its_environment(tmp_path: Path) -> None:
    settings = Settings(tmp_path, port=9, https=True, keep_days=3, language="fr", stages=tmp_path)
    assert settings_from(settings.environment()) == replace(settings, samples=settings_from({}).samples)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"port": 70000}, "port must be from 0 to 65535"),
        ({"language": "de"}, "one of en, fr"),
        ({"keep_days": -1}, "keep_days"),
        ({"queue": "amqp://x"}, "redis://"),
        ({"database": "referee.db"}, "postgresql"),
        ({"host": ""}, "host is empty"),
        ({"stages": Path("/no/such/folder")}, "no folder"),
    ],
    ids=str,
)
def test_a_setting_that_makes_no_sense_is_said(tmp_path: Path, wrong: dict[str, object], says: str) -> None:
    with pytest.raises(WrongUsage, match=says):
        Settings(tmp_path, **wrong)  # type: ignore[arg-type]


def test_a_number_that_is_none_is_said() -> None:
    with pytest.raises(WrongUsage, match="REFEREE_PORT must be a whole number"):
        settings_from({"REFEREE_PORT": "http"})


# --------------------------------------------------------------------------------------------------------- PostgreSQL


@pytest.fixture
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL of the test's own, where one can be started."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install camera-referee[postgres]")
    if shutil.which("initdb") is None or shutil.which("pg_ctl") is None:
        pytest.skip("there is no PostgreSQL here")
    with tempfile.TemporaryDirectory(prefix="referee-pg-") as folder:  # a short path: a socket's name has no room
        user = _who_may_run_it(folder)
        data, options = f"{folder}/data", f"-k {folder} -c listen_addresses="
        _run(user, "initdb", "-D", data, "-U", "referee", "-A", "trust")
        _run(user, "pg_ctl", "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start")
        try:
            yield f"postgresql+psycopg://referee@/postgres?host={folder}"
        finally:
            _run(user, "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def _who_may_run_it(folder: str) -> str | None:
    """PostgreSQL does not run as root: then somebody else is needed."""
    if os.name != "posix" or os.getuid() != 0:
        return None
    import pwd

    try:
        user = pwd.getpwnam("postgres")
    except KeyError:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    os.chown(folder, user.pw_uid, user.pw_gid)
    return user.pw_name


def _run(user: str | None, *command: str) -> None:
    done = subprocess.run(command, user=user, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")
    assert done.returncode == 0, command


def test_postgresql_takes_the_place_of_sqlite(tmp_path: Path, postgres: str) -> None:
    settings = Settings(tmp_path, database=postgres)
    stores = [open_store(settings) for _ in range(2)]
    numbers = {shelf.add(stores[0], PHOTO, f"{n}.jpg", batch="b") for n in range(4)}
    given = [store.jobs.claim("w") for store in stores * 3]
    taken = [job for job in given if job is not None]
    assert {job.payload["check"] for job in taken} == numbers
    assert len(taken) == 4
    assert stores[1].jobs.put_back(taken[0].id, taken[0].attempt)
    assert not stores[0].jobs.finish(taken[0], lambda _: None)
    assert stores[0].jobs.finish(taken[1], lambda _: None)
    assert stores[0].database.secret("x") == stores[1].database.secret("x")
    assert len(shelf.latest(stores[1])) == 4
    seen = shelf.found(stores[0], numbers.pop())
    assert seen is not None
    assert shelf.judge_again(stores[0], seen, beside=lambda _: True, said_stage=5)
    assert shelf.remove_all(stores[1]) == 4
    for store in stores:
        store.close()
