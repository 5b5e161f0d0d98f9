"""The import law: which room may know which, read from the source, and what stays out of `import referee`."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import referee
from referee import pipeline

ROOT = Path(__file__).parent.parent
HOUSE = ROOT / "referee"
SOURCES = sorted(HOUSE.rglob("*.py"))

COMMON = {"model", "errors", "files", "hands", "words"}
DEAF_ROOMS = {"vision", "stroke", "geometry", "rules"}
"""These never see each other, nor the stage's files."""

MAY_SEE = {
    "errors": set(),
    "model": set(),
    "files": set(),
    "hands": set(),
    "words": {"model"},
    "paper": set(),
    "stage": COMMON | {"paper"},
    "tabletop": {"errors", "files", "words"},
    "turbo": {"errors", "files", "words", "paper", "stage", "tabletop"},
    "turbo_time": {"errors", "words", "paper", "model", "vision", "tabletop"},
    "vision": COMMON,
    "stroke": COMMON,
    "facts": {"model"},
    "geometry": COMMON | {"facts"},
    "rules": COMMON | {"facts"},
    "report": COMMON,
    "race": {"model", "errors", "rules"},
    "shelf": COMMON | {"vision", "stage"},
    "drafting": COMMON | {"vision", "stage"},
    "pipeline": COMMON | DEAF_ROOMS | {"stage", "facts", "shelf"},
    "__init__": COMMON | {"pipeline", "rules", "stage"},
    "bench": COMMON | DEAF_ROOMS | {"pipeline", "stage", "report", "live"},
    "clean_board": COMMON | {"vision"},
    "driven": COMMON | {"geometry", "rules"},
    "reliability": COMMON | {"pipeline", "stage", "rules", "report"},
    "calibrate": COMMON | {"vision"},
    "live": COMMON | DEAF_ROOMS | {"pipeline", "stage", "facts", "report"},
    "service": COMMON | {"pipeline", "driven", "clean_board", "race", "stage", "rules", "report", "live", "__init__"},
    "cli": COMMON
    | {"service", "pipeline", "stage", "drafting", "rules", "report", "bench", "calibrate", "reliability", "live"}
    | {"turbo", "turbo_time", "__init__"},
    "__main__": {"cli"},
}
"""The rooms of this house that each room may import."""

KEEPERS = {
    "cv2": {"vision", "stroke", "live", "report", "bench", "service"},
    "skimage": {"vision", "stroke", "live", "report", "bench"},
    "scipy": {"vision", "stroke"},
    "shapely": {"stage", "geometry", "model", "bench"},
    "flask": {"service"},
    "werkzeug": {"service"},
    "waitress": {"service"},
    "cryptography": {"service"},
    "itsdangerous": {"service"},
    "psutil": {"service"},
    "segno": {"service"},
    "sqlalchemy": {"service"},
    "fsspec": {"service"},
    "huey": {"service"},
    "reportlab": {"stage", "paper"},
    "resvg": {"stage"},
    "defusedxml": {"stage"},
    "pillow_heif": {"vision"},
}
"""The heavy libraries and who alone may import them."""

FROM_THE_RULES = {"race": "referee.rules.challenges"}
"""A room that plays by the rules without judging anything: of them it reads the one module that it plays from."""

CLOCKS_AND_WORKERS = {"threading", "asyncio", "multiprocessing", "socket", "concurrent"}
WITH_CLOCKS = {"service", "hands"}
"""The rooms that have threads, sockets and clocks; `hands` has threads alone, for work that falls into parts."""


def room_of(path: Path) -> str:
    """The room that a source file belongs to: its folder, or its own name at the top of the house."""
    inside = path.relative_to(HOUSE)
    return inside.parts[0] if len(inside.parts) > 1 else inside.stem


ROOMS = {room_of(path) for path in SOURCES}


def imports(path: Path) -> set[str]:
    """Every module or name that a source file imports, wherever in the file, in full."""
    package = ["referee", *path.relative_to(HOUSE).parts[:-1]]
    return set(imported(path.read_text(encoding="utf-8"), package))


