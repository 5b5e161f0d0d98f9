"""The live page in Debian's Chromium with files as its camera and its microphone: from the countdown to the report.

The eye follows a script (`scripted`); `test_live_films` has the referee's own.  REFEREE_SCREENSHOTS=folder keeps
pictures.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Browser, Page, Playwright, ViewportSize, expect

from referee.service import language
from referee.service.live.calls import the_sittings
from tests.service.conftest import served_with_a_worker

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SIZES = {"phone": ViewportSize(width=390, height=844), "laptop": ViewportSize(width=1366, height=768)}
LOCALES = {"en": "en-GB", "fr": "fr-FR"}
SCRIPTED = "tests.service.scripted:Paced"
PATIENCE_MS = 180_000
RATE = 48_000
LATENCY_MS = 1000
"""The page's own part of a call's way on a busy machine; `test_live_films` measures with the referee's own eye."""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium here")


# ------------------------------------------------------------------------------------------- what the devices give


def film(path: Path, frames: int = 45) -> Path:
    """A file as Chromium's fake camera takes it: a desk with a sensor's noise, as MJPEG."""
    noise = np.random.default_rng(7)
    desk = np.full((720, 1280, 3), (150, 170, 180), dtype=np.int16)
    desk[100:680, 200:1080] = 235
    with path.open("wb") as out:
        for _ in range(frames):
            grain = noise.integers(-6, 7, size=desk.shape, dtype=np.int16)
            frame = np.clip(desk + grain, 0, 255).astype(np.uint8)
            out.write(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes())
    return path


