"""A file that somebody names is read only if it is one."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.cli import main
from referee.errors import RefereeError
from referee.files import bytes_of
from referee.rules.settings import rules_from_toml
from referee.stage.catalogue import Catalogue
from referee.stage.load import load_stage
from referee.vision.lens import lens_from_toml


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"1234")
    assert bytes_of(tmp_path / "a", 4) == b"1234"
    with pytest.raises(OSError, match="larger than"):
        bytes_of(tmp_path / "a", 3)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
@pytest.mark.parametrize("read", [rules_from_toml, load_stage, lens_from_toml])
def test_a_device_and_a_pipe_are_refused_at_once(read: Callable[[Path], object], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.svg")
    for odd in (Path("/dev/zero"), tmp_path / "pipe.svg", tmp_path):
        with pytest.raises(RefereeError):
            read(odd)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_a_link_to_itself_in_a_stage_folder_costs_no_other_stage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loop.svg").symlink_to("loop.svg")
    assert Catalogue([tmp_path]).find(1).number == 1
    main(["stages", "--stages", str(tmp_path)])
    assert "loop.svg" in "".join(capsys.readouterr())
