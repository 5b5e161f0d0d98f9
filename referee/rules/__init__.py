"""Facts → verdict: the rules of the race, as tables and one state machine."""

from referee.rules.judge import judge
from referee.rules.reading import choose
from referee.rules.settings import Rules, rules_from_toml, settings

__all__ = ["Rules", "choose", "judge", "rules_from_toml", "settings"]
