"""Make the project's own Python environment in `.venv`, on any system, with nothing but Python 3.11 or newer.

    python3 .ci/environment.py          what the referee needs
    python3 .ci/environment.py --dev    and what its tests need

Where OpenCV's window libraries are missing (a bare Linux server), opencv-python-headless takes the place of
opencv-python: the same API, never both in one environment.  pip cannot choose between the two, so this does.
A stamp in the environment makes a second run quick.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
OLDEST_PYTHON = (3, 11)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""Any of these will do for the tests that visit the page."""
WINDOW_LIBRARIES = ("libGL.so.1", "libxcb.so.1", "libglib-2.0.so.0", "libgthread-2.0.so.0")


def main() -> int:
    """Build what is missing; the exit status is 0 when the environment is ready."""
    parser = argparse.ArgumentParser(description="Make the environment in .venv.")
    parser.add_argument("--dev", action="store_true", help="with what the tests need")
    dev = parser.parse_args().dev
    if sys.version_info < OLDEST_PYTHON:
        return _stop("Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ".")
    stamp, mark = VENV / ("ready-dev" if dev else "ready"), _mark()
    if PYTHON.exists() and stamp.exists() and stamp.read_text() == mark:
        return 0
    try:
        _build(dev)
    except subprocess.CalledProcessError as error:
        return _stop(f"this step failed: {' '.join(map(str, error.cmd))}")
    if dev:
        _fetch_browser()
    stamp.write_text(mark)
    return 0


def _build(dev: bool) -> None:
    if not _can_install():
        shutil.rmtree(VENV, ignore_errors=True)
        _make_venv()
    wanted = requirements(dev, headless=not has_window_libraries())
    _install(*wanted)
    if not _opencv_loads():
        _say("OpenCV does not load here: taking opencv-python-headless instead.")
        _uninstall("opencv-python")
        _install(*requirements(dev, headless=True))
    _install("--no-deps", "--editable", str(ROOT))


def requirements(dev: bool, headless: bool) -> list[str]:
    """What pyproject.toml asks for, with the OpenCV that runs here."""
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted: list[str] = project["dependencies"] + (project["optional-dependencies"]["dev"] if dev else [])
    if not headless:
        return wanted
    return [re.sub(r"^opencv-python(?![\w-])", "opencv-python-headless", one) for one in wanted]


def has_window_libraries() -> bool:
    """Whether the system libraries are there that opencv-python loads; only Linux can lack them."""
    if not sys.platform.startswith("linux"):
        return True
    try:
        for library in WINDOW_LIBRARIES:
            ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _can_install() -> bool:
    """Whether the environment is there and takes packages: one that uv made has no pip, should uv be gone."""
    if not PYTHON.exists():
        return False
    if shutil.which("uv"):
        return True
    return subprocess.run([PYTHON, "-m", "pip", "--version"], check=False, capture_output=True).returncode == 0


def _make_venv() -> None:
    _say(f"Making {VENV}")
    if uv := shutil.which("uv"):
        _run(uv, "venv", "--python", sys.executable, str(VENV))
        return
    try:
        _run(sys.executable, "-m", "venv", str(VENV))
    except subprocess.CalledProcessError:
        shutil.rmtree(VENV, ignore_errors=True)
        _say("On Debian and Ubuntu: sudo apt install python3-venv")
        raise


def _install(*what: str) -> None:
    if uv := shutil.which("uv"):
        _run(uv, "pip", "install", "--quiet", "--python", str(PYTHON), *what)
    else:
        _run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what)


def _uninstall(what: str) -> None:
    if uv := shutil.which("uv"):
        _run(uv, "pip", "uninstall", "--quiet", "--python", str(PYTHON), what)
    else:
        _run(PYTHON, "-m", "pip", "uninstall", "--quiet", "--yes", "--disable-pip-version-check", what)


def _fetch_browser() -> None:
    """A browser for the tests that visit the page: the system's, else Playwright's own; else they are skipped."""
    if any(map(shutil.which, BROWSERS)):
        return
    _say("Fetching a browser for the tests that visit the page (170 MB).")
    try:
        _run(PYTHON, "-m", "playwright", "install", "chromium")
    except subprocess.CalledProcessError:
        _say("It cannot be fetched here: those tests will be skipped. On Debian and Ubuntu: sudo apt install chromium")


def _opencv_loads() -> bool:
    return subprocess.run([PYTHON, "-c", "import cv2"], check=False, capture_output=True).returncode == 0


def _mark() -> str:
    """What the environment depends on, as one word: the files that shape it, and this Python."""
    shaping = (ROOT / "pyproject.toml").read_bytes() + Path(__file__).read_bytes() + sys.version.encode()
    return hashlib.sha256(shaping + str(ROOT).encode()).hexdigest()


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True)


def _stop(words: str) -> int:
    _say(words)
    return 1


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
