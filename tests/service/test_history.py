"""What has been: the list, best times, places of accidents, the export, deleting."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from shapely import Point
from sqlalchemy import delete, func, inspect, select, text, update

from referee.race.challenge import GiveUp, Honest, Run
from referee.race.clock import Instant
from referee.race.drive import Call
from referee.race.match import Cheated, Crossed, StartOver
from referee.race.match import Judged as JudgedInRace
from referee.report.words import ACCIDENTS
from referee.service import language
from referee.service.app import create_app
from referee.service.checks import exhibit, judging, shelf
from referee.service.front import HERE
from referee.service.history import calls, drawing, parcel, places
from referee.service.history.best import MOST as MOST_TIMES
from referee.service.past import File, pasts, sweep_all
from referee.service.settings import Settings
from referee.service.store.open import Store, open_store
from referee.service.store.tables import accidents, boards, calendar, challenge_photos, metadata, race_looks, schema
from referee.stage.catalogue import Catalogue
from tests.race.play import FAIR, Attempt, at
from tests.race.test_match import at_the_boards
from tests.service.at_the_table import ONE_PIXEL
from tests.service.conftest import SAMPLES, Visitor, house
from tests.service.test_store import postgres  # noqa: F401  the fixture
from tests.service.what_was import NOW, accident, game, judged_row, many_photos, photo, run

Work = Callable[[], int]
EVIL = '<img src=x onerror=alert(1)>"=cmd.jpg'


@pytest.fixture
def store(app: Flask) -> Store:
    return house(app).store


def entries(client: Visitor, query: str = "") -> list[dict[str, object]]:
    answer = client.get(f"/api/history{query}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, object]] = answer.json["entries"]  # type: ignore[index]
    return found


def paged(client: Visitor) -> list[tuple[str, str]]:
    """Kind and id of all entries, from pages of two."""
    seen, query = [], "most=2"
    for _ in range(20):
        answer = client.get(f"/api/history?{query}").json
        assert answer is not None
        seen += [(one["kind"], one["id"]) for one in answer["entries"]]
        if answer["next"] is None:
            return seen
        query = f"most=2&from={answer['next']}"
    raise AssertionError(f"no end after {len(seen)} entries")


def named(id: str, played: Attempt) -> Run:
    return replace(played.run, id=id)


def parcel_of(client: Visitor, query: str = "") -> zipfile.ZipFile:
    answer = client.get(f"/api/history/export{query}")
    assert answer.status_code == 200, answer.text
    found = zipfile.ZipFile(io.BytesIO(answer.data))
    assert found.testzip() is None
    return found


def rows_of(parcel: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(parcel.read(name).decode("utf-8-sig"))))


def files_kept(settings: Settings) -> list[str]:
    root = settings.data / "pictures"
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


# ----------------------------------------------------------------------------------------------------------- the list


def test_checks_challenges_and_races_stand_in_one_list_the_latest_first(client: Visitor, store: Store) -> None:
    check = photo(store, "first.jpg", NOW)
    run(store, named("run-2", at("confidence", (4,)).drives(50_000)), NOW + 1)
    game(store, at_the_boards().races().match, NOW + 2)
    found = entries(client)
    assert [one["kind"] for one in found] == ["races", "challenges", "checks"]
    assert found[0]["title"] == "Ada, Béa against Cem, Dan, Eli"
    assert (found[1]["time_ms"], found[1]["outcomes"]) == (50_000, [{"tone": "fair", "words": "Won!"}])
    assert (found[2]["title"], found[2]["page"]) == ("first.jpg", f"/checks/{check}")
    page = client.get("/history/").text
    assert page.index("Ada, Béa against") < page.index("Confidence") < page.index("first.jpg")
    assert [one["kind"] for one in entries(client, "?kind=challenges")] == ["challenges"]


def test_a_photo_of_a_challenge_is_no_entry_of_its_own(client: Visitor, store: Store) -> None:
    photo(store, purpose="challenge run-1")
    assert entries(client) == []


def test_every_entry_is_on_one_page_though_many_began_at_the_same_instant(client: Visitor, store: Store) -> None:
    for n in range(5):
        photo(store, f"{n}.jpg", NOW)
        run(store, Run(f"run-{n}", "confidence", ("Ada", "Béa"), legs=at("confidence", (4,)).run.legs), NOW)
        game(store, replace(at_the_boards().match, id=f"match-{n}"), NOW)
    seen = paged(client)
    assert len(seen) == len(set(seen)) == 15


def test_the_pages_lead_from_the_newest_to_the_oldest(client: Visitor, store: Store) -> None:
    many_photos(store, 100)
    page, seen = client.get("/history/?kind=checks").text, 0
    while True:
        seen += page.count('<li class="row')
        onward = re.search(r'href="([^"]+)" rel="next"', page)
        if onward is None:
            break
        page = client.get(onward[1].replace("&amp;", "&")).text
    assert seen == 100


@pytest.mark.parametrize("query", ["?from=x", "?from=nan,checks,x", "?from=1.0,cheques,x", "?kind=cheques"])
def test_a_place_that_is_none_is_refused(client: Visitor, query: str) -> None:
    assert client.get(f"/api/history{query}").status_code == 400
    assert client.get(f"/history/{query}").status_code == 400


def test_a_run_that_cannot_be_read_any_more_hides_no_other(client: Visitor, store: Store) -> None:
    run(store, named("run-a", at("confidence", (4,)).drives(50_000)), NOW)
    run(store, named("run-b", at("confidence", (4,)).drives(40_000)), NOW + 1)
    game(store, at_the_boards().match, NOW + 2)
    with store.database.writing() as connection:
        connection.execute(text("UPDATE challenge_run SET state = '{\"format\": 99}' WHERE id = 'run-a'"))
        connection.execute(text("UPDATE race SET state = '[]'"))
    assert [one["outcomes"][0]["tone"] for one in entries(client)] == ["error", "fair", "error"]  # type: ignore[index]
    assert client.get("/history/best").status_code == 200
    assert client.call("DELETE", "/api/history/challenges/run-a").json == {"deleted": 1}


def test_what_is_not_over_is_said_to_be_so(client: Visitor, store: Store) -> None:
    run(store, at("confidence", (4,)).run, NOW)
    game(store, at_the_boards().match, NOW)
    assert {one["outcomes"][0]["words"] for one in entries(client)} == {"Not over yet"}  # type: ignore[index]


def test_a_lost_challenge_says_why(client: Visitor, store: Store) -> None:
    run(store, at("confidence", (4,)).drives(61_000).run)
    [lost] = entries(client)
    assert "You took 1:01.0" in lost["outcomes"][0]["words"]  # type: ignore[index]


def test_thousands_of_checks_leave_every_page_quick(client: Visitor, store: Store) -> None:
    many_photos(store, 5_000, accidents_each=3)
    middle = f"{NOW - 2500:.0f},checks,c0002500"
    for address in ("/history/", f"/history/?from={middle}", "/history/places", "/history/places/7", "/history/best"):
        client.get(address)
        began = time.process_time()
        assert client.get(address).status_code == 200
        assert time.process_time() - began < 1.5, address


# --------------------------------------------------------------------------------------------------------- best times


def best_times(client: Visitor) -> dict[str, dict[object, list[dict[str, object]]]]:
    answer = client.get("/api/history/best-times").json
    assert answer is not None
    return {
        "stages": {one["stage"]: one["times"] for one in answer["stages"]},
        "challenges": {one["challenge"]: one["times"] for one in answer["challenges"]},
    }


def test_the_quickest_times_come_first_from_challenges_and_races(client: Visitor, store: Store) -> None:
    run(store, named("run-1", at("confidence", (4,)).drives(50_000)), NOW)
    run(store, named("run-2", at("confidence", (4,)).drives(45_000, driver=1)), NOW + 1)
    race = at_the_boards(stage=4).races("A", 48_000).does(JudgedInRace("A", FAIR))
    game(store, race.match, NOW + 2)
    found = best_times(client)
    assert [time["ms"] for time in found["stages"][4]] == [45_000, 48_000, 50_000]
    assert [time["who"] for time in found["stages"][4]][:2] == ["Béa for Ada, Béa, Cem", "Ada for Ada, Béa"]
    assert [time["ms"] for time in found["challenges"]["Confidence"]] == [45_000, 50_000]
    page = client.get("/history/best").text
    assert page.index("0:45.0") < page.index("0:50.0")
    french = client.client.get("/history/best", headers={"Accept-Language": "fr"}).text
    assert "0:45,0" in french


def test_practice_counts_for_nothing(client: Visitor, store: Store) -> None:
    run(store, at("confidence", (4,), practice=True).drives(10_000).run)
    assert best_times(client) == {"stages": {}, "challenges": {}}
    assert "practice" in client.get("/history/").text


@pytest.mark.parametrize(
    "call", [Call("ignored-accident", 1), Call("unfinished"), Call("review", doubtful=1), None], ids=str
)
def test_only_a_fair_drive_has_a_time(client: Visitor, store: Store, call: Call | None) -> None:
    run(store, at("confidence", (4,)).drives(20_000, call).run)
    race = at_the_boards(stage=4).races("A", 20_000)
    game(store, race.does(JudgedInRace("A", call)).match if call else race.match)
    assert best_times(client)["stages"] == {}


def test_a_fair_stage_of_a_challenge_that_was_left_has_a_time_and_what_was_left_under_way_has_none(
    client: Visitor, store: Store
) -> None:
    left = at("qualification", (4, 5)).drives(50_000)
    run(store, left.does(GiveUp()).run)
    assert [*best_times(client)["stages"]] == [4]
    assert best_times(client)["challenges"] == {}


def test_a_heat_that_was_started_over_and_a_team_that_cheated_have_no_time(client: Visitor, store: Store) -> None:
    over = at_the_boards(stage=4).races("A").does(Crossed("B"), JudgedInRace("B", FAIR), StartOver(dead_heat=False))
    cheat = at_the_boards(stage=4).races("A").does(JudgedInRace("A", FAIR), Cheated("A", so=True))
    game(store, replace(over.match, id="match-1"))
    game(store, replace(cheat.match, id="match-2"))
    assert best_times(client)["stages"] == {}


def test_a_time_on_honour_is_marked(client: Visitor, store: Store) -> None:
    run(store, at("confidence", (4,)).drives(50_000, call=None).does(Honest(0)).run)
    assert best_times(client)["stages"][4][0]["on_honour"] is True
    assert "on honour" in client.get("/history/best").text


def test_a_won_challenge_keeps_its_time_when_its_run_is_deleted(client: Visitor, store: Store) -> None:
    number = run(store, at("confidence", (4,)).drives(50_000).run)
    assert client.call("DELETE", f"/api/history/challenges/{number}").status_code == 200
    found = best_times(client)
    assert found["stages"] == {}
    assert [(time["ms"], time["page"]) for time in found["challenges"]["Confidence"]] == [(50_000, "")]


def test_no_more_than_some_times_are_told(client: Visitor, store: Store) -> None:
    for n in range(MOST_TIMES + 3):
        run(store, named(f"run-{n}", at("confidence", (4,)).drives(30_000 + n)), NOW + n)
    assert [time["ms"] for time in best_times(client)["stages"][4]] == [30_000 + n for n in range(MOST_TIMES)]


# ------------------------------------------------------------------------------------------- where accidents happen


def test_accidents_beyond_doubt_are_counted_by_section_and_the_others_only_mentioned(
    client: Visitor, store: Store
) -> None:
    stage = Catalogue().find(7)
    line = next(line for line in stage.white_lines if line.sections == (3,))
    place = tuple(float(one) for one in line.points_mm[len(line.points_mm) // 2])
    crash = accident(0, (place[0], place[1]), element=line.id)
    photo(store, stage=7, events=[crash, accident(1, (50, 50), "lift", certain=False)])
    photo(store, stage=7, events=[crash], purpose="challenge run-1")
    photo(store, stage=1, events=[accident(0, (10, 10), "start")])
    told = client.get("/api/history/stages/7/accidents").json
    assert told is not None
    assert (told["boards"], told["too_close_to_call"], len(told["accidents"])) == (2, 1, 2)
    assert told["sections"] == [{"section": 3, "accidents": 2}]
    assert {one["section"] for one in told["accidents"]} == {3}
    page = client.get("/history/places/7").text
    assert "Over a white line" in page
    assert "Marker lifted" not in page
    assert "2 accidents on 2 judged boards" in client.get("/history/places").text


def test_an_accident_that_a_decision_has_turned_is_gone(store: Store) -> None:
    number = photo(store, stage=7, events=[accident(0, (50, 50))])
    with store.database.writing() as connection:
        connection.execute(boards.delete().where(boards.c.check_id == number))
        connection.execute(boards.insert().values(**judged_row(number, 7, [])))
        assert connection.execute(select(func.count()).select_from(accidents)).scalar_one() == 0


def test_the_worker_writes_the_accidents_of_a_report_down(judged: tuple[Visitor, dict[str, str]]) -> None:
    client, numbers = judged
    store = house(client.client.application).store
    for number in numbers.values():
        check = shelf.found(store, number)
        assert check is not None
        events = [one for board in check.boards for one in (board.report or {}).get("events", ())]
        with store.database.reading() as connection:
            rows = connection.execute(select(accidents).where(accidents.c.check_id == number)).all()
        told = [(one["cause"], one["certain"], *one["at_mm"]) for one in events if one["kind"] == "accident"]
        assert sorted((row.cause, row.certain, row.x_mm, row.y_mm) for row in rows) == sorted(told)
    assert client.get("/history/places").text.count("door") > 0


def test_reports_of_a_time_without_the_table_are_gathered_into_it(tmp_path: Path) -> None:
    store = open_store(Settings(tmp_path))
    for n in range(3):
        photo(store, stage=7 if n else None, events=[accident(0, (50, 50 + n)), accident(3, (90, 90), "jump")])
    with store.database.writing() as connection:
        connection.execute(text("DROP TABLE photo_accident"))
        connection.execute(update(schema).values(version=1))
    store.close()
    again = open_store(Settings(tmp_path))
    with again.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(accidents)).scalar_one() == 4
        assert "ix_photo_accident_stage" in {one["name"] for one in inspect(connection).get_indexes("photo_accident")}
    again.close()


def test_a_stage_that_nobody_knows_is_refused_and_one_whose_file_is_gone_is_told_in_numbers(
    client: Visitor, store: Store
) -> None:
    assert client.get("/history/places/99").status_code == 404
    assert client.get("/api/history/stages/99/accidents").status_code == 404
    photo(store, stage=99, events=[accident(0, (50, 50))])
    assert "cannot be drawn" in client.get("/history/places/99").text
    told = client.get("/api/history/stages/99/accidents").json
    assert told is not None
    assert told["accidents"][0]["section"] is None


def test_on_a_bridge_an_accident_is_of_the_road_that_its_restart_leads_to() -> None:
    stage = Catalogue().find(5)
    under, over = (
        (low, high)
        for low in stage.sections
        for high in stage.sections
        if high.number > low.number + 1 and low.road.intersection(high.road).area > 50
    ).__next__()
    spot = under.road.intersection(over.road).representative_point()
    before_over = max(
        (checkpoint for checkpoint in stage.checkpoints if checkpoint.section <= over.number), key=lambda one: one.order
    )
    assert before_over.section > under.number
    found = [
        places.Accident("c", "lift", None, None, restart, (spot.x, spot.y)) for restart in ("start", before_over.id)
    ]
    assert places.sections_of(stage, found) == (under.number, over.number)


def test_a_white_line_says_itself_of_which_section_it_is() -> None:
    stage = Catalogue().find(5)
    line = next(line for line in stage.white_lines if line.sections == (2,))
    far_away = places.Accident("c", "white-line", None, line.id, "start", (1.0, 1.0))
    assert places.sections_of(stage, [far_away]) == (2,)


def test_distances_to_a_road_are_those_that_geometry_tells() -> None:
    points = np.random.default_rng(7).uniform(-20, 320, (200, 2))
    for section in Catalogue().find(16).sections:
        ours = places.distances_mm(points, np.asarray(section.road.exterior.coords))
        assert np.allclose(ours, [section.road.distance(Point(point)) for point in points], atol=1e-6)


def test_every_cause_of_an_accident_has_a_shape_of_its_own_and_words() -> None:
    assert set(places.CAUSES) == set(ACCIDENTS) == set(drawing.SHAPES)
    assert len({path for path, _ in drawing.SHAPES.values()}) == len(places.CAUSES)
    assert all(language.has(f"history.cause.{cause}") for cause in places.CAUSES)


def test_accidents_at_one_place_become_one_mark_with_their_number() -> None:
    found = [places.Accident("c", "lift", None, None, None, (60.0 + n / 10, 60.0)) for n in range(5)]
    found.append(places.Accident("c", "jump", None, None, None, (60.0, 60.0)))
    marks = drawing.marks_of(found)
    assert [(mark.cause, mark.count) for mark in marks] == [("lift", 5), ("jump", 1)]
    assert marks[0].at_mm == pytest.approx((60.2, 60.0))
    assert marks[0].scale > marks[1].scale


def test_thousands_of_accidents_make_a_small_picture() -> None:
    stage, random = Catalogue().find(7), np.random.default_rng(3)
    spots = random.uniform((0, 0), stage.size_mm, (5000, 2))
    found = tuple(places.Accident("c", "lift", None, None, None, (float(x), float(y))) for x, y in spots)
    with_request = drawing.marks_of(found)
    assert len(with_request) < 2000


# --------------------------------------------------------------------------------------------------------- the export


def test_the_parcel_holds_everything_that_is_kept(client: Visitor, store: Store) -> None:
    number = photo(store, "park.jpg", events=[accident(0, (50, 50))])
    run(store, at("confidence", (4,)).drives(50_000).run)
    game(store, at_the_boards().races().match)
    found = parcel_of(client)
    assert set(found.namelist()) == {
        "read-me.txt", "history.csv", "best-times.csv", f"checks/{number}.json", "challenges/run-1.json",
        "challenges/won.json", "races/match-1.json",
    }  # fmt: skip
    check = json.loads(found.read(f"checks/{number}.json"))
    assert check["boards"][0]["report"]["events"][0]["cause"] == "white-line"
    assert json.loads(found.read("challenges/won.json"))["wins"][0]["challenge"] == "confidence"
    assert json.loads(found.read("races/match-1.json"))["state"]["heats"][0]["stage"] == 1
    rows = rows_of(found, "history.csv")
    assert {row["Title"] for row in rows} == {
        "park.jpg",
        "Confidence · Ada, Béa, Cem",
        "Ada, Béa against Cem, Dan, Eli",
    }
    assert {row["Best of"] for row in rows_of(found, "best-times.csv")} == {"Stage 4", "Confidence"}
    letter = client.client.get("/api/history/export", headers={"Accept-Language": "fr"})
    assert "lisez-moi.txt" in zipfile.ZipFile(io.BytesIO(letter.data)).namelist()


def test_pictures_are_in_the_parcel_where_they_are_wished(client: Visitor, store: Store) -> None:
    number = photo(store)
    gone = photo(store)
    check = shelf.found(store, gone)
    assert check is not None
    store.pictures.delete(str(check.picture))
    found = parcel_of(client, "?pictures=yes")
    assert [name for name in found.namelist() if name.startswith("pictures/")] == [f"pictures/{number}.png"]
    assert found.read(f"pictures/{number}.png") == ONE_PIXEL
    answer = client.send("/history/export", pictures="yes")
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=referee-")
    assert f"pictures/{number}.png" in zipfile.ZipFile(io.BytesIO(answer.data)).namelist()


@pytest.mark.parametrize(
    "name", ["=cmd|' /C calc'!A0.jpg", "+1.jpg", "-1.jpg", "@SUM(A1).jpg", "a;=cmd().jpg", 'a","=cmd().jpg', EVIL]
)
def test_no_name_becomes_a_formula_in_a_spreadsheet(client: Visitor, store: Store, name: str) -> None:
    photo(store, name)
    kept = entries(client)[0]["title"]
    text = parcel_of(client).read("history.csv").decode("utf-8-sig")
    for separator in (",", ";"):
        cells = [cell for row in csv.reader(io.StringIO(text), delimiter=separator) for cell in row]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    [row] = csv.DictReader(io.StringIO(text))
    assert row["Title"].replace("'", "") == str(kept).replace("'", "")


def test_names_with_scripts_are_shown_as_names(client: Visitor, store: Store) -> None:
    number = photo(store, EVIL, events=[accident(0, (50, 50), element=EVIL)])
    played = at("confidence", (4,)).drives(50_000).run
    run(store, replace(played, team=("<script>x</script>", "Béa")))
    for address in ("/history/", "/history/best", "/history/places/7", f"/history/delete/checks/{number}"):
        page = client.get(address).text
        assert "<img src=x" not in page
        assert "<script>x" not in page
    assert "&lt;img src=x" in client.get("/history/").text


def test_a_parcel_is_made_while_it_is_sent() -> None:
    """Of a hundred large files no two are ever in memory, and the first pieces leave before the last file is asked."""
    asked = []

    class Endless(io.RawIOBase):
        left = 2_000_000

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            taken = min(size, self.left)
            self.left -= taken
            return bytes(taken)

    def files() -> Iterator[File]:
        for n in range(100):
            asked.append(n)
            yield File(f"pictures/{n}.jpg", NOW, Endless())  # type: ignore[arg-type]

    sent = parcel.zipped(files())
    first = next(sent)
    assert (asked, len(first) < 2 * parcel.PIECE) == ([0], True)
    sizes = [len(piece) for piece in sent]
    assert max(sizes) < 2 * parcel.PIECE
    assert len(first) + sum(sizes) > 100 * 2_000_000


def test_only_so_many_parcels_are_made_at_once(client: Visitor, store: Store) -> None:
    photo(store)
    for _ in range(2 * calls.AT_ONCE):  # what was sent makes room again
        parcel_of(client)
    with contextlib.ExitStack() as held:
        for _ in range(calls.AT_ONCE):
            assert calls.BUSY.acquire(blocking=False)
            held.callback(calls.BUSY.release)
        assert client.get("/api/history/export").status_code == 429
    parcel_of(client)


def test_another_site_s_page_gets_no_parcel(client: Visitor) -> None:
    answer = client.client.get("/api/history/export", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403


# ----------------------------------------------------------------------------------------------------------- deleting


def test_one_entry_is_deleted_with_pictures_drawings_and_rows_once_somebody_is_sure(
    client: Visitor, store: Store, settings: Settings
) -> None:
    number, other = photo(store, "a.jpg", events=[accident(0, (50, 50))]), photo(store, "b.jpg")
    asked = client.get(f"/history/delete/checks/{number}").text
    assert "a.jpg" in asked
    assert client.send(f"/history/delete/checks/{number}").status_code == 400
    assert shelf.found(store, number) is not None
    assert client.send(f"/history/delete/checks/{number}", sure="yes").status_code == 303
    assert [one["id"] for one in entries(client)] == [other]
    assert [path for path in files_kept(settings) if number in path] == []
    assert len(files_kept(settings)) == 2
    with store.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(accidents)).scalar_one() == 0
    assert client.get(f"/history/delete/checks/{number}").status_code == 404
    assert client.call("DELETE", f"/api/history/checks/{number}").status_code == 404
    assert client.call("DELETE", "/api/history/cheques/x").status_code == 404


def test_everything_goes_when_the_word_is_typed_and_what_was_won_stays_unless_asked(
    client: Visitor, store: Store, settings: Settings
) -> None:
    fill(store)
    for wrong in ({"word": ""}, {"word": "yes"}, {"word": "DEL"}):
        assert client.send("/history/delete-all", what="everything", **wrong).status_code == 400
    assert client.send("/history/delete-all", what="all", word="delete").status_code == 400
    assert len(entries(client)) == 3
    assert client.send("/history/delete-all", what="everything", word=" Delete. ").status_code == 303
    assert entries(client) == []
    assert files_kept(settings) == []
    assert left(store) == {"challenge_book": 1}
    assert len(best_times(client)["challenges"]) == 1
    fill(store)
    assert client.send("/history/delete-all", what="everything", word="effacer", won="yes").status_code == 303
    assert left(store) == {}
    assert best_times(client) == {"stages": {}, "challenges": {}}


def test_all_pictures_go_and_the_results_stay(client: Visitor, store: Store, settings: Settings) -> None:
    fill(store)
    assert client.send("/history/delete-all", what="pictures", word="delete").status_code == 303
    assert files_kept(settings) == []
    assert len(entries(client)) == 3
    assert "thumb.jpg" not in client.get("/history/").text


def test_a_program_deletes_by_saying_what(client: Visitor, store: Store) -> None:
    fill(store)
    wrongs: list[object] = [
        {},
        {"what": "all"},
        {"what": "everything", "won": "yes"},
        {"what": "pictures", "more": 1},
        [],
    ]
    for wrong in wrongs:
        assert client.call("POST", "/api/history/delete", json=wrong).status_code == 400
    assert client.client.post("/api/history/delete", json={"what": "everything"}).status_code == 403
    assert client.call("POST", "/api/history/delete", json={"what": "everything"}).json == {"deleted": 3}
    assert left(store) == {"challenge_book": 1}


def test_what_is_deleted_while_it_is_judged_leaves_nothing_behind(
    client: Visitor, store: Store, settings: Settings, work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = shelf.add(store, (SAMPLES / "fair-park.jpg").read_bytes(), "a.jpg")
    draw = exhibit.draw

    def deleted_meanwhile(*what: Any) -> None:
        draw(*what)
        client.send(f"/history/delete/checks/{number}", sure="yes")
        draw(*what)

    monkeypatch.setattr(judging, "draw", deleted_meanwhile)
    assert work() == 1
    assert files_kept(settings) == []
    assert left(store) == {}


def test_the_hourly_broom_sweeps_the_pictures_of_every_journey(store: Store, settings: Settings) -> None:
    photo(store, at=NOW - 91 * 86400)
    photo(store, at=NOW - 91 * 86400, purpose="challenge x")
    young = photo(store, at=NOW - 89 * 86400)
    game(store, at_the_boards().match)
    for age, name in ((91, "old"), (89, "young")):
        row = {"race_id": "match-1", "heat": 0, "team": "A", "stage": 1, "state": "judged", "told": True}
        key = store.pictures.keep(ONE_PIXEL, "photos")
        with store.database.writing() as connection:
            came_s = NOW - age * 86400
            row |= {"created_at": came_s, "kept_from_ms": int(came_s * 1000)}
            connection.execute(race_looks.insert().values(**row, id=name, picture=key))
    today = calendar_at(store, NOW)
    assert sweep_all(store, 0, today) == 0
    assert sweep_all(store, settings.keep_days, today) == 3
    assert len(files_kept(settings)) == 3
    check = shelf.found(store, young)
    assert check is not None
    assert check.picture is not None


def calendar_at(store: Store, at_s: float) -> Instant:
    """An instant at which the page's calendar shows a time: here it begins with it."""
    with store.database.writing() as connection:
        connection.execute(delete(calendar))
    return Instant("boot", 0, int(at_s * 1000))


