"""The benchmark's table: every figure beside its peer and what must hold, missed or kept."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee.bench import clock, pictures
from referee.bench import run as bench
from referee.bench.floors import Floor, ink_of
from referee.errors import WrongUsage
from referee.model import Photo, Report
from referee.pipeline import judge_boards
from referee.stage.catalogue import Catalogue
from tests.report import by_hand


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "race.jpg"
    cv2.imwrite(str(path), np.zeros((70, 90, 3), np.uint8))
    return path


def measured(
    monkeypatch: pytest.MonkeyPatch,
    picture: Path,
    cold: tuple[float, float] = (0.3, 120.0),
    *,
    busy: bool = False,
    told: list[str] | None = None,
    **changes: Any,
) -> list[str]:
    """The lines of a run: judging takes 250 ms, decoding 100, every child process so many seconds and megabytes.

    One path and one size are measured beside it; the smaller picture cannot be judged.
    """
    failures = {b"a path": "", b"a picture": "too-small"}
    report = replace(by_hand.report(), **changes)
    monkeypatch.setattr(bench, "judge_boards", lambda *_, **__: [report])
    steps = {"decode": 60.0, "find": 30.0, "segment": 110.0, "total": 200.0}
    monkeypatch.setattr(bench, "_warm", lambda *_: [bench.Round(100.0, 250.0, steps)] * 2)
    monkeypatch.setattr(bench, "_child", lambda *_: cold)
    monkeypatch.setattr(bench, "_floors", lambda *_: {"find": Floor("the least there is", 7.0)})
    monkeypatch.setattr(bench, "_paths", lambda *_: iter([("x 1", b"a path")]))
    monkeypatch.setattr(bench, "_sizes", lambda *_: iter([("3", b"a picture")]))
    monkeypatch.setattr(bench, "_round", lambda stored, *_: bench.Round(100.0, 250.0, steps, failures[bytes(stored)]))
    monkeypatch.setattr(bench, "busy", lambda: "WARNING: busy" if busy else None)
    return list(bench.bench(picture, None, 2, told.append if told is not None else lambda _: None))


def test_every_figure_stands_beside_its_peer_and_what_must_hold(monkeypatch: pytest.MonkeyPatch, picture: Path) -> None:
    lines = measured(monkeypatch, picture, (0.3, 120.0))
    table = "\n".join(lines)
    assert lines[0] == "race.jpg: 900 x 700 = 0.6 megapixels, fair; median of 2 rounds"
    assert all(
        what in table
        for what in ("250 ms = 2.5 x its decode", "cv2.imdecode alone 120 MB", "bare Python", "3 x", "250 MB")
    )
    assert table.count("kept") == 4


def test_every_step_stands_beside_its_share_and_its_ratio(monkeypatch: pytest.MonkeyPatch, picture: Path) -> None:
    lines = measured(monkeypatch, picture)
    start = next(i for i, line in enumerate(lines) if line.startswith("Where a warm judging"))
    rows = [line.split() for line in lines[start + 1 : start + 7]]
    assert rows[0] == ["step", "ms", "share", "x", "decode", "least", "ms", "which", "is"]
    assert rows[1] == ["decode", "60.0", "24%", "0.60"]
    assert rows[2] == ["find", "30.0", "12%", "0.30", "7.0", "the", "least", "there", "is"]
    assert rows[-2] == ["between", "50.0", "20%", "0.50"]  # what no step accounts for
    assert rows[-1] == ["total", "250.0", "100%", "2.50"]


def test_growth_with_path_and_picture_is_shown(monkeypatch: pytest.MonkeyPatch, picture: Path) -> None:
    rows = [line.split() for line in measured(monkeypatch, picture)]
    assert ["x", "1", "250", "2.50", "110.0", "0.0", "0.0"] in rows
    assert ["3", "not", "judged:", "too-small"] in rows


def test_a_busy_machine_is_warned_of_and_a_long_wait_is_told(monkeypatch: pytest.MonkeyPatch, picture: Path) -> None:
    told: list[str] = []
    assert "WARNING: busy" not in measured(monkeypatch, picture)
    assert "WARNING: busy" in measured(monkeypatch, picture, busy=True, told=told)
    assert {"path x 1", "megapixels 3", "the same from a cold start"} <= set(told)


def test_load_and_unsteady_times_call_for_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    for load, warned in ((0.1, False), (3.0, True)):
        monkeypatch.setattr("os.getloadavg", lambda load=load: (load, load, load), raising=False)
        assert (clock.busy() is not None) is warned
    assert clock.unsteady([30.0, 31.0, 80.0]) is None
    assert "30 ms and 60 ms" in str(clock.unsteady([30.0, 60.0, 80.0]))


def test_a_drawn_path_is_as_long_as_it_is_said_and_is_judged() -> None:
    stage = Catalogue().find(bench.PATH_STAGE)
    whole, quarter = (np.hypot(*np.diff(pictures.driven(stage, k), axis=0).T).sum() for k in (1.0, 0.25))
    assert quarter == pytest.approx(whole / 4, rel=0.01)
    report = judge_boards(pictures.raced(stage, pictures.driven(stage, 0.25)))[0]
    assert report.judgement is not None
    assert report.judgement.path is not None
    (stroke,) = report.judgement.path.strokes
    assert stroke.arc_mm()[-1] == pytest.approx(quarter, abs=6)
    mask = ink_of((stroke,), stage.size_mm, 6.0)
    assert (mask > 0).sum() / 36 == pytest.approx(quarter * pictures.PEN_MM, rel=0.3)


def test_a_picture_is_made_larger_and_smaller() -> None:
    photo = Photo(np.zeros((600, 800, 3), np.uint8), "black")
    for megapixels in (0.24, 0.96):
        stored = np.frombuffer(pictures.resized(photo, megapixels), np.uint8)
        height, width = np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR)).shape[:2]
        assert width * height == pytest.approx(megapixels * 1e6, rel=0.03)
        assert width % 8 == height % 8 == 0


def test_what_takes_too_long_or_too_much_is_missed(monkeypatch: pytest.MonkeyPatch, picture: Path) -> None:
    assert "\n".join(measured(monkeypatch, picture, (2.6, 401.0))).count("MISSED") == 3


def test_a_picture_that_cannot_be_judged_is_no_measure(monkeypatch: pytest.MonkeyPatch, picture: Path) -> None:
    with pytest.raises(WrongUsage, match="cannot be judged"):
        measured(monkeypatch, picture, (0.3, 120.0), judgement=None, failure=by_hand.failed().failure)


def test_a_child_process_is_measured_by_itself() -> None:
    seconds, megabytes = bench._child([sys.executable, "-c", "b = bytearray(50_000_000); b[::4096] = b[::4096]"], 1)
    assert 0 < seconds < 20
    assert 50 < megabytes < 120 or megabytes != megabytes


def test_decoding_and_judging_are_timed(monkeypatch: pytest.MonkeyPatch, picture: Path) -> None:
    judged: list[Path] = []

    def judged_by_hand(path: Path, **_: object) -> list[Report]:
        judged.append(path)
        return [by_hand.report()]

    monkeypatch.setattr(bench, "judge_boards", judged_by_hand)
    warm = bench._warm(picture, Catalogue(), 3, lambda _: None)
    assert len(warm) == len(judged) == 3
    assert all(one.decode_ms > 0 and one.judge_ms > 0 and one.ratio == one.judge_ms / one.decode_ms for one in warm)


def test_without_samples_a_photo_must_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench, "SAMPLES", tmp_path)
    with pytest.raises(WrongUsage, match="no samples"):
        bench.largest_sample()