def sound(path: Path, loud: tuple[tuple[float, float], ...], seconds: float = 40.0) -> Path:
    """A file as Chromium's fake microphone takes it: a quiet room, and somebody who speaks at some times."""
    noise = np.random.default_rng(3)
    samples = noise.normal(0, 0.002, round(seconds * RATE))
    for begin, end in loud:
        at = slice(round(begin * RATE), round(end * RATE))
        samples[at] += 0.25 * np.sin(2 * np.pi * 300 * np.arange(at.stop - at.start) / RATE)
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film and a sound; every second of the sound somebody says a word, once the room has been learned."""
    folder = tmp_path_factory.mktemp("devices")
    film(folder / "desk.mjpeg")
    sound(folder / "talk.wav", tuple((at, at + 0.5) for at in np.arange(6.0, 38.0, 2.0)))
    return folder


@pytest.fixture(scope="module")
def browser(playing: Playwright, files: Path) -> Iterator[Browser]:
    """A browser whose camera and microphone are files."""
    flags = ["--no-sandbox", "--use-fake-device-for-media-stream", "--autoplay-policy=user-gesture-required",
             f"--use-file-for-fake-video-capture={files / 'desk.mjpeg'}",
             f"--use-file-for-fake-audio-capture={files / 'talk.wav'}"]  # fmt: skip
    browser = playing.chromium.launch(executable_path=CHROMIUM, args=flags)
    yield browser
    browser.close()


class Visit:
    """Somebody with a browser at the live page; what the page complains of is kept."""

    def __init__(self, browser: Browser, address: str, size: str, code: str, **more: Any) -> None:
        self.code, self.address, self.name = code, address, f"live-{size}-{code}"
        allowed = more.pop("permissions", ["camera", "microphone"])
        more["color_scheme"] = "dark" if size == "phone" else "light"
        self.context = browser.new_context(locale=LOCALES[code], viewport=SIZES[size], permissions=allowed, **more)
        self.context.set_default_timeout(PATIENCE_MS)
        self.complaints: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda fault: self.complaints.append(str(fault)))

    def word(self, key: str, **values: object) -> str:
        return language.say(f"live.{key}", self.code, **values)

    def opens(self, two: bool = False) -> None:
        """From the list to the watch."""
        self.opens_and_begins(two)
        expect(self.page.locator("#start")).to_be_visible(timeout=PATIENCE_MS)

    def opens_and_begins(self, two: bool = False) -> None:
        """The same, wherever there may be no camera."""
        self.page.goto(f"{self.address}/live/")
        if two:
            self.page.get_by_label(self.word("choose.two")).check()
        self.page.click("#begin")
        self.page.wait_for_url(re.compile("/live/[^/]+$"))

    def state(self, *keys: str) -> None:
        """The one big state says one of these."""
        words = "|".join(re.escape(self.word(f"state.{key}")) for key in keys)
        expect(self.page.locator("#state-name")).to_have_text(re.compile(f"^({words})$"), timeout=PATIENCE_MS)

    def said(self) -> list[str]:
        """The clips that were said so far."""
        return self.page.evaluate("document.getElementById('live').referee.voice.said")

    def pleases(self, what: str) -> None:
        """Axe finds nothing, nothing is wider than the screen, and a picture is kept where one is wanted."""
        self.pictured(what)
        found = Axe().run(self.page)
        assert found.violations_count == 0, found.generate_report()
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1"), what

    def pictured(self, what: str) -> None:
        if folder := os.environ.get("REFEREE_SCREENSHOTS"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            self.page.screenshot(path=Path(folder) / f"{self.name}-{what}.png", full_page=True)

    def ends(self) -> None:
        assert self.complaints == []
        self.context.close()


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    app.config["LIVE_WATCH"] = SCRIPTED
    with served_with_a_worker(app) as address:
        yield address
        with app.app_context():
            the_sittings().close()


@pytest.fixture(params=[("phone", "fr"), ("laptop", "en")], ids=["phone", "laptop"])
def visit(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Visit]:
    visit = Visit(browser, address, *request.param)
    yield visit
    visit.ends()


# ------------------------------------------------------------------------------------------- a race from end to end


def test_a_race_from_the_countdown_to_the_report(visit: Visit) -> None:
    page = visit.page
    page.goto(f"{visit.address}/live/")
    visit.pleases("choose")
    visit.opens()
    visit.state("opening")
    page.click("#start")
    visit.state("empty")
    visit.pleases("ready")
    page.click("#do-count")
    visit.state("armed")
    expect(page.locator("#count")).to_have_text("3")
    visit.pictured("counting")
    visit.state("hand")
    expect(page.locator(".call.wipeout")).to_be_visible(timeout=PATIENCE_MS)
    visit.pleases("racing")
    expect(page.locator(".radio")).to_be_visible(timeout=PATIENCE_MS)
    visit.pictured("pipe")
    expect(page.locator(".call.accident")).to_contain_text(visit.word("call.back", number=2))
    expect(page.locator("#after [data-verdict='fair']")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("#after .raced-time")).to_contain_text("0:08" + language.say("decimal", visit.code) + "6")
    visit.state("closed")
    page.wait_for_timeout(2500)
    visit.pleases("after")
    said = visit.said()
    assert said.count("finish") == 1
    assert said.count("accident") == 1
    assert said[said.index("accident") + 1] == "back-2"
    assert [one for one in said if one in ("wipeout", "donut-1", "radio-silence", "radio-on", "fair")] == [
        "wipeout", "donut-1", "radio-silence", "radio-on", "fair",
    ]  # fmt: skip
    assert "boost" not in said  # in the pipe
    assert said.count("tick") == 1  # the checkpoint before the pipe: in it the page is silent
    late = json.loads(page.get_attribute("#live", "data-latencies") or "[]")
    assert len(late) == 12
    print(f"\nink in view to the call on the page, ms: median {np.median(late):.0f}, p95 {np.percentile(late, 95):.0f}")
    assert np.median(late) < LATENCY_MS
    page.locator("#after [data-bar] button").click()
    page.wait_for_timeout(400)
    assert page.locator("#after .lapse circle").get_attribute("cx") is not None
    page.click("#do-next")
    visit.state("empty")


def test_two_teams_have_a_clock_each_and_are_called_by_name(app: Flask, browser: Browser, address: str) -> None:
    app.config["LIVE_WATCH"] = "tests.service.scripted:TwoTeams"
    visit = Visit(browser, address, "laptop", "en")
    visit.opens(two=True)
    visit.page.click("#start")
    visit.state("empty")
    visit.page.click("#do-count")
    expect(visit.page.locator(".lane .radio:visible")).to_have_count(2, timeout=PATIENCE_MS)
    visit.pleases("two")
    expect(visit.page.locator("#after [data-verdict='fair']")).to_have_count(2, timeout=PATIENCE_MS)
    clocks = visit.page.locator(".lane-clock").all_text_contents()
    assert clocks == ["0:08.6", "0:08.6"]
    visit.pleases("two-after")
    for _ in range(100):  # one team's finish is said after the other's
        if visit.said().count("finish") == 2:
            break
        visit.page.wait_for_timeout(100)
    said = visit.said()
    assert said[said.index("finish") - 1] == "team-a"
    assert said.count("finish") == 2
    visit.ends()


# ------------------------------------------------------------------------------------------- cameras that do not see

REFUSING = """navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no", "{name}"));"""
NO_HTTPS = """Object.defineProperty(navigator, "mediaDevices", {value: undefined});
Object.defineProperty(window, "isSecureContext", {value: false});"""


