"""Photographs of simulated races, for measuring the referee; a developer's command.

    python -m tests.simulation.photograph --plates DIR --out DIR --count 30 --seed 5
    python -m tests.simulation.photograph --plates DIR --out DIR --shots FILE

``--plates`` is the folder of a path tracer with a ``photo.py SPEC.json OUT`` that photographs a flat board texture
(``--python`` its interpreter).  Each photo gets a folder with ``photo.jpg`` and ``truth.json``; what is there already
is left alone, so the command can be stopped and started again.  Without ``--plates`` a quick camera takes them: a flat
board, no shadows, no gloss.  With ``--gadgets`` there are ropes and mines on the boards, and a ``baseline.jpg`` from
before the race, taken from elsewhere in other light.  ``--shots`` is a JSON list of `Shot`s by their fields.
With ``--no-markers`` the boards are printed without their corner markers, as a boxed game's are; the stage files that
say so are written to ``stages`` in the folder of the photos.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import cv2
import numpy as np

from referee.model import Copy, Floats, Stage
from referee.stage.load import load_stage
from referee.stage.render import artwork
from tests.simulation.blindfold import blind_drive
from tests.simulation.hand import CannotDriveError, Race
from tests.simulation.paint import INKS, Marker, Print, Rgb, drawn_on, printed, texture
from tests.simulation.scenarios import drive
from tests.simulation.snapshot import projected, random_camera, snapshot
from tests.simulation.truth import Truth, named, truth_json, truth_of

PX_PER_MM = 16.0
HIDDEN, LOST = 64, 96
"""Values of the path tracer's visibility mask: something lies on the board; drowned in glare."""
SMALL_PX_PER_MM = 2.0
TRACER_SEEDS = 2**20
"""The path tracer takes seeds below this."""

Json = dict[str, Any]

SCENARIO_CHANCES: list[tuple[str, Json]] = [
    ("clean", {}),
    ("clean", {}),
    ("brushes", {"margins": [0.4, 0.9]}),
    ("brushes", {"margins": [0.3, 0.7, 1.3]}),
    ("near_misses", {}),
    ("break_honoured", {"depth": 0.8}),
    ("break_honoured", {"depth": 1.6}),
    ("break_honoured", {"depth": 3.0}),
    ("break_ignored", {"depth": 1.0}),
    ("break_ignored", {"depth": 2.2}),
    ("break_wrong_restart", {"depth": 1.5}),
    ("two_breaks", {}),
    ("dragged_back", {"depth": 1.6}),
    ("lift", {}),
    ("lift", {"honoured": False}),
    ("dry", {}),
    ("jump", {"how": "ok"}),
    ("jump", {"how": "on_edge", "margin": 0.6}),
    ("jump", {"how": "take_off", "honoured": True}),
    ("jump", {"how": "landing", "honoured": True}),
    ("jump", {"how": "landing"}),
    ("jump", {"how": "through"}),
    ("wrong_turn", {}),
    ("boost", {"how": "ok"}),
    ("boost", {"how": "missed"}),
    ("boost", {"how": "missed", "honoured": False}),
    ("oil", {"how": "three"}),
    ("oil", {"how": "three"}),
    ("oil", {"how": "two"}),
    ("oil", {"how": "two", "honoured": True}),
    ("oil", {"how": "overlapping"}),
    ("oil", {"how": "near_miss"}),
    ("unfinished", {}),
    ("start_outside", {}),
    ("pipe", {}),
    ("bridge", {}),
]
GADGET_CHANCES: list[tuple[str, Json]] = [
    *(
        ("rope", {"how": how, "honoured": honoured})
        for how in ("through", "early", "late")
        for honoured in (True, False)
    ),
    ("rope", {"how": "jumped"}),
    ("rope", {"how": "jumped"}),
    ("rope", {"how": "jumped", "dotted": 12.0, "pen": 2.0}),
    ("rope", {"how": "touched"}),
    ("rope", {"how": "jumped", "short": 6.0}),
    ("mine", {}),
    ("mine", {}),
    ("mine", {"hit": True}),
    ("mine", {"hit": True}),
    ("mine", {"hit": True, "honoured": False}),
    ("mine", {"hit": True, "radius": 5.0, "pen": 2.0}),
    ("mine", {"on_line": True}),
]
PRESETS = (
    "overhead_daylight",
    "oblique_evening",
    "glare_window",
    "phone_flash",
    "curled_board",
    "hand_over_board",
    "two_boards",
    "cluttered_table",
    "extreme_tilt",
)
WEBCAM, QUICK = "webcam_dim", "quick"
BLINDFOLD = "blindfold"
"""A scenario in which nobody leads the hand: it goes wrong where it will."""
ODD_QUICK: dict[str, Json] = {
    "quick_bowed": {"bow_mm": 3.0, "tilt_deg": 30.0},
    "quick_flash": {"flash": 1.2, "tilt_deg": 12.0},
    "quick_steep": {"tilt_deg": 52.0, "fill": 0.95},
}
"""What the quick camera can do to a baseline: nothing of it is in a truth's grid."""


