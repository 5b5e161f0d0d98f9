"""Nothing gets in: strangers' hosts, forms of other sites, scripts in names, paths in names, too much of everything."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from flask import Flask

from referee.service.app import create_app
from referee.service.checks import shelf
from referee.service.safety import API_HEADER, HEADERS, TOKEN_FIELD
from referee.service.settings import Settings
from tests.service.conftest import SAMPLES, Visitor, form, house
from tests.service.test_checks import Work, hand_in

PAGES = ("/", "/checks/", "/checks/table", "/checks/delete-all", "/nothing")
PHOTO = (SAMPLES / "webcam-park.jpg").read_bytes()


class Inline(HTMLParser):
    """Finds what the policy forbids: scripts and styles in the page itself, and anything from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if (tag == "script" and "src" not in told) or tag == "style":
            self.found.append(tag)
        self.found += [name for name in told if name.startswith("on") or name == "style"]
        for name in ("src", "href", "action"):
            if (told.get(name) or "/").lower().startswith(("http:", "https:", "//", "javascript:", "data:")):
                self.found.append(f"{name}={told[name]}")


def inline(page: str) -> list[str]:
    finder = Inline()
    finder.feed(page)
    return finder.found


@pytest.mark.parametrize("address", [*PAGES, "/api/checks", "/static/style.css", "/static/report.css"])
def test_every_answer_is_dressed(client: Visitor, address: str) -> None:
    answer = client.get(address)
    answer.close()
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "unsafe" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize("address", PAGES)
def test_no_page_has_scripts_or_styles_in_itself_or_asks_anything_of_the_network(client: Visitor, address: str) -> None:
    assert inline(client.get(address).text) == []


def test_neither_has_a_verdict_page(client: Visitor, work: Work) -> None:
    page = f"/checks/{hand_in(client, 'too-close-park.jpg')}"
    work()
    assert inline(client.get(page).text) == []


def test_the_finder_finds_what_is_forbidden() -> None:
    bad = '<script>x</script><p style="a" onclick="b"><img src="//evil.example/x.png"><a href="javascript:x">'
    assert inline(bad) == ["script", "style", "onclick", "src=//evil.example/x.png", "href=javascript:x"]


CHANGES = ("/checks/", "/checks/samples", "/checks/delete-all", "/language", "/checks/x/delete", "/checks/x/stage")


