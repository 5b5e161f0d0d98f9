"""The description of the API says what there is, and is held against every answer (`conftest.as_described`)."""

import pytest
from flask import Flask

from referee.service import openapi
from tests.service.conftest import Visitor


def test_every_call_is_described_with_its_parameters(app: Flask) -> None:
    document = openapi.document(app)
    for rule in openapi.calls(app):
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            path = rule.rule.replace("<int:", "<").replace("<", "{").replace(">", "}")
            told = document["paths"][path][method.lower()]
            assert told["summary"].endswith(".")
            assert {one["name"] for one in told["parameters"] if one["in"] == "path"} == rule.arguments
            assert "default" in told["responses"]


def test_the_description_has_an_address_of_its_own(client: Visitor) -> None:
    document = client.get("/api/openapi.json").get_json()
    assert document["openapi"].startswith("3.1")
    assert "/api/checks/{number}" in document["paths"]


def test_a_call_that_changes_something_asks_for_the_header(app: Flask) -> None:
    for calls in openapi.document(app)["paths"].values():
        for method, told in calls.items():
            asked = openapi.HEADER in told["parameters"]
            assert asked == (method not in ("get", "head"))


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [("GET", "/api/checks/nothing", 404), ("GET", "/api/nothing", 404), ("PUT", "/api/checks", 405)],
)
def test_what_is_refused_has_one_shape(client: Visitor, method: str, address: str, status: int) -> None:
    answer = client.call(method, address)
    assert answer.status_code == status
    assert answer.json is not None
    assert set(answer.json) == {"error"}
    assert set(answer.json["error"]) == {"code", "message", "hint"}
    assert all(answer.json["error"].values())


def test_a_refusal_speaks_the_visitors_language(client: Visitor) -> None:
    french = client.client.get("/api/checks/nothing", headers={"Accept-Language": "fr-CA, en;q=0.5"})
    assert "contrôle" in french.get_json()["error"]["message"]