def fill(store: Store) -> None:
    """A photo of each journey, a run and a game; what all of them keep in files."""
    photo(store, events=[accident(0, (50, 50))])
    number = photo(store, purpose="challenge run-1")
    run(store, at("confidence", (4,)).drives(50_000).run)
    game(store, at_the_boards().races().match)
    key = store.pictures.keep(ONE_PIXEL, "photos")
    look = {"race_id": "match-1", "heat": 0, "team": "A", "stage": 1, "state": "judged", "told": True}
    with store.database.writing() as connection:
        told = {"check_id": number, "run_id": "run-1", "turn": 0, "shows": "after"}
        connection.execute(challenge_photos.insert().values(**told))
        connection.execute(race_looks.insert().values(**look, id="look", picture=key, created_at=NOW))


def left(store: Store) -> dict[str, int]:
    """How many rows are left in the tables that tell of people and what they did."""
    counts = {}
    with store.database.reading() as connection:
        for table in metadata.sorted_tables:
            if table.name not in ("schema_version", "secret", "job", "calendar"):
                counts[table.name] = int(connection.execute(select(func.count()).select_from(table)).scalar_one())
    return {name: count for name, count in counts.items() if count}


def test_what_is_deleted_is_overwritten_in_the_file(tmp_path: Path) -> None:
    store = open_store(Settings(tmp_path))
    photo(store, "grandmothers-birthday.jpg")
    shelf.remove_all(store)
    store.close()
    assert b"grandmothers-birthday" not in (tmp_path / "referee.db").read_bytes()


