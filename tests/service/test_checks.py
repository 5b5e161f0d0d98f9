"""Photos go in, verdicts come out."""

from collections.abc import Callable

from tests.service.conftest import SAMPLES, Visitor

Work = Callable[[], int]


def hand_in(client: Visitor, name: str, called: str = "", **fields: object) -> str:
    """Hand a sample in, perhaps under another name; the check's id."""
    answer = client.call("POST", "/api/checks", picture=((SAMPLES / name).read_bytes(), called or name), **fields)
    assert answer.status_code == 201, answer.text
    return str(answer.json["id"])  # type: ignore[index]


def test_a_photo_is_judged_and_keeps_its_address(client: Visitor, work: Work) -> None:
    number = hand_in(client, "fair-park.jpg")
    assert client.get(f"/api/checks/{number}").json["state"] == "waiting"  # type: ignore[index]
    assert work() == 1
    check = client.get(f"/api/checks/{number}").json
    assert check is not None
    assert (check["state"], [board["verdict"] for board in check["boards"]]) == ("judged", ["fair"])
    assert "FAIR" in client.get(check["page"]).text
