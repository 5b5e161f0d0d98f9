"""Whatever can happen at a table, and whatever can happen to a file: strategies for the property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from referee.model import Json
from referee.race import challenge, match
from referee.race.drive import Call
from referee.rules.challenges import CHALLENGES, stages_needed
from tests.race.moments import Machine

WAITS_MS = (0, 1, 900, 3_000, 3_001, 20_000, 70_000)

CALLS = st.one_of(
    st.just(Call("fair")),
    st.builds(
        Call,
        st.sampled_from(["fair", "ignored-accident", "unfinished", "review"]),
        st.integers(0, 2),
        st.integers(0, 1),
        st.sampled_from(["picture", "person"]),
    ),
    st.just(Call("fair", 1, by="honour")),
)
PLACES = st.none() | st.integers(-1, 4)
NAMES = st.sampled_from(["Ada", "Béa", "Cem", "Dan", "ada", "", "\x1b[2J", "字" * 50])
TEAM = st.just(("Ada", "Béa", "Cem")) | st.lists(NAMES, max_size=4).map(tuple)
STAGES = st.lists(st.integers(0, 5), max_size=4).map(tuple)
CONDITIONS = st.sampled_from(["no-joystick", "silent", "mirrored", "no-accident"])
SIDES = st.sampled_from(match.TEAMS)
CARS = st.sampled_from(["mine", "clothesline", "nitro", "Toaster", ""])

GOOD_CHOICES = st.sampled_from(
    [
        challenge.Choose(each.id, ("Ada", "Béa", "Cem"), stages_needed(each) or tuple(range(1, each.stages.count + 1)))
        for each in CHALLENGES.values()
    ]
)
ANY_CHOICE = st.builds(challenge.Choose, st.sampled_from([*CHALLENGES, "none"]), TEAM, STAGES, st.booleans())

OF_A_CHALLENGE: dict[str, st.SearchStrategy[Any]] = {
    "choose": GOOD_CHOICES | GOOD_CHOICES | ANY_CHOICE,
    "change-stage": st.builds(challenge.ChangeStage, st.integers(0, 9)),
    "board-seen": st.builds(challenge.BoardSeen, st.integers(1, 2), st.booleans()),
    "board-vouched": st.just(challenge.BoardVouched()),
    "count-down": st.builds(challenge.CountDown, st.sampled_from([0, 1, 2, 3, -1])),
    "call-off": st.just(challenge.CallOff()),
    "finish": st.just(challenge.Finish()),
    "not-yet": st.just(challenge.NotYet()),
    "judged": st.builds(challenge.Judged, CALLS, PLACES),
    "honest": st.builds(challenge.Honest, st.integers(-1, 1)),
    "drive-again": st.just(challenge.DriveAgain()),
    "declare": st.builds(challenge.Declare, CONDITIONS, st.booleans()),
    "give-up": st.just(challenge.GiveUp()),
}
OF_A_MATCH: dict[str, st.SearchStrategy[Any]] = {
    "sit-down": st.builds(
        match.SitDown, st.just(("Ada", "Béa", "Cem")) | TEAM, st.just(("Eli", "Fay")), SIDES, st.booleans()
    ),
    "choose-stage": st.builds(match.ChooseStage, SIDES, st.sampled_from([1, 2, 3, 0])),
    "take-car": st.builds(match.TakeCar, SIDES, CARS),
    "without-cars": st.just(match.WithoutCars()),
    "warm-up-over": st.just(match.WarmUpOver()),
    "board-seen": st.builds(
        match.BoardSeen, SIDES, st.integers(1, 2), st.booleans(), st.lists(CARS, max_size=1).map(tuple), st.booleans()
    ),
    "board-vouched": st.builds(match.BoardVouched, SIDES),
    "count-down": st.builds(match.CountDown, st.sampled_from([0, 1, 2, 3]), st.sampled_from([0, 1, -1])),
    "call-off": st.just(match.CallOff()),
    "crossed": st.builds(match.Crossed, SIDES),
    "not-yet": st.builds(match.NotYet, SIDES),
    "was-first": st.builds(match.WasFirst, SIDES),
    "judged": st.builds(match.Judged, SIDES, CALLS, PLACES),
    "agreed": st.builds(match.Agreed, SIDES, st.integers(-1, 1)),
    "cheated": st.builds(match.Cheated, SIDES, st.booleans()),
    "start-over": st.builds(match.StartOver, st.booleans()),
    "onward": st.just(match.Onward()),
    "give-up": st.just(match.GiveUp()),
}


def let_time_pass(data: st.DataObject, machine: Machine) -> None:
    """Some time passes; now and then somebody sets the wall clock, or the machine is restarted."""
    machine.after(data.draw(st.sampled_from(WAITS_MS)))
    machine.jump_wall(data.draw(st.sampled_from([0, 0, 0, -3_600_000, 86_400_000])))
    if data.draw(st.integers(0, 30)) == 30:
        machine.restart(data.draw(st.sampled_from(WAITS_MS)))


ONWARD = {
    **{"choosing": "choose", "board": "count-down", "driving": "finish", "stopped": "judged", "review": "judged"},
    **{"unfair": "drive-again", "declaring": "declare"},
    **{"teams": "sit-down", "stage": "choose-stage", "cars": "take-car", "warm-up": "warm-up-over"},
    **{"boards": "count-down", "crossed": "judged", "awarded": "onward"},
}
"""What most often happens in a phase, so that games come to their ends."""


def likely(data: st.DataObject, at: str, possible: tuple[str, ...], events: dict[str, st.SearchStrategy[Any]]) -> Any:
    """Any event: mostly what leads on, else one that the rules know in this phase, now and then just anything."""
    how = data.draw(st.integers(0, 9))
    if how <= 6:
        usual = "crossed" if at == "driving" and "crossed" in events else ONWARD.get(at, "judged")
        return data.draw(events[usual])
    names = [name for name in possible if name != "give-up"] if how <= 8 else []
    return data.draw(events[data.draw(st.sampled_from(names or list(events)))])


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 5),
    st.just(10**400),
    st.floats(allow_nan=True),
    st.sampled_from(["", "fair", "A", "silent", "confidence", "unseen", "x" * 5000, "\ud800", "\x1b[2J"]),
    st.just([]),
    st.just({}),
    st.just([[[[]]]]),
    st.just({"stage": 1, "drives": []}),
)


def places_in(tree: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to everything in a JSON tree, the whole tree included."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [way, *(place for key, below in items for place in places_in(below, (*way, key)))]


def damaged(data: st.DataObject, state: Json) -> Any:
    """A stored state with one thing in it replaced, taken away, doubled or added."""
    way = data.draw(st.sampled_from(places_in(state)))
    junk = data.draw(JUNK)
    if not way:
        return junk
    holder: Any = state
    for key in way[:-1]:
        holder = holder[key]
    how = data.draw(st.sampled_from(["replace", "take", "add"]))
    if how == "replace":
        holder[way[-1]] = junk
    elif how == "take":
        del holder[way[-1]]
    elif isinstance(holder, list):
        holder.append(holder[way[-1]])
    else:
        holder["surprise"] = junk
    return state
