"""A person decides where the referee asks, and overrules it where he knows better: who, when and why stay readable."""

from collections.abc import Callable
from typing import Any

import pytest

from referee.service.checks import deciding, shelf
from tests.service.conftest import Visitor
from tests.service.test_checks import hand_in

Work = Callable[[], int]
OPEN = "too-close-park.jpg"
"""Its verdict waits for one question: did the ink go over white line 4?"""


def told(client: Visitor, number: str) -> dict[str, Any]:
    answer = client.get(f"/api/checks/{number}").json
    assert answer is not None
    return answer


def verdict(client: Visitor, number: str) -> str:
    return str(told(client, number)["boards"][0]["verdict"])


def question(client: Visitor, number: str) -> dict[str, Any]:
    report = client.get(f"/api/checks/{number}/boards/1").json
    assert report is not None
    asked: dict[str, Any] = next(reason["question"] for reason in report["reasons"] if "question" in reason)
    return asked


def decide(client: Visitor, number: str, **said: object) -> Any:
    body = {"answer": "no", "who": "Ann", "why": "It only touched it."} | said
    body.setdefault("question", question(client, number) if "question" not in said else None)
    return client.call("POST", f"/api/checks/{number}/boards/1/decisions", json=body)


def test_what_is_too_close_to_call_is_decided_by_a_person_and_taken_back(client: Visitor, work: Work) -> None:
    number = hand_in(client, OPEN)
    work()
    assert verdict(client, number) == "review"
    assert decide(client, number).status_code == 201
    assert verdict(client, number) == "review"  # until the rules have run again
    work()
    assert verdict(client, number) == "fair"
    page = client.get(f"/checks/{number}").text
    assert "It only touched it." in page
    assert "Ann" in page
    [decision] = told(client, number)["decisions"]
    assert (decision["answer"], decision["who"], decision["taken_back_at"]) == ("no", "Ann", None)

    assert client.call("DELETE", f"/api/checks/{number}/decisions/{decision['id']}").status_code == 200
    work()
    assert verdict(client, number) == "review"
    [decision] = told(client, number)["decisions"]
    assert decision["taken_back_at"] is not None
    assert client.call("DELETE", f"/api/checks/{number}/decisions/{decision['id']}").status_code == 409

    form = {"board": "1", "about": "question-1", "answer": "yes", "who": "Bob", "why": "<script>alert(1)</script>"}
    sent = client.send(f"/checks/{number}/decide", judged_at=repr(told(client, number)["judged_at"]), **form)
    assert sent.status_code == 303
    work()
    assert verdict(client, number) == "ignored-accident"
    page = client.get(f"/checks/{number}", headers={"Accept-Language": "fr"}).text
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "Est-ce que" in page

    stale = client.send(f"/checks/{number}/decide", judged_at="1.0", **form)
    assert stale.status_code == 409
    assert client.send(f"/checks/{number}/stage", stage="").status_code == 303
    assert all(one["taken_back_at"] for one in told(client, number)["decisions"])
    assert client.call("DELETE", f"/api/checks/{number}").status_code == 204


@pytest.mark.parametrize(
    ("said", "status", "code"),
    [
        ({"answer": "perhaps"}, 400, "bad-request"),
        ({"who": " \n "}, 400, "not-signed"),
        ({"why": ""}, 400, "bad-request"),
        ({"who": None}, 400, "bad-request"),
        ({"who": "x" * 81}, 400, "bad-request"),
        ({"why": {"a": "b"}}, 400, "bad-request"),
        ({"why": "x" * 501}, 400, "bad-request"),
        ({"question": {"rule": "R2", "kind": "white-line", "element": "white-line-1", "at_mm": [1, 2]}}, 409, None),
        ({"question": {"rule": "R2", "at_mm": ["a", "b"]}}, 400, "bad-request"),
        ({"question": {"rule": "R2", "at_mm": [float("inf"), 1]}}, 400, "bad-request"),
        ({"question": "white-line-4"}, 400, "bad-request"),
    ],
    ids=str,
)
def test_what_is_no_decision_is_refused(
    judged: tuple[Visitor, dict[str, str]], said: dict[str, object], status: int, code: str | None
) -> None:
    client, numbers = judged
    answer = decide(client, numbers[OPEN], **said)
    assert answer.status_code == status
    assert answer.json["error"]["code"] == (code or "no-such-question")
    assert told(client, numbers[OPEN])["decisions"] == []


