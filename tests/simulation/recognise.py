"""How well boards without markers are known again; a developer's command.

    python -m tests.simulation.recognise --boards 200 --photos 40
    python -m tests.simulation.recognise --pairs DIR [--other DIR_OR_FILE ...]

The first makes so many boards of one series, photographs some, and says which were found, how exactly, how fast and in
how much memory; then every photo is held against every other board, without a vote before, and none may match.
``--pairs`` is a folder of real photos with a ``pairs.json``: a list of {"reference", "photo", "corners_photo"}, the
corners (4, 2) in px, top left first; ``--other`` are stage files, folders of them, or flat pictures of other boards
that must never match those photos, as the references may not match the ``--strangers``, pictures of other things.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from referee.errors import RefereeError
from referee.model import BoardView, Floats, Photo
from referee.stage.load import load_stage
from referee.stage.render import artwork
from referee.vision.artwork.features import Features, features_of_photo
from referee.vision.artwork.find import Shelf, find_by_artwork, look_at
from referee.vision.artwork.known import Known
from referee.vision.artwork.match import Seen, match
from referee.vision.decode import decode
from referee.vision.find import BoardTrouble, FoundBoard
from referee.vision.opencv import cv2
from tests.simulation.artworks import SIZE_MM, board_art, hand_held, inked, photo_of
from tests.simulation.snapshot import projected

PICTURES = {".jpg", ".jpeg", ".png", ".tif"}


@dataclass(frozen=True, eq=False)
class Case:
    """A photo, and the corners (4, 2) of the board ``number`` in it."""

    photo: Photo
    number: int
    corners_px: Floats


def made_up(boards: int, photos: int) -> tuple[Shelf, Iterator[Case]]:
    """A series of boards, and photos of some of them after a race."""
    known = [Known.of(board_art(seed), SIZE_MM) for seed in range(boards)]
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) * SIZE_MM

    def cases() -> Iterator[Case]:
        for i in range(photos):
            seed = i * boards // photos
            bgr, plane = photo_of(inked(board_art(seed), seed), hand_held(seed), seed)
            yield Case(Photo(bgr, f"{seed}"), seed + 1, projected(plane, corners))

    return Shelf(tuple(range(1, boards + 1)), tuple(known)), cases()


def real_ones(folder: Path) -> tuple[Shelf, Iterator[Case]]:
    """The references and photos of a folder with a ``pairs.json``."""
    rows = json.loads((folder / "pairs.json").read_text())
    names = sorted({row["reference"] for row in rows})

    def cases() -> Iterator[Case]:
        for row in rows:
            number = names.index(row["reference"]) + 1
            yield Case(decode(folder / row["photo"]), number, np.array(row["corners_photo"], float))

    return Shelf(tuple(range(1, len(names) + 1)), tuple(flat(folder / name) for name in names)), cases()


def flat(picture: Path) -> Known:
    """A flat picture as a board of 5 pixels a millimetre."""
    bgr = decode(picture).bgr
    return Known.of(np.ascontiguousarray(bgr[..., ::-1]), (bgr.shape[1] / 5, bgr.shape[0] / 5))


def others(paths: Sequence[Path]) -> dict[str, Known]:
    """Boards of other stages, and flat pictures, by name."""
    files = [file for path in paths for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    found = {}
    for file in files:
        if file.suffix == ".svg":
            stage = load_stage(file)
            found[file.name] = Known.of(artwork(stage, None, 5.0), stage.size_mm)
        elif file.suffix.lower() in PICTURES:
            found[file.name] = flat(file)
    return found


def views(found: Sequence[FoundBoard | BoardTrouble]) -> list[BoardView]:
    return [board.view for board in found if board.view is not None]


@dataclass(frozen=True, eq=False)
class Glimpse:
    """What recognition sees of a photo, and the name of the board that it shows."""

    name: str
    seen: Seen
    features: Features
    right: str

    @staticmethod
    def of(photo: Photo, right: str) -> Glimpse:
        grey = np.asarray(cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        return Glimpse(photo.source, look_at(photo), features_of_photo(grey), right)


def recognised(shelf: Shelf, cases: Iterator[Case]) -> tuple[list[Floats], int, list[Glimpse]]:
    """Each found board's corner errors (4,) in px of a picture 1008 px wide, how many were missed, and the photos."""
    errors, missed, seen = [], 0, []
    for case in cases:
        began = time.process_time()  # of one core: another's work on a busy machine is not counted
        there = views(find_by_artwork(case.photo, shelf))
        took = time.process_time() - began
        right = [view for view in there if view.stage_number == case.number]
        if not right or len(there) > 1:
            missed += 1
            print(f"{case.photo.source}: board {case.number} taken for {[view.stage_number for view in there]}")
        else:
            scale = 1008 / case.photo.bgr.shape[1]
            off = np.hypot(*(right[0].corners_px() - case.corners_px).T) * scale
            errors.append(off)
            print(f"{case.photo.source}: {took:.2f} s, corners off by {np.round(off, 1).tolist()} px", flush=True)
        seen.append(Glimpse.of(case.photo, str(case.number)))
    return errors, missed, seen


def false_matches(boards: dict[str, Known], photos: Iterable[Glimpse]) -> tuple[int, int]:
    """How many of so many wrong pairings of a board and a photo match."""
    wrong, tried = 0, 0
    for photo in photos:
        for other, board in boards.items():
            if other == photo.right:
                continue
            tried += 1
            there = match(photo.seen, photo.features, board)
            if there is not None:
                wrong += 1
                print(f"FALSE: {other} in {photo.name}, {len(there.pairs)} pairs, alike {there.alike:.2f}", flush=True)
    return wrong, tried


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="recognise", description="How well boards without markers are known again.")
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--photos", type=int, default=20)
    parser.add_argument("--pairs", type=Path, help="a folder of real photos with a pairs.json")
    parser.add_argument("--other", type=Path, nargs="*", default=[], help="boards that are in none of the photos")
    parser.add_argument("--strangers", type=Path, nargs="*", default=[], help="pictures that show none of the boards")
    options = parser.parse_args(arguments)
    began = time.perf_counter()
    shelf, cases = real_ones(options.pairs) if options.pairs else made_up(options.boards, options.photos)
    print(f"{len(shelf.known)} boards looked over in {time.perf_counter() - began:.1f} s")
    errors, missed, seen = recognised(shelf, cases)
    off = np.concatenate(errors) if errors else np.array([np.nan])
    print(f"found {len(errors)} of {len(seen)}; missed or mistaken {missed}")
    print(f"corners: median {np.median(off):.2f} px, 95 % {np.percentile(off, 95):.2f} px at 1008 px")
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")
    boards = {str(number): board for number, board in zip(shelf.numbers, shelf.known, strict=True)}
    known = {**boards, **others(options.other)}
    wrong, tried = false_matches(known, seen)
    more, again = false_matches(boards, _strangers(options.strangers))
    print(f"false matches: {wrong + more} of {tried + again} wrong pairings")
    return 0 if not missed and not wrong + more else 1


def _strangers(paths: Sequence[Path]) -> Iterator[Glimpse]:
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix.lower() in PICTURES:
                try:
                    yield Glimpse.of(decode(file), "")
                except RefereeError as fault:
                    print(f"{file.name}: {fault.message}")


if __name__ == "__main__":
    sys.exit(main())
