"""``python -m referee.turbo.drafting``: writes the file of the built-in circuit."""

from __future__ import annotations

from pathlib import Path

from referee.turbo.drafting.drawing import circuit_svg

FILE = Path(__file__).parents[1] / "circuits" / "turbo.svg"

if __name__ == "__main__":
    FILE.write_text(circuit_svg(), encoding="utf-8", newline="\n")
