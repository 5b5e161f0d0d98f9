"""The guard at the door, spoken to as a server would: hosts, forms, codes, cookies."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from wsgiref.validate import validator

import pytest

from referee.service.front import HERE
from referee.service.guard import INVITATION, STATUS, VISITOR, Guard, onward
from referee.service.invitation import Invitation
from referee.service.join import COOKIE, Join
from referee.service.join_page import REFUSALS, WORDS, join_page

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

CODE = "482915"


@dataclass
class Heard:
    """An answer: status, headers, body."""

    status: str
    headers: dict[str, str]
    body: str


def inside(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"inside as {environ[VISITOR]!r}, invites: {INVITATION in environ}".encode()]


class Door:
    """A guard, and requests to it."""

    def __init__(self, joinable: bool = True) -> None:
        self.join = Join(CODE, b"k" * 32)
        self.invitation = Invitation(self.join, lambda: ("http://192.168.1.5:8150",))
        self.guard = validator(Guard(inside, self.invitation if joinable else None, ["Laptop.local"]))

    def ask(self, path: str = "/", method: str = "GET", here: bool = False, body: bytes = b"", **more: Any) -> Heard:
        path, _, query = path.partition("?")
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method, "SCRIPT_NAME": "", "PATH_INFO": path, "QUERY_STRING": query,
            "SERVER_NAME": "x", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1", "HTTP_HOST": "192.168.1.5:8150",
            "HTTP_ACCEPT": "text/html", "REMOTE_ADDR": "192.168.1.20", "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body), "wsgi.errors": io.StringIO(), "wsgi.multithread": True,
            "wsgi.multiprocess": False, "wsgi.run_once": False, HERE: here,
        }  # fmt: skip
        environ |= {"CONTENT_LENGTH": str(len(body))} if body else {}
        told: list[Any] = []

        def begun(*given: Any) -> Any:
            told.extend(given)
            return lambda _: None

        answer = self.guard(environ | more, begun)
        text = b"".join(answer).decode()
        answer.close()  # type: ignore[attr-defined]
        return Heard(told[0], dict(told[1]), text)

    def give(self, code: str, **more: Any) -> Heard:
        fields = {"code": code, "next": more.pop("onward", "/races/3")}
        return self.ask("/join", "POST", body=urlencode(fields).encode(), **more)


def cookie_of(answer: Heard) -> str:
    return answer.headers["Set-Cookie"].split(";")[0]


def test_this_machine_comes_in_without_a_code() -> None:
    assert Door().ask(here=True).body == "inside as '', invites: True"


def test_somebody_from_elsewhere_is_asked_for_the_code_whatever_he_wants() -> None:
    for path in ("/", "/races/3", "/static/style.css", "/api/openapi.json", "/%2e%2e/", "//join", "/join/x"):
        answer = Door().ask(path)
        assert answer.status == "403 Forbidden"
        assert 'name="code"' in answer.body
        assert "inside" not in answer.body


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_no_method_gets_in_without_the_code(method: str) -> None:
    answer = Door().ask("/api/races", method)
    assert answer.status == "403 Forbidden"
    assert "inside" not in answer.body


def test_a_program_is_told_in_the_shape_of_all_errors() -> None:
    answer = Door().ask("/api/races", HTTP_ACCEPT="application/json")
    error = json.loads(answer.body)["error"]
    assert error["code"] == "not-joined"
    assert error.keys() == {"code", "message", "hint"}


def test_the_code_opens_the_door_once_and_the_cookie_afterwards() -> None:
    door = Door()
    answer = door.give("482 915")
    assert (answer.status, answer.headers["Location"]) == ("303 See Other", "/races/3")
    assert "HttpOnly; SameSite=Lax" in answer.headers["Set-Cookie"]
    assert "Secure" not in answer.headers["Set-Cookie"]
    assert door.ask("/races/3", HTTP_COOKIE=f"x=1; {cookie_of(answer)}").body.startswith("inside as '")


def test_over_https_the_cookie_is_for_https_only() -> None:
    assert "; Secure" in Door().give(CODE, **{"wsgi.url_scheme": "https"}).headers["Set-Cookie"]


def test_joining_twice_keeps_the_visitor() -> None:
    door = Door()
    first = cookie_of(door.give(CODE))
    again = cookie_of(door.give(CODE, HTTP_COOKIE=first))
    assert door.join.visitor(first.partition("=")[2]) == door.join.visitor(again.partition("=")[2])


def test_a_wrong_code_is_told_and_a_thousand_get_a_word_about_waiting() -> None:
    door = Door()
    answers = [door.give(f"{guess:06}") for guess in range(1000)]
    assert answers[0].status == "403 Forbidden"
    assert WORDS["en"]["wrong"].split(".")[0] in answers[0].body
    assert all("Set-Cookie" not in answer.headers for answer in answers)
    last = answers[-1]
    assert last.status == "429 Too Many Requests"
    assert int(last.headers["Retry-After"]) <= 20
    assert f"Try again in {last.headers['Retry-After']} seconds" in last.body
    assert door.give(CODE).status.startswith("429")
    assert door.give(CODE, REMOTE_ADDR="192.168.1.21").status == "303 See Other"


@pytest.mark.parametrize(
    "cookie", [f"{COOKIE}=", f"{COOKIE}=a.1.b", f"{COOKIE}", "=;;=", f'{COOKIE}="\\"', "a" * 9000, "\x80\xff"]
)
def test_a_forged_cookie_opens_nothing(cookie: str) -> None:
    assert Door().ask(HTTP_COOKIE=cookie).status == "403 Forbidden"


@pytest.mark.parametrize(
    "host", ["192.168.1.5:8150", "[fe80::1]", "LOCALHOST:8150", "laptop.local", "laptop.local.:80"]
)
def test_addresses_and_our_own_names_are_our_host(host: str) -> None:
    assert Door().ask(here=True, HTTP_HOST=host).status == "200 OK"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "", "localhost.evil.example", "192.168.1.5.evil.example", "localhost@evil.example", "a:b:c",
     "evil.example#localhost", "localhost/..", "0.0.0.0:8150", "[::]", "[", "localhost:99999", "laptop.local evil"],
)  # fmt: skip
def test_any_other_host_is_refused_even_from_this_machine(host: str) -> None:
    answer = Door().ask(here=True, HTTP_HOST=host)
    assert answer.status == "403 Forbidden"
    assert "evil" not in answer.body


@pytest.mark.parametrize(
    "headers",
    [
        {"HTTP_ORIGIN": "http://evil.example"},
        {"HTTP_ORIGIN": "null"},
        {"HTTP_ORIGIN": "http://192.168.1.5:9999"},
        {"HTTP_ORIGIN": "https://192.168.1.5:8150"},
        {"HTTP_SEC_FETCH_SITE": "cross-site"},
        {"HTTP_SEC_FETCH_SITE": "same-site", "HTTP_ORIGIN": "http://192.168.1.5:8150"},
    ],
)
def test_a_form_of_another_site_is_refused_even_from_this_machine(headers: dict[str, Any]) -> None:
    answer = Door().ask("/races", "POST", here=True, **headers)
    assert answer.status == "403 Forbidden"
    assert "inside" not in answer.body
    assert Door().give(CODE, **headers).status == "403 Forbidden"


@pytest.mark.parametrize(
    "headers", [{}, {"HTTP_ORIGIN": "http://192.168.1.5:8150"}, {"HTTP_SEC_FETCH_SITE": "same-origin"}]
)
def test_our_own_form_goes_through(headers: dict[str, Any]) -> None:
    assert Door().ask("/races", "POST", here=True, **headers).status == "200 OK"


@pytest.mark.parametrize(
    "path",
    ["//evil.example", "https://evil.example", "/\\evil.example", "\\/evil", "javascript:alert(1)",
     "/x\r\nSet-Cookie: a=b", "", "/join", "/join?next=/join", "/é", "/a b", "/" + "x" * 2000],
)  # fmt: skip
def test_joining_leads_nowhere_else(path: str) -> None:
    assert onward(path) == "/"
    assert Door().give(CODE, onward=path).headers["Location"] == "/"


def test_who_has_joined_and_scans_again_is_sent_on_without_the_ticket() -> None:
    door = Door()
    answer = door.ask("/join", HTTP_COOKIE=cookie_of(door.give(CODE)))
    assert (answer.status, answer.headers["Location"]) == ("303 See Other", "/#")


def test_a_form_that_is_none_is_a_wrong_code() -> None:
    door = Door()
    for body in (b"\xff\xfe", b"code=" + b"1" * 9000, b"&" * 50, b"code", b"code=1&" * 20):
        assert door.ask("/join", "POST", body=body, REMOTE_ADDR=f"10.0.0.{len(body) % 250}").status == "403 Forbidden"


def test_without_host_nobody_from_elsewhere_comes_in() -> None:
    answer = Door(joinable=False).ask("/join")
    assert answer.status == "403 Forbidden"
    assert "--host" in answer.body
    assert Door(joinable=False).ask(here=True).body == "inside as '', invites: False"


def test_the_page_asks_in_the_visitor_s_language_and_keeps_where_he_was_going() -> None:
    answer = Door().ask("/races/3?a=1&b=2", HTTP_ACCEPT_LANGUAGE="fr-CA,fr;q=0.9,en;q=0.5")
    assert '<html lang="fr">' in answer.body
    assert 'value="/races/3?a=1&amp;b=2"' in answer.body


def test_the_page_lets_nothing_run_but_its_own_script() -> None:
    first, second = Door().ask(), Door().ask()
    policy = first.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert policy != second.headers["Content-Security-Policy"]
    assert first.headers["Cache-Control"] == "no-store"


def test_scripts_in_what_comes_back_are_words_only() -> None:
    page = join_page("en", "ask", '/"><script>alert(1)</script>', "n")
    assert "<script>alert" not in page


def test_a_head_request_has_no_body() -> None:
    assert Door().ask(method="HEAD").body == ""


def test_both_languages_have_the_same_words() -> None:
    assert WORDS["en"].keys() == WORDS["fr"].keys()
    assert REFUSALS["en"].keys() == REFUSALS["fr"].keys() == STATUS.keys()


def test_the_link_of_the_qr_code_keeps_its_ticket_from_servers_and_logs() -> None:
    door = Door()
    assert door.invitation.link == f"http://192.168.1.5:8150/join#{door.join.ticket}"
    assert Invitation(door.join, tuple).link is None
    assert door.invitation.code == "482 915"


def test_a_language_that_was_chosen_goes_before_the_browsers_and_the_settings_after_it() -> None:
    door = Door()
    said = door.ask(HTTP_COOKIE="language=fr", HTTP_ACCEPT_LANGUAGE="en").body
    assert WORDS["fr"]["title"] in said
    assert WORDS["en"]["title"] in door.ask(HTTP_ACCEPT_LANGUAGE="de").body
    door.guard = validator(Guard(inside, door.invitation, language="fr"))
    assert WORDS["fr"]["title"] in door.ask(HTTP_ACCEPT_LANGUAGE="de").body