@pytest.mark.parametrize(
    ("reason", "script"),
    [
        ("denied", ""),
        ("busy", REFUSING.replace("{name}", "NotReadableError")),
        ("missing", REFUSING.replace("{name}", "NotFoundError")),
        ("insecure", NO_HTTPS),
    ],
)
@pytest.mark.parametrize(("size", "code"), [("phone", "fr"), ("laptop", "en")])
def test_a_camera_that_is_refused_has_its_own_words_and_a_way_on(
    browser: Browser, address: str, size: str, code: str, reason: str, script: str
) -> None:
    visit = Visit(browser, address, size, code, permissions=[])
    if script:
        visit.page.add_init_script(script)
    visit.opens_and_begins()
    if reason != "insecure":
        visit.page.click("#start")
    expect(visit.page.locator(f"[data-reason='{reason}']")).to_be_visible(timeout=PATIENCE_MS)
    expect(visit.page.locator(".way-on")).to_be_visible()
    expect(visit.page.locator("#file")).to_be_enabled()
    visit.pleases(f"camera-{reason}")
    visit.ends()


@pytest.mark.parametrize(("trouble", "how"), [("frozen", "video.pause()"), ("ended", "track.stop()")])
def test_a_camera_that_goes_is_told_within_two_seconds_and_the_race_is_marked(
    visit: Visit, trouble: str, how: str
) -> None:
    page = visit.page
    visit.opens()
    page.click("#start")
    visit.state("empty")
    page.click("#do-count")
    expect(page.locator(".call.checkpoint")).to_be_visible(timeout=PATIENCE_MS)
    took = page.evaluate(
        """async ([how, words]) => {
          const { camera, voice } = document.getElementById("live").referee;
          const video = document.getElementById("video");
          const track = camera.stream.getVideoTracks()[0];
          const at = performance.now();
          how === "video.pause()" ? video.pause() : track.stop();
          const took = {};
          while (performance.now() - at < 8000 && !(took.shown && took.said)) {
            await new Promise((done) => setTimeout(done, 10));
            if (document.getElementById("state-name").textContent === words) took.shown ??= performance.now() - at;
            if (voice.said.some((one) => one === "frozen" || one === "ended")) took.said ??= performance.now() - at;
          }
          return took;
        }""",
        [how, visit.word(f"state.{trouble}")],
    )
    print(f"\n{trouble}: shown after {took['shown']:.0f} ms, said after {took['said']:.0f} ms")
    assert took["shown"] < 2000
    assert took["said"] < 2000
    assert visit.said()[-1] == trouble
    visit.pleases(f"camera-{trouble}")
    page.wait_for_timeout(1500)
    page.evaluate("document.getElementById('video').play()") if trouble == "frozen" else page.click("#start")
    expect(page.locator("#state.bad")).to_have_count(0, timeout=PATIENCE_MS)
    expect(page.locator("#after [data-verdict]")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("#after .notice.unfinished").first).to_be_visible()
    assert "seen-again" in visit.said()


