"""What a designer is told about a stage file."""

# ruff: noqa: E501 (tables of elements read best with a row a line)

from __future__ import annotations

from pathlib import Path

import pytest

from referee.stage.catalogue import builtin_folder
from referee.stage.check import Checkup, check_stage
from tests.stage.boards import BRIDGE, RULER, board

CELLS = '<path d="M0 0h24v24h-24zM273 0h24v24h-24zM273 186h24v24h-24zM0 186h24v24h-24z" fill="#fff"/>'


def checked(tmp_path: Path, svg: bytes) -> Checkup:
    path = tmp_path / "mine.svg"
    path.write_bytes(svg)
    return check_stage(path)


def remarks(tmp_path: Path, **changes: object) -> list[str]:
    checkup = checked(tmp_path, board(**changes))  # type: ignore[arg-type]
    assert checkup.loads
    shown = [f"{r.element}: {r.text}" for r in checkup.remarks]
    return [text for text in shown if "fiducial" not in text or "fiducial" in str(changes)]


def test_a_file_that_does_not_load_has_one_error(tmp_path: Path) -> None:
    checkup = checked(tmp_path, board(drop=["finish"]))
    assert (checkup.loads, checkup.stage, checkup.description) == (False, None, None)
    assert [r.level for r in checkup.remarks] == ["error"]
    assert "mine.svg" in checkup.remarks[0].text


def test_a_good_board_is_told_nothing_but_its_figures(tmp_path: Path) -> None:
    assert remarks(tmp_path) == []
    checkup = checked(tmp_path, board())
    assert checkup.description is not None
    assert checkup.description.course_mm == pytest.approx(237)
    assert checkup.description.sections == 3
    assert checkup.description.markers == (64, 65, 66, 67)
    assert checkup.description.elements == {
        "checkpoint": 3,
        "jump": 1,
        "boost": 1,
        "oil-spill": 1,
        "pipe": 1,
        "white-line": 4,
    }


def test_a_bridge_is_counted(tmp_path: Path) -> None:
    description = checked(tmp_path, board(BRIDGE)).description
    assert description is not None
    assert description.elements["bridge"] == 1


@pytest.mark.parametrize("path", sorted(builtin_folder().glob("*.svg")), ids=lambda path: path.stem)
def test_the_built_in_stages_are_told_nothing(path: Path) -> None:
    assert check_stage(path).remarks == ()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"white-line-2": RULER["white-line-2"].replace("M100 39", "M100 38.7").replace("H180", "L180 38.7")}, "white-line-2: Its near edge"),
        ({"white-line-2": RULER["white-line-2"].replace("M100 39", "M100 39.3").replace("H180", "L180 39.3")}, "white-line-2: Its near edge"),
        ({"white-line-2": RULER["white-line-2"].replace('"2" d="M100 39', '"5" d="M100 37.5').replace("H180", "L180 37.5")}, "white-line-2: It is 5.00 mm"),
        ({"road-3": RULER["road-3"].replace("M198 40h82v20", "M198 33h82v27"), "checkpoint-3": RULER["checkpoint-3"].replace('y1="40"', 'y1="33"')}, "section 3 is 27.0 to 27.0 mm wide"),
        ({"checkpoint-1": RULER["checkpoint-1"].replace('y1="40"', 'y1="40.12"')}, "checkpoint-1: It ends 0.12 mm short"),
        ({"checkpoint-1": RULER["checkpoint-1"].replace('y1="40"', 'y1="20"')}, "checkpoint-1: It sticks out of its road by 20.0"),
        ({"checkpoint-1": RULER["checkpoint-1"].replace('data-order="1"', 'data-order="7"')}, "checkpoint-1: It lies before"),
        ({"pipe-1": RULER["pipe-1"].replace('y="38"', 'y="138"')}, "pipe-1: It lies off every road"),
        ({"oil-spill-1": RULER["oil-spill-1"].replace('cy="50"', 'cy="37"')}, "oil-spill-1: A good part"),
        ({"finish": RULER["finish"].replace('y2="60"', 'y2="55"')}, "finish: It ends 5.00 mm short"),
        ({"course": RULER["course"].replace("M25 50H180", "M25 50H120V30H140V50H180")}, "course: The course leaves the road"),
        ({"pipe-1": RULER["pipe-1"].replace("pipe-1", "jump-1", 1)}, "jump-1: 2 things share this id"),
    ],
)  # fmt: skip
def test_what_is_odd_is_said(tmp_path: Path, change: dict[str, str], says: str) -> None:
    assert any(says in text for text in remarks(tmp_path, change=change))


def test_markers_are_looked_at_on_the_print(tmp_path: Path) -> None:
    found = checked(tmp_path, board(extra=CELLS.replace("#fff", "#444"))).remarks
    assert sum("white round it" in r.text for r in found) == 4
    assert sum("does not show marker" in r.text for r in found) == 4


def test_marker_ids_of_another_stage_are_said(tmp_path: Path) -> None:
    found = checked(tmp_path, board(root={"data-stage": "12"})).remarks
    assert sum("stage 12 has 88" in r.text for r in found) == 1


def test_a_board_that_cannot_be_found_in_a_photo_is_said(tmp_path: Path) -> None:
    fiducials = [f"fiducial-{i}" for i in (1, 2, 3, 4)]
    assert any("neither corner markers" in text for text in remarks(tmp_path, drop=fiducials))
