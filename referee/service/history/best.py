"""The best times: of every stage and of every challenge.  Practice counts for nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from referee.service.past import BestTime, pasts
from referee.service.store.open import Store

MOST = 5
"""So many times of each stage and each challenge are told."""


@dataclass(frozen=True)
class Best:
    """The quickest times, the best first: by the number of the stage, and by the challenge's name."""

    stages: Mapping[int, tuple[BestTime, ...]]
    challenges: Mapping[str, tuple[BestTime, ...]]


def best(store: Store) -> Best:
    """The best times of all that is kept."""
    return best_of(time for past in pasts().values() for time in past.best_times(store))


def best_of(times: Iterable[BestTime]) -> Best:
    """The best of some times; of equal ones the earlier goes first."""
    stages: dict[int, list[BestTime]] = {}
    challenges: dict[str, list[BestTime]] = {}
    for time in times:
        if time.stage is not None:
            stages.setdefault(time.stage, []).append(time)
        else:
            challenges.setdefault(time.challenge, []).append(time)
    return Best(
        {stage: _quickest(some) for stage, some in sorted(stages.items())},
        {name: _quickest(some) for name, some in sorted(challenges.items())},
    )


def _quickest(times: Iterable[BestTime]) -> tuple[BestTime, ...]:
    return tuple(sorted(times, key=lambda time: (time.ms, time.at))[:MOST])
