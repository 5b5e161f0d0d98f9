"""From pictures of the printed target to the lens profile of a fixed camera.

The target is the same on both papers and its size on paper does not matter: a lens bends angles, not millimetres.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import referee.vision.opencv  # noqa: F401  first of all: it says what to do where OpenCV cannot be loaded
from referee.errors import RefereeError
from referee.model import LensProfile, Progress, Target, one_line
from referee.vision.calibrate import Sighting, sight, solve
from referee.vision.decode import decode
from referee.vision.lens import lens_toml


@dataclass(frozen=True)
class Calibration:
    """A lens profile, and what is to be said of the pictures that it does without."""

    lens: LensProfile
    left_out: tuple[str, ...]

    def toml(self, date: str | None = None) -> str:
        """The profile's file, as text."""
        return lens_toml(self.lens, date)


def calibrate(pictures: Sequence[Path], progress: Progress) -> Calibration:
    """The lens of the camera that took these pictures of the target.

    A picture that cannot be used is named to ``progress`` and left out.  Raises `NotCalibrated` where what is left
    does not say enough.
    """
    sightings: list[Sighting] = []
    left_out: list[str] = []
    for number, path in enumerate(pictures, 1):
        name = f"[{number}/{len(pictures)}] {one_line(path.name)}"
        try:
            sightings.append(sight(decode(path, path.name), Target()))
            progress(f"{name}: {len(sightings[-1].corners_px)} corners")
        except RefereeError as fault:
            left_out.append(fault.message)
            progress(f"{name}: left out. {fault.message} {fault.hint}")
    same = _of_one_size(sightings)
    for other in (one for one in sightings if one not in same):
        left_out.append(
            "{} has {} x {} pixels, most have {} x {}".format(other.source, *other.picture_wh, *same[0].picture_wh)
        )
        progress(f"Left out: {one_line(left_out[-1])}.")
    solution = solve(same)
    for stray in solution.strays:
        left_out.append(f"{stray.source} does not fit the others (shaken, or the paper bent)")
        progress(f"Left out: {one_line(left_out[-1])}.")
    return Calibration(solution.lens, tuple(left_out))


def _of_one_size(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Those of the size that most have; a camera's other sizes may show another part of what its lens sees."""
    sizes = Counter(one.picture_wh for one in sightings)
    return [one for one in sightings if one.picture_wh == sizes.most_common(1)[0][0]]
