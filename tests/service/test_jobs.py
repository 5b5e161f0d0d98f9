"""The job table: nothing is lost, nothing is done twice, whatever dies."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select

from referee.model import Json
from referee.service.jobs import kinds
from referee.service.jobs.bell import Bell
from referee.service.jobs.kinds import Work
from referee.service.jobs.queue import MOST_ATTEMPTS, Job, Keeper, Write
from referee.service.jobs.watch import LATEST_AGAIN_S, Place
from referee.service.jobs.worker import Worker
from referee.service.settings import Settings
from referee.service.store.open import Store, open_store
from referee.service.store.tables import jobs, secrets


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(Settings(tmp_path))
    yield store
    store.close()


def add(store: Store, kind: str = "note", priority: int = 0, **payload: object) -> int:
    with store.database.writing() as connection:
        return store.jobs.add(connection, kind, payload, priority)


def state(store: Store, number: int) -> str:
    with store.database.reading() as connection:
        return str(connection.execute(select(jobs.c.state).where(jobs.c.id == number)).scalar_one())


def claimed(store: Store) -> Job:
    job = store.jobs.claim("somebody")
    assert job is not None
    return job


def note(words: str) -> Write:
    """Something to write that shows how often it was written."""

    def write(connection: Connection) -> None:
        connection.execute(insert(secrets).values(name=words, value="written"))

    return write


def notes(store: Store) -> list[str]:
    with store.database.reading() as connection:
        return list(connection.execute(select(secrets.c.name).order_by(secrets.c.name)).scalars())


def test_the_oldest_job_comes_first_and_the_urgent_before_it(store: Store) -> None:
    first, second, urgent = add(store), add(store), add(store, priority=5)
    assert [claimed(store).id for _ in range(3)] == [urgent, first, second]
    assert store.jobs.claim("somebody") is None


def test_a_job_is_given_to_one_worker_only(store: Store, tmp_path: Path) -> None:
    other = open_store(Settings(tmp_path))
    add(store)
    assert (store.jobs.claim("a") is None) != (other.jobs.claim("b") is None)
    other.close()


def test_a_result_and_its_jobs_end_are_written_together_or_not_at_all(store: Store) -> None:
    number = add(store)

    def stumbles(connection: Connection) -> None:
        note("half")(connection)
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="full"):
        store.jobs.finish(claimed(store), stumbles)
    assert (state(store, number), notes(store)) == ("running", [])


def test_a_job_in_a_transaction_that_fails_was_never_there(store: Store) -> None:
    def fails() -> None:
        with store.database.writing() as connection:
            store.jobs.add(connection, "note", {})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert store.jobs.waiting() == 0


def test_a_worker_that_was_given_up_can_no_longer_write_its_result(store: Store) -> None:
    number = add(store)
    lost = claimed(store)
    assert store.jobs.put_back(number, lost.attempt)
    again = claimed(store)
    assert again.id == number
    assert not store.jobs.finish(lost, note("twice"))
    assert not store.jobs.fail(lost, "late", note("thrice"))
    assert not store.jobs.beat(lost)
    assert store.jobs.finish(again, note("once"))
    assert notes(store) == ["once"]
    assert not store.jobs.put_back(number, again.attempt)


def test_what_stopped_beating_is_put_back_and_what_beats_is_not(store: Store) -> None:
    still, alive = add(store), add(store)
    lost, working = claimed(store), claimed(store)
    keeper = Keeper(store.jobs, still_s=10)
    for now_s in (100.0, 105.0, 109.0):
        assert store.jobs.beat(working)
        assert keeper.look(now_s) == 0
    assert store.jobs.beat(working)
    assert keeper.look(110.1) == 1
    assert (state(store, still), state(store, alive)) == ("waiting", "running")
    assert not store.jobs.beat(lost)


def test_a_keeper_that_has_just_come_gives_everybody_time(store: Store) -> None:
    """Neither clocks that were set nor a server that was away count against a worker."""
    add(store)
    job = claimed(store)
    assert Keeper(store.jobs, still_s=10).look(1e9) == 0
    assert store.jobs.finish(job, note("done"))


# -------------------------------------------------------------------------------------------------------- the worker


def write_note(_work: Work, payload: Json) -> Write:
    return note(str(payload["words"]))


def stumble(_work: Work, _payload: Json) -> Write:
    raise RuntimeError("a fault of ours")


stumble.given_up = lambda work, fault: note(f"gave up {work.job.payload['words']}: {fault.partition(' in ')[0]}")  # type: ignore[attr-defined]


@pytest.fixture
def worker(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Worker:
    monkeypatch.setitem(kinds.KINDS, "note", f"{__name__}:write_note")
    monkeypatch.setitem(kinds.KINDS, "stumble", f"{__name__}:stumble")
    return Worker(store, Settings(tmp_path))


def test_a_worker_does_what_waits(store: Store, worker: Worker) -> None:
    numbers = [add(store, words=words) for words in ("a", "b")]
    assert [worker.work(), worker.work(), worker.work()] == [True, True, False]
    assert notes(store) == ["a", "b"]
    assert {state(store, number) for number in numbers} == {"done"}


def test_a_job_that_fails_says_so_and_costs_no_other(store: Store, worker: Worker) -> None:
    bad, good = add(store, "stumble", words="x"), add(store, words="y")
    while worker.work():
        pass
    assert (state(store, bad), state(store, good)) == ("failed", "done")
    assert notes(store) == ["gave up x: RuntimeError", "y"]


def test_a_job_that_kills_its_worker_is_given_up_at_last(store: Store, worker: Worker) -> None:
    number = add(store, "stumble", words="deadly")
    for _ in range(MOST_ATTEMPTS):
        job = claimed(store)
        store.jobs.put_back(job.id, job.attempt)
    assert worker.work()
    assert state(store, number) == "failed"
    assert len(notes(store)) == 1


def test_a_worker_that_is_told_to_end_gives_back_what_it_was_at(store: Store, worker: Worker) -> None:
    number = add(store, words="a")
    worker.doing = store.jobs.claim(worker.name)
    worker.drop()
    assert state(store, number) == "waiting"


def test_a_ring_is_heard_where_the_queue_is_asked(tmp_path: Path) -> None:
    bell = Bell(Settings(tmp_path))
    bell.ring(3)
    assert bell.unheard() == 3


def test_a_worker_that_dies_at_once_is_started_less_and_less_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[float] = []

    class Dead:
        returncode = 1

        def poll(self) -> int:
            return 1

    now_s = 0.0

    def start(_settings: Settings) -> Dead:
        started.append(now_s)
        return Dead()

    monkeypatch.setattr("referee.service.jobs.watch.start_worker", start)
    place = Place(Settings(tmp_path))
    for now_s in map(float, range(240)):
        place.fill(now_s)
    pauses = [after - before for before, after in pairwise(started)]
    assert pauses[0] <= 3
    assert pauses == sorted(pauses)
    assert 10 < pauses[-1] <= LATEST_AGAIN_S + 2
