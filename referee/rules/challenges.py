"""R13: the nineteen challenges of the cooperative mode as a table, and which stages each of them asks for.

A challenge is won by one team that drives all its stages fairly, keeps its conditions, and needs *less than* its
target for all of them together; `referee.race.challenge` follows such a run.  Words are in English and French.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from referee.errors import WrongUsage

Language = Literal["en", "fr"]
Level = Literal[1, 2, 3]
ConditionName = Literal["no-accident", "no-joystick", "silent", "mirrored"]
StageFault = Literal["too-few", "too-many", "twice", "not-the-listed"]
"""What can be wrong with a list of stages."""


@dataclass(frozen=True)
class Text:
    """The same words in both languages."""

    en: str
    fr: str

    def to(self, language: Language) -> str:
        """The words in one language.

        >>> Text("clock", "chronomètre").to("fr")
        'chronomètre'
        """
        return self.fr if language == "fr" else self.en


@dataclass(frozen=True)
class AnyStages:
    """So many stages of the team's choice, in the order of its choice."""

    count: int

    @property
    def text(self) -> Text:
        """The rule in words."""
        if self.count == 1:
            return Text("any stage", "n'importe quelle piste")
        return Text(f"any {self.count} stages", f"{self.count} pistes au choix")


@dataclass(frozen=True)
class ListedStages:
    """The stages with these numbers, in this order; ``theme`` if the challenge says that they share one."""

    numbers: tuple[int, ...]
    theme: Literal["park", "sewer"] | None = None

    @property
    def count(self) -> int:
        """How many stages are driven."""
        return len(self.numbers)

    @property
    def text(self) -> Text:
        """The rule in words."""
        first, last = ", ".join(map(str, self.numbers[:-1])), self.numbers[-1]
        theme = THEMES[self.theme] if self.theme else Text("", "")
        return Text(f"{theme.en}stages {first} and {last}", f"pistes {theme.fr}{first} et {last}")


THEMES: Mapping[str, Text] = {"park": Text("park ", "du parc "), "sewer": Text("sewer ", "des égouts ")}

StageRule = AnyStages | ListedStages


@dataclass(frozen=True)
class Condition:
    """Something that has to hold beside the time: counted by the referee, or declared by the team at the end."""

    name: ConditionName
    declared: bool
    text: Text


LEVELS: Mapping[Level, Text] = {1: Text("easy", "facile"), 2: Text("medium", "moyen"), 3: Text("hard", "difficile")}
"""How hard a challenge is (`Challenge.level`).

Decision: the rulebook names no levels and gives each challenge one target, so the levels sort the list and change
nothing about a challenge.
"""
PACES_S = (80, 60)
"""Under 80 seconds a stage a challenge is no longer easy, under 60 it is hard."""


@dataclass(frozen=True)
class Challenge:
    """One line of the list; ``target_s`` is the time that the whole run must stay under."""

    id: str
    name: Text
    stages: StageRule
    target_s: int
    conditions: tuple[ConditionName, ...] = ()

    @property
    def level(self) -> Level:
        """How hard it is: 1 to 3, by the pace it asks for; a condition or stages in the sewer make it one harder."""
        pace_s = self.target_s / self.stages.count
        by_pace = sum(pace_s < limit for limit in PACES_S)
        in_the_sewer = isinstance(self.stages, ListedStages) and self.stages.theme == "sewer"
        harder = bool(self.conditions) or in_the_sewer
        levels: tuple[Level, ...] = (1, 2, 3, 3)
        return levels[by_pace + harder]

    @property
    def target_ms(self) -> int:
        """The target in the unit of the clock."""
        return self.target_s * 1000

    @property
    def declared(self) -> tuple[ConditionName, ...]:
        """The conditions that only the team itself can vouch for."""
        return tuple(name for name in self.conditions if CONDITIONS[name].declared)


CONDITIONS: Mapping[ConditionName, Condition] = {
    each.name: each
    for each in (
        Condition("no-accident", False, Text("no accident", "aucun accident")),
        Condition(
            "no-joystick",
            True,
            Text("the Co-Pilot leaves the driver's thumb alone", "le copilote ne touche pas au pouce du pilote"),
        ),
        Condition("silent", True, Text("the Co-Pilot does not say a word", "le copilote ne dit pas un mot")),
        Condition(
            "mirrored",
            True,
            Text("all directions are the wrong way round", "toutes les directions sont inversées"),
        ),
    )
}


def _minutes(minutes: int, seconds: int = 0) -> int:
    return minutes * 60 + seconds