@dataclass(frozen=True)
class Shot:
    """One photograph to be made: who drives what how, and where it is photographed."""

    name: str
    stage: str
    """A stage file."""
    scenario: str
    seed: int
    preset: str
    asked: Json = field(default_factory=dict)
    copy: Copy | None = "A"
    width_mm: float = 2.5
    colour: str = "black"
    opacity: float = 0.94
    streak: float = 0.3
    dryness: float = 0.1
    shade: Print = "true"
    extras: list[str] = field(default_factory=list)
    overrides: Json = field(default_factory=dict)
    gadgets_colour: str = "red"
    wiped: float = 0.12
    """How much of a gadget is left that was run into."""
    baseline_preset: str = ""
    second: Json | None = None
    """For two boards: the fields in which the other board's race differs."""

    @property
    def marker(self) -> Marker:
        return Marker(self.colour, self.opacity, self.streak, self.dryness)


# ------------------------------------------------------------------------------------ what to photograph


def random_shots(
    stages: Sequence[Path], presets: Sequence[str], count: int, seed: int, chances: Sequence[tuple[str, Json]]
) -> Iterator[Shot]:
    """Shots of everything that the stages allow, in mixed light; every fifth through a webcam."""
    for number in range(count):
        for attempt in range(50):
            rng = np.random.default_rng([seed, number, attempt])
            shot = _random_shot(rng, stages, presets, seed * 1000 + number, chances)
            try:
                race_of(shot, load_stage(Path(shot.stage)))
            except CannotDriveError:
                continue
            yield shot
            break


def _random_shot(
    rng: np.random.Generator,
    stages: Sequence[Path],
    presets: Sequence[str],
    number: int,
    chances: Sequence[tuple[str, Json]],
) -> Shot:
    stage = stages[number % len(stages)]
    scenario, asked = chances[int(rng.integers(len(chances)))]
    preset = WEBCAM if number % 5 == 4 and WEBCAM in presets else str(rng.choice([p for p in presets if p != WEBCAM]))
    extras = [e for e in ("ghost", "smudge", "signature", "dots") if rng.random() < 0.15]
    second: Json = {"copy": "B", "scenario": "clean", "asked": {}, "seed": number + 500}
    return Shot(
        name=f"{number:05d}-{stage.stem}-{scenario}-{preset}",
        stage=str(stage),
        scenario=scenario,
        asked=asked,
        seed=number,
        preset=preset,
        copy="B" if rng.random() < 0.25 and preset != "two_boards" else "A",
        width_mm=round(float(rng.uniform(2.6, 3.6) if preset == WEBCAM else rng.uniform(1.9, 3.2)), 2),
        colour=str(rng.choice(list(INKS))),
        opacity=round(float(rng.uniform(0.86, 0.98)), 3),
        streak=round(float(rng.uniform(0.1, 0.45)), 3),
        dryness=round(float(rng.uniform(0.0, 0.35)), 3),
        shade=_shade(rng),
        extras=extras,
        second=second if preset == "two_boards" else None,
        gadgets_colour=str(rng.choice(["red", "blue", "black", "green"])),
        baseline_preset=str(rng.choice(presets)),
    )


