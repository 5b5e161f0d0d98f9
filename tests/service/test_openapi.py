"""The description of the API says what there is, and is held against every answer (`conftest.as_described`)."""

from typing import Any

import jsonschema
import pytest
from flask import Flask

from referee.model import Json
from referee.service import language, openapi
from referee.service import schema as schemas
from tests.service.conftest import Visitor, house


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


@pytest.mark.parametrize(
    "address",
    [
        "/api/checks?most=abc",
        "/api/checks?most=0",
        "/api/checks?most=201",
        "/api/checks?before=nan",
        "/api/checks?befor=3",
        "/api/challenges/runs?most=0",
        "/api/races?most=9999",
        "/api/history?most=1.5",
        "/api/history/export?pictures=perhaps",
    ],
)
def test_a_query_that_is_not_as_described_is_refused(client: Visitor, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 400
    assert (answer.json or {})["error"]["code"] == "bad-request"
    assert address.split("?")[1].split("=")[0] in (answer.json or {})["error"]["message"]


def test_a_picture_that_is_too_large_hears_the_limit_that_it_is_held_to(client: Visitor, app: Flask) -> None:
    most = house(app).settings.picture_mb
    for more in (1, 2_000_000):  # read and measured, or not even read
        content = (bytes(most * 1_000_000 + more), "huge.jpg")
        answer = client.call("POST", "/api/checks", picture=content)
        assert answer.status_code == 413
        assert f"{most} MB" in answer.json["error"]["message"]  # type: ignore[index]


def test_what_makes_no_sense_has_one_code_and_says_what_is_wrong(client: Visitor) -> None:
    for address, body, what in (
        ("/api/challenges/runs", {"challenge": "driving-ace"}, "team"),
        (
            "/api/races",
            {"a": ["Ada", "Béa"], "b": ["Cem", "Dan"], "youngest": "C", "everybody_knows": True},
            "youngest",
        ),
        ("/api/history/delete", {"what": "all"}, "what"),
    ):
        answer = client.call("POST", address, json=body)
        assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad-request")  # type: ignore[index]
        assert what in answer.json["error"]["message"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("found", "schema", "keyword"),
    [
        (1, {"type": "string"}, "type"),
        (True, {"type": "integer"}, "type"),
        (float("nan"), {"type": "number"}, "type"),
        ("1", {"enum": [1]}, "enum"),
        (True, {"enum": [1]}, "enum"),
        ({}, {"required": ["a"]}, "required"),
        ({"b": 1}, {"additionalProperties": False, "properties": {"a": {}}}, "additionalProperties"),
        ({"a": [1, "x"]}, {"properties": {"a": {"items": {"type": "integer"}}}}, "type"),
        (0, {"minimum": 1}, "minimum"),
        (3, {"maximum": 2}, "maximum"),
        ("", {"minLength": 1}, "minLength"),
        ("abc", {"maxLength": 2}, "maxLength"),
        ("a b", {"pattern": "^[a-z]*$"}, "pattern"),
        ([], {"minItems": 1}, "minItems"),
        ([1, 2], {"maxItems": 1}, "maxItems"),
    ],
)
def test_what_is_held_against_programs_is_what_json_schema_holds(found: Any, schema: Json, keyword: str) -> None:
    wrong = schemas.misfit(found, schema)
    assert wrong is not None
    assert wrong.keyword == keyword
    if found == found:
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(found, schema)
    assert language.has(f"misfit.{keyword}")


def test_every_description_uses_only_what_somebody_holds_programs_to(app: Flask) -> None:
    for rule in openapi.calls(app):
        about = openapi.about(app.view_functions[rule.endpoint])
        for schema in (*about.query.values(), *([about.body] if about.body else [])):
            schemas.misfit({}, schema)
            for one in schema.get("properties", {}).values():
                schemas.misfit(None, one)
