"""Files that are no films, or none that can be read: said in clear words."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cli import main
from referee.errors import BadVideo, NoBoard
from referee.live.film import cut_short, judge_film
from referee.live.outer import Newest
from referee.live.report import LiveReport
from referee.live.source import Source, address_shown
from referee.model import Judgement
from referee.rules import Rules
from referee.stage.catalogue import Catalogue
from referee.stage.load import load_stage
from tests.live.clips import HONOURED, filmed

STAGE = Path(__file__).resolve().parents[2] / "stage_masks" / "stage-01.svg"


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Ten frames of a grey table."""
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, (320, 240))
    for level in range(10):
        writer.write(np.full((240, 320, 3), 90 + level, np.uint8))
    writer.release()
    return path


def test_a_film_gives_its_frames_with_times_that_never_go_back(film: Path) -> None:
    times = [at_s for _, at_s in Source(str(film)).frames()]
    assert len(times) == 10
    assert times == sorted(set(times))
    assert times[-1] == pytest.approx(1.8, abs=0.05)


@pytest.mark.parametrize(
    ("content", "word"), [(b"", "empty"), (b"no film at all" * 50, "no film"), (b"RIFF\0\0\0\0AVI ", "no film")]
)
def test_what_is_no_film_is_refused_in_words(tmp_path: Path, content: bytes, word: str) -> None:
    path = tmp_path / "race.mp4"
    path.write_bytes(content)
    with pytest.raises(BadVideo) as told:
        Source(str(path))
    assert word in told.value.message or "no pictures" in told.value.message


def test_a_film_cut_short_is_watched_as_far_as_it_goes_or_refused(film: Path) -> None:
    film.write_bytes(film.read_bytes()[: film.stat().st_size // 2])
    seen = 0
    with contextlib.suppress(BadVideo):
        seen = len(list(Source(str(film)).frames()))
    assert seen < 10


def test_a_film_that_breaks_off_before_anybody_drove_is_a_bad_one(tmp_path: Path) -> None:
    blank = filmed(HONOURED)[0][0][0]
    path = tmp_path / "race.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5.0, HONOURED.size_wh)
    for _ in range(15):
        writer.write(blank)
    writer.release()
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 5])
    with pytest.raises(BadVideo) as told:
        judge_film(str(path), Catalogue(), Rules())
    assert "breaks off" in told.value.message


def test_what_is_missing_of_a_film_that_breaks_off_was_not_watched() -> None:
    driven = LiveReport(
        load_stage(STAGE), "A", Judgement("unfinished", (), False, 0, 0, (), ()), (), (), None, None, 1.0, None
    )
    fault = BadVideo("cut", "copy")
    (report,) = cut_short([driven], fault, 4.0, 9.0)
    assert report.unseen_s == ((4.0, 9.0),)
    with pytest.raises(BadVideo):
        cut_short([replace(driven, judgement=None)], fault, 4.0, 9.0)


@pytest.mark.parametrize(
    "address",
    [
        "rtsp://ann:secret@10.0.0.7:554/live",
        "http://10.0.0.7/video?user=ann&pwd=secret",
        "http://ann:sec/ret@10.0.0.7/video#secret",
        "rtsp://10.0.0.7/live;pwd=secret",
        "udp://@secret@10.0.0.7:5000?secret",
    ],
)
def test_nobody_reads_a_network_cameras_password(address: str) -> None:
    shown = address_shown(address)
    assert "10.0.0.7" in shown
    assert not any(word in shown for word in ("secret", "ret@", "ann"))


def test_a_network_camera_that_cannot_be_reached_is_told_without_its_password(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["watch", "tcp://ann:secret@127.0.0.1:9/live?pwd=secret", "--language", "fr"]) == 2
    said = capsys.readouterr()
    assert "secret" not in said.out + said.err
    assert "tcp://127.0.0.1:9/live ne donne pas d'images." in said.err


def test_a_folder_and_a_missing_file_are_no_films(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.mp4"):
        with pytest.raises(BadVideo):
            Source(str(path))


def test_a_film_without_a_board_says_so(film: Path) -> None:
    with pytest.raises(NoBoard):
        judge_film(str(film), Catalogue(), Rules())


class _Camera:
    """A camera that gives a few frames and then the last one again and again, or no more."""

    def __init__(self, frames: int, then_freezes: bool) -> None:
        self.left, self.freezes, self.about = frames, then_freezes, type("About", (), {"name": "camera 0"})()
        self.rng = np.random.default_rng(1)
        self.last = self.take_first()

    def take_first(self) -> np.ndarray:
        return self.rng.integers(0, 255, (120, 160, 3), dtype=np.uint8)

    def read(self) -> np.ndarray | None:
        self.left -= 1
        if self.left > 0:
            self.last = self.take_first()
            return self.last
        return self.last if self.freezes else None


def test_an_unplugged_camera_is_noticed() -> None:
    newest = Newest(_Camera(4, then_freezes=False))  # type: ignore[arg-type]
    with pytest.raises(BadVideo, match="no more pictures"):
        for _ in newest.frames():
            pass


def test_a_frozen_camera_is_noticed_by_its_clock() -> None:
    ticks = iter(range(10**9))
    newest = Newest(_Camera(3, then_freezes=True), clock=lambda: next(ticks) * 0.05)  # type: ignore[arg-type]
    with pytest.raises(BadVideo, match="frozen"):
        for _ in newest.frames():
            pass