@pytest.mark.parametrize("address", CHANGES)
@pytest.mark.parametrize(
    "headers",
    [{"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}],
    ids=["another origin", "no origin to speak of", "another site"],
)
def test_a_form_of_another_site_changes_nothing(
    client: Visitor, app: Flask, address: str, headers: dict[str, str]
) -> None:
    fields = {TOKEN_FIELD: client.token(), "picture": (PHOTO, "a.jpg"), "language": "fr"}
    assert client.client.post(address, **form(fields), headers=headers).status_code == 403
    assert shelf.count(house(app).store) == 0


@pytest.mark.parametrize("address", CHANGES)
@pytest.mark.parametrize("token", ["", "wrong", "é", "0" * 64])
def test_a_form_without_the_visitors_token_changes_nothing(
    client: Visitor, app: Flask, address: str, token: str
) -> None:
    client.token()
    assert client.client.post(address, **form({TOKEN_FIELD: token, "picture": (PHOTO, "a.jpg")})).status_code == 403
    assert shelf.count(house(app).store) == 0


def test_the_token_of_one_visitor_is_of_no_use_to_another(client: Visitor, app: Flask) -> None:
    other = Visitor(app.test_client())
    other.token()
    assert other.client.post("/language", **form({TOKEN_FIELD: client.token(), "language": "fr"})).status_code == 403
    assert other.send("/language", language="fr").status_code == 303


@pytest.mark.parametrize(
    "headers",
    [{}, {API_HEADER: "x", "Origin": "https://evil.example"}, {API_HEADER: "x", "Sec-Fetch-Site": "cross-site"}],
    ids=["no header", "another origin", "another site"],
)
def test_a_call_from_another_site_changes_nothing(client: Visitor, app: Flask, headers: dict[str, str]) -> None:
    answer = client.client.post("/api/checks", **form({"picture": (PHOTO, "a.jpg")}), headers=headers)
    assert answer.status_code == 403
    assert answer.json["error"]["code"] in ("cross-site", "no-api-header")  # type: ignore[index]
    assert client.client.delete("/api/checks", headers=headers).status_code == 403
    assert shelf.count(house(app).store) == 0


def test_no_other_site_is_ever_allowed_to_ask(client: Visitor) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = client.client.options("/api/checks", headers=asked | {"Access-Control-Request-Headers": API_HEADER})
    assert not [name for name, _ in answer.headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example", "/\\evil.example", "/a\r\nX: y", "x"])
def test_the_way_back_leads_nowhere_else(client: Visitor, back: str) -> None:
    assert client.send("/language", language="fr", back=back).headers["Location"] == "/"


# ------------------------------------------------------------------------------------------------------------- names

NAMES = {
    "../../../../etc/passwd.jpg": "passwd.jpg",
    "..\\..\\windows\\system.jpg": "system.jpg",
    "<script>alert(1)</script>.jpg": "script>.jpg",
    '"><img src=x onerror=alert(1)>.jpg': '"><img src=x onerror=alert(1)>.jpg',
    "race\r\nSet-Cookie: a=b.jpg": "raceSet-Cookie: a=b.jpg",
    "a\x00b\u202egpj.jpg": "abgpj.jpg",
    "/": "photo",
    "..": "photo",
    "x" * 5000 + ".jpg": "x" * shelf.LONGEST_NAME,
}


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:20])
def test_a_name_is_only_shown_and_never_more(app: Flask, client: Visitor, name: str) -> None:
    """Neither a path nor markup, and never where a picture is kept."""
    number = shelf.add(house(app).store, PHOTO, name)
    check = shelf.found(house(app).store, number)
    assert check is not None
    assert check.name == NAMES[name]
    for address in ("/checks/", f"/checks/{number}", "/checks/table"):
        page = client.get(address).text
        assert inline(page) == []
        assert "<script>alert" not in page
        assert "<img src=x" not in page
    data = house(app).settings.data
    kept = {path.relative_to(data).parts[0] for path in data.rglob("*") if path.is_file()}
    assert kept == {name for name in kept if re.fullmatch(r"pictures|(referee|queue)\.db(-wal|-shm)?", name)}


def test_a_name_with_a_script_is_harmless_where_the_report_tells_it(client: Visitor, work: Work) -> None:
    number = hand_in(client, "webcam-park.jpg", called="<img src=x onerror=alert(1)>.jpg")
    work()
    page = client.get(f"/checks/{number}").text
    assert "&lt;img src=x" in page
    assert inline(page) == []
    home = client.get(f"/checks/{number}/page.html")
    assert "attachment" in home.headers["Content-Disposition"]
    assert "<img src=x" not in home.text


NOT_DRAWN = ("../photo", "..%2f..%2freferee.db", "page-en.html", "picture-1.jpg/../x", "thumb.png", "picture-0x.jpg")


def test_only_pictures_that_were_drawn_are_served(client: Visitor, work: Work) -> None:
    number = hand_in(client, "webcam-park.jpg")
    work()
    assert client.get(f"/checks/{number}/drawn/thumb.jpg").status_code == 200
    assert {client.get(f"/checks/{number}/drawn/{name}").status_code for name in NOT_DRAWN} == {404}


def test_a_name_is_no_formula_in_the_table(client: Visitor, app: Flask) -> None:
    shelf.add(house(app).store, PHOTO, "=1+1.jpg")
    assert "\r\n'=1+1.jpg," in client.get("/checks/table.csv").text


# -------------------------------------------------------------------------------------------------------- too much


@pytest.fixture
def small(tmp_path: Path) -> Visitor:
    """A page that takes pictures of up to 1 MB."""
    app = create_app(Settings(tmp_path / "small", picture_mb=1))
    app.config["MAX_CONTENT_LENGTH"] = 4_000_000
    return Visitor(app.test_client())


def test_a_picture_that_is_too_large_is_refused_in_words(small: Visitor) -> None:
    answer = small.call("POST", "/api/checks", picture=(b"\xff\xd8" + bytes(1_500_000), "big.jpg"))
    assert answer.status_code == 413
    assert answer.json is not None
    assert answer.json["error"]["code"] == "picture-too-large"
    assert "1 MB" in answer.json["error"]["message"]
    page = small.send("/checks/", picture=(b"\xff\xd8" + bytes(1_500_000), "big.jpg"))
    assert page.status_code == 413
    assert "1 MB" in page.text
    house(small.client.application).store.close()


def test_a_request_that_is_far_too_large_is_not_read(small: Visitor) -> None:
    answer = small.call("POST", "/api/checks", picture=(bytes(3_000_000), "big.jpg"))
    assert answer.status_code == 413
    page = small.client.post("/checks/", **form({TOKEN_FIELD: small.token(), "picture": (bytes(6_000_000), "big.jpg")}))
    assert page.status_code == 413
    assert "MB" in page.text
    house(small.client.application).store.close()


DEEP = "[" * 100_000
READ_JSON = (
    ("PATCH", "/api/checks/x"), ("POST", "/api/checks/x/decisions"), ("POST", "/api/challenges/runs"),
    ("POST", "/api/challenges/runs/x/events"), ("POST", "/api/races"), ("POST", "/api/races/x/events"),
    ("POST", "/api/history/delete"),
)  # fmt: skip


@pytest.mark.parametrize(("method", "address"), READ_JSON)
def test_json_that_is_nested_without_end_is_a_bad_request(client: Visitor, method: str, address: str) -> None:
    answer = client.client.open(
        address, method=method, headers={API_HEADER: "test"}, data=DEEP, content_type="application/json"
    )
    assert answer.status_code in (400, 404)


@pytest.mark.parametrize("address", ["/challenges/runs/x/do", "/races/x"])
def test_an_event_in_a_form_that_is_nested_without_end_is_a_bad_request(client: Visitor, address: str) -> None:
    assert client.send(address, event=DEEP).status_code == 400
