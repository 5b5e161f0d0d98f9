"""Several hands: work on one picture that falls into independent parts, done side by side.

The only place below the service that starts threads.  numpy and OpenCV let go of the interpreter while they count, so
two hands do nearly twice as much in large pieces; every part writes what is its own, so results do not depend on who
does which, or when.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from itertools import pairwise
from threading import Lock
from typing import Any, TypeVar

import numpy as np

One = TypeVar("One")
Value = TypeVar("Value")

Turnstile = Lock
"""Lets one hand in at a time: for what is kept from picture to picture, since several may be judged at once."""

MOST_HANDS = 4
"""With more, the steps that have to wait for one another are what takes the time."""


@cache
def hands() -> int:
    """How many parts are done at once."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(cores or 1, MOST_HANDS))


@cache
def _helpers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max(1, hands() - 1), "hand")


if hasattr(os, "register_at_fork"):  # a child has none of its parent's threads: it takes on helpers of its own
    os.register_at_fork(after_in_child=_helpers.cache_clear)


def side_by_side(*parts: Callable[[], Value]) -> list[Value]:
    """What the parts give, in their order; whatever one raises is raised here.

    The caller does the first himself, and each of the others that no helper has begun by then: so one part may ask for
    hands of its own, and many pictures at once do without helpers.  All parts know what the caller's context holds,
    such as the language.
    """
    if hands() == 1:
        return [part() for part in parts]
    begun = [_helpers().submit(copy_context().run, part) for part in parts[1:]]
    done = [parts[0]()]
    for part, later in zip(parts[1:], begun, strict=True):
        done.append(part() if later.cancel() else later.result())
    return done


def both(one: Callable[[], One], other: Callable[[], Value]) -> tuple[One, Value]:
    """What two parts give, done side by side."""
    done: list[Any] = side_by_side(one, other)
    return done[0], done[1]


def for_each(work: Callable[[One], None], parts: Iterable[One]) -> None:
    """``work`` done on every part, by all hands, each taking the next part that is left."""
    left = deque(parts)

    def take() -> None:
        while True:
            try:
                part = left.popleft()
            except IndexError:
                return
            work(part)

    side_by_side(*[take] * min(hands(), max(1, len(left))))


def shares(count: int, most: int) -> list[slice]:
    """So many things in even shares, an even number of them, none larger than ``most``.

    The same on every machine, however many hands it has: sums are rounded by how they are shared out.
    """
    pairs = -(-count // (2 * most))
    ends = np.linspace(0, count, 2 * pairs + 1).astype(int).tolist()
    return [slice(a, b) for a, b in pairwise(ends) if a < b]
