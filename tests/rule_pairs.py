"""Which tests keep a rule and which break it, so that a test can count that none lacks its pair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

Test = Callable[..., None]


class RulePairs(defaultdict[str, set[str]]):
    """By a rule's number: "keeps", "breaks", as far as there are such tests."""

    def __init__(self) -> None:
        super().__init__(set)

    def keeps(self, rule: str) -> Callable[[Test], Test]:
        """Marks a test that keeps a rule."""
        return self._marks(rule, "keeps")

    def breaks(self, rule: str) -> Callable[[Test], Test]:
        """Marks a test that breaks a rule."""
        return self._marks(rule, "breaks")

    def _marks(self, rule: str, how: str) -> Callable[[Test], Test]:
        def mark(test: Test) -> Test:
            self[rule].add(how)
            return test

        return mark
