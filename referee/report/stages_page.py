"""The stages that the referee knows on one page, each with a small picture: a file that asks nothing of the network."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from referee.report.board import data_uri
from referee.report.text import Described, elements

PICTURE_PX_PER_MM = 1.6
QUALITY = 82

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>Stages</title>
<style>
:root { color-scheme: light dark; --ground: #f6f5f1; --card: #fff; --ink: #1d2126; --soft: #5b636d; --rule: #dcdad2; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14171a; --card: #1d2126; --ink: #e9ebee; --soft: #a3acb6; --rule: #343a41; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 1.2rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.45 system-ui, "Segoe UI", Roboto, sans-serif; }
h1 { font-size: 1.4rem; margin: 0 0 1rem; }
ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); }
li { background: var(--card); border: 1px solid var(--rule); border-radius: .6rem; overflow: hidden;
  break-inside: avoid; }
img { display: block; width: 100%; height: auto; }
h2 { font-size: 1.05rem; margin: .6rem .8rem 0; overflow-wrap: anywhere; }
p { margin: .2rem .8rem .7rem; color: var(--soft); font-size: .92rem; overflow-wrap: anywhere; }
.level { letter-spacing: .12em; color: #9a6a00; }
@media (prefers-color-scheme: dark) { .level { color: #f2b457; } }
@media print { body { padding: 0; } ol { grid-template-columns: repeat(3, 1fr); } }
</style></head>
<body><h1>Stages</h1>
<ol>
"""
_FOOT = "</ol></body></html>\n"


def stages_page(stages: Sequence[tuple[Described, NDArray[np.uint8]]]) -> str:
    """The page; with each stage goes its picture as RGB (H, W, 3)."""
    return _PAGE + "".join(_card(stage, picture) for stage, picture in stages) + _FOOT


def _card(stage: Described, picture: NDArray[np.uint8]) -> str:
    height, width = picture.shape[:2]
    image = data_uri(np.ascontiguousarray(picture[:, :, ::-1]), QUALITY)
    about = [stage.theme, f"{stage.course_mm / 10:.0f} cm of road", elements(stage)]
    return (
        f'<li><img src="{image}" width="{width}" height="{height}" alt="">'
        f"<h2>{stage.number} {escape(stage.name)}</h2>"
        f"<p>{_level(stage.difficulty)}{escape(', '.join(part for part in about if part))}</p></li>\n"
    )


def _level(difficulty: int | None) -> str:
    """Difficulty as stars, said aloud in words."""
    if difficulty is None:
        return ""
    stars = "★" * difficulty + "☆" * (5 - difficulty)
    return f'<span class="level" role="img" aria-label="difficulty {difficulty} of 5">{stars}</span><br>'
