"""A race in a real browser, on a phone in French and on a laptop in English, from the two teams to the winner."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from referee.service.app import create_app
from referee.service.settings import Settings
from tests.service.conftest import SAMPLES, house, served_with_a_worker
from tests.service.test_race_gadgets import Board
from tests.service.test_visits import PATIENCE_MS, Visit, visit  # noqa: F401  the fixture

GO_MS = 10_000
"""A busy machine may be late for the countdown's end."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page behind its front, with a worker beside it."""
    settings = Settings(tmp_path_factory.mktemp("races"), samples=SAMPLES)
    app = create_app(settings)
    with served_with_a_worker(app) as address:
        yield address
    house(app).store.close()


def sit_down(visit: Visit, *, know: bool) -> Page:  # noqa: F811
    """Two teams begin a race; the youngest is in team B."""
    page = visit.page
    visit.go("/races/")
    for field, name in {"A-0": "Ada", "A-1": "Béa", "B-0": "Cem", "B-1": "Dan", "B-2": "Eli"}.items():
        page.fill(f"#{field}", name)
    page.get_by_text(visit.words("races.in_team", team="B"), exact=True).click()
    page.get_by_text(visit.words("races.knows_yes" if know else "races.knows_no"), exact=True).click()
    visit.looks_well("race-teams")
    page.click("#begin")
    expect(page.locator("#headline")).to_have_text(visit.words("races.at.stage", team="B"))
    return page


def photograph(page: Page, team: str, picture: Path) -> None:
    page.set_input_files(f"#picture-{team}", picture)


def drive(visit: Visit, *crossed: str) -> None:  # noqa: F811
    """3, 2, 1, Go, and somebody taps who crosses the finish."""
    page = visit.page
    page.click("#do-count-down")
    expect(page.locator("#count")).to_be_visible()
    finish = page.locator(f"#do-crossed-{crossed[0].lower()}")
    expect(finish).to_be_visible(timeout=GO_MS)
    visit.looks_well("race-driving")
    before = page.inner_text("#time")
    expect(page.locator("#time")).not_to_have_text(before)
    for team in crossed:
        page.click(f"#do-crossed-{team.lower()}")
        expect(page.locator(f"#do-crossed-{team.lower()}")).to_have_count(0)


def test_a_first_race_is_won_in_two_stages(visit: Visit) -> None:  # noqa: F811
    page = sit_down(visit, know=False)
    visit.looks_well("race-stage")
    page.click("#stage-1")
    expect(page.locator("#headline")).to_have_text(visit.words("races.at.warm-up"))
    visit.looks_well("race-warm-up")
    page.click("#do-warm-up-over")
    expect(page.locator("#do-count-down")).to_be_enabled()
    visit.looks_well("race-boards")
    drive(visit, "B", "A")
    visit.looks_well("race-crossed")
    for team in ("A", "B"):
        photograph(page, team, SAMPLES / "two-boards-park.jpg")
    expect(page.locator(".outcome.won h2")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("#now")).to_contain_text(visit.words("races.why.given-away", loser="B", winner="A"))
    expect(page.locator(".race-now .look[role=status]")).to_have_count(0, timeout=PATIENCE_MS)
    visit.looks_well("race-awarded")
    page.click("#do-onward")
    expect(page.locator("#headline")).to_have_text(visit.words("races.at.stage", team="B"))
    visit.looks_well("race-next")
    page.click("#stage-1")
    expect(page.locator("input[name=a]:checked")).to_have_value("1")
    drive(visit, "A")
    page.get_by_text(visit.words("races.without_photo")).first.click()
    page.click("#do-agreed-a")
    expect(page.locator("#headline")).to_contain_text(visit.words("races.at.over", team="A", names="")[:20])
    visit.looks_well("race-over")
    visit.go("/races/")
    expect(page.get_by_text(visit.words("races.won_by", team="A")).first).to_be_visible()
    visit.looks_well("race-list")


def test_cars_are_taken_and_a_choice_is_kept_while_the_page_renews_itself(visit: Visit) -> None:  # noqa: F811
    page = sit_down(visit, know=True)
    page.click("#stage-1")
    expect(page.locator("#headline")).to_have_text(visit.words("races.at.cars", team="A"))
    visit.looks_well("race-cars")
    page.fill("#car", "Sunday special")
    page.click("#do-take-other")
    expect(page.locator("#headline")).to_have_text(visit.words("races.at.cars", team="B"))
    page.click("#do-take-car-b-nitro")
    expect(page.locator("#do-count-down")).to_be_enabled()
    page.get_by_text("Béa", exact=True).click()
    page.click("#do-count-down")
    page.click("#do-call-off")
    expect(page.locator("#do-count-down")).to_be_visible()
    expect(page.locator("input[name=a]:checked")).to_have_value("0")  # another start: the suggestion again


@functools.cache
def drawn_too_short() -> bytes:
    """The board of team A with a rope that does not reach its white line."""
    return Board("A", "rope", how="jumped", short=6.0).before()


def test_a_misplaced_gadget_is_shown_before_the_start(visit: Visit, tmp_path: Path) -> None:  # noqa: F811
    page = sit_down(visit, know=True)
    page.click("#stage-1")
    page.click("#do-take-car-a-nitro")
    page.click("#do-take-car-b-clothesline")
    expect(page.locator(".gadget")).to_contain_text(visit.words("races.draw.clothesline", team="B"))
    expect(page.locator("#do-count-down")).to_be_disabled()
    visit.looks_well("race-gadget")
    picture = tmp_path / "board.jpg"
    picture.write_bytes(drawn_too_short())
    photograph(page, "A", picture)
    expect(page.locator("#now")).to_contain_text(visit.words("races.board.misplaced"), timeout=PATIENCE_MS)
    expect(page.locator(".look-picture")).to_be_visible()
    page.locator(".look-picture").evaluate("picture => picture.decode()")
    visit.looks_well("race-misplaced")
    page.click("#do-board-vouched-a")
    expect(page.locator("#do-count-down")).to_be_enabled()


def test_two_screens_show_the_same_race_and_the_same_time(visit: Visit) -> None:  # noqa: F811
    page = sit_down(visit, know=False)
    other = page.context.new_page()
    other.goto(page.url)
    page.click("#stage-1")
    expect(other.locator("#headline")).to_have_text(visit.words("races.at.warm-up"))
    other.click("#do-warm-up-over")
    page.click("#do-count-down")
    other.locator("#do-crossed-a").wait_for(timeout=GO_MS)
    page.locator("#do-crossed-a").wait_for(timeout=GO_MS)
    gone = [since_go(one) for one in (page, other)]
    assert abs(gone[0] - gone[1]) < 0.3  # of which a tenth is not shown, and the reading itself takes some
    other.click("#do-crossed-a")
    expect(page.locator("#headline")).to_contain_text("A")
    expect(page.locator("#do-crossed-b")).to_be_visible()


def since_go(page: Page) -> float:
    """When Go was, by this machine's clock, as a page in front shows it."""
    page.bring_to_front()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    before = time.monotonic()
    minutes, _, seconds = page.inner_text("#time").replace(",", ".").partition(":")
    return (before + time.monotonic()) / 2 - int(minutes) * 60 - float(seconds)