def test_a_referee_that_cannot_be_reached_is_told_and_waited_for(browser: Browser, address: str) -> None:
    visit = Visit(browser, address, "laptop", "en")
    visit.opens()
    visit.page.click("#start")
    visit.state("empty")
    visit.context.set_offline(True)
    visit.state("unheard")
    visit.pictured("unheard")
    visit.context.set_offline(False)
    visit.state("empty")
    visit.complaints.clear()  # the browser complains of every try
    visit.ends()


def test_a_watch_that_is_over_says_so(app: Flask, browser: Browser, address: str) -> None:
    visit = Visit(browser, address, "phone", "fr")
    visit.opens()
    with app.app_context():
        for sitting in the_sittings().all():
            the_sittings().end(sitting.id)
    expect(visit.page.locator("#gone")).to_be_visible(timeout=PATIENCE_MS)
    visit.complaints.clear()
    visit.pleases("gone")
    visit.ends()


# ------------------------------------------------------------------------------------------- the microphone


@pytest.fixture
def a_long_pipe(app: Flask, address: str) -> str:
    """The page, for a race whose pipe is so long that the page's own voice leaves time to hear the team."""
    app.config["LIVE_WATCH"] = "tests.service.scripted:LongPipe"
    return address


@pytest.mark.parametrize(("size", "code"), [("phone", "fr"), ("laptop", "en")])
def test_a_word_in_a_pipe_is_an_event_with_its_time_and_nothing_but_levels_is_sent(
    browser: Browser, a_long_pipe: str, size: str, code: str
) -> None:
    visit = Visit(browser, a_long_pipe, size, code)
    page = visit.page
    sent: list[Any] = []
    page.on("request", lambda asked: sent.append(asked.post_data_json) if "/noises" in asked.url else None)
    visit.opens()
    page.click("#start")
    visit.state("empty")
    page.click("#mic")
    expect(page.locator("#mic-state")).to_have_text(visit.word("source.mic_ready"), timeout=PATIENCE_MS)
    visit.pleases("mic")
    page.click("#do-count")
    expect(page.locator("#after .noises li").first).to_be_visible(timeout=PATIENCE_MS)
    visit.pleases("noise")
    assert sent
    for noise in sent:
        assert set(noise) == {"at_ms", "team", "in_pipe", "room_db", "peak_db", "levels"}
        assert noise["in_pipe"]
        assert noise["peak_db"] > noise["room_db"] + 10
        assert all(isinstance(level, (int, float)) for level in noise["levels"])
    link = page.locator("#after a[href*='/api/live/races/']").get_attribute("href")
    race = page.evaluate("async (link) => (await fetch(link)).json()", link)
    inside = {call["kind"]: call["at_s"] * 1000 for call in race["calls"] if call["kind"].startswith("pipe-")}
    assert all(inside["pipe-enter"] <= noise["at_ms"] <= inside["pipe-exit"] for noise in sent)
    assert len(race["noises"]) == len(sent)
    visit.ends()


def module(page: Page, name: str, script: str) -> Any:
    """What a script says of a module of the page's."""
    return page.evaluate(f"async () => {{ const it = await import('/static/{name}.js'); {script} }}")


@pytest.fixture
def any_page(browser: Browser, address: str) -> Iterator[Page]:
    page = browser.new_context().new_page()
    page.goto(f"{address}/live/")
    yield page
    page.context.close()


