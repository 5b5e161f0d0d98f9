"""``python -m stage_masks.drawing``: writes every built-in stage."""

from __future__ import annotations

import sys
from pathlib import Path

from .board import draw
from .stages import PLANS

FOLDER = Path(__file__).resolve().parent.parent


def file_name(number: int) -> str:
    """The file a stage is kept in."""
    return f"stage-{number:02d}.svg"


def main() -> None:
    """Draw all stages, or those whose numbers are given."""
    wanted = {int(word) for word in sys.argv[1:]}
    for plan in PLANS:
        if not wanted or plan.number in wanted:
            (FOLDER / file_name(plan.number)).write_bytes(draw(plan).encode())
            print(f"wrote {file_name(plan.number)}: {plan.name}")


if __name__ == "__main__":
    main()