# ------------------------------------------------------------------------------------------------------ what is kept


def test_the_page_says_how_long_pictures_are_kept_and_that_all_stays_here(tmp_path: Path) -> None:
    for days, says in ((90, "after 90 days"), (1, "after one day"), (0, "until somebody deletes them")):
        app = create_app(Settings(tmp_path / str(days), keep_days=days))
        page = app.test_client().get("/history/kept").text
        assert says in page
        assert f"REFEREE_KEEP_DAYS={days}" in page
        assert "stays on the machine" in page
        assert str(tmp_path) not in page, "only this machine is told the folder"
        here = app.test_client().get("/history/kept", environ_overrides={HERE: True}).text
        assert str(tmp_path / str(days)) in here
        house(app).store.close()


def test_a_page_whose_pictures_are_elsewhere_does_not_say_that_they_stay(tmp_path: Path) -> None:
    app = create_app(Settings(tmp_path, pictures="memory://name:secret@family"))
    page = app.test_client().get("/history/kept").text
    assert "stays on the machine" not in page
    assert "REFEREE_PICTURES" in page
    assert "secret" not in page
    house(app).store.close()


def test_every_journey_with_entries_tells_the_history_of_them() -> None:
    assert [*pasts()] == ["checks", "challenges", "races", "live"]