def test_the_room_is_learned_and_only_what_is_clearly_louder_counts(any_page: Page) -> None:
    told = module(
        any_page,
        "live_noise",
        """
        function hears(levels, own = () => false) {
          const room = new it.Room();
          const events = [];
          for (let n = 0; n < 100; n++) room.hear(n * 50, -60 + (n % 3), { learns: true, own: false });
          levels.forEach((db, n) => {
            const event = room.hear(5000 + n * 50, db, { learns: false, own: own(n) });
            if (event) events.push([event.at, Math.round(event.peak), event.levels.length]);
          });
          return events;
        }
        const quiet = (n) => Array(n).fill(-59);
        const loud = (n, db = -30) => Array(n).fill(db);
        return {
          word: hears([...quiet(20), ...loud(8), ...quiet(30)]),
          own: hears([...quiet(20), ...loud(8), ...quiet(30)], (n) => n >= 18 && n < 32),
          click: hears([...quiet(20), ...loud(2), ...quiet(30)]),
          murmur: hears([...quiet(20), ...loud(10, -52), ...quiet(30)]),
          two: hears([...quiet(20), ...loud(8), ...quiet(40), ...loud(8), ...quiet(30)]).length,
        };
        """,
    )
    assert told["word"] == [[6000, -30, told["word"][0][2]]]
    assert (told["own"], told["click"], told["murmur"], told["two"]) == ([], [], [], 2)


def test_the_urgent_is_said_first_the_stale_not_at_all_and_in_a_pipe_only_accidents(any_page: Page) -> None:
    told = module(
        any_page,
        "live_voice",
        """
        const call = (name, urgency, keep_ms, in_pipe = false) => ({ name, urgency, keep_ms, in_pipe });
        const all = (queue, now) => {
          const said = [];
          for (let one; (one = queue.next(now)); ) said.push(one.name);
          return said;
        };
        const urgent = new it.CallQueue();
        const calls = [["jump", 3], ["donut", 2], ["boost", 2], ["crash", 0]].map(([one, n]) => call(one, n, 9000));
        for (const one of calls) urgent.add(one, 0);
        const cuts = [urgent.cuts(call("jump", 3, 1)), urgent.cuts(call("accident", 0, 1)), urgent.cuts(null)];
        const stale = new it.CallQueue();
        stale.add(call("donut", 2, 1000), 0);
        stale.add(call("finish", 1, 9000), 0);
        const pipe = new it.CallQueue();
        const taken = [pipe.add(call("donut", 2, 1000), 0, true), pipe.add(call("accident", 0, 1000, true), 0, true)];
        const hushed = new it.CallQueue();
        hushed.add(call("donut", 2, 1000), 0);
        hushed.add(call("radio-silence", 1, 1000, true), 0);
        hushed.hush();
        return { urgent: all(urgent, 10), cuts, stale: all(stale, 2000), taken, hushed: all(hushed, 10) };
        """,
    )
    assert told["urgent"] == ["crash", "donut", "boost", "jump"]
    assert told["cuts"] == [True, False, False]
    assert told["stale"] == ["finish"]
    assert told["taken"] == [False, True]
    assert told["hushed"] == ["radio-silence"]


@pytest.mark.parametrize("code", ["en", "fr"])
def test_every_clip_can_be_heard_where_its_table_says(any_page: Page, code: str) -> None:
    told = module(
        any_page,
        "live_voice",
        f"""
        const clips = await (await fetch("/static/calls/{code}.json")).json();
        const bytes = await (await fetch("/static/calls/{code}.mp3")).arrayBuffer();
        const buffer = await new OfflineAudioContext(1, 1, 48000).decodeAudioData(bytes);
        const spoken = Object.fromEntries(Object.entries(clips).map(([name, clip]) => [name, clip.for]));
        it.trim(clips, buffer);
        const samples = buffer.getChannelData(0);
        return Object.entries(clips).map(([name, clip]) => {{
          const part = samples.slice(clip.at * buffer.sampleRate, (clip.at + clip.for) * buffer.sampleRate);
          const loud = Math.sqrt(part.reduce((sum, one) => sum + one * one, 0) / part.length);
          return [name, spoken[name], clip.for, loud];
        }});
        """,
    )
    for name, spoken, heard, loud in told:
        assert abs(spoken - heard) < 0.16, name
        assert loud > 0.05, name