CHALLENGES: Mapping[str, Challenge] = {
    each.id: each
    for each in (
        Challenge("qualification", Text("Qualification", "Qualification"), AnyStages(2), _minutes(4)),
        Challenge("bravery", Text("Bravery", "Bravoure"), AnyStages(3), _minutes(4, 30)),
        Challenge("confidence", Text("Confidence", "Confiance"), AnyStages(1), _minutes(1), ("no-accident",)),
        Challenge(
            "montreal-marathon-cup", Text("The Montreal Marathon Cup", "La Coupe du marathon de Montréal"),
            AnyStages(4), _minutes(4, 30),
        ),
        Challenge("driving-ace", Text("Driving Ace", "As du volant"), AnyStages(1), _minutes(0, 40)),
        Challenge("perfect-fit", Text("Perfect Fit", "Sur mesure"), AnyStages(3), _minutes(3, 30), ("no-accident",)),
        Challenge(
            "city-line-cup", Text("City Line Cup", "Coupe de la ville"), ListedStages((2, 3, 5)), _minutes(4)
        ),
        Challenge(
            "park-life-cup", Text("Park Life Cup", "Coupe du parc"), ListedStages((1, 6, 7), "park"), _minutes(4)
        ),
        Challenge(
            "underworld-cup", Text("Underworld Cup", "Coupe des souterrains"),
            ListedStages((12, 13, 15), "sewer"), _minutes(4),
        ),
        Challenge(
            "beep-beep-mini-race", Text("Beep Beep Mini-Race", "Mini-course Bip Bip"),
            ListedStages((2, 6)), _minutes(2),
        ),
        Challenge(
            "head-in-the-clouds-cup", Text("Head in the Clouds Cup", "Coupe La tête dans les nuages"),
            ListedStages((10, 11, 14)), _minutes(3, 30),
        ),
        Challenge("lightning-cup", Text("Lightning Cup", "Coupe Éclair"), ListedStages((6, 8, 9)), _minutes(3)),
        Challenge("mushroom-cup", Text("Mushroom Cup", "Coupe Champignon"), ListedStages((4, 5, 8)), _minutes(4)),
        Challenge(
            "slippery-surface", Text("Slippery Surface", "Chaussée glissante"),
            ListedStages((13, 14, 15)), _minutes(2),
        ),
        Challenge(
            "radio-race", Text("Radio Race", "Course radio"),
            ListedStages((4, 5, 7)), _minutes(2, 30), ("no-joystick",),
        ),
        Challenge("mute-race", Text("Mute Race", "Course muette"), AnyStages(1), _minutes(2, 30), ("silent",)),
        Challenge("mirror-race", Text("Mirror Race", "Course miroir"), AnyStages(1), _minutes(2), ("mirrored",)),
        Challenge("grand-champion", Text("Grand Champion", "Grand champion"), AnyStages(2), _minutes(1)),
        Challenge(
            "flying-ace", Text("Flying Ace", "As de la voltige"), ListedStages((10, 11, 12, 16)), _minutes(3, 30)
        ),
    )
}  # fmt: skip
"""The nineteen by id, in the order of the rulebook."""


def challenge(id: str) -> Challenge:
    """The challenge of that id; WrongUsage if there is none."""
    if id not in CHALLENGES:
        raise WrongUsage(
            f"There is no challenge called {id[:40]!r}.", f"The {len(CHALLENGES)} are {', '.join(CHALLENGES)}."
        )
    return CHALLENGES[id]


def stages_needed(of: Challenge) -> tuple[int, ...]:
    """The numbers of the stages that must be there, in their order; empty where the team chooses.

    >>> stages_needed(challenge("city-line-cup")), stages_needed(challenge("bravery"))
    ((2, 3, 5), ())
    """
    return of.stages.numbers if isinstance(of.stages, ListedStages) else ()


def stage_faults(of: Challenge, stages: Sequence[int], *, different: bool = True) -> tuple[StageFault, ...]:
    """What is wrong with a list of stages, driven or to be driven, in order; empty if it fits the challenge.

    ``different`` is the decision of R13 that "any n stages" means n different ones.

    >>> stage_faults(challenge("bravery"), [4, 4]), stage_faults(challenge("city-line-cup"), [3, 2, 5])
    (('too-few', 'twice'), ('not-the-listed',))
    """
    listed = isinstance(of.stages, ListedStages)
    wrong: dict[StageFault, bool] = {
        "too-few": len(stages) < of.stages.count,
        "too-many": len(stages) > of.stages.count,
        "twice": not listed and different and len(set(stages)) < len(stages),
        "not-the-listed": listed and tuple(stages) != stages_needed(of)[: len(stages)],
    }
    return tuple(fault for fault, so in wrong.items() if so)
