"""The stages, one file each: ``stage_07.py`` with its ``PLAN`` in it is stage 7, nothing else to be told."""

from importlib import import_module
from pathlib import Path

from ..plan import Plan

PLANS: tuple[Plan, ...] = tuple(
    import_module(f"{__name__}.{path.stem}").PLAN for path in sorted(Path(__file__).parent.glob("stage_*.py"))
)