def imported(source: str, package: list[str]) -> Iterator[str]:
    """Every module or name that a source text imports; relative ones are read from its package."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield from (".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names)


def rooms_in(names: set[str]) -> set[str]:
    """The rooms of this house among imported names; `import referee` itself is the room `__init__`."""
    parts = [name.split(".") for name in names if name.split(".")[0] == "referee"]
    return {part[1] if len(part) > 1 and part[1] in ROOMS else "__init__" for part in parts}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_a_room_imports_only_the_rooms_it_may_see(path: Path) -> None:
    room = room_of(path)
    assert rooms_in(imports(path)) - {room} <= MAY_SEE[room]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_a_heavy_library_stays_in_the_rooms_that_keep_it(path: Path) -> None:
    libraries = {name.split(".")[0] for name in imports(path)}
    strayed = {library for library in libraries & KEEPERS.keys() if room_of(path) not in KEEPERS[library]}
    assert not strayed


OUTER_SHELL = HOUSE / "live" / "outer.py"
"""Of the room that watches a table, the one module with threads and clocks."""


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(HOUSE)))
def test_no_room_starts_threads_or_opens_sockets(path: Path) -> None:
    if room_of(path) not in WITH_CLOCKS and path != OUTER_SHELL:
        assert not {name.split(".")[0] for name in imports(path)} & CLOCKS_AND_WORKERS


def test_the_rules_need_nothing_but_the_standard_library_and_the_model() -> None:
    allowed = sys.stdlib_module_names | {"referee"}
    assert {name.split(".")[0] for path in (HOUSE / "rules").rglob("*.py") for name in imports(path)} <= allowed


@pytest.mark.parametrize("room", FROM_THE_RULES)
def test_a_room_that_only_plays_sees_no_rule_that_judges(room: str) -> None:
    names = {
        name for path in (HOUSE / room).rglob("*.py") for name in imports(path) if name.startswith("referee.rules")
    }
    assert {name.rpartition(".")[0] for name in names} == {FROM_THE_RULES[room]}


def test_the_race_reads_no_clock_and_needs_nothing_but_the_standard_library() -> None:
    names = {name.split(".")[0] for path in (HOUSE / "race").rglob("*.py") for name in imports(path)}
    assert names <= {"__future__", "collections", "dataclasses", "functools", "types", "typing", "referee"}


def test_the_toy_shelf_plays_without_clock_file_and_paper() -> None:
    """Its rules need nothing else: `sheets` alone prints, `texts` alone reads files."""
    room = HOUSE / "turbo_time"
    core = [path for path in room.glob("*.py") if path.stem not in ("cli", "sheets")]
    names = {name for path in core for name in imports(path)}
    plain = {
        "__future__",
        "collections",
        "contextlib",
        "dataclasses",
        "difflib",
        "itertools",
        "pathlib",
        "random",
        "re",
    }
    assert {name.split(".")[0] for name in names} <= plain | {"tomllib", "typing", "zlib", "referee"}
    assert not any("referee.files.bytes_of" in imports(path) for path in core)
    shared = {path.stem: imports(path) for path in (HOUSE / "tabletop").glob("*.py")}
    assert {name for name, seen in shared.items() if "referee.files.bytes_of" in seen} == {"texts"}
    assert {path.stem for path in core if "random.Random" in imports(path)} == {"game"}


ON_PAPER = {"load", "sheets"}
"""Of the circuit race, the modules that read and print drawings: they see what the stages' room has for any drawing."""


def test_the_circuit_race_plays_without_clock_file_and_paper() -> None:
    """Its rules need nothing else: `load` and `cli` alone read files, `load` and `sheets` alone see drawings."""
    room = HOUSE / "turbo"
    core = {path: imports(path) for path in room.glob("*.py") if path.stem not in ("cli", *ON_PAPER)}
    plain = {"__future__", "collections", "dataclasses", "difflib", "functools", "itertools", "re", "typing", "zlib"}
    assert {name.split(".")[0] for names in core.values() for name in names} <= plain | {"referee"}
    assert not {
        name for names in core.values() for name in names if name.startswith(("referee.files", "referee.stage"))
    }


def test_the_circuit_race_knows_of_the_stages_only_how_a_drawing_is_read_and_painted() -> None:
    names = {name for path in (HOUSE / "turbo").rglob("*.py") for name in imports(path)}
    seen = {name.split(".")[2] for name in names if name.startswith("referee.stage")}
    assert seen == {"document", "faults", "figures", "walk", "printing_paint"}


def test_of_the_toy_shelf_only_its_camera_sees_pixels() -> None:
    room = HOUSE / "turbo_time"
    sighted = {path for path in room.rglob("*.py") if {"model", "vision"} & rooms_in(imports(path))}
    assert {path.parent.name for path in sighted} == {"camera"}


def test_what_a_look_at_a_frame_says_needs_nothing_but_the_standard_library_and_arrays() -> None:
    allowed = sys.stdlib_module_names | {"numpy"}
    assert {name.split(".")[0] for name in imports(HOUSE / "live" / "sight.py")} <= allowed


def test_the_law_catches_a_room_that_looks_into_another() -> None:
    source = (
        "def late():\n    from ..stroke import order\n    import referee.vision.find as find\n    import cv2.aruco\n"
    )
    names = set(imported(source, ["referee", "rules"]))
    assert names == {"referee.stroke.order", "referee.vision.find", "cv2.aruco"}
    assert rooms_in(names) - MAY_SEE["rules"] == {"stroke", "vision"}


def test_importing_the_referee_reads_neither_opencv_nor_flask() -> None:
    heavy = "{'cv2', 'flask', 'scipy', 'skimage', 'shapely', 'numpy', 'sqlalchemy', 'huey'}"
    script = f"import sys, referee; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_server_of_the_page_reads_no_pixel() -> None:
    """What judges and draws is for the worker's process: the server must answer the clock meanwhile."""
    script = (
        "import sys, tempfile, pathlib\n"
        "from referee.service import serve\nfrom referee.service.app import create_app\n"
        "from referee.service.settings import Settings\n"
        "with tempfile.TemporaryDirectory() as folder:\n"
        "    app = create_app(Settings(pathlib.Path(folder)))\n"
        "    assert app.test_client().get('/checks/').status_code == 200\n"
        "    app.extensions['referee'].store.close()\n"
        "print(sorted({'cv2', 'scipy', 'skimage'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_name_that_the_referee_offers_is_there_when_asked_for() -> None:
    assert referee.judge is pipeline.judge
    assert all(getattr(referee, name).__name__ == name for name in referee.__all__)
    with pytest.raises(AttributeError, match="no attribute 'gudge'"):
        referee.gudge  # type: ignore[attr-defined]  # noqa: B018


def test_the_package_list_names_every_room() -> None:
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    rooms = {"referee"} | {
        ".".join(["referee", *path.parent.relative_to(HOUSE).parts]) for path in HOUSE.rglob("*/__init__.py")
    }
    elsewhere = {name for name in setuptools["package-dir"] if name != "referee"}
    assert set(setuptools["packages"]) == rooms | elsewhere