def _shade(rng: np.random.Generator) -> Print:
    shades: tuple[Print, ...] = ("warm", "cool", "faded", "rich", "magenta")
    return "true" if rng.random() < 0.6 else shades[int(rng.integers(len(shades)))]


def without_markers(svg: bytes) -> bytes:
    """A built-in stage's file without its corner markers, and without the white that is printed under them."""
    root = ElementTree.fromstring(svg)
    parts = list(root)
    for place, part in enumerate(parts):
        if part.get("data-kind") == "fiducial":
            for gone in parts[place - 1 : place + 2]:
                root.remove(gone)
    return ElementTree.tostring(root)


def unmarked(shot: Shot) -> Shot:
    """The same shot of boards that carry no markers, and so no letter."""
    return dataclasses.replace(shot, copy=None, second=shot.second and {**shot.second, "copy": None})


def race_of(shot: Shot, stage: Stage) -> Race:
    if shot.scenario == BLINDFOLD:
        return blind_drive(stage, shot.seed)
    return drive(stage, shot.scenario, shot.seed, shot.width_mm, **shot.asked)


# ------------------------------------------------------------------------------------ making one


Taken = tuple[bytes, Json, np.ndarray]
"""A JPEG, what is known of it in the path tracer's words (image, board, grid), and its visibility mask."""


@dataclass(frozen=True)
class Studio:
    """Where photographs are made: a path tracer's folder (none: the quick camera) and its Python."""

    plates: Path | None
    python: str = sys.executable
    px_per_mm: float = PX_PER_MM
    """Of the board that is photographed."""

    def take(self, shot: Shot, boards: Sequence[Rgb], size_mm: tuple[float, float]) -> Taken:
        return _quick(shot, boards[0], size_mm) if self.plates is None else self._traced(shot, boards, size_mm)

    def _traced(self, shot: Shot, boards: Sequence[Rgb], size_mm: tuple[float, float]) -> Taken:
        spec: Json = {
            "name": "shot",
            "board_mm": list(size_mm),
            "preset": shot.preset,
            "seed": shot.seed % TRACER_SEEDS,
        }
        spec["overrides"] = shot.overrides
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            for key, board in zip(("texture", "texture2"), boards, strict=False):
                spec[key] = f"{key}.png"
                cv2.imwrite(str(work / spec[key]), np.ascontiguousarray(board[..., ::-1]))
            (work / "spec.json").write_text(json.dumps([spec]))
            command = [self.python, f"{self.plates}/photo.py", str(work / "spec.json"), str(work / "out")]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            made = work / "out" / "shot"
            mask = cv2.imread(str(made / "visibility.png"), cv2.IMREAD_GRAYSCALE)
            assert mask is not None, "the path tracer writes a visibility mask"
            return (made / "photo.jpg").read_bytes(), json.loads((made / "truth.json").read_text()), mask


def _quick(shot: Shot, board: Rgb, size_mm: tuple[float, float]) -> Taken:
    rng = np.random.default_rng([shot.seed, 3])
    camera = dataclasses.replace(random_camera(rng, webcam=shot.preset == WEBCAM), **ODD_QUICK.get(shot.preset, {}))
    picture, to_photo = snapshot(board, size_mm, camera, rng)
    width, height = camera.size_wh
    stored = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, camera.jpeg_quality])[1].tobytes()
    x, y = np.meshgrid(np.linspace(0, size_mm[0], 5), np.linspace(0, size_mm[1], 5))
    mm = np.column_stack([x.ravel(), y.ravel()])
    corners = np.array([[0.0, 0.0], [size_mm[0], 0.0], list(size_mm), [0.0, size_mm[1]]])
    seen: Json = {
        "image": {"width": width, "height": height, "exif_orientation": 1},
        "board": {"corners_px": projected(to_photo, corners).tolist(), "flat": True},
        "homography": to_photo.tolist(),
        "grid_columns": ["x_mm", "y_mm", "u_px", "v_px", "visible", "glare"],
        "grid": [[*map(float, (*a, *b)), True, False] for a, b in zip(mm, projected(to_photo, mm), strict=True)],
        "seconds": {},
    }
    return stored, seen, np.full((height, width), 255, np.uint8)


