"""The page as its tests see it: a visitor, and a worker who works when he is told to."""

import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from flask import Flask, Response, current_app, request
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Playwright, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from werkzeug.datastructures import FileStorage
from werkzeug.test import TestResponse, encode_multipart

from referee.service import openapi
from referee.service.app import House, create_app
from referee.service.checks import shelf
from referee.service.jobs.worker import Worker
from referee.service.safety import API_HEADER, TOKEN_FIELD
from referee.service.serving import Opening, Serving
from referee.service.settings import Settings

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A data folder of the test's own."""
    return Settings(tmp_path / "data", samples=SAMPLES)


@pytest.fixture
def app(settings: Settings) -> Iterator[Flask]:
    app = create_app(settings)
    app.testing = True
    app.after_request(as_described)
    yield app
    house(app).store.close()


def as_described(answer: Response) -> Response:
    """Hold every answer of the API against the description, whatever test asked for it."""
    if request.path.startswith("/api/") and request.url_rule is not None and request.method != "OPTIONS":
        path = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", request.url_rule.rule)
        told = openapi.document(current_app)
        answers = told["paths"][path][request.method.lower()]["responses"]
        said = answers.get(str(answer.status_code), answers["default"])
        assert answer.status_code >= 400 or str(answer.status_code) in answers, answer.status
        schema = said.get("content", {}).get("application/json", {}).get("schema")
        if schema is not None:
            jsonschema.validate(answer.get_json(), schema | {"components": told["components"]})
    return answer


@contextmanager
def served_with_a_worker(app: Flask) -> Iterator[str]:
    """The address of a page behind its front, while a worker beside it does its jobs."""
    settings, store = house(app).settings, house(app).store
    serving = Serving(app, Opening(settings.data, port=0))
    serving.start()
    ended = threading.Event()

    def work() -> None:
        worker = Worker(store, settings)
        while not ended.is_set():
            if not worker.work():
                time.sleep(0.1)

    thread = threading.Thread(target=work)
    thread.start()
    yield serving.here()
    ended.set()
    thread.join()
    serving.stop()


def house(app: Flask) -> House:
    """The store, the bell and the settings of an application."""
    found: House = app.extensions["referee"]
    return found


class Visitor:
    """Somebody with a browser: keeps cookies, sends forms as the page's forms are sent, calls as its scripts do."""

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.get = client.get

    def token(self) -> str:
        """The token of a form on the first page."""
        page = self.client.get("/").text
        return page.split(f'name="{TOKEN_FIELD}" value="')[1].split('"')[0]

    def send(self, address: str, **fields: object) -> TestResponse:
        """Send a form."""
        return self.client.post(address, **form({TOKEN_FIELD: self.token(), **fields}))

    def call(self, method: str, address: str, json: object = None, **fields: object) -> TestResponse:
        """Call the API, with JSON or with the fields of a form."""
        what: dict[str, Any] = form(fields) if fields else {"json": json} if json is not None else {}
        return self.client.open(address, method=method, headers={API_HEADER: "test"}, **what)


def form(fields: Mapping[str, object]) -> dict[str, Any]:
    """The body of a form; a file is (bytes, name), several are a list of them."""
    ready = {
        name: [as_file(one) for one in value] if isinstance(value, list) else as_file(value)
        for name, value in fields.items()
    }
    boundary, body = encode_multipart(ready)
    return {"data": body, "content_type": f"multipart/form-data; boundary={boundary}"}


def as_file(value: object) -> object:
    return FileStorage(BytesIO(value[0]), value[1]) if isinstance(value, tuple) else value


@pytest.fixture
def client(app: Flask) -> Visitor:
    return Visitor(app.test_client())


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="session")
def playing() -> Iterator[Playwright]:
    """What opens browsers: there can be one only at a time, so all visits share it."""
    with sync_playwright() as playing:
        yield playing


@pytest.fixture(scope="session")
def browser(playing: Playwright) -> Iterator[Browser]:
    """A browser: the system's Chromium, else the one that `make test` fetched for Playwright."""
    try:
        browser = playing.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    except PlaywrightError as fault:
        pytest.skip(f"no browser to visit the page with (apt install chromium): {str(fault).splitlines()[0]}")
    yield browser
    browser.close()


JUDGED = ("too-close-park.jpg", "two-boards-park.jpg", "dark-park.jpg")


@pytest.fixture(scope="session")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Visitor, dict[str, str]]]:
    """A page with some photos that were judged once for all tests that only look; their checks by name."""
    settings = Settings(tmp_path_factory.mktemp("judged"), samples=SAMPLES)
    app = create_app(settings)
    app.testing = True
    app.after_request(as_described)
    store = house(app).store
    numbers = {name: shelf.add(store, (SAMPLES / name).read_bytes(), name) for name in JUDGED}
    worker = Worker(store, settings)
    while worker.work():
        pass
    yield Visitor(app.test_client()), numbers
    store.close()


@pytest.fixture
def work(app: Flask) -> Callable[[], int]:
    """Do all waiting jobs; says how many there were."""

    def work() -> int:
        worker, done = Worker(house(app).store, house(app).settings), 0
        while worker.work():
            done += 1
        return done

    return work
