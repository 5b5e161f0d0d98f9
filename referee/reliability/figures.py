"""The figures of a run: how many verdicts are right, how far off margins are, how honest their uncertainties."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import Any, get_args

from referee.model import Json
from referee.reliability.matching import Kind, Margin, Outcome

SCALES: tuple[tuple[str, float, float], ...] = (
    ("8 px/mm and more", 8.0, math.inf),
    ("4 to 8 px/mm", 4.0, 8.0),
    ("under 4 px/mm", 0.0, 4.0),
)
SIZES_MM: tuple[tuple[str, float, float], ...] = (
    ("up to 0.3 mm", 0.0, 0.3),
    ("0.3 to 1 mm", 0.3, 1.0),
    ("1 to 3 mm", 1.0, 3.0),
    ("over 3 mm", 3.0, math.inf),
)
SIGMAS_MM: tuple[tuple[str, float, float], ...] = (
    ("up to 0.05 mm", 0.0, 0.05),
    ("0.05 to 0.1 mm", 0.05, 0.1),
    ("0.1 to 0.2 mm", 0.1, 0.2),
    ("over 0.2 mm", 0.2, math.inf),
)
WORST = 10


def figures(outcomes: Sequence[Outcome]) -> Json:
    """Everything that is told of a run, as one JSON object.

    ``within`` are shares of true margins within one and two of the stated uncertainties; a share, median or other
    statistic of nothing is null.  A promise of one normal distribution's sigmas would give 0.68 and 0.95.
    """
    margins = [margin for one in outcomes for margin in one.margins]
    return {
        "photos": len(outcomes),
        "verdicts": {
            "right": sum(one.verdict == "right" for one in outcomes),
            "abstained": sum(one.verdict == "abstained" for one in outcomes),
            "abstained_rightly": sum(one.verdict == "abstained" and one.rightly for one in outcomes),
            "wrong": sum(one.verdict == "wrong" for one in outcomes),
        },
        "accidents": sum(one.accidents for one in outcomes),
        "false_accusations": sum(len(one.false) for one in outcomes),
        "missed_accidents": sum(len(one.missed) for one in outcomes),
        "order_errors": sum(len(one.late) for one in outcomes),
        "margins": _errors(margins),
        "by_scale": _table(margins, SCALES, lambda margin: margin.px_per_mm, _errors),
        "by_kind": {kind: _errors([margin for margin in margins if margin.kind == kind]) for kind in get_args(Kind)},
        "within": _honesty(margins),
        "within_by_margin": _table(margins, SIZES_MM, lambda margin: abs(margin.true_mm), _honesty),
        "within_by_uncertainty": _table(margins, SIGMAS_MM, lambda margin: margin.sigma_mm, _honesty),
        "worst": [_worst(margin) for margin in sorted(margins, key=lambda m: -abs(m.error_mm))[:WORST]],
        "faults": [{"case": one.case, "faults": one.faults} for one in outcomes if one.faults],
    }


def _table(
    margins: Sequence[Margin],
    bounds: Sequence[tuple[str, float, float]],
    value: Callable[[Margin], float],
    told: Callable[[Sequence[Margin]], Json],
) -> Json:
    """A row for each part of a range; a part holds its lower bound."""
    return {name: told([m for m in margins if low <= value(m) < high]) for name, low, high in bounds}


def _errors(margins: Sequence[Margin]) -> Json:
    off = sorted(abs(margin.error_mm) for margin in margins)
    return {
        "count": len(off),
        "median_mm": round(statistics.median(off), 3) if off else None,
        "p95_mm": round(_percentile(off, 0.95), 3) if off else None,
        "most_mm": round(off[-1], 3) if off else None,
        "mean_signed_mm": round(statistics.fmean(margin.error_mm for margin in margins), 3) if off else None,
    }


def _percentile(ordered: Sequence[float], share: float) -> float:
    """Linear between neighbours, as numpy has it."""
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def _honesty(margins: Sequence[Margin]) -> Json:
    off = [abs(margin.error_mm) for margin in margins]
    stated = [margin.sigma_mm for margin in margins]
    count = len(margins)
    return {
        "count": count,
        "within_one": _share(sum(a <= s for a, s in zip(off, stated, strict=True)), count),
        "within_two": _share(sum(a <= 2 * s for a, s in zip(off, stated, strict=True)), count),
        "stated_rms_mm": round(math.sqrt(statistics.fmean(s * s for s in stated)), 3) if count else None,
        "true_rms_mm": round(math.sqrt(statistics.fmean(a * a for a in off)), 3) if count else None,
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _worst(margin: Margin) -> Json:
    return {
        "case": margin.case,
        "kind": margin.kind,
        "element": margin.element,
        "true_mm": round(margin.true_mm, 3),
        "told_mm": round(margin.told_mm, 3),
        "uncertainty_mm": round(margin.sigma_mm, 3),
        "px_per_mm": round(margin.px_per_mm, 2),
    }


# ------------------------------------------------------------------------------------------------ words


def text(told: Json) -> str:
    """The figures in words and tables; the tables are Markdown."""
    return "\n".join(_lines(told)) + "\n"


def _lines(told: Json) -> Iterator[str]:
    verdicts = told["verdicts"]
    yield f"{told['photos']} photos: {verdicts['right']} verdicts right, {verdicts['abstained']} abstained " + (
        f"({verdicts['abstained_rightly']} rightly), {verdicts['wrong']} wrong."
    )
    yield (
        f"{told['accidents']} accidents that had to be told: {told['missed_accidents']} missed, "
        f"{told['false_accusations']} false accusations; {told['order_errors']} events out of order."
    )
    rows = {"all margins": told["margins"], **told["by_scale"], **told["by_kind"]}
    yield from _markdown(
        ("margin error", "margins", "median mm", "95 % within mm", "most mm", "mean mm"),
        [(name, *_of(row, "count", "median_mm", "p95_mm", "most_mm", "mean_signed_mm")) for name, row in rows.items()],
    )
    honest = {
        "all margins": told["within"],
        **{f"margin {name}": row for name, row in told["within_by_margin"].items()},
        **{f"stated {name}": row for name, row in told["within_by_uncertainty"].items()},
    }
    yield from _markdown(
        ("true margin within", "margins", "one uncertainty", "two", "stated rms mm", "true rms mm"),
        [
            (name, str(row["count"]), *(_percent(row[key]) for key in ("within_one", "within_two")))
            + _of(row, "stated_rms_mm", "true_rms_mm")
            for name, row in honest.items()
        ],
    )
    if told["worst"]:
        yield from ("", "The margins furthest off:")
        yield from (
            f"  {m['told_mm'] - m['true_mm']:+.2f} mm  {m['case']}  {m['element']}: {m['told_mm']:.2f} told "
            f"(one uncertainty {m['uncertainty_mm']:.2f}), {m['true_mm']:.2f} true, {m['px_per_mm']:.1f} px/mm"
            for m in told["worst"]
        )
    if told["faults"]:
        yield from ("", "Photos with a fault:")
        yield from (f"  {one['case']}: {'; '.join(one['faults'])}" for one in told["faults"])


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table whose columns stand under each other."""
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
    yield ""
    for row in (head, ["-" * width for width in widths], *rows):
        yield "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"


def _of(row: Json, *names: str) -> tuple[str, ...]:
    return tuple(_plain(row[name]) for name in names)


def _plain(value: Any) -> str:
    return "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
