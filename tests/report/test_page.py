"""The out folder: one page that asks nothing of the network, and the files beside it."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from referee.errors import WrongUsage
from referee.model import OtherReading, Report, Terms
from referee.report.document import document, dumps
from referee.report.page import Page
from tests.report import by_hand

EVIL = '<script>alert("x")</script>&.jpg'
VOID = {"meta", "img", "input", "link", "br"}


class Tags(HTMLParser):
    """Collects tags and attributes, and complains when an element is closed that was not open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        self.links += [value or "" for name, value in attrs if name in {"href", "src", "xlink:href", "action"}]
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parsed(folder: Path) -> Tags:
    tags = Tags()
    tags.feed((folder / "index.html").read_text(encoding="utf-8"))
    assert tags.open == []
    return tags


def test_one_board_makes_a_page_a_document_and_a_file_for_each_near_miss(tmp_path: Path) -> None:
    page = Page(tmp_path)
    names = page.add(by_hand.report(), several=False)
    page.write(dumps([document(by_hand.report(), names)], as_array=False))
    assert names == {0: "near-miss-1.jpg", 1: "near-miss-2.jpg"}
    assert {path.name for path in tmp_path.iterdir()} == {"index.html", "report.json", *names.values()}
    told = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert [miss["picture"] for miss in told["near_misses"]] == list(names.values())
    assert all((tmp_path / name).read_bytes()[:2] == b"\xff\xd8" for name in names.values())


def test_the_files_of_several_boards_do_not_meet(tmp_path: Path) -> None:
    page = Page(tmp_path)
    first, second = (page.add(by_hand.report(), several=True) for _ in range(2))
    assert not set(first.values()) & set(second.values())
    page.write("[]")
    ids = parsed(tmp_path).ids
    assert len(ids) == len(set(ids))


def test_an_earlier_runs_close_ups_are_cleared_away_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "near-miss-9.jpg").write_bytes(b"somebody's own")
    for report, several in ((by_hand.report(), True), (by_hand.report(), False)):
        page = Page(tmp_path)
        names = page.add(report, several=several)
        page.write(dumps([document(report, names)], as_array=False))
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"index.html", "report.json", "near-miss-1.jpg", "near-miss-2.jpg", "near-miss-9.jpg"}