def photograph(shot: Shot, out: Path, studio: Studio) -> None:
    """Draw, paint, photograph and write the truth of one shot into ``out``."""
    stage = load_stage(Path(shot.stage))
    race = race_of(shot, stage)
    truth = truth_of(race)
    boards = [_painted(shot, stage, race, truth.gone, studio.px_per_mm)]
    if shot.second is not None:
        other = dataclasses.replace(shot, second=None, **shot.second)
        other_stage = load_stage(Path(other.stage))
        second = race_of(other, other_stage)
        boards.append(_painted(other, other_stage, second, frozenset(), studio.px_per_mm))
    stored, seen, mask = studio.take(shot, boards, stage.size_mm)
    whole = case_json(shot, stage, race, seen, mask)
    out.mkdir(parents=True, exist_ok=True)
    (out / "photo.jpg").write_bytes(stored)
    if race.gadgets:
        earlier = dataclasses.replace(
            shot, seed=shot.seed + 77, preset=shot.baseline_preset or shot.preset, second=None
        )
        taken = studio.take(earlier, [_before(shot, stage, race, studio.px_per_mm)], stage.size_mm)
        (out / "baseline.jpg").write_bytes(taken[0])
    (out / "truth.json").write_text(json.dumps(whole))


def _before(shot: Shot, stage: Stage, race: Race, px_per_mm: float) -> Rgb:
    """The board with its gadgets, not raced yet."""
    rng = np.random.default_rng([shot.seed, 4])
    board = printed(artwork(stage, shot.copy, px_per_mm), shot.shade)
    return drawn_on(board, race.gadgets, shot.gadgets_colour, rng, stage.size_mm)


def _painted(shot: Shot, stage: Stage, race: Race, gone: frozenset[str], px_per_mm: float) -> Rgb:
    rng = np.random.default_rng([shot.seed, 4])
    clean = artwork(stage, shot.copy, px_per_mm)
    row = named(race)
    for wiped in (False, True):
        some = [gadget for name, gadget in row.items() if (name in gone) == wiped]
        opacity = shot.wiped if wiped else 0.95
        clean = drawn_on(clean, some, shot.gadgets_colour, rng, stage.size_mm, opacity=opacity)
    rng = np.random.default_rng([shot.seed, 2])
    return texture(clean, race.strokes, shot.marker, shot.extras, rng, stage.size_mm, shot.shade)


# ------------------------------------------------------------------------------------ what the photo shows


def every_other(points_mm: Floats) -> Floats:
    """Every second point (N, 2), and the last one.

    >>> every_other(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])).tolist()
    [[0.0, 0.0], [2.0, 0.0], [3.0, 0.0]]
    """
    kept = points_mm[::2]
    return kept if len(points_mm) % 2 else np.vstack([kept, points_mm[-1:]])


