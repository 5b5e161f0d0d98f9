"""Symmetric banded equations solved by LAPACK.

`scipy.linalg` has it, with much else: the whole of that takes 20 MB and a quarter of a second to load.  So only the
module is loaded that the solver lives in, and all of it where scipy keeps that elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any

import numpy as np
import scipy  # type: ignore[import-untyped]

from referee.model import Floats


def _solver() -> Callable[..., tuple[Any, Any, int]]:
    """LAPACK's ``dpbsv``: the factor, the solution and what went wrong (0 if nothing did)."""
    found = PathFinder.find_spec("_flapack", [str(Path(scipy.__file__).parent / "linalg")])
    if found is None or found.loader is None:
        from scipy.linalg import lapack  # type: ignore[import-untyped]

        return lapack.dpbsv  # type: ignore[no-any-return]
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module.dpbsv  # type: ignore[no-any-return]


_DPBSV = _solver()


def solved(bands: Floats, right: Floats) -> Floats:
    """What solves equations (n, k): their diagonals are ``bands`` (u + 1, n), the upper ones first, the main one last.

    Raises `ValueError` if they are not positive definite.

    >>> import numpy as np
    >>> solved(np.array([[0.0, 1.0], [2.0, 2.0]]), np.array([[3.0], [3.0]])).round(9).tolist()
    [[1.0], [1.0]]
    """
    _, solution, wrong = _DPBSV(bands, right)
    if wrong:
        raise ValueError(f"the equations must be positive definite, and are not from number {wrong} on")
    return np.asarray(solution, np.float64)