def test_the_page_asks_nothing_of_the_network_and_links_only_to_itself(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.add(by_hand.report(), several=True)
    page.add(by_hand.failed(), several=True)
    page.write("[]")
    tags = parsed(tmp_path)
    assert all(link.startswith(("data:image/jpeg;base64,", "#")) for link in tags.links)
    assert {link[1:] for link in tags.links if link.startswith("#")} <= set(tags.ids)
    assert not re.search(r"url\(|@import|https?://", (tmp_path / "index.html").read_text(encoding="utf-8"))
    assert "script" not in tags.tags


@pytest.mark.parametrize("report", [by_hand.report(), by_hand.failed(EVIL)], ids=["judged", "failed"])
def test_a_name_full_of_markup_stays_words(tmp_path: Path, report: Report) -> None:
    stage = replace(by_hand.stage(), name=EVIL)
    event = by_hand.with_event(element=EVIL)
    judgement = report.judgement and replace(report.judgement, events=(event, *report.judgement.events[:3]))
    page = Page(tmp_path)
    page.add(replace(report, source=EVIL, stage=stage, judgement=judgement), several=False)
    page.write("{}")
    assert "script" not in parsed(tmp_path).tags
    assert "&lt;script&gt;" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_every_event_and_near_miss_is_on_the_page(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page.add(by_hand.report(), several=False)
    page.write("{}")
    written = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert "FAIR: finished, 1 accident, honoured." in written
    assert [f"board-1-event-{n}" in parsed(tmp_path).ids for n in (1, 2, 3, 4)] == [True] * 4
    assert "oil spill 1: 2.10\u00a0mm to spare" in written


def written(report: Report, folder: Path) -> str:
    page = Page(folder)
    page.add(report, several=False)
    page.write("{}")
    parsed(folder)
    return (folder / "index.html").read_text(encoding="utf-8")


def test_what_is_undecided_comes_before_the_board_with_its_close_up_and_answers(tmp_path: Path) -> None:
    told = written(by_hand.asking((by_hand.OVER_THE_LINE, 1), (by_hand.CROSSED_UNSEEN, None)), tmp_path)
    first = told[told.index('class="questions"') : told.index('class="evidence"')]
    assert "Please look at 2 places and decide" in first
    assert first.count('<img alt="Where to look: ') == 2
    for words in (by_hand.OVER_THE_LINE.ask, by_hand.CROSSED_UNSEEN.ask, "give or take", "Yes: NOT FAIR.", "No: FAIR."):
        assert words.replace(" mm", "\u00a0mm") in first
    assert "look at the board itself" in first


def test_a_question_carries_the_number_of_its_event_or_a_pin_of_its_own(tmp_path: Path) -> None:
    told = written(by_hand.asking((by_hand.OVER_THE_LINE, 1), (by_hand.CROSSED_UNSEEN, None)), tmp_path)
    assert re.findall(r'<p class="ask doubt">.*?<span class="number">(.*?)</span>', told) == ["2?", "?2"]
    assert re.findall(r'class="pin doubt"><title>(.*?)</title>', told) == ["2?. brush", "?2. open question"]
    assert 'href="#board-1-question-1">close-up</a>' in told


def test_a_settled_race_asks_nothing(tmp_path: Path) -> None:
    told = written(by_hand.report(), tmp_path)
    assert 'class="questions"' not in told
    assert "Please look" not in told


def test_a_verdict_that_hangs_on_the_order_shows_both_orders_as_small_boards(tmp_path: Path) -> None:
    question = replace(by_hand.OVER_THE_LINE, why="order", ask="Were the strokes drawn in this order?")
    other = OtherReading("fair", 0, "it is less likely", by_hand.judgement())
    told = written(replace(by_hand.asking((question, 3)), other_readings=(other,)), tmp_path)
    first = told[told.index('class="questions"') : told.index('class="evidence"')]
    assert first.count('class="board small"') == 2
    assert "As the referee reads it: PLEASE LOOK" in first
    assert "Or: FAIR, no accidents. Not taken: it is less likely." in first
    assert told.count('<use href="#board-1-picture"/>') == 2


def test_other_orders_of_a_settled_race_are_folded_away(tmp_path: Path) -> None:
    other = OtherReading("review", 1, "it is less likely", by_hand.judgement())
    told = written(replace(by_hand.report(), other_readings=(other,)), tmp_path)
    assert told.index("<summary>Show them</summary>") < told.index('class="board small"')


def test_every_picture_on_the_page_says_what_it_shows(tmp_path: Path) -> None:
    told = written(by_hand.asking((by_hand.OVER_THE_LINE, 1)), tmp_path)
    assert told.count("<img ") == told.count('<img alt="')
    assert all(words.strip() for words in re.findall(r'<img alt="(.*?)"', told))


def test_the_page_says_what_too_close_meant_in_this_run(tmp_path: Path) -> None:
    judgement = replace(by_hand.judgement(), terms=Terms(too_close_factor=3.0))
    assert "smaller than 1.5 times its ±" in written(replace(by_hand.report(), judgement=judgement), tmp_path)


def test_a_report_without_its_photo_still_makes_a_page(tmp_path: Path) -> None:
    page = Page(tmp_path)
    assert page.add(replace(by_hand.report(), photo=None), several=False) == {}
    page.write("{}")
    assert "Brushed white line 2" in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_wrong_usage(tmp_path: Path) -> None:
    page = Page(tmp_path / "not there")
    with pytest.raises(WrongUsage, match="cannot be written"):
        page.write("{}")


def test_of_many_boards_what_needs_a_person_comes_first_and_the_page_says_so(tmp_path: Path) -> None:
    fair, asking = by_hand.report(), by_hand.asking((by_hand.OVER_THE_LINE, 1))
    page = Page(tmp_path)
    for report in (fair, by_hand.failed(), replace(asking, source="asks.jpg")):
        page.add(report, several=True)
    page.write("[]")
    shown = (tmp_path / "index.html").read_text(encoding="utf-8")
    overview = shown[shown.index('<ul class="overview">') : shown.index("</ul>")]
    assert re.findall(r'href="#(board-\d)"', overview) == ["board-3", "board-2", "board-1"]
    assert "What needs a person comes first" in shown


def test_boards_that_need_nobody_stay_in_the_order_given(tmp_path: Path) -> None:
    page = Page(tmp_path)
    for _ in range(2):
        page.add(by_hand.report(), several=True)
    page.write("[]")
    assert "comes first" not in (tmp_path / "index.html").read_text(encoding="utf-8")
