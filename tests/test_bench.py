"""The benchmark's table: every figure beside its peer and what must hold, missed or kept."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from referee import bench
from referee.errors import WrongUsage
from referee.model import Report
from referee.stage.catalogue import Catalogue
from tests.report import by_hand


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "race.jpg"
    cv2.imwrite(str(path), np.zeros((70, 90, 3), np.uint8))
    return path


def measured(monkeypatch: pytest.MonkeyPatch, picture: Path, cold: tuple[float, float], **changes: Any) -> list[str]:
    """The lines of a run: judging takes 250 ms, decoding 100, every child process so many seconds and megabytes."""
    report = replace(by_hand.report(), **changes)
    monkeypatch.setattr(bench, "judge_boards", lambda *_, **__: [report])
    steps = {"decode": 60.0, "find": 30.0, "segment": 110.0, "total": 200.0}
    monkeypatch.setattr(bench, "_warm", lambda *_: [bench.Round(100.0, 250.0, steps)] * 2)
    monkeypatch.setattr(bench, "_child", lambda *_: cold)
    return list(bench.bench(picture, None, rounds=2))


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
    rows = [line.split() for line in measured(monkeypatch, picture, (0.3, 120.0))[-6:]]
    assert rows[0] == ["step", "ms", "share", "x", "decode"]
    assert rows[1] == ["decode", "60.0", "24%", "0.60"]
    assert rows[-2] == ["between", "50.0", "20%", "0.50"]  # what no step accounts for
    assert rows[-1] == ["total", "250.0", "100%", "2.50"]


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
    warm = bench._warm(picture, Catalogue(), 3)
    assert len(warm) == len(judged) == 3
    assert all(one.decode_ms > 0 and one.judge_ms > 0 and one.ratio == one.judge_ms / one.decode_ms for one in warm)


def test_without_samples_a_photo_must_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bench, "SAMPLES", tmp_path)
    with pytest.raises(WrongUsage, match="no samples"):
        bench.largest_sample()