def case_json(shot: Shot, stage: Stage, race: Race, seen: Json, mask: np.ndarray) -> Json:
    """The whole truth of a photo: the race's, less what the picture hides."""
    truth = truth_of(race)
    flat = np.array(seen["homography"]) if "homography" in seen else None
    view = View(np.array([row[:4] for row in seen["grid"]], float), mask, flat)
    hidden = [i for i, e in enumerate(truth.events) if view.hides(np.array(e.at_mm))]
    for i in hidden:
        truth.events[i].hidden = True
    path_hidden = sum(view.hidden_mm(s.points_mm) for s in race.strokes)
    road_hidden = sum(view.hidden_mm(piece) for piece in stage.course)
    small = view.scale_px_per_mm() < SMALL_PX_PER_MM
    return {
        "case": shot.name,
        "stage": {"number": stage.number, "name": stage.name, "copy": shot.copy},
        "stage_file": Path(shot.stage).name,
        "board_mm": list(stage.size_mm),
        "scenario": shot.scenario,
        "params": shot.asked,
        "extras": shot.extras,
        "preset": shot.preset,
        "seed": shot.seed,
        "marker": {"color": shot.colour, "width_mm": shot.width_mm, "opacity": shot.opacity, "dryness": shot.dryness},
        "print": shot.shade,
        **({"mode": "competitive"} if race.gadgets else {}),
        "args": ["--baseline", "{baseline}", "--mode", "competitive"] if race.gadgets else [],
        "gadgets": [
            {"id": name, "kind": gadget.kind, "at_mm": np.round(gadget.at_mm, 2).tolist(), "erased": name in truth.gone}
            for name, gadget in named(race).items()
        ],
        "texture": {"corners_px": [[-0.5, -0.5], [1, -0.5], [1, 1], [-0.5, 1]]},
        **_loosened(truth, hidden, path_hidden + road_hidden > 4.0),
        "path": [
            {"stroke": i, "width_mm": s.width_mm, "points_mm": np.round(every_other(s.points_mm), 2).tolist()}
            for i, s in enumerate(race.strokes)
        ],
        "photo": {
            "preset": shot.preset,
            "width": seen["image"]["width"],
            "height": seen["image"]["height"],
            "exif_orientation": seen["image"]["exif_orientation"],
            "corners_px": seen["board"]["corners_px"],
            "scale_px_per_mm": round(view.scale_px_per_mm(), 3),
            "flat": seen["board"]["flat"],
            "occluded_fraction": seen["board"].get("occluded_fraction", 0.0),
            "glare_fraction": seen["board"].get("glare_fraction", 0.0),
            "path_hidden_mm": round(path_hidden, 1),
            "road_hidden_mm": round(road_hidden, 1),
            "hidden_events": hidden,
            "accept_errors": ["too-blurred", "too-small", "no-board"] if small else [],
            "grid_columns": seen["grid_columns"],
            "grid": seen["grid"],
        },
        "seconds": seen["seconds"],
    }


def _loosened(truth: Truth, hidden: Sequence[int], much_hidden: bool) -> Json:
    """The truth's fields; where the picture hides a part of the race, "a person must look" is right too."""
    said = truth_json(truth)
    if truth.verdict is None:
        return said
    kinds = [truth.events[i].kind for i in hidden]
    unseen_donuts = any(kind in ("donut", "wipeout") for kind in kinds)
    unseen_accidents = kinds.count("accident")
    for event, told in zip(truth.events, said["events"], strict=True):
        if unseen_donuts and event.cause == "donuts-missing":
            told["optional"], unseen_accidents = True, unseen_accidents + 1
    if hidden or much_hidden:
        said["accept_verdicts"] = sorted({*said["accept_verdicts"], "review"})
    fewer = range(unseen_accidents + 1)
    said["accept_accidents"] = sorted({max(0, n - k) for n in said["accept_accidents"] for k in fewer})
    if unseen_donuts:
        said["accept_donuts"] = list(range(truth.donuts + 1))
    return said


