"""The referee's own watch behind the live page: a film goes through the eye's process, and through the browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest
from flask import Flask
from playwright.sync_api import Playwright, expect

from referee.errors import BadVideo
from referee.live.sight import LiveCall
from referee.service.live.calls import the_sittings
from referee.service.live.eye import OwnCamera
from referee.service.live.sitting import Eye
from tests.live.clips import HONOURED, filmed
from tests.service.conftest import served_with_a_worker
from tests.service.test_live_visits import CHROMIUM, PATIENCE_MS, Visit, pytestmark

__all__ = ["pytestmark"]

FAKE_FPS = 30
"""Chromium's fake camera plays an MJPEG so fast, whatever it was."""
LONG_MS = 180_000


def jpeg(frame: Any, quality: int = 90) -> bytes:
    encoded: bytes = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
    return encoded


@pytest.fixture
def eye() -> Iterator[Eye]:
    eye = Eye(None, ())
    yield eye
    eye.close()


def test_a_film_goes_through_the_eyes_process_and_its_report_comes_back(eye: Eye) -> None:
    frames, truth = filmed(HONOURED)
    eye.ask({"do": "begin", "stage": None})
    calls: list[Any] = []
    took: list[float] = []
    for frame, at_s in frames:
        sight, _ = eye.ask({"do": "look", "at_s": 100 + at_s}, jpeg(frame))
        took.append(sight["took_ms"])
        calls += [call for board in sight["boards"] for call in board["calls"]]
    assert [(call["kind"], call["cause"]) for call in calls[:2]] == [("start", None), ("accident", "white-line")]
    assert [call["kind"] for call in calls].count("accident") == 1
    assert calls[1]["restart_element"] == "start"
    assert set(calls[0]) == set(LiveCall.__dataclass_fields__)
    eye.ask({"do": "stop"})
    told, pictures = eye.ask({"do": "reports"})
    (board,) = told["boards"]
    assert board["stage"] == truth["stage"]
    assert board["driven"]
    assert board["film"]["accidents"] == 1
    assert all(100 < event["at_s"] < 100 + frames[-1][1] + 1 for event in board["film"]["events"])
    times = [point[2] for point in board["lapse"] if point is not None]
    assert times[0] == pytest.approx(min(times), abs=0.3)
    assert len(pictures) == board["picture_bytes"]
    assert pictures[:2] in (b"\xff\xd8", b"")
    print(f"\na look in the eye's process, decoding included: median {sorted(took)[len(took) // 2]:.0f} ms")


def test_a_film_of_an_empty_desk_says_nothing(eye: Eye) -> None:
    frames, _ = filmed(HONOURED)
    eye.ask({"do": "begin", "stage": None})
    desk = frames[0][0] * 0 + 150
    for number in range(5):
        sight, _ = eye.ask({"do": "look", "at_s": number / 5}, jpeg(desk))
        assert sight["boards"] == []
        assert sight["trouble"] is not None


def test_a_camera_of_the_computers_own_is_looked_through_and_its_end_is_told(tmp_path: Path) -> None:
    """A film stands for the camera: the newest of its frames are looked at, and then it is gone."""
    path = tmp_path / "camera.avi"
    written = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (320, 180))
    for number in range(20):
        written.write(cv2.resize(filmed(HONOURED)[0][number % 4][0], (320, 180)))
    written.release()
    seen: list[float] = []

    def see(bgr: Any, at_s: float) -> Any:
        seen.append(at_s)
        return {"at_s": at_s, "boards": [], "size": list(bgr.shape)}

    camera = OwnCamera(str(path), 1000.0, see)
    previews: list[bytes] = []

    def looks_on() -> None:
        for _ in range(200):
            _, preview = camera.next()
            previews.extend([preview] if preview else [])
            time.sleep(0.005)

    with pytest.raises(BadVideo, match=r"camera\.avi gives no more pictures"):
        looks_on()
    camera.close()
    assert seen
    assert seen == sorted(seen)
    assert 1000 <= seen[0] < 1010
    assert previews[0].startswith(b"\xff\xd8")


def test_a_race_before_the_browsers_camera_is_called_by_the_referee(
    playing: Playwright, app: Flask, tmp_path: Path
) -> None:
    """The real page, camera (a file) and watch: calls in their order, and a report, when it is ended by hand."""
    frames, truth = filmed(HONOURED)
    film = tmp_path / "race.mjpeg"
    each = round(FAKE_FPS / HONOURED.fps)
    shown = [jpeg(cv2.resize(frame, (1280, 720)), 85) for frame, _ in frames]
    order = [shown[0]] * 60 + [one for one in shown for _ in range(each)] + [shown[-1]] * 900
    film.write_bytes(b"".join(order))
    flags = ["--no-sandbox", "--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"]
    browser = playing.chromium.launch(executable_path=CHROMIUM, args=flags)
    with served_with_a_worker(app) as address:
        visit = Visit(browser, address, "laptop", "en")
        visit.opens()
        visit.page.click("#start")
        accident = visit.page.locator("#calls .call.accident").first
        expect(accident).to_be_visible(timeout=LONG_MS)
        expect(accident).to_contain_text(visit.word("call.back_start"))
        expect(visit.page.locator(".lane h2")).to_contain_text(str(truth["stage"]))
        visit.pictured("film")
        print("\nfrom ink in view to the call on the page, ms:", visit.page.get_attribute("#live", "data-latencies"))
        visit.page.click("#do-over")
        expect(visit.page.locator("#after [data-verdict]")).to_be_visible(timeout=PATIENCE_MS)
        expect(visit.page.locator("#after .call.accident")).to_be_visible()
        visit.pictured("film-after")
        visit.ends()
        with app.app_context():
            the_sittings().close()
    browser.close()
