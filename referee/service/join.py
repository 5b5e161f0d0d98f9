"""The join code: who comes from elsewhere says it once and gets a signed cookie.

Two ways in.  The **code** is short enough to be called across a table: six digits, which are the same in every
language and come up as big keys on a phone.  The **ticket** is long, stands in the QR code only, and cannot be guessed;
it goes on working while guesses have locked the code.

Guessing is bounded by two buckets of tries: one for each address, one for all together.  A wrong code takes a try;
tries come back with time, whatever happens meanwhile, so nobody is locked out for ever, and guessing on while locked
gains nothing, since nothing is compared then.  With the defaults a million codes stand against about 360 tries an hour.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from itsdangerous import BadSignature, Signer

from referee.errors import WrongUsage
from referee.files import bytes_of
from referee.service.front import group_of

CODE_DIGITS = 6
TICKET_BYTES = 16
LEAST_CODE = 6
"""A code of one's own has at least so many letters and digits."""

COOKIE = "referee_joined"
LASTS_S = 12 * 3600
"""A cookie is good for one long evening."""
CLOCK_SET_BACK_S = 24 * 3600
"""A cookie may come from a future as far off as this: somebody set the clock back meanwhile."""

KEY_FILE = "join.key"
KEY_BYTES = 32

SEPARATORS = re.compile(r"[\s.\-_]+")
MOST_GIVEN = 64
"""No code or ticket is longer than so many letters."""


@dataclass(frozen=True)
class Tries:
    """A bucket of tries: so many at most, and one more after each so many seconds."""

    most: int
    one_more_s: float


FROM_ONE = Tries(5, 20.0)
FROM_ALL = Tries(30, 10.0)
MOST_ADDRESSES = 4096


@dataclass(frozen=True)
class Answer:
    """What came of a try: let in, or not; and if nothing was compared, when to come again."""

    joined: bool
    wait_s: float = 0.0


class _Bucket:
    """Tries that are left, growing again with time.  ``at_s`` is monotonic time."""

    def __init__(self, tries: Tries, at_s: float) -> None:
        self._tries = tries
        self._left = float(tries.most)
        self._at_s = at_s

    def wait_s(self, at_s: float) -> float:
        """How long until there is a whole try; 0 if there is one."""
        grown = max(0.0, at_s - self._at_s) / self._tries.one_more_s
        self._left = min(float(self._tries.most), self._left + grown)
        self._at_s = at_s
        return max(0.0, 1.0 - self._left) * self._tries.one_more_s

    def take(self) -> None:
        self._left -= 1.0


class Tried:
    """The tries of all addresses; a full table forgets the address that tried longest ago, the bucket of all stays."""

    def __init__(self, from_one: Tries, from_all: Tries, clock: Callable[[], float]) -> None:
        self._from_one = from_one
        self._clock = clock
        self._all = _Bucket(from_all, clock())
        self._ones: OrderedDict[str, _Bucket] = OrderedDict()

    def wait_s(self, group: str) -> float:
        """How long an address must wait before it may try; 0 if it may now."""
        at_s = self._clock()
        one = self._ones.get(group)
        return max(self._all.wait_s(at_s), one.wait_s(at_s) if one is not None else 0.0)

    def wrong(self, group: str) -> None:
        """Take a try from an address and from all."""
        one = self._ones.pop(group, None) or _Bucket(self._from_one, self._clock())
        self._ones[group] = one
        one.take()
        self._all.take()
        if len(self._ones) > MOST_ADDRESSES:
            self._ones.popitem(last=False)


class Join:
    """Decides who has joined.  ``clock`` is monotonic and bounds guesses, ``now`` is wall-clock time for cookies."""

    def __init__(
        self,
        code: str,
        key: bytes,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], float] = time.time,
        from_one: Tries = FROM_ONE,
        from_all: Tries = FROM_ALL,
    ) -> None:
        self.code = checked(code) if code else new_code()
        self.ticket = secrets.token_urlsafe(TICKET_BYTES)
        self._signer = Signer(key, salt="referee.join", digest_method=sha256)
        self._now = now
        self._tried = Tried(from_one, from_all, clock)
        self._lock = threading.Lock()

    def tried(self, given: str, ip: str) -> Answer:
        """Compare what somebody at an address gave with the ticket and the code."""
        if _same(given.strip(), self.ticket):
            return Answer(joined=True)
        group = group_of(ip)
        with self._lock:
            if wait_s := self._tried.wait_s(group):
                return Answer(joined=False, wait_s=wait_s)
            if _same(_bare(given), _bare(self.code)):
                return Answer(joined=True)
            self._tried.wrong(group)
        return Answer(joined=False)

    def cookie(self, visitor: str = "") -> str:
        """The value of a cookie for a visitor: an id and the time, signed.  Without an id a new visitor gets one."""
        told = f"{visitor or secrets.token_hex(8)}.{int(self._now())}"
        return self._signer.sign(told).decode()

    def visitor(self, cookie: str) -> str | None:
        """The id in a cookie; None if it is not ours or too old."""
        try:
            visitor, issued = self._signer.unsign(cookie).decode().split(".")
            age_s = self._now() - int(issued)
        except (BadSignature, ValueError):
            return None
        return visitor if -CLOCK_SET_BACK_S <= age_s <= LASTS_S else None

    def spoken(self) -> str:
        """The code as one reads it aloud: digits in threes."""
        digits = self.code.isdecimal() and len(self.code) % 3 == 0
        return " ".join(re.findall("...", self.code)) if digits else self.code


def new_code() -> str:
    """A fresh code.

    >>> len(new_code()), new_code().isdecimal()
    (6, True)
    """
    return "".join(secrets.choice("0123456789") for _ in range(CODE_DIGITS))


def checked(code: str) -> str:
    """A code of one's own choice; raises WrongUsage if it is too short, too long, or nothing that one could type."""
    if not (LEAST_CODE <= len(_bare(code)) <= MOST_GIVEN) or not code.isprintable():
        raise WrongUsage(
            f"The join code {code!r} is not one of {LEAST_CODE} to {MOST_GIVEN} letters and digits.",
            f"Choose a longer one that nobody guesses, or leave it empty: {CODE_DIGITS} digits are made at each start.",
        )
    return code


def kept_key(folder: Path) -> bytes:
    """The key that cookies are signed with: kept in the data folder, so that a restart sends nobody away.

    A file that others on this machine can read, or that is none of ours, is replaced.  Raises WrongUsage if the folder
    cannot be written to.
    """
    path = folder / KEY_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _read_key(path) or _new_key(path)
    except OSError as error:
        raise WrongUsage(
            f"The key of the join code cannot be kept in {folder}: {error.strerror}.",
            "Name a data folder that can be written to.",
        ) from error


def _read_key(path: Path) -> bytes | None:
    try:
        if os.name == "posix" and path.stat().st_mode & 0o077:
            return None
        key = bytes_of(path, KEY_BYTES)
    except OSError:
        return None
    return key if len(key) == KEY_BYTES else None


def _new_key(path: Path) -> bytes:
    key = secrets.token_bytes(KEY_BYTES)
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(key)
    return key


def _bare(code: str) -> str:
    """A code without what is said or typed between its parts, in one case."""
    return SEPARATORS.sub("", code[: 2 * MOST_GIVEN]).casefold()


def _same(given: str, held: str) -> bool:
    """Compared in a time that does not tell how much of it was right."""
    return hmac.compare_digest(sha256(given.encode("utf-8", "surrogatepass")).digest(), sha256(held.encode()).digest())
