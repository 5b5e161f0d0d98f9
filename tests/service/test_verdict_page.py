"""What the script of the verdict page does while nobody judges: it neither waits for ever nor acts unasked."""

from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from referee.service.checks import shelf
from referee.service.serving import Opening, Serving
from tests.service.conftest import SAMPLES, house

PHOTO = (SAMPLES / "webcam-park.jpg").read_bytes()


@pytest.fixture
def waiting(app: Flask, browser: Browser) -> Iterator[tuple[Page, str]]:
    """The page of a photo that waits, and its check."""
    serving = Serving(app, Opening(house(app).settings.data, port=0))
    serving.start()
    number = shelf.add(house(app).store, PHOTO, "a.jpg")
    page = browser.new_page()
    page.goto(f"{serving.here()}/checks/{number}")
    yield page, number
    page.close()
    serving.stop()


def test_a_page_whose_check_is_deleted_stops_waiting(app: Flask, waiting: tuple[Page, str]) -> None:
    page, number = waiting
    with page.expect_navigation(timeout=20_000) as gone:
        shelf.remove(house(app).store, [number])
    assert gone.value.status == 404


def test_a_stage_is_said_by_the_button_and_not_by_looking_through_the_list(
    app: Flask, waiting: tuple[Page, str]
) -> None:
    page, number = waiting
    page.locator("#stage").select_option("5")
    page.wait_for_timeout(1500)
    check = shelf.found(house(app).store, number)
    assert check is not None
    assert check.said_stage is None
    page.locator("#stage-form button").click()
    page.wait_for_load_state()
    check = shelf.found(house(app).store, number)
    assert check is not None
    assert check.said_stage == 5
