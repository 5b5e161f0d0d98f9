"""Films of simulated races, with the truth of every event and when its ink came into view; a developer's command.

    python -m tests.simulation.film --out DIR --count 20 --seed 5
    python -m tests.simulation.film --out DIR --reels FILE [--plates DIR --python PYTHON]

``--reels`` is a JSON list of `Reel`s by their fields.  Without ``--plates`` a quick camera films a flat board over
which a hand of a few flat shapes goes; with it the path tracer in that folder (a ``video.py SPEC.json OUT``) does.
Each film gets a folder with ``film.avi`` (``film.mp4``) and ``truth.json``.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.model import Copy, Floats, Stage
from referee.stage.catalogue import Catalogue
from referee.stage.render import artwork
from tests.simulation.hand import CannotDriveError, Drawn, Race
from tests.simulation.pacing import Pacing, Stop, paced, shortened
from tests.simulation.paint import INKS, Desk, Marker, Rgb, _density, nearness, printed
from tests.simulation.scenarios import drive
from tests.simulation.silhouette import Silhouette
from tests.simulation.snapshot import Camera, lamp, linear, pose, projected
from tests.simulation.truth import event_json, truth_of

PX_PER_MM = 8.0
PIECE = 40
"""So many points of a stroke get their time together."""
AROUND_MM = 1.0
IN_VIEW = 0.7
"""An event's ink is in view when this share of a small disc about its place is."""

Picture = NDArray[np.uint8]
Json = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Reel:
    """One film: what is driven and how it is filmed.

    ``most_mm``: the driver stops after so much ink.  ``bumps``: (second, dx, dy in mm, degrees) by which the board is
    pushed.  ``rests``: (from, to in s, x, y in mm) another hand lies on the board.
    """

    name: str
    stage: int
    scenario: str = "clean"
    asked: Json = field(default_factory=dict)
    copy: Copy = "A"
    seed: int = 1
    colour: str = "black"
    width_mm: float = 2.6
    pace_mm_s: float = 55.0
    fps: float = 15.0
    size_wh: tuple[int, int] = (1280, 720)
    most_mm: float = 1e9
    before_s: float = 1.0
    after_s: float = 1.2
    between_s: float = 0.7
    stops: tuple[Json, ...] = ()
    bumps: tuple[tuple[float, float, float, float], ...] = ()
    rests: tuple[tuple[float, float, float, float], ...] = ()
    heading_deg: float = 35.0
    fill: float = 0.86
    tilt_deg: float = 18.0
    roll_deg: float = 0.0
    noise: float = 0.008
    ghost: bool = False
    tone: str = "medium"
    preset: str = "hand_over_board"
    overrides: Json = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Script:
    """A reel worked out: the race, its times, and the ink as a raster at ``PX_PER_MM``.

    ``density`` (H, W) 0 to 1; ``drawn_s`` (H, W) when each pixel got its ink, infinite without.
    """

    reel: Reel
    stage: Stage
    race: Race
    pacing: Pacing
    density: NDArray[np.float32]
    drawn_s: NDArray[np.float32]

    @cached_property
    def print_rgb(self) -> Rgb:
        return printed(artwork(self.stage, self.reel.copy, PX_PER_MM), "true")

    def board_at(self, at_s: float) -> Rgb:
        """The board's print (H, W, 3) with the ink drawn so far."""
        there = (self.density * (self.drawn_s <= at_s))[..., None]
        ink = np.array(INKS[self.reel.colour], np.float32)
        return np.asarray(np.rint(self.print_rgb * (1 - there) + ink * there), np.uint8)


def script_of(reel: Reel) -> Script:
    """What happens in a film."""
    stage = Catalogue().find(reel.stage)
    race = drive(stage, reel.scenario, reel.seed, reel.width_mm, **reel.asked)
    race = dataclasses.replace(race, strokes=shortened(race.strokes, reel.most_mm))
    stops = [Stop(**stop) for stop in reel.stops]
    rng = np.random.default_rng([reel.seed, 11])
    pacing = paced(race.strokes, stage.size_mm, reel.pace_mm_s, rng, stops, reel.before_s, reel.after_s, reel.between_s)
    density, drawn_s = _ink(race.strokes, pacing, Marker(reel.colour), stage.size_mm, rng)
    return Script(reel, stage, race, pacing, density, drawn_s)