@dataclass(frozen=True, eq=False)
class View:
    """Where board points are in the picture: ``grid`` rows x_mm, y_mm, u_px, v_px, and the visibility mask."""

    grid: Floats
    mask: np.ndarray
    homography: Floats | None = None

    def to_photo(self, points_mm: Floats) -> Floats:
        """Pixels (N, 2) of board points (N, 2), by the homography if the board is known to be flat, else bilinear."""
        if self.homography is not None:
            return projected(self.homography, points_mm)
        xs, ys = np.unique(self.grid[:, 0]), np.unique(self.grid[:, 1])
        table = self.grid[:, 2:4].reshape(len(ys), len(xs), 2)
        i = np.clip(np.searchsorted(xs, points_mm[:, 0]) - 1, 0, len(xs) - 2)
        j = np.clip(np.searchsorted(ys, points_mm[:, 1]) - 1, 0, len(ys) - 2)
        fx = ((points_mm[:, 0] - xs[i]) / (xs[i + 1] - xs[i]))[:, None]
        fy = ((points_mm[:, 1] - ys[j]) / (ys[j + 1] - ys[j]))[:, None]
        top = table[j, i] * (1 - fx) + table[j, i + 1] * fx
        low = table[j + 1, i] * (1 - fx) + table[j + 1, i + 1] * fx
        return np.asarray(top * (1 - fy) + low * fy)

    def scale_px_per_mm(self) -> float:
        middle = (self.grid[:, :2].min(0) + self.grid[:, :2].max(0)) / 2
        a, b, c = self.to_photo(middle + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
        return float(np.sqrt(abs(np.linalg.det(np.array([b - a, c - a])))))

    def unseen(self, points_mm: Floats) -> np.ndarray:
        """Which points (N,) the picture does not show: covered, drowned in glare or outside."""
        at = np.rint(self.to_photo(points_mm)).astype(int)
        height, width = self.mask.shape
        inside = ((at >= 0) & (at < [width, height])).all(1)
        at = np.clip(at, 0, [width - 1, height - 1])
        return np.asarray(~inside | np.isin(self.mask[at[:, 1], at[:, 0]], (HIDDEN, LOST)))

    def hides(self, at_mm: Floats) -> bool:
        """Is a good part of a small ring round the point unseen?"""
        turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        ring = at_mm + 1.5 * np.column_stack([np.cos(turn), np.sin(turn)])
        return bool(self.unseen(np.concatenate([[at_mm], ring])).mean() > 0.3)

    def hidden_mm(self, points_mm: Floats) -> float:
        """How much of a line the picture does not show."""
        steps = np.hypot(*np.diff(points_mm, axis=0).T)
        return float(steps[self.unseen(points_mm[1:])].sum())


# ------------------------------------------------------------------------------------ the command


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    options = _parser().parse_args(arguments)
    shots = _shots(options)
    for number, shot in enumerate(shots, 1):
        out = options.out / shot.name
        if (out / "truth.json").exists():
            continue
        began = time.monotonic()
        try:
            photograph(shot, out, Studio(options.plates, options.python))
            word = f"{time.monotonic() - began:.0f} s"
        except subprocess.CalledProcessError as trouble:
            word = f"the path tracer failed: {trouble.stderr.decode()[-300:]}"
        print(f"{number} of {len(shots)}  {shot.name}  {word}", flush=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="photograph", description="Photographs of simulated races, with truth.")
    parser.add_argument("--plates", type=Path, help="folder of the path tracer; without it a quick camera is used")
    parser.add_argument("--python", default=sys.executable, help="the path tracer's Python")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stage", type=Path, action="append", help="a stage file; default: the built-in ones")
    parser.add_argument("--preset", action="append", choices=(*PRESETS, WEBCAM), help="default: all of them")
    parser.add_argument("--gadgets", action="store_true", help="races with gadgets, each with a baseline.jpg")
    parser.add_argument("--no-markers", action="store_true", help="boards without corner markers")
    parser.add_argument("--shots", type=Path, help="a JSON list of shots instead of random ones")
    return parser


def _shots(options: argparse.Namespace) -> list[Shot]:
    if options.shots is not None:
        return [Shot(**fields) for fields in json.loads(options.shots.read_text())]
    stages = options.stage or sorted((Path(__file__).parents[2] / "stage_masks").glob("stage-*.svg"))
    presets = (QUICK, WEBCAM) if options.plates is None else options.preset or (*PRESETS, WEBCAM)
    chances = GADGET_CHANCES if options.gadgets else SCENARIO_CHANCES
    if not options.no_markers:
        return list(random_shots(stages, presets, options.count, options.seed, chances))
    bare = [_bare(stage, options.out / "stages") for stage in stages]
    return list(map(unmarked, random_shots(bare, presets, options.count, options.seed, chances)))


def _bare(stage: Path, folder: Path) -> Path:
    """A stage's file without markers, written to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / stage.name).write_bytes(without_markers(stage.read_bytes()))
    return folder / stage.name


if __name__ == "__main__":
    sys.exit(main())
