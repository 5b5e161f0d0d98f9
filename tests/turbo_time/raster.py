"""Drawings as pixels, for tests that look at them."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import resvg
from numpy.typing import NDArray
from PIL import Image

CSS_PX_PER_MM = 96 / 25.4


def drawn(svg: str, size_mm: tuple[float, float], px_per_mm: float) -> NDArray[Any]:
    """An SVG on white paper as RGB; words are left out."""
    scale = px_per_mm / CSS_PX_PER_MM
    size = round(size_mm[0] * px_per_mm), round(size_mm[1] * px_per_mm)
    tree = resvg.usvg.Tree.from_str(svg, resvg.usvg.Options.default())
    png = resvg.render(tree, (scale, 0.0, 0.0, 0.0, scale, 0.0), bg_color=(255, 255, 255, 255), bg_size=size)
    return np.array(Image.open(io.BytesIO(png)).convert("RGB"))
