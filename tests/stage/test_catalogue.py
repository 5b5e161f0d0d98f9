"""Finding stages by number and by marker."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee.errors import BadStageFile, UnknownStage, WrongUsage
from referee.model import Stage
from referee.stage import catalogue as room
from referee.stage.catalogue import Catalogue, builtin_folder
from referee.stage.load import load_stage
from tests.stage.boards import RULER, board


def markers(first: int) -> dict[str, str]:
    return {f"fiducial-{i}": RULER[f"fiducial-{i}"].replace(f'"{63 + i}"', f'"{first + i - 1}"') for i in (1, 2, 3, 4)}


def put(folder: Path, name: str, number: int, title: str = "x", first: int | None = None) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    ids = markers(8 * (number - 1) if first is None else first)
    path.write_bytes(board(change=ids, root={"data-stage": str(number), "data-name": title}))
    return path


def test_stages_are_found_by_number_and_marker(tmp_path: Path) -> None:
    put(tmp_path, "a.svg", 21, "Mill Lane")
    put(tmp_path, "b.SVG", 30, "Far Away", first=400)
    stages = Catalogue([tmp_path], builtin=False)
    assert stages.numbers() == (21, 30)
    assert stages.find(21).name == "Mill Lane"
    for identity, copy, place in ((160, "A", 0), (162, "A", 2), (165, "B", 1), (167, "B", 3)):
        found = stages.of_marker(identity)
        assert found is not None
        assert (found[0].number, found[1], found[2]) == (21, copy, place)
    odd = stages.of_marker(405)
    assert odd is not None
    assert (odd[0].number, odd[1:]) == (30, ("B", 1))
    assert stages.of_marker(232) is None
    assert stages.of_marker(5) is None


def test_an_unknown_number_is_said_with_those_at_hand(tmp_path: Path) -> None:
    put(tmp_path, "a.svg", 21)
    with pytest.raises(UnknownStage, match="21"):
        Catalogue([tmp_path], builtin=False).find(22)


def test_a_stage_in_an_added_folder_replaces_the_one_before(tmp_path: Path) -> None:
    put(tmp_path / "one", "a.svg", 21, "Old")
    put(tmp_path / "two", "z.svg", 21, "New", first=400)
    stages = Catalogue([tmp_path / "one", tmp_path / "two"], builtin=False)
    assert stages.find(21).name == "New"
    assert stages.of_marker(160) is None
    assert stages.of_marker(400) is not None
    single = put(tmp_path / "three", "mine.svg", 21, "Mine")
    assert Catalogue([tmp_path / "one"], files=[single], builtin=False).find(21).name == "Mine"


def test_of_two_stages_with_the_same_markers_the_added_one_is_meant(tmp_path: Path) -> None:
    put(tmp_path / "one", "a.svg", 21, "Old", first=400)
    put(tmp_path / "two", "z.svg", 30, "New", first=400)
    for folders, number in ((["one", "two"], 30), (["two", "one"], 21)):
        found = Catalogue([tmp_path / name for name in folders], builtin=False).of_marker(401)
        assert found is not None
        assert found[0].number == number


def test_two_files_of_one_number_in_one_folder_are_an_error_for_that_number_only(tmp_path: Path) -> None:
    put(tmp_path, "a.svg", 21)
    put(tmp_path, "b.svg", 21)
    put(tmp_path, "c.svg", 22, "Fine")
    stages = Catalogue([tmp_path], builtin=False)
    with pytest.raises(BadStageFile, match=r"a\.svg and b\.svg are both stage 21"):
        stages.find(21)
    with pytest.raises(BadStageFile, match="both"):
        stages.of_marker(160)
    assert stages.find(22).name == "Fine"


def test_a_broken_file_hinders_nothing_but_its_own_stage(tmp_path: Path) -> None:
    put(tmp_path, "good.svg", 22, "Fine")
    (tmp_path / "broken.svg").write_bytes(board(drop=["finish"], change=markers(160), root={"data-stage": "21"}))
    (tmp_path / "empty.svg").write_bytes(b"")
    (tmp_path / "nan.svg").write_bytes(board(change=markers(176), root={"data-stage": "NaN"}))
    (tmp_path / "notes.txt").write_text("no stage")
    stages = Catalogue([tmp_path], builtin=False)
    assert stages.find(22).name == "Fine"
    assert stages.of_marker(168) is not None
    for lookup, argument, name in (
        (stages.find, 21, "broken"),
        (stages.of_marker, 161, "broken"),
        (stages.of_marker, 177, "nan"),
    ):
        with pytest.raises(BadStageFile, match=name):
            lookup(argument)
    assert sorted(path.name for path in stages.broken()) == ["broken.svg", "empty.svg", "nan.svg"]


def test_a_broken_file_that_stands_before_a_built_in_stage_says_so(tmp_path: Path) -> None:
    (tmp_path / "mine.svg").write_bytes(board(drop=["finish"], root={"data-stage": "1"}))
    with pytest.raises(BadStageFile) as raised:
        Catalogue([tmp_path]).find(1)
    assert raised.value.hint.endswith("Or take the file away: it stands before another stage 1.")
    with pytest.raises(BadStageFile) as alone:
        Catalogue([tmp_path], builtin=False).find(1)
    assert "another stage" not in alone.value.hint


def test_a_broken_file_whose_markers_cannot_be_read_is_known_by_its_number(tmp_path: Path) -> None:
    (tmp_path / "cut.svg").write_bytes(board(root={"data-stage": "21"})[:300])
    with pytest.raises(BadStageFile, match="cut"):
        Catalogue([tmp_path], builtin=False).of_marker(163)


def test_a_number_spelled_oddly_is_read_all_the_same(tmp_path: Path) -> None:
    text = board(change=markers(160)).replace(b'data-stage="9"', b"data-stage='&#50;1'")
    (tmp_path / "a.svg").write_bytes(text)
    (tmp_path / "b.svg").write_bytes(board(change=markers(200), root={"data-stage": "26"}).decode().encode("utf-16"))
    stages = Catalogue([tmp_path], builtin=False)
    assert stages.numbers() == (21, 26)
    assert stages.of_marker(200) is not None


def test_a_file_is_loaded_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path, "a.svg", 21, "First")
    loads: list[Path] = []

    def counted(path: Path) -> Stage:
        loads.append(path)
        return load_stage(path)

    monkeypatch.setattr(room, "load_stage", counted)
    stages = Catalogue([tmp_path], builtin=False)
    assert stages.find(21) is stages.find(21)
    assert Catalogue([tmp_path], builtin=False).find(21).name == "First"
    assert len(loads) == 1
    put(tmp_path, "a.svg", 21, "Second")
    os.utime(path, ns=(1, 1))
    assert stages.find(21).name == "Second"
    path.unlink()
    with pytest.raises(UnknownStage):
        stages.find(21)


def test_a_glance_loads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.svg", 21)
    monkeypatch.setattr(room, "load_stage", lambda _: pytest.fail("loaded"))
    assert Catalogue([tmp_path], builtin=False).numbers() == (21,)


def test_a_folder_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match="nowhere"):
        Catalogue([tmp_path / "nowhere"])


def test_the_built_in_stages_load_and_lie_where_they_are_expected() -> None:
    stages = Catalogue()
    assert builtin_folder().name == "stage_masks"
    assert not stages.broken()
    for number, path in stages.files().items():
        assert stages.find(number).number == number
        assert path.parent == builtin_folder()


def test_the_names_at_a_glance_are_those_of_the_loaded_stages(tmp_path: Path) -> None:
    odd = (
        builtin_folder()
        .joinpath("stage-01.svg")
        .read_text(encoding="utf-8")
        .replace('data-stage="1"', 'data-stage="77"')
    )
    assert 'data-name="Picnic Run"' in odd
    tmp_path.joinpath("odd.svg").write_text(odd.replace('data-name="Picnic Run"', "data-name='Tom &amp; Jerry'"))
    tmp_path.joinpath("none.svg").write_text(odd.replace('data-name="Picnic Run"', "").replace('"77"', '"78"'))
    catalogue = Catalogue([tmp_path])
    names = catalogue.names()
    assert names[77] == "Tom & Jerry"
    assert names == {number: catalogue.find(number).name for number in catalogue.numbers()}