def test_the_pages_of_the_history_read_no_pixel() -> None:
    """They are the server's, which must answer the clock meanwhile."""
    script = (
        "import sys, tempfile, pathlib\n"
        "from referee.service.app import create_app\nfrom referee.service.settings import Settings\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    app = create_app(Settings(pathlib.Path(folder)))\n"
        "    for page in ('', 'best', 'places', 'places/7', 'kept'):\n"
        "        assert app.test_client().get('/history/' + page).status_code == 200\n"
        "    assert len(app.test_client().get('/api/history/export').data) > 100\n"
        "    app.extensions['referee'].store.close()\n"
        "print(sorted({'cv2', 'scipy', 'skimage'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_postgresql_keeps_a_history_as_well(tmp_path: Path, postgres: str) -> None:  # noqa: F811
    settings = Settings(tmp_path, database=postgres)
    store = open_store(settings)
    with store.database.writing() as connection:  # as it was before there was a table of accidents
        connection.execute(text("DROP TABLE photo_accident"))
        connection.execute(update(schema).values(version=1))
    app = create_app(settings)
    client = Visitor(app.test_client())
    fill(house(app).store)
    for n in range(7):
        photo(house(app).store, f"{n}.jpg", NOW)
    assert len(paged(client)) == len(set(paged(client))) == 10
    for address in ("/history/best", "/history/places", "/history/places/7"):
        assert client.get(address).status_code == 200
    assert "history.csv" in parcel_of(client).namelist()
    assert client.call("POST", "/api/history/delete", json={"what": "everything", "won": True}).json == {"deleted": 10}
    assert left(house(app).store) == {}
    store.close()
    house(app).store.close()
