"""The ways a picture cannot be judged: one family, raised where the fault is known, caught once."""

from __future__ import annotations

from typing import ClassVar


class RefereeError(Exception):
    """Something the person can mend: ``message`` says what was expected and what came, ``hint`` what to do."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(f"{message} {hint}")
        self.message = message
        self.hint = hint


class NotAPicture(RefereeError):
    """The file is empty, cut off, or no picture at all."""

    code = "not-a-picture"


class PictureTooLarge(RefereeError):
    """The header claims more pixels than the referee takes."""

    code = "picture-too-large"


class NoBoard(RefereeError):
    """No stage board in the picture."""

    code = "no-board"


class UnknownStage(RefereeError):
    """Markers of a stage that no file describes."""

    code = "unknown-stage"


class NoInk(RefereeError):
    """A clean board, or nothing but a ghost of an old race."""

    code = "no-ink"


class TooTangled(RefereeError):
    """More ink than the strokes of one race, or more tangled than can be told apart."""

    code = "too-tangled"


class TooBlurred(RefereeError):
    """One uncertainty of a white-line margin is over half a millimetre."""

    code = "too-blurred"


class TooSmall(RefereeError):
    """The board has fewer than 1.5 pixels a millimetre."""

    code = "too-small"


class BadStageFile(RefereeError):
    """A stage file that does not follow the format; the message names file and element."""

    code = "bad-stage-file"


class Mirrored(RefereeError):
    """The picture shows the board as in a mirror."""

    code = "mirrored"


class BadTracing(RefereeError):
    """A traced board that makes no sense as it was sent: numbers that are none, far too much of it."""

    code = "bad-tracing"


class BadBaseline(RefereeError):
    """The picture from before the race does not show this board as it was then."""

    code = "bad-baseline"


class BadVideo(RefereeError):
    """A film or camera that gives no pictures, or none any more."""

    code = "bad-video"


class WrongUsage(RefereeError):
    """A setting or argument that does not make sense."""

    code = "wrong-usage"


class UnknownDecision(WrongUsage):
    """A person's decision that answers no question of this picture, or one that another has answered."""

    code = "unknown-decision"


class WrongLens(RefereeError):
    """The picture is not of the size that the lens profile was measured at."""

    code = "wrong-lens"


class NotCalibrated(RefereeError):
    """Pictures of the target from which no lens profile can be made."""

    code = "not-calibrated"


class Refused(RefereeError):
    """What the rules of play do not allow now; ``word`` and ``values`` say so to a page in another language."""

    code = "refused"

    def __init__(self, word: str, message: str, hint: str, **values: str | int) -> None:
        super().__init__(message, hint)
        self.word = word
        self.values = values


class BadState(RefereeError):
    """A stored state of play that is damaged, was tampered with, or is of another version."""

    code = "bad-state"
