"""Photographs of carts and tricks with truth, and how the referee reads them; a developer's command.

    python -m tests.turbo_time.photograph --out DIR --count 40 --about carts
    python -m tests.turbo_time.photograph --out DIR --plates DIR --python PY --width 1600
    python -m tests.turbo_time.photograph --out DIR --read

``--plates`` is the folder of a path tracer with a ``photo.py SPEC.json OUT`` that photographs a flat texture
(``--python`` its interpreter), in all its lights; without it a quick camera takes the pictures.  Each photo gets a
folder with ``photo.jpg`` and ``truth.json``; what is there already is left alone, so the command can be stopped and
started again.  ``--read`` only reads what is there, and counts: right, asked, wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.errors import RefereeError
from referee.turbo_time.camera.carts import CartsSeen
from referee.turbo_time.camera.look import Players, look
from referee.turbo_time.camera.trick import TrickSeen
from referee.turbo_time.markers import CARD_OF, TOY_OF
from tests.simulation.snapshot import random_camera, snapshot
from tests.turbo_time import laid
from tests.turbo_time.laid import Laid, Piece

About = Literal["carts", "trick"]
Json = dict[str, Any]
Stored = tuple[bytes, list[bool]]
"""A JPEG, and of each piece whether the camera can see its marker."""

TROUBLES = (None, None, "down", None, "hand")
PRESETS = (
    "overhead_daylight", "oblique_evening", "glare_window", "phone_flash", "hand_over_board", "cluttered_table",
    "curled_board", "extreme_tilt",
)  # fmt: skip
ROUGH = {"spp_shade": 24, "spp_primary": 8}
"""So few paths a pixel do: a little noise hides no marker."""
HIDDEN = (64, 96)
"""Values of the path tracer's visibility mask: something lies there; drowned in glare."""
WEBCAM_EVERY = 4
FULL_HD = 1920 / 2816
"""A webcam's picture beside a phone's."""


@dataclass(frozen=True)
class Studio:
    """Where photographs are made: a path tracer's folder (none: the quick camera), its Python, the pictures' width."""

    plates: Path | None = None
    python: str = sys.executable
    width: int = 1600

    def take(self, table: Laid, number: int) -> Stored:
        return quick(table, number) if self.plates is None else self._traced(table, number)

    def _traced(self, table: Laid, number: int) -> Stored:
        camera = {"width": self.width, "height": self.width * 3 // 4}
        spec: Json = {
            "name": "shot", "texture": "table.png", "board_mm": list(table.size_mm), "seed": number,
            "preset": PRESETS[number % len(PRESETS)], "overrides": {"camera": camera, "render": ROUGH},
        }  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            cv2.imwrite(str(work / "table.png"), np.ascontiguousarray(laid.table_drawn(table)[..., ::-1]))
            (work / "spec.json").write_text(json.dumps([spec]))
            command = [self.python, f"{self.plates}/photo.py", str(work / "spec.json"), str(work / "out")]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            made = work / "out" / "shot"
            mask = cv2.imread(str(made / "visibility.png"), cv2.IMREAD_GRAYSCALE)
            assert mask is not None, "the path tracer writes a visibility mask"
            grid = np.array([row[:4] for row in json.loads((made / "truth.json").read_text())["grid"]], float)
            return (made / "photo.jpg").read_bytes(), [_shows(mask, grid, table, piece) for piece in table.pieces]


def quick(table: Laid, number: int) -> Stored:
    """A picture by the quick camera, some by a webcam."""
    rng = np.random.default_rng([number, 9])
    camera = random_camera(rng)
    picture, _ = snapshot(laid.table_drawn(table), table.size_mm, camera, rng)
    if number % WEBCAM_EVERY == WEBCAM_EVERY - 1:
        picture = np.asarray(cv2.resize(picture, None, fx=FULL_HD, fy=FULL_HD, interpolation=cv2.INTER_AREA), np.uint8)
    stored = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, camera.jpeg_quality])[1].tobytes()
    return stored, [table.seen(piece) for piece in table.pieces]


def _shows(mask: NDArray[Any], grid: NDArray[np.float64], table: Laid, piece: Piece) -> bool:
    """Whether a photo shows a piece's marker: of the truth's grid the places about it tell where to look."""
    if not table.seen(piece):
        return False
    spots = table.to_picture(piece.marker_mm()) / laid.PX_PER_MM
    near = [np.argsort(np.hypot(*(grid[:, :2] - spot).T))[:12] for spot in spots]
    seen = []
    for spot, at in zip(spots, near, strict=True):
        flat = np.column_stack([grid[at, :2] - spot, np.ones(len(at))])
        pixel = np.linalg.lstsq(flat, grid[at, 2:4], rcond=None)[0][2]
        x, y = np.clip(np.rint(pixel).astype(int), 0, np.array(mask.shape[::-1]) - 1)
        seen.append(mask[y, x] not in HIDDEN)
    return float(np.mean(seen)) > 1 - laid.COVERED


