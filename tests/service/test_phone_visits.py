"""A phone's visit in Debian's Chromium: joining by code and by QR link, and the camera where it is refused."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Playwright

from referee.service import front as the_front
from referee.service import phone_help
from referee.service.addresses import addresses
from referee.service.join_page import WORDS
from referee.service.phone_help import CAMERA, CERTIFICATE, REASONS, camera_help, certificate_help
from referee.service.serving import Opening, Serving

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
STATIC = Path(phone_help.__file__).parent / "static"
FLAGS = ["--no-sandbox", "--use-fake-device-for-media-stream"]

pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here"),
    pytest.mark.skipif(not any(ip.version == 4 for ip in addresses()), reason="this machine is in no network"),
]


def inside(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """A page with the camera snippet, as the application would have it."""
    if environ["PATH_INFO"] == "/camera_reason.js":
        start_response("200 OK", [("Content-Type", "text/javascript")])
        return [(STATIC / "camera_reason.js").read_bytes()]
    language = "fr" if environ.get("HTTP_ACCEPT_LANGUAGE", "").startswith("fr") else "en"
    start_response("200 OK", [("Content-Type", "text/html; charset=utf-8")])
    return [
        f"""<!doctype html><html lang="{language}"><title>inside</title><main><h1>inside</h1>{camera_help(language)}
        {certificate_help(language, "AB:CD")}</main>
        </html>
        """.encode()
    ]


@pytest.fixture(scope="module")
def browser(playing: Playwright) -> Iterator[Browser]:
    browser = playing.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    browser.close()


@pytest.fixture(params=[False, True], ids=["http", "https"])
def serving(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    monkeypatch.setattr(the_front, "_ends", lambda _: ("192.168.1.20", 50000, False))
    serving = Serving(inside, Opening(tmp_path, host="0.0.0.0", port=0, https=request.param))
    serving.start()
    yield serving
    serving.stop()


@pytest.fixture(params=["en-GB", "fr-FR"])
def phone(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    size = {"width": 390, "height": 844}
    context = browser.new_context(locale=request.param, viewport=size, ignore_https_errors=True)  # type: ignore[arg-type]
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


def words_of(phone: Page) -> dict[str, str]:
    return WORDS[str(phone.evaluate("navigator.language"))[:2]]


def test_a_wrong_code_is_told_and_the_right_one_leads_to_what_was_asked_for(serving: Serving, phone: Page) -> None:
    assert serving.invitation is not None
    asked = serving.elsewhere()[0] + "/races/3?x=1"
    phone.goto(asked)
    assert phone.inner_text("h1") == words_of(phone)["title"]
    wrong = "000000" if serving.invitation.join.code != "000000" else "000001"
    phone.fill("#code", wrong)
    phone.click("button")
    assert phone.inner_text("#word") == words_of(phone)["wrong"]
    phone.fill("#code", serving.invitation.code)
    phone.keyboard.press("Enter")
    phone.wait_for_url(asked)
    assert phone.inner_text("h1") == "inside"


def test_the_qr_link_joins_by_itself_and_leaves_no_ticket_in_any_address(serving: Serving, phone: Page) -> None:
    assert serving.invitation is not None
    assert serving.invitation.link is not None
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.url))
    for _ in range(2):  # the second time it has joined already
        phone.goto("about:blank")
        phone.goto(serving.invitation.link)
        phone.wait_for_selector("text=inside")
        assert serving.invitation.join.ticket not in phone.url
    phone.go_back()
    assert serving.invitation.join.ticket not in phone.url


def test_the_page_that_asks_pleases_axe_and_asks_nobody_else(serving: Serving, phone: Page) -> None:
    base = serving.elsewhere()[0]
    sent: list[str] = []
    phone.on("request", lambda request: sent.append(request.url))
    phone.goto(base)
    phone.fill("#code", "1")
    phone.click("button")
    assert Axe().run(phone).violations_count == 0
    assert all(url.startswith((base, "about:")) for url in sent)


def camera(phone: Page) -> str:
    """Ask for the camera; the answer is what the page shows: the reason's words, or "" with a picture running."""
    got = phone.evaluate(
        """async () => {
          const reasons = await import("/camera_reason.js");
          return Boolean(await reasons.openCamera({ video: true }, document.querySelector("[data-camera-help]")));
        }"""
    )
    shown = phone.locator("[data-reason]:visible").all_inner_texts()
    assert got is (shown == [])
    return "".join(shown)


def test_the_camera_opens_over_https_and_over_http_the_page_says_why_not(serving: Serving, phone: Page) -> None:
    assert serving.invitation is not None
    phone.context.grant_permissions(["camera"])
    phone.goto(str(serving.invitation.link))
    phone.wait_for_selector("text=inside")
    words = CAMERA[str(phone.evaluate("navigator.language"))[:2]]
    assert camera(phone) == ("" if serving.opening.https else words["insecure"])
    picker = phone.locator("input[type=file]")
    assert picker.is_visible() is not serving.opening.https
    assert picker.get_attribute("capture") == "environment"
    assert Axe().run(phone).violations_count == 0


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("NotAllowedError", "denied"),
        ("NotFoundError", "missing"),
        ("NotReadableError", "busy"),
        ("TypeError", "unknown"),
    ],
)
@pytest.mark.parametrize("serving", [True], indirect=True)
def test_a_camera_that_fails_is_told_by_its_reason(serving: Serving, phone: Page, error: str, reason: str) -> None:
    assert serving.invitation is not None
    phone.goto(str(serving.invitation.link))
    phone.wait_for_selector("text=inside")
    failing = f"async () => {{ throw new DOMException('', '{error}') }}"
    phone.evaluate(f"() => {{ navigator.mediaDevices.getUserMedia = {failing} }}")
    assert camera(phone) == CAMERA[str(phone.evaluate("navigator.language"))[:2]][reason]


def test_both_languages_have_words_for_the_same_things() -> None:
    assert CAMERA["en"].keys() == CAMERA["fr"].keys() == {*REASONS, "way_on", "take"}
    assert CERTIFICATE["en"].keys() == CERTIFICATE["fr"].keys()
