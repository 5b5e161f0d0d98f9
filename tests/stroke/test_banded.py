"""Banded equations come out as the full ones do, wherever scipy keeps its solver."""

from importlib.machinery import PathFinder
from typing import Any

import numpy as np
import pytest

from referee.model import Floats
from referee.stroke import banded


def equations(count: int) -> tuple[Floats, Floats, Floats]:
    """Diagonals, the same as a full matrix, and two right sides: a smoother's, some points of which are unknown."""
    rng = np.random.default_rng(count)
    differences = np.diff(np.eye(count), 3, axis=0)
    full = 40.0 * differences.T @ differences + np.diag(rng.uniform(0.1, 1.0, count))
    bands = np.zeros((4, count))
    for k in range(4):
        bands[3 - k, k:] = np.diag(full, k)
    return bands, full, rng.normal(size=(count, 2))


@pytest.mark.parametrize("count", [5, 8, 61, 700])
def test_the_solution_is_that_of_the_full_equations(count: int) -> None:
    bands, full, right = equations(count)
    kept = bands.copy(), right.copy()
    assert np.allclose(banded.solved(bands, right), np.linalg.solve(full, right), rtol=1e-9, atol=1e-9)
    assert np.array_equal(bands, kept[0])
    assert np.array_equal(right, kept[1])


def test_equations_that_are_not_positive_definite_are_refused() -> None:
    bands, _, right = equations(9)
    bands[3, 4] = -1.0
    with pytest.raises(ValueError, match="positive definite"):
        banded.solved(bands, right)


def test_where_scipy_keeps_its_solver_elsewhere_its_public_one_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    bands, _, right = equations(30)

    found = PathFinder.find_spec

    def elsewhere(name: str, *rest: Any) -> Any:
        return None if name == "_flapack" else found(name, *rest)

    monkeypatch.setattr(PathFinder, "find_spec", elsewhere)
    solve = banded._solver()
    monkeypatch.undo()
    assert np.array_equal(solve(bands, right)[1], banded.solved(bands, right))