def test_the_referee_can_be_overruled_where_it_did_not_ask(client: Visitor, work: Work) -> None:
    number = hand_in(client, "webcam-park.jpg")
    work()
    report = client.get(f"/api/checks/{number}/boards/1").json
    assert report is not None
    [accident] = [event for event in report["events"] if event["kind"] == "accident"]
    call = next(call for call in report["calls"] if call["event"] == accident["seq"])
    assert f"{'no' if call['answer'] == 'yes' else 'yes'}" in client.get(f"/checks/{number}").text
    assert decide(client, number, question=call, answer="no").status_code == 201
    work()
    after = client.get(f"/api/checks/{number}/boards/1").json
    assert after is not None
    causes = [event["cause"] for event in after["events"] if event["kind"] == "accident"]
    assert accident["cause"] == "white-line"
    assert "white-line" not in causes  # going back without an accident is a lift: another question
    assert [(one["answer"], one["referee"]) for one in after["decisions"]] == [("no", "yes")]


# ------------------------------------------------------------------------------------------------- two people at once


def at_once(monkeypatch: pytest.MonkeyPatch, other: Callable[[], object]) -> None:
    """Let somebody else do something when a request has looked at everything and is about to write."""
    judge_again = shelf.judge_again

    def slowly(*told: Any, **more: Any) -> Any:
        monkeypatch.undo()
        other()
        return judge_again(*told, **more)

    monkeypatch.setattr(shelf, "judge_again", slowly)
    monkeypatch.setattr(deciding, "judge_again", slowly)


ACTS: dict[str, Callable[[Visitor, str], Any]] = {
    "a form": lambda client, number: client.send(
        f"/checks/{number}/decide",
        judged_at=repr(told(client, number)["judged_at"]),
        board="1",
        about="question-1",
        answer="yes",
        who="Bob",
        why="Over.",
    ),
    "a call": lambda client, number: decide(client, number, answer="yes", who="Bob"),
    "another stage": lambda client, number: client.send(f"/checks/{number}/stage", stage="5"),
    "another stage by call": lambda client, number: client.call("PATCH", f"/api/checks/{number}", {"stage": 5}),
}


@pytest.mark.parametrize("act", ACTS)
def test_of_two_who_act_at_once_the_second_is_told(
    client: Visitor, work: Work, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    number = hand_in(client, OPEN)
    work()
    at_once(monkeypatch, lambda: decide(client, number))
    assert ACTS[act](client, number).status_code == 409
    [decision] = told(client, number)["decisions"]
    assert (decision["who"], decision["taken_back_at"]) == ("Ann", None)


def test_a_decision_is_taken_back_once(client: Visitor, work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    number = hand_in(client, OPEN)
    work()
    decide(client, number)
    work()
    [decision] = told(client, number)["decisions"]
    address = f"/api/checks/{number}/decisions/{decision['id']}"
    at_once(monkeypatch, lambda: client.call("DELETE", address))
    assert client.call("DELETE", address).status_code == 409


def test_whoever_saw_an_older_judging_is_told(client: Visitor, work: Work) -> None:
    number = hand_in(client, OPEN)
    work()
    seen, asked = told(client, number)["judging"], question(client, number)
    assert f'name="judging" value="{seen}"' in client.get(f"/checks/{number}").text
    assert decide(client, number, judging=seen).status_code == 201
    assert decide(client, number, question=asked, who="Bob").status_code == 409  # until that is judged
    work()
    assert decide(client, number, question=asked, who="Bob", judging=seen).status_code == 409
    assert client.send(f"/checks/{number}/stage", stage="5", judging=seen).status_code == 409
    assert client.call("PATCH", f"/api/checks/{number}", {"stage": 5, "judging": seen}).status_code == 409
    [decision] = told(client, number)["decisions"]
    assert (decision["who"], decision["taken_back_at"]) == ("Ann", None)
