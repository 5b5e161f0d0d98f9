"""The settings of the page: one frozen value, checked at birth."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from referee.errors import WrongUsage
from referee.words import LANGUAGES

PREFIX = "REFEREE_"


def default_data() -> Path:
    """Where a program keeps its data on this platform."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "camera-referee"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "camera-referee"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "camera-referee"


def default_samples() -> Path | None:
    """The sample pictures of a checkout; None where the package is installed without them."""
    samples = Path(__file__).resolve().parents[2] / "samples"
    return samples if any(samples.glob("*.jpg")) else None


@dataclass(frozen=True)
class Settings:
    """What can be chosen about the page.

    Empty addresses mean the default inside the data folder: SQLite, a folder of pictures, a queue in SQLite.
    """

    data: Path
    database: str = ""
    """An SQLAlchemy address, such as postgresql+psycopg://name@host/referee."""
    pictures: str = ""
    """An fsspec address, such as s3://bucket/referee."""
    queue: str = ""
    """redis://host:6379/0, or empty."""
    keep_days: int = 90
    """Pictures are deleted after so many days; 0 keeps them until somebody deletes them."""
    host: str = "127.0.0.1"
    port: int = 8150
    https: bool = False
    join_code: str = ""
    """Who comes over the network must say it; empty: one is made where it is needed."""
    names: str = ""
    """More names that the page goes by, with commas between: those of a proxy before it."""
    language: str = "en"
    """The language of a visitor whose browser asks for none that there is."""
    workers: int = 1
    """Worker processes that `serve` starts; 0 where others run elsewhere."""
    picture_mb: int = 50
    """The largest picture that is taken."""
    samples: Path | None = None
    stages: Path | None = None
    """A folder of more stage files."""
    own_stages: str = ""
    """The folder of the boards that were traced or brought in here; empty: in the data folder."""

    def __post_init__(self) -> None:
        _among("language", self.language, LANGUAGES)
        _between("port", self.port, 0, 65535)
        _between("keep_days", self.keep_days, 0, 36500)
        _between("workers", self.workers, 0, 32)
        _between("picture_mb", self.picture_mb, 1, 200)
        if not self.host:
            raise WrongUsage("host is empty.", "Say 127.0.0.1 for this machine alone, 0.0.0.0 for the home network.")
        if self.queue and not self.queue.startswith(("redis://", "rediss://")):
            raise WrongUsage(f"queue is {self.queue!r}.", "Say redis://host:port/number, or leave it empty.")
        if self.database and "://" not in self.database:
            raise WrongUsage(f"database is {self.database!r}.", "Say postgresql+psycopg://…, or leave it empty.")
        if self.stages is not None and not self.stages.is_dir():
            raise WrongUsage(f"There is no folder {self.stages}.", "Name a folder that holds stage files (.svg).")

    @property
    def database_url(self) -> str:
        """Where the tables are."""
        return self.database or f"sqlite:///{self.data / 'referee.db'}"

    @property
    def pictures_url(self) -> str:
        """Where the pictures are."""
        return self.pictures or str(self.data / "pictures")

    @property
    def own_folder(self) -> Path:
        """Where the boards are that were traced or brought in here; it need not be there yet."""
        return Path(self.own_stages) if self.own_stages else self.data / "stages"

    @property
    def stage_folders(self) -> tuple[Path, ...]:
        """The folders of stage files beside the built-in ones; the last goes before the others."""
        return tuple(folder for folder in (self.own_folder, self.stages) if folder is not None and folder.is_dir())

    @property
    def other_names(self) -> tuple[str, ...]:
        """The names that the page goes by beside this machine's own."""
        return tuple(name.strip() for name in self.names.split(",") if name.strip())

    def environment(self) -> dict[str, str]:
        """The settings as environment variables, for a worker's process."""
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        return {PREFIX + name.upper(): _told(value) for name, value in told.items() if value is not None}


def settings_from(environment: Mapping[str, str], **said: Any) -> Settings:
    """The settings of environment variables (REFEREE_PORT …); what is ``said`` beside them goes before, unless None.

    >>> settings_from({"REFEREE_PORT": "9000"}, data=Path("d"), host=None).port
    9000
    """
    chosen: dict[str, Any] = {"data": default_data(), "samples": default_samples()}
    kinds = {field.name: str(field.type) for field in fields(Settings)}
    for name, kind in kinds.items():
        if (value := environment.get(PREFIX + name.upper())) is not None:
            chosen[name] = _heard(PREFIX + name.upper(), value, kind)
    chosen |= {name: value for name, value in said.items() if value is not None}
    return Settings(**chosen)


def _told(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _heard(name: str, value: str, kind: str) -> Any:
    if kind == "bool":
        return value.strip().lower() in ("1", "true", "yes", "on")
    if kind == "int":
        try:
            return int(value)
        except ValueError:
            raise WrongUsage(f"{name} must be a whole number, got {value!r}.", "Mend it or take it away.") from None
    if kind.startswith("Path"):
        return Path(value) if value else None
    return value


def _among(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise WrongUsage(f"{name} must be one of {', '.join(choices)}, got {value!r}.", "Choose one of them.")


def _between(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise WrongUsage(f"{name} must be from {least} to {most}, got {value}.", "Choose a number between them.")
