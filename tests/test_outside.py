"""The outside of the house: what README, Makefile and the environment script promise each other."""

import doctest
import re
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from referee import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def environment() -> ModuleType:
    spec = spec_from_file_location("environment", ROOT / ".ci" / "environment.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_with_window_libraries_the_environment_holds_what_the_project_asks_for(environment: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert environment.requirements(dev=False, headless=False) == project["dependencies"]
    assert set(project["optional-dependencies"]["dev"]) < set(environment.requirements(dev=True, headless=False))


def test_without_them_only_opencv_changes_and_keeps_its_versions(environment: ModuleType) -> None:
    plain = environment.requirements(dev=True, headless=False)
    headless = environment.requirements(dev=True, headless=True)
    changed = [(a, b) for a, b in zip(plain, headless, strict=True) if a != b]
    assert [b for _, b in changed] == [a.replace("opencv-python", "opencv-python-headless") for a, _ in changed]
    assert len(changed) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux can lack them")
def test_a_library_that_is_not_there_is_noticed(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "WINDOW_LIBRARIES", ("libc.so.6",))
    assert environment.has_window_libraries()
    monkeypatch.setattr(environment, "WINDOW_LIBRARIES", ("libc.so.6", "libnowhere.so.1"))
    assert not environment.has_window_libraries()


def test_every_make_target_that_a_reader_is_told_of_is_there() -> None:
    told = set(re.findall(r"`make (\w+)`|^make (\w+)", README + (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE))
    targets = set(re.findall(r"^(\w[\w-]*):", MAKEFILE, re.MULTILINE))
    assert {first or second for first, second in told} <= targets


def test_every_command_that_a_reader_is_told_of_is_there() -> None:
    told = set(re.findall(r"`referee ([a-z-]+)", README))
    assert told
    for command in told:
        with pytest.raises(SystemExit) as stop:
            cli.main([command, "--help"])
        assert stop.value.code == 0


def test_every_place_on_the_map_of_the_house_is_there() -> None:
    places = re.findall(r"^\| `([\w/.]+?)/?`", README[README.index("## The map") :], re.MULTILINE)
    assert len(places) > 8
    assert all((ROOT / place).exists() for place in places)


@pytest.mark.skipif(not list((ROOT / "samples").glob("*.jpg")), reason="no samples in this checkout")
def test_the_example_in_python_does_what_the_readme_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile("../README.md", encoding="utf-8")
    assert tried >= 3
    assert failed == 0
