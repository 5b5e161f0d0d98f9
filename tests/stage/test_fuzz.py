"""Whatever a file holds: a stage, or one clear refusal, in bounded time."""

from __future__ import annotations

import re
import time
from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.errors import BadStageFile
from referee.model import Stage
from referee.stage.check import check_stage
from referee.stage.load import parse_stage
from tests.stage.boards import BRIDGE, RULER, board

FILES = (board(), board(BRIDGE))
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
ODD = [
    b"NaN",
    b"inf",
    b"1e400",
    b"-1e308",
    b"1e-300",
    b"0",
    b"-1",
    b"99999",
    b"",
    b"1 2 3",
    b"\xff",
    "٣".encode(),
    b"%",
]
WORDS = [
    b'data-kind="road"',
    b"</g>",
    b"<g>",
    b"<!--",
    b'transform="scale(0)"',
    b"/>",
    b'"',
    b"&amp;",
    b"<use href='#course'/>",
]


def survives(svg: bytes) -> None:
    begun = time.monotonic()
    with suppress(BadStageFile):
        assert isinstance(parse_stage(svg, "fuzz.svg"), Stage)
    assert time.monotonic() - begun < 5


quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quick
@given(data=st.data())
def test_numbers_that_are_changed_never_crash_the_loader(data: st.DataObject) -> None:
    svg = data.draw(st.sampled_from(FILES))
    spots = list(NUMBER.finditer(svg))
    for _ in range(data.draw(st.integers(1, 4))):
        spot = data.draw(st.sampled_from(spots))
        value = data.draw(st.sampled_from(ODD) | st.floats(-400, 400).map(lambda v: f"{v:.3g}".encode()))
        svg = svg[: spot.start()] + value + svg[spot.end() :]
    survives(svg)


@quick
@given(data=st.data())
def test_text_that_is_cut_or_doubled_never_crashes_the_loader(data: st.DataObject) -> None:
    svg = data.draw(st.sampled_from(FILES))
    for _ in range(data.draw(st.integers(1, 3))):
        a, b = sorted(data.draw(st.tuples(st.integers(0, len(svg)), st.integers(0, len(svg)))))
        cut = data.draw(st.sampled_from(["drop", "double", "word", "noise"]))
        middle = {
            "drop": b"",
            "double": svg[a:b] * 2,
            "word": data.draw(st.sampled_from(WORDS)),
            "noise": data.draw(st.binary(max_size=9)),
        }
        svg = svg[:a] + middle[cut] + svg[b if cut in ("drop", "double") else a :]
    survives(svg)


@quick
@given(data=st.data())
def test_elements_that_swap_their_parts_never_crash_the_loader(data: st.DataObject) -> None:
    elements = dict(data.draw(st.sampled_from([RULER, BRIDGE])))
    names = sorted(elements)
    for _ in range(data.draw(st.integers(1, 4))):
        one, other = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
        match data.draw(st.sampled_from(["kind", "shape", "double", "turn"])):
            case "kind":
                kind = re.search(r'data-kind="[^"]*"', elements[other])
                elements[one] = re.sub(r'data-kind="[^"]*"', kind[0] if kind else "", elements[one])
            case "shape":
                shape = re.search(r' (?:d|points)="[^"]*"', elements[other])
                elements[one] = re.sub(r' (?:d|points)="[^"]*"', shape[0] if shape else "", elements[one])
            case "double":
                elements[f"{one}-again"] = elements[one]
            case "turn":
                angle = data.draw(st.integers(-180, 180))
                elements[one] = f'<g transform="rotate({angle} 150 100) skewX({angle / 3})">{elements[one]}</g>'
    survives(board(elements))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_garbage_never_crashes_the_loader(svg: bytes) -> None:
    survives(svg)


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_whatever_loads_can_be_checked(data: st.DataObject, tmp_path_factory) -> None:  # type: ignore[no-untyped-def]
    svg = data.draw(st.sampled_from(FILES))
    spot = data.draw(st.sampled_from(list(NUMBER.finditer(svg))))
    path = tmp_path_factory.mktemp("fuzz") / "fuzz.svg"
    path.write_bytes(svg[: spot.start()] + str(data.draw(st.integers(0, 290))).encode() + svg[spot.end() :])
    checkup = check_stage(path)
    assert checkup.loads or checkup.remarks[0].level == "error"
