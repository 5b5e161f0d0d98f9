"""The history in a real browser, on a phone in French and in the dark, on a laptop in English and in the light."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

from referee.race.match import Judged
from referee.service.app import create_app
from referee.service.history.places import CAUSES
from referee.service.serving import Opening, Serving
from referee.service.settings import Settings
from referee.service.store.open import Store
from referee.stage.catalogue import Catalogue
from tests.race.play import FAIR, at
from tests.race.test_match import at_the_boards
from tests.service.conftest import SAMPLES, house
from tests.service.test_visits import Visit, visit  # noqa: F401  the fixture
from tests.service.what_was import NOW, accident, game, photo, run

STAGE = 7


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page with a past, behind its front; nobody works."""
    settings = Settings(tmp_path_factory.mktemp("history"), samples=SAMPLES)
    app = create_app(settings)
    fill(house(app).store)
    serving = Serving(app, Opening(settings.data, port=0))
    serving.start()
    yield serving.here()
    serving.stop()
    house(app).store.close()


def fill(store: Store) -> None:
    """Photos with accidents of all causes along a stage's road, runs and games."""
    random = np.random.default_rng(5)
    course = np.vstack(Catalogue().find(STAGE).course)
    weights = [30, 12, 8, 5, 4, 3, 3, 2, 2]
    for n in range(45):
        events = []
        for seq in range(int(random.integers(0, 5))):
            x, y = course[int(random.triangular(0, len(course) * 0.6, len(course) - 1))] + random.normal(0, 5, 2)
            cause = str(random.choice(CAUSES, p=np.array(weights) / sum(weights)))
            events.append(accident(seq, (float(x), float(y)), cause, certain=bool(random.random() > 0.1)))
        photo(store, f"race-{n:02}.jpg", NOW + n, STAGE, events, verdict=("fair", "ignored-accident", "review")[n % 3])
    photo(store, "a-very-long-name-of-a-picture-that-somebody-has-called-so-" * 2 + ".jpg", NOW + 99, 1)
    for n, ms in enumerate((50_000, 41_300, 61_000)):
        run(store, replace(at("confidence", (4,)).drives(ms, driver=n).run, id=f"run-{n}"), NOW + 200 + n)
    run(store, replace(at("qualification", (STAGE, 4), practice=True).drives(30_000).run, id="run-p"), NOW + 210)
    race = at_the_boards(stage=4).races("A", 47_700)
    game(store, race.does(Judged("A", FAIR)).match, NOW + 220)


def test_what_has_been_is_listed_and_looked_through(visit: Visit) -> None:  # noqa: F811
    page = visit.page
    visit.go("/")
    page.get_by_role("link", name=visit.words("history.nav"), exact=True).click()
    expect(page.locator("#main .row")).to_have_count(40)
    visit.looks_well("history")
    page.get_by_role("link", name=visit.words("history.older")).click()
    expect(page.locator("#main .row")).to_have_count(11)
    visit.looks_well("history-older")
    page.get_by_role("link", name=visit.words("history.newest")).click()
    page.locator("#main").get_by_role("link", name=visit.words("challenges.nav")).click()
    expect(page.locator("#main .row")).to_have_count(4)
    visit.looks_well("history-challenges")


def test_the_best_times_are_read(visit: Visit) -> None:  # noqa: F811
    visit.go("/history/best")
    times = visit.page.locator("table.best").first.locator(".time")
    expect(times.first).to_have_text("0:41,3" if visit.language == "fr" else "0:41.3")
    visit.looks_well("history-best")


def test_where_accidents_happen_is_seen_and_told(visit: Visit) -> None:  # noqa: F811
    page = visit.page
    visit.go("/history/places")
    visit.looks_well("history-places")
    page.locator(".door").filter(has_text=f" {STAGE}").click()
    picture = page.locator("svg.accident-map")
    expect(picture).to_be_visible()
    page.wait_for_load_state("networkidle")
    counted = sum(int(number) for number in page.locator(".causes b").all_inner_texts())
    assert counted == sum(int(number) for number in page.locator("tbody td:nth-child(2)").all_inner_texts())
    expect(picture).to_have_attribute("aria-label", visit.words(
        "history.places.picture", stage=STAGE, name=Catalogue().find(STAGE).name, count=counted))  # fmt: skip
    visit.looks_well("history-stage")


def test_everything_is_taken_home(visit: Visit, tmp_path: Path) -> None:  # noqa: F811
    page = visit.page
    visit.go("/history/kept")
    visit.looks_well("history-kept")
    page.get_by_label(visit.words("history.kept.with_pictures")).check()
    with page.expect_download() as download:
        page.get_by_role("button", name=visit.words("history.kept.save")).click()
    download.value.save_as(tmp_path / "all.zip")
    names = zipfile.ZipFile(tmp_path / "all.zip").namelist()
    assert {visit.words("history.parcel.file"), "history.csv", "best-times.csv", "challenges/run-0.json"} <= {*names}
    assert len([name for name in names if name.startswith("pictures/")]) >= 40


def test_nothing_is_deleted_by_a_press_or_two(visit: Visit) -> None:  # noqa: F811
    page = visit.page
    visit.go("/history/?kind=races")
    page.locator("#main .row").get_by_role("link", name=visit.words("history.delete.button")).click()
    visit.looks_well("history-delete")
    page.get_by_role("button", name=visit.words("history.delete.button"), exact=True).click()
    assert "/history/delete/races/" in page.url, "the box must be ticked first"
    page.get_by_role("link", name=visit.words("history.delete.keep")).click()
    expect(page.locator("#main .row").first).to_be_visible()
    visit.go("/history/delete-all")
    visit.looks_well("history-delete-all")
    page.get_by_role("button", name=visit.words("history.delete.for_good")).click()
    assert page.url.endswith("/history/delete-all"), "the word must be typed first"
    page.get_by_label(visit.words("history.delete.type", word=visit.words("history.delete.word"))).fill("abc")
    page.get_by_role("button", name=visit.words("history.delete.for_good")).click()
    expect(page.locator("#main")).to_contain_text(visit.words("fault.not-sure.message"))
    visit.said.clear()  # a browser notes every answer that refuses


def test_one_thing_is_deleted_when_somebody_is_sure(visit: Visit) -> None:  # noqa: F811
    page = visit.page
    visit.go("/history/?kind=checks")
    row = page.locator("#main .row").first
    number = str(row.get_attribute("id"))
    row.get_by_role("link", name=visit.words("history.delete.button")).click()
    page.get_by_label(visit.words("history.delete.sure")).check()
    page.get_by_role("button", name=visit.words("history.delete.button"), exact=True).click()
    page.wait_for_url("**/history/")
    expect(page.locator(f"#{number}")).to_have_count(0)
