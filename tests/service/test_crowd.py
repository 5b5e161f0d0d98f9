"""Large bodies wait for a place, small requests never do."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from referee.service.crowd import AT_ONCE, LARGE_BYTES, Crowd

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

PATIENCE_S = 10


def test_a_small_request_goes_past_large_ones_of_which_only_a_few_are_inside() -> None:
    inside, most, gate = [0], [0], threading.Event()
    full, lock = threading.Event(), threading.Lock()

    def application(environ: WSGIEnvironment, _: StartResponse) -> Iterable[bytes]:
        if environ.get("small"):
            return [b"small"]
        with lock:
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            if inside[0] == AT_ONCE:
                full.set()
        gate.wait(PATIENCE_S)
        with lock:
            inside[0] -= 1
        return [b"large"]

    crowd = Crowd(application)
    answers: list[Any] = []

    def large() -> None:
        answers.append(crowd({"CONTENT_LENGTH": str(LARGE_BYTES + 1)}, lambda *_: lambda _: None))

    asking = [threading.Thread(target=large) for _ in range(3 * AT_ONCE)]
    for one in asking:
        one.start()
    assert full.wait(PATIENCE_S)
    assert crowd({"CONTENT_LENGTH": "20", "small": True}, lambda *_: lambda _: None) == [b"small"]
    gate.set()
    for one in asking:
        one.join()
    assert answers == [[b"large"]] * len(asking)
    assert most[0] == AT_ONCE


def test_a_place_is_free_again_after_a_fault() -> None:
    def application(_: WSGIEnvironment, __: StartResponse) -> Iterable[bytes]:
        raise ZeroDivisionError

    crowd, met = Crowd(application, at_once=1), 0
    for _ in range(3):
        try:
            crowd({"CONTENT_LENGTH": "999999"}, lambda *_: lambda _: None)
        except ZeroDivisionError:
            met += 1
    assert met == 3
