"""Write the report expected of each sample photo from how it is judged now, and say what changes.

    python -m tests.write_sample_reports                 all of them
    python -m tests.write_sample_reports fair-park       only these
    python -m tests.write_sample_reports --truth DIR     and hold them against what was planned (NAME.truth.json)
    python -m tests.write_sample_reports --dry           say it, write nothing

What it prints is to be read by a person: a report that is wrong must not become what is expected.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from referee.model import Json
from tests.sample_reports import answer, differences, expected_of, faults, photos, told_of


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge and write; the exit status is 1 if a report is not what was planned."""
    parser = argparse.ArgumentParser(description="Write the reports expected of the sample photos.")
    parser.add_argument("names", nargs="*", help="samples without their ending; all if left out")
    parser.add_argument("--truth", type=Path, help="folder of NAME.truth.json, what was planned for each photo")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    chosen = parser.parse_args(arguments)
    wrong = 0
    for photo in photos():
        if chosen.names and photo.stem not in chosen.names:
            continue
        told = told_of(photo)
        print(f"{photo.stem}: {', '.join(map(answer, told))}{_change(photo, told)}", flush=True)
        planned = _planned(chosen.truth, photo, told) if chosen.truth else []
        wrong += bool(planned)
        print("".join(f"  NOT AS PLANNED: {line}\n" for line in planned), end="", flush=True)
        if not chosen.dry:
            photo.with_suffix(".json").write_text(text_of(told), encoding="utf-8", newline="\n")
    return 1 if wrong else 0


def text_of(told: Sequence[Json]) -> str:
    """As `--json` tells it, one object or an array, but with a line for each field and event."""
    boards = ["{\n" + ",\n".join(_field(*item) for item in board.items()) + "\n}" for board in told]
    return (boards[0] if len(boards) == 1 else "[" + ",\n".join(boards) + "]") + "\n"


def _field(name: str, value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return f'  "{name}": [\n' + ",\n".join(f"    {json.dumps(one)}" for one in value) + "\n  ]"
    return f'  "{name}": {json.dumps(value)}'


def _change(photo: Path, told: Sequence[Json]) -> str:
    if not photo.with_suffix(".json").exists():
        return " (new)"
    changed = differences(expected_of(photo), told)
    return "".join(f"\n  changed: {line}" for line in changed)


def _planned(folder: Path, photo: Path, told: Sequence[Json]) -> list[str]:
    """What is not as planned: NAME.truth.json holds for the only board or copy A, NAME.B.truth.json for copy B."""
    said: list[str] = []
    for board in told:
        copy = (board["stage"] or {}).get("copy")
        path = folder / f"{photo.stem}{'.B' if copy == 'B' and len(told) > 1 else ''}.truth.json"
        said += faults(json.loads(path.read_text()), board) if path.exists() else ["nothing is known of this photo"]
    return said


if __name__ == "__main__":
    raise SystemExit(main())