def _ink(
    strokes: tuple[Drawn, ...], pacing: Pacing, marker: Marker, size_mm: tuple[float, float], rng: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    width, height = (round(v * PX_PER_MM) for v in size_mm)
    density = np.zeros((height, width), np.float32)
    drawn_s = np.full((height, width), np.inf, np.float32)
    desk = Desk(strokes, marker, rng, size_mm, PX_PER_MM)
    for stroke, times in zip(strokes, pacing.times_s, strict=True):
        reach = stroke.width_mm / 2 + 0.5
        near = nearness(stroke.points_mm, reach, size_mm, PX_PER_MM)
        np.maximum(density[near.window], _density(near, stroke, desk), out=density[near.window])
        for first in range(0, len(times) - 1, PIECE):
            part = slice(first, min(len(times), first + PIECE + 1))
            own = nearness(stroke.points_mm[part], reach, size_mm, PX_PER_MM)
            arc = stroke.arc_mm()[part]
            when = np.interp(own.arc_mm, arc - arc[0], times[part])
            when = np.where(np.isfinite(own.distance_mm), when, np.inf)
            np.minimum(drawn_s[own.window], when.astype(np.float32), out=drawn_s[own.window])
    return density, drawn_s


# ------------------------------------------------------------------------------------ the truth


def truth_json_of(script: Script, in_view: list[tuple[float, NDArray[np.bool_]]]) -> Json:
    """The events, each with when its ink was drawn and when it first showed.

    ``in_view``: for every frame its time and which of the events' places are not hidden.
    """
    truth = truth_of(script.race)
    events = []
    for number, event in enumerate(truth.events):
        drawn = _drawn_at(script, event)
        seen = next((t for t, free in in_view if t >= drawn and free[number]), None)
        events.append({**event_json(event, number), "drawn_s": round(drawn, 3), "in_view_s": seen})
    lifts = [
        {"at_mm": _at(script, stop), "away_s": _since(script, stop), "lasts_s": stop["lasts_s"]}
        for stop in script.reel.stops
        if stop.get("away")
    ]
    return {
        "stage": script.stage.number,
        "copy": script.reel.copy,
        "fps": script.reel.fps,
        "verdict": truth.verdict,
        "finished": truth.finished,
        "accidents": truth.accidents,
        "events": events,
        "same_spot_lifts": lifts,
        "last_ink_s": float(script.pacing.times_s[-1][-1]) if script.race.strokes else None,
        "reel": dataclasses.asdict(script.reel),
    }


def places_of(script: Script) -> Floats:
    """Where (N, 2) on the ink each event of the truth shows."""
    events = truth_of(script.race).events
    return np.array([_on_the_ink(script, e.stroke, e.at_mm) for e in events]).reshape(-1, 2)


def _on_the_ink(script: Script, stroke: int, at_mm: tuple[float, float]) -> Floats:
    points = script.race.strokes[stroke].points_mm
    return np.asarray(points[np.hypot(*(points - np.array(at_mm)).T).argmin()])


def _drawn_at(script: Script, event: Any) -> float:
    """When the tip was there; a donut is there once its ring has closed: the last time that the tip came by."""
    points, times = script.race.strokes[event.stroke].points_mm, script.pacing.times_s[event.stroke]
    if event.kind == "donut" and event.extent_mm:
        ring = np.array(event.extent_mm)
        last = ring[-2] if len(ring) > 1 else ring[-1]
        near = np.hypot(*(points - last).T)
        return float(times[np.flatnonzero(near < near.min() + 0.6)[-1]])
    return script.pacing.time_of(event.stroke, event.at_mm)


def _at(script: Script, stop: Json) -> list[float]:
    stroke = script.race.strokes[stop["stroke"]]
    k = int(np.searchsorted(stroke.arc_mm(), stop["after_mm"]))
    return [round(float(v), 2) for v in stroke.points_mm[k - 1]]


def _since(script: Script, stop: Json) -> float:
    stroke = script.race.strokes[stop["stroke"]]
    k = int(np.searchsorted(stroke.arc_mm(), stop["after_mm"]))
    return round(float(script.pacing.times_s[stop["stroke"]][k - 1]), 3)


# ------------------------------------------------------------------------------------ the quick camera


class QuickFilm:
    """A film by the quick camera, frame by frame; afterwards ``truth()`` has what was to be seen in it."""

    def __init__(self, reel: Reel) -> None:
        self.script = script_of(reel)
        self.camera = Camera(
            size_wh=reel.size_wh, tilt_deg=reel.tilt_deg, fill=reel.fill, roll_deg=reel.roll_deg, noise=reel.noise
        )
        self.rng = np.random.default_rng([reel.seed, 12])
        self.places = places_of(self.script)
        self.in_view: list[tuple[float, NDArray[np.bool_]]] = []
        self.poses: list[Floats] = []
        width, height = reel.size_wh
        lit = lamp(width, height, dataclasses.replace(self.camera, falloff=0.25), self.rng)
        self.lit = lit * np.float32(0.8 / lit.mean())
        self.table = self.rng.uniform(0.08, 0.4, 3).astype(np.float32)
        self._shown: tuple[bytes, Any] | None = None

    def frames(self) -> Iterator[tuple[Picture, float]]:
        """The frames (BGR) with their times."""
        reel, pacing = self.script.reel, self.script.pacing
        for i in range(int(pacing.ends_s * reel.fps)):
            at_s = i / reel.fps
            yield self._frame(at_s), at_s

    def truth(self) -> Json:
        """The truth, once all frames were taken."""
        return truth_json_of(self.script, self.in_view)

    def _frame(self, at_s: float) -> Picture:
        to_photo = self._pose(at_s)
        base, density, drawn_s, inside = self._board(to_photo)
        there = (density * (drawn_s <= at_s))[..., None]
        ink = linear(np.array([[INKS[self.script.reel.colour][::-1]]], np.uint8))
        light = base * (1 - there * inside) + ink * there * inside
        solid, shadow, colour = self._things(at_s, to_photo)
        light = light * self.lit * (1 - 0.45 * shadow[..., None])
        light = np.where(solid[..., None], colour * self.lit, light)
        self._note(at_s, to_photo, solid)
        return self._developed(light)

    def _pose(self, at_s: float) -> Floats:
        size_mm = self.script.stage.size_mm
        to_photo = pose(size_mm, self.camera)
        for since, dx, dy, degrees in self.script.reel.bumps:
            part = min(1.0, max(0.0, (at_s - since) / 0.25))
            turn, (w, h) = np.radians(degrees * part), size_mm
            c, s = np.cos(turn), np.sin(turn)
            about = np.array([[c, -s, w / 2 - c * w / 2 + s * h / 2], [s, c, h / 2 - s * w / 2 - c * h / 2], [0, 0, 1]])
            to_photo = to_photo @ np.array([[1, 0, dx * part], [0, 1, dy * part], [0, 0, 1.0]]) @ about
        return np.asarray(to_photo)

    def _board(self, to_photo: Floats) -> Any:
        """The board as this pose shows it: light, ink's density, when it was drawn, and where the board is."""
        key = to_photo.tobytes()
        if self._shown is None or self._shown[0] != key:
            script = self.script
            to_texture = np.diag([PX_PER_MM, PX_PER_MM, 1.0])
            to_texture[:2, 2] = -0.5
            warp = to_photo @ np.linalg.inv(to_texture)
            wh = script.reel.size_wh
            soft = 0.4 * PX_PER_MM / 3.0
            print_ = cv2.GaussianBlur(linear(script.print_rgb[..., ::-1]), (0, 0), soft)
            ink = cv2.GaussianBlur(script.density, (0, 0), soft)
            when = np.where(np.isfinite(script.drawn_s), script.drawn_s, 1e6).astype(np.float32)
            when = cv2.erode(when, np.ones((9, 9)))
            inside = cv2.warpPerspective(np.ones(ink.shape, np.float32), warp, wh)[..., None]
            board = cv2.warpPerspective(print_, warp, wh, borderMode=cv2.BORDER_REPLICATE)
            base = self.table * (1 - inside) + board * inside
            density = cv2.warpPerspective(ink, warp, wh)
            drawn = cv2.warpPerspective(when, warp, wh, flags=cv2.INTER_NEAREST, borderValue=1e6)
            self._shown = (key, (base.astype(np.float32), density, drawn, inside.astype(np.float32)))
        return self._shown[1]

    def _things(self, at_s: float, to_photo: Floats) -> tuple[NDArray[np.bool_], Any, Any]:
        reel = self.script.reel
        tip, lift = self.script.pacing.tip(at_s)
        shape = Silhouette(reel.size_wh, to_photo, reel.seed, reel.tone)
        shape.hand(tip, lift, reel.heading_deg)
        for since, until, x, y in reel.rests:
            if since - 0.5 < at_s < until + 0.5:
                come = min(1.0, max(0.0, 2 * min(at_s - since + 0.5, until + 0.5 - at_s)))
                shape.hand(np.array([x - 200 * (1 - come), y]), 6.0, 180.0, marker=False)
        return shape.drawn()

    def _note(self, at_s: float, to_photo: Floats, solid: NDArray[np.bool_]) -> None:
        """Which of the events' places this frame shows."""
        turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        ring = AROUND_MM * np.column_stack([np.cos(turn), np.sin(turn)])
        free = []
        for place in self.places:
            at = np.rint(projected(to_photo, np.vstack([place[None], place + ring]))).astype(int)
            height, width = solid.shape
            ok = ((at >= 0) & (at < [width, height])).all(1)
            at = np.clip(at, 0, [width - 1, height - 1])
            free.append(float((ok & ~solid[at[:, 1], at[:, 0]]).mean()) >= IN_VIEW)
        self.in_view.append((at_s, np.array(free, bool)))
        self.poses.append(to_photo)

    def _developed(self, light: Any) -> Picture:
        light = cv2.GaussianBlur(np.asarray(light, np.float32), (0, 0), 0.8)
        grain = self.rng.standard_normal((light.shape[0] // 2, light.shape[1] // 2, 3), dtype=np.float32)
        grain = cv2.resize(grain, light.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        light = light + 1.5 * self.camera.noise * np.sqrt(np.maximum(light, 0.002)) * grain
        index = np.clip(np.sqrt(np.clip(light, 0, 1)) * 4095, 0, 4095).astype(np.uint16)
        return np.asarray(VALUES[index])


_ROOT = np.linspace(0, 1, 4096) ** 2
_VALUE = np.where(_ROOT <= 0.0031308, 12.92 * _ROOT, 1.055 * np.power(_ROOT, 1 / 2.4) - 0.055)
VALUES = np.rint(np.clip(_VALUE + 0.12 * np.sin(2 * np.pi * (_VALUE - 0.5)) / np.pi, 0, 1) * 255).astype(np.uint8)
"""sRGB values and a tone curve for the square root of light, in 4096 steps."""


# ------------------------------------------------------------------------------------ the path tracer


def traced(reel: Reel, out: Path, plates: Path, python: str) -> None:
    """A film by the path tracer."""
    script = script_of(reel)
    out.mkdir(parents=True, exist_ok=True)
    count = int(script.pacing.ends_s * reel.fps)
    with tempfile.TemporaryDirectory(dir=out) as folder:
        textures = []
        for i in range(count):
            at_s = i / reel.fps
            file = Path(folder) / f"{i:04d}.png"
            cv2.imwrite(str(file), script.board_at(at_s)[..., ::-1], [cv2.IMWRITE_PNG_COMPRESSION, 1])
            textures.append({"t": at_s, "texture": str(file)})
        spec = {
            "textures": textures,
            "board_mm": list(script.stage.size_mm),
            "preset": reel.preset,
            "seed": reel.seed,
            "fps": reel.fps,
            "seconds": count / reel.fps,
            "width": reel.size_wh[0],
            "height": reel.size_wh[1],
            "container": "mp4",
            "hand": {"path": _thinned(script.pacing.way), "heading_deg": reel.heading_deg, "tone": reel.tone},
            "masks": True,
            "overrides": reel.overrides,
        }
        (Path(folder) / "spec.json").write_text(json.dumps(spec))
        command = [python, str(plates / "video.py"), str(Path(folder) / "spec.json"), str(out / "plates")]
        subprocess.run(command, check=True)
    (out / "plates" / "video.mp4").replace(out / "film.mp4")
    (out / "truth.json").write_text(json.dumps(_traced_truth(script, out / "plates"), indent=1))


def _thinned(way: Floats) -> list[list[float]]:
    """The hand's way with strictly rising times, the tip a hair above the board."""
    keep = np.concatenate([[True], np.diff(way[:, 0]) > 1e-3])
    rows = way[keep].copy()
    rows[:, 3] = np.maximum(rows[:, 3], 0.2)
    return np.round(rows, 3).tolist()


def _traced_truth(script: Script, folder: Path) -> Json:
    seen = json.loads((folder / "truth.json").read_text())
    grid = np.array([row[:4] for row in seen["frames"][0]["grid"]], float)
    to_photo, _ = cv2.findHomography(grid[:, :2], grid[:, 2:4])
    places = places_of(script)
    film = [
        (frame["t"], _free(_mask(folder / "masks" / f"{frame['frame']:04d}.png"), to_photo, places))
        for frame in seen["frames"]
    ]
    return {**truth_json_of(script, film), "corners_px": seen["frames"][0]["corners_px"]}


def _mask(file: Path) -> Picture:
    return np.asarray(cv2.imread(str(file), cv2.IMREAD_GRAYSCALE), np.uint8)


def _free(mask: Picture, to_photo: Floats, places: Floats) -> NDArray[np.bool_]:
    if not len(places):
        return np.zeros(0, bool)
    at = np.rint(projected(to_photo, places)).astype(int)
    height, width = mask.shape
    shown = []
    for x, y in at:
        around = mask[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3]
        shown.append(0 <= x < width and 0 <= y < height and bool((around > 64).mean() >= IN_VIEW))
    return np.array(shown, bool)


# ------------------------------------------------------------------------------------ the command


def written(reel: Reel, out: Path) -> None:
    """A quick film as a file."""
    out.mkdir(parents=True, exist_ok=True)
    film = QuickFilm(reel)
    writer = cv2.VideoWriter(str(out / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), reel.fps, reel.size_wh)
    for frame, _ in film.frames():
        writer.write(frame)
    writer.release()
    (out / "truth.json").write_text(json.dumps(film.truth(), indent=1))


def random_reel(seed: int) -> Reel:
    """Any drive on any stage, filmed anyhow."""
    rng = np.random.default_rng([seed, 21])
    choices: list[tuple[str, Json]] = [
        ("clean", {}),
        ("brushes", {"margins": [0.5, 1.0]}),
        ("break_honoured", {"depth": 1.6}),
        ("break_ignored", {"depth": 1.8}),
        ("two_breaks", {"depth": 1.8}),
        ("lift", {"honoured": True}),
        ("lift", {"honoured": False}),
        ("jump", {"how": "ok"}),
        ("oil", {"how": "three", "margin": -1.5, "gap": 1.2}),
        ("boost", {"how": "ok"}),
        ("pipe", {}),
        ("start_outside", {}),
        ("dragged_back", {"depth": 1.6}),
    ]
    name, asked = choices[int(rng.integers(len(choices)))]
    return Reel(
        name=f"{seed:04d}-{name}",
        stage=int(rng.integers(1, 17)),
        scenario=name,
        asked=asked,
        copy="A" if rng.random() < 0.5 else "B",
        seed=seed,
        colour=str(rng.choice(list(INKS))),
        width_mm=round(float(rng.uniform(2.0, 3.2)), 2),
        pace_mm_s=float(rng.uniform(30, 80)),
        fps=float(rng.choice([5, 10, 15])),
        heading_deg=float(rng.uniform(15, 75)),
        fill=float(rng.uniform(0.8, 0.92)),
        tilt_deg=float(rng.uniform(0, 28)),
        tone=str(rng.choice(["light", "medium", "dark"])),
    )


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reels", type=Path)
    parser.add_argument("--plates", type=Path)
    parser.add_argument("--python", default="python")
    given = parser.parse_args()
    reels = [Reel(**r) for r in json.loads(given.reels.read_text())] if given.reels else []
    for reel in reels or (random_reel(given.seed + i) for i in range(given.count)):
        folder = given.out / reel.name
        if (folder / "truth.json").exists():
            continue
        try:
            traced(reel, folder, given.plates, given.python) if given.plates else written(reel, folder)
        except CannotDriveError as why:
            print(f"{reel.name}: {why}")


if __name__ == "__main__":
    main()
