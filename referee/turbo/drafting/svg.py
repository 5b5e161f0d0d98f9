"""Elements of an SVG file as text: the same every time."""

from __future__ import annotations

from xml.sax.saxutils import quoteattr


def num(value: float) -> str:
    """A number with at most two decimals, the same every time.

    >>> num(1.0), num(-0.001), num(2.345)
    ('1', '0', '2.35')
    """
    text = f"{value + 1e-9:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag(name: str, **said: str | float) -> str:
    """An element without content; "_" in an attribute's name is "-"."""
    told = {key.strip("_").replace("_", "-"): num(v) if isinstance(v, float | int) else v for key, v in said.items()}
    return f"<{name} {' '.join(f'{key}={quoteattr(value)}' for key, value in told.items())}/>"


STROKES = {
    "T": "M0 0h4M2 0v6",
    "U": "M0 0v4c0 2.7 4 2.7 4 0v-4",
    "R": "M0 6v-6h2c2.7 0 2.7 3 0 3h-2M2 3l2 3",
    "B": "M0 0v6h2.2c2.4 0 2.4 -3 0 -3h-2.2M0 0h2c2.2 0 2.2 3 0 3",
    "O": "M2 0c-2.7 0 -2.7 6 0 6s2.7 -6 0 -6z",
    "1": "M1 1.2l1.2 -1.2v6",
    "2": "M0.4 1.4c0 -1.9 3.2 -1.9 3.2 0c0 1.6 -3.2 2.8 -3.2 4.6h3.2",
    "3": "M0.5 0.7c1.4 -1.3 3.1 -0.5 3 0.8c-0.1 1 -1.5 1.3 -1.5 1.3c2.6 0 2.4 3.2 0 3.2c-0.9 0 -1.6 -0.5 -1.8 -1.2",
    "4": "M2.8 6v-6l-2.6 4h3.6",
}
"""Letters drawn with a pen in a box four wide and six high: a print needs no type for them."""


def strokes(text: str, x: float, y: float, height: float, colour: str, width: float) -> str:
    """A line of letters with its middle at (x, y); ``width`` is the pen's in the letters' own unit."""
    scale = height / 6
    left = x - (6 * len(text) - 2) / 2 * scale
    drawn = "".join(f'<path transform="translate({6 * at} 0)" d="{STROKES[sign]}"/>' for at, sign in enumerate(text))
    return (
        f'<g transform="translate({num(left)} {num(y - height / 2)}) scale({num(scale)})" fill="none" stroke="{colour}"'
        f' stroke-width="{num(width)}" stroke-linecap="round" stroke-linejoin="round">{drawn}</g>'
    )
