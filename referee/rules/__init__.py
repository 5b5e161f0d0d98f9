"""Facts → verdict: the rules of the race, as tables and one state machine."""

from referee.rules.judge import judge
from referee.rules.reading import choose
from referee.rules.settings import Rules, rules_from_toml, settings
from referee.rules.verdict import judge_readings

__all__ = ["Rules", "choose", "judge", "judge_readings", "rules_from_toml", "settings"]
