"""Work shared out between hands: nothing is lost, nothing is done twice, and what fails is heard of."""

import os
import threading
from contextvars import ContextVar

import pytest

from referee import hands


@pytest.fixture(params=[1, 2, 4])
def _hands(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hands, "hands", lambda: request.param)


however_many = pytest.mark.usefixtures("_hands")


@however_many
def test_every_part_is_done_once_by_however_many_hands() -> None:
    done: list[int] = []
    hands.for_each(done.append, range(100))
    assert sorted(done) == list(range(100))


@however_many
def test_what_parts_give_comes_in_their_order() -> None:
    assert hands.side_by_side(*(lambda k=k: k * k for k in range(7))) == [k * k for k in range(7)]
    assert hands.both(lambda: "one", lambda: 2) == ("one", 2)


def test_two_parts_are_under_way_at_once() -> None:
    if hands.hands() == 1:
        pytest.skip("one core")
    meeting = threading.Barrier(2, timeout=20)
    hands.both(meeting.wait, meeting.wait)


@however_many
def test_a_part_may_share_out_its_own_work() -> None:
    def outer() -> list[int]:
        return [sum(hands.both(lambda: hands.both(lambda: 1, lambda: 2)[0], lambda: 3)) for _ in range(20)]

    assert hands.side_by_side(*[outer] * 6) == [[4] * 20] * 6


@pytest.mark.parametrize("place", [0, 1])
@however_many
def test_a_fault_in_any_part_is_raised(place: int) -> None:
    def fault() -> None:
        raise ValueError("mine")

    parts = [lambda: None, lambda: None]
    parts[place] = fault
    with pytest.raises(ValueError, match="mine"):
        hands.side_by_side(*parts)


def test_shares_are_even_and_leave_nothing_out() -> None:
    for count in (0, 1, 5, 1000, 1001):
        shares = hands.shares(count, 300)
        assert [k for share in shares for k in range(count)[share]] == list(range(count))
        sizes = [share.stop - share.start for share in shares]
        assert not sizes or (max(sizes) <= 300 and max(sizes) - min(sizes) <= 1)


LANGUAGE: ContextVar[str] = ContextVar("LANGUAGE", default="none")


@however_many
def test_every_hand_knows_the_callers_language() -> None:
    LANGUAGE.set("French")
    assert hands.side_by_side(*[LANGUAGE.get] * 5) == ["French"] * 5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_forked_process_has_hands_of_its_own() -> None:
    assert hands.both(lambda: 1, lambda: 2) == (1, 2)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, b"%d" % sum(hands.side_by_side(*[lambda: 1] * 8)))
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(reader, 10) == b"8"
    os.close(reader)
    os.close(writer)