def photograph(out: Path, about: About, number: int, studio: Studio) -> None:
    """Lay a table, photograph it, and write both."""
    table = _lay(about, number)
    stored, seen = studio.take(table, number)
    truth: Json = {
        "about": about,
        "groups": [[piece.marker for piece in group] for group in table.groups],
        "unseen": [piece.marker for piece, shows in zip(table.pieces, seen, strict=True) if not shows],
        "cloth": table.cloth,
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / "photo.jpg").write_bytes(stored)
    (out / "truth.json").write_text(json.dumps(truth))


def _lay(about: About, number: int) -> Laid:
    trouble = TROUBLES[number % len(TROUBLES)]
    return laid.carts(number, trouble) if about == "carts" else laid.trick(number, trouble)


# ------------------------------------------------------------------------------------------- reading


def verdict_of(stored: bytes, truth: Json) -> tuple[str, list[str]]:
    """`right`, `asked` (with good reason: something is not to be seen), `asked for nothing` or `wrong`; and what."""
    try:
        seen = look(stored, truth["about"], Players(len(truth["groups"])))
    except RefereeError as error:
        return ("asked" if truth["unseen"] else "asked for nothing"), [error.code]
    if not seen.certain:
        return ("asked" if truth["unseen"] else "asked for nothing"), [question.kind for question in seen.questions]
    true = _carts_right(seen, truth) if isinstance(seen, CartsSeen) else _trick_right(seen, truth)
    return ("right" if true else "wrong"), []


def _carts_right(seen: CartsSeen, truth: Json) -> bool:
    """The same carts; from left to right where the toys tell which way that is."""
    left = [tuple(TOY_OF[marker] for marker in group) for group in truth["groups"]]
    for cart in seen.carts:
        ways = [cart.toys] if cart.read_by == "toys" else [cart.toys, cart.toys[::-1]]
        there = next((way for way in ways if way in left), None)
        if there is None:
            return False
        left.remove(there)
    return not left


def _trick_right(seen: TrickSeen, truth: Json) -> bool:
    true = sorted((CARD_OF[group[0]] for group in truth["groups"]), reverse=True)
    return [seen.cards[at].card for at in seen.order] == true


# ------------------------------------------------------------------------------------------- the command


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="photograph", description="Photographs of carts and tricks, read again.")
    parser.add_argument("--plates", type=Path, help="folder of the path tracer; without it a quick camera is used")
    parser.add_argument("--python", default=sys.executable, help="the path tracer's Python")
    parser.add_argument("--width", type=int, default=1600, help="of the path tracer's pictures")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--about", choices=("carts", "trick"), default="carts")
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=0, help="the number of the first")
    parser.add_argument("--read", action="store_true", help="take no photographs, only read those that are there")
    options = parser.parse_args(arguments)
    if not options.read:
        studio = Studio(options.plates, options.python, options.width)
        for number in range(options.first, options.first + options.count):
            out = options.out / f"{options.about}-{number:04d}"
            if not (out / "truth.json").exists():
                _one(out, options.about, number, studio)
    _read(options.out)
    return 0


def _one(out: Path, about: About, number: int, studio: Studio) -> None:
    began = time.monotonic()
    try:
        photograph(out, about, number, studio)
        print(f"{out.name}  {time.monotonic() - began:.0f} s", flush=True)
    except subprocess.CalledProcessError as trouble:
        print(f"{out.name}  the path tracer failed: {trouble.stderr.decode()[-300:]}", flush=True)


def _read(folder: Path) -> None:
    """Read every photo of a folder, and count."""
    counted: Counter[tuple[str, str]] = Counter()
    for path in sorted(folder.glob("*/truth.json")):
        truth = json.loads(path.read_text())
        verdict, what = verdict_of((path.parent / "photo.jpg").read_bytes(), truth)
        counted[truth["about"], verdict] += 1
        print(f"{path.parent.name}  {len(truth['groups'])} {truth['cloth']}  {verdict}  {' '.join(what)}", flush=True)
    for (about, verdict), count in sorted(counted.items()):
        print(f"{about}: {verdict} {count}")


if __name__ == "__main__":
    sys.exit(main())
