"""All tables of the page, in one place.

Times are whole and fractional seconds since 1970, UTC, for people to read: no clock of a race and no order hangs on
them.  ``number`` counts what stands in lists as it came (`order`): checks, runs and races by one count.  A check's
``id`` is its address: random, so that it cannot be guessed from another.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

schema = Table("schema_version", metadata, Column("version", Integer, nullable=False))
"""One row: the version that the tables are of."""

secrets = Table(
    "secret", metadata, Column("name", String(40), primary_key=True), Column("value", String(200), nullable=False)
)
"""What this installation signs with: made once."""

jobs = Table(
    "job",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(40), nullable=False),
    Column("payload", JSON, nullable=False),
    Column("state", String(10), nullable=False),
    Column("priority", Integer, nullable=False, default=0),
    Column("attempt", Integer, nullable=False, default=0),
    Column("beat", Integer, nullable=False, default=0),
    Column("worker", String(80)),
    Column("progress", Float, nullable=False, default=0.0),
    Column("step", String(40)),
    Column("fault", Text),
    Column("created_at", Float, nullable=False),
    Column("finished_at", Float),
    Index("ix_job_waiting", "state", "priority", "id"),
)
"""Work to do: ``state`` is waiting, running, done or failed; ``beat`` counts the worker's heartbeats."""

checks = Table(
    "photo_check",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created_at", Float, nullable=False),
    Column("name", String(200), nullable=False),
    Column("purpose", String(40), nullable=False, default=""),
    Column("batch", String(32), nullable=False, default="", index=True),
    Column("picture", String(200)),
    Column("drawn", String(200)),
    Column("baseline", String(200)),
    Column("said_stage", Integer),
    Column("options", JSON, nullable=False),
    Column("state", String(10), nullable=False),
    Column("job", Integer, ForeignKey("job.id")),
    Column("judged_at", Float),
    Column("error", JSON),
    Column("number", Integer, nullable=False, server_default="0"),
    Column("kept_from_ms", BigInteger, nullable=False, server_default="0"),
    Index("ix_photo_check_number", "number"),
)
"""A photo that was handed in.

``purpose`` is empty for a photo of "Check photos", else it names the challenge or race that it belongs to.
``picture`` and ``baseline`` are keys of the picture store, ``drawn`` is the folder of what was drawn; None once
deleted.  ``options`` is what the judging was told beside (mode, nitro).  ``state`` is waiting, judged or failed;
``error`` what kept all of it from being judged.  ``kept_from_ms`` is when its picture came by the page's own calendar.
"""

calendar = Table(
    "calendar",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("shows_ms", BigInteger, nullable=False),
    Column("boot", String(80), nullable=False),
    Column("since_boot_ms", BigInteger, nullable=False),
    Column("wall_ms", BigInteger, nullable=False),
)
"""One row: what the page's own calendar (`calendar`) showed when it was last looked at, and that look's instant."""

boards = Table(
    "photo_board",
    metadata,
    Column("check_id", String(32), ForeignKey("photo_check.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("stage", Integer),
    Column("copy", String(1)),
    Column("verdict", String(20), nullable=False),
    Column("finished", Boolean, nullable=False, default=False),
    Column("accidents", Integer, nullable=False, default=0),
    Column("code", String(40)),
    Column("report", JSON, nullable=False),
    Column("words", JSON, nullable=False),
)
"""A board in a photo.

``verdict`` is the report's, or ``error``; ``code`` is then the error's.  ``report`` is REPORT format 1; ``words`` has,
by language, its verdict line, its heading, and what kept it from being judged (`exhibit.words`).
"""

accidents = Table(
    "photo_accident",
    metadata,
    Column("check_id", String(32), primary_key=True),
    Column("board", Integer, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("stage", Integer, nullable=False),
    Column("cause", String(20), nullable=False),
    Column("outcome", String(12)),
    Column("certain", Boolean, nullable=False),
    Column("element", String(200)),
    Column("restart", String(200)),
    Column("x_mm", Float, nullable=False),
    Column("y_mm", Float, nullable=False),
    ForeignKeyConstraint(
        ["check_id", "board"],
        ["photo_board.check_id", "photo_board.number"],
        name="fk_photo_accident_photo_board",
        ondelete="CASCADE",
    ),
    Index("ix_photo_accident_stage", "stage"),
)
"""The accidents of the reports, one row each, so that they can be counted without reading all reports.

``restart`` is the place that the car had to go back to: the last checkpoint that it had crossed, or the start.
"""

decisions = Table(
    "decision",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("check_id", String(32), ForeignKey("photo_check.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("board", Integer, nullable=False),
    Column("about", JSON, nullable=False),
    Column("ask", JSON, nullable=False),
    Column("answer", String(20), nullable=False),
    Column("who", String(80), nullable=False),
    Column("why", String(500), nullable=False),
    Column("decided_at", Float, nullable=False),
    Column("taken_back_at", Float),
)
"""What a person answered to a question of the referee's, asked or not; one that was taken back stays, with when.

``about`` names the question as reports do: rule, kind, element, at_mm, stroke, and stage and copy of the board;
``ask`` is the question in each language.
"""

races = Table(
    "race",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
    Column("phase", String(20), nullable=False),
    Column("version", Integer, nullable=False),
    Column("state", JSON, nullable=False),
    Column("number", Integer, nullable=False, server_default="0"),
    Index("ix_race_number", "number"),
)
"""A game of two teams.

``state`` is what `race.match.kept` makes of it, ``phase`` repeats what lists ask for; ``version`` counts its changes,
so that of two at once none is lost.
"""

race_looks = Table(
    "race_look",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("race_id", String(32), ForeignKey("race.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("heat", Integer, nullable=False),
    Column("team", String(1), nullable=False),
    Column("stage", Integer, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("picture", String(200)),
    Column("drawn", String(200)),
    Column("state", String(10), nullable=False),
    Column("seen", JSON),
    Column("told", Boolean, nullable=False, default=False),
    Column("number", Integer, nullable=False, server_default="0"),
    Column("kept_from_ms", BigInteger, nullable=False, server_default="0"),
)
"""A photo of a team's board before a heat (counted from 0), gadgets drawn: the baseline of R11.

``picture`` and ``drawn`` are keys of the picture store; None once deleted.  ``state`` is waiting, judged or failed,
``seen`` what was seen (`races.seen.Seen`), ``told`` whether the race has heard of it.
``number`` counts them as they came: of two of a board the later counts, whatever the wall clock says.
"""

race_photos = Table(
    "race_photo",
    metadata,
    Column("check_id", String(32), ForeignKey("photo_check.id", ondelete="CASCADE"), primary_key=True),
    Column("race_id", String(32), ForeignKey("race.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("heat", Integer, nullable=False),
    Column("team", String(1), nullable=False),
    Column("told", String(80), nullable=False, default=""),
    Column("number", Integer, nullable=False, server_default="0"),
)
"""A photo of a team's board after a heat: a check.

``told`` says up to which state of its check the race has heard of it; ``number`` counts them as they came.
"""

challenge_runs = Table(
    "challenge_run",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
    Column("challenge", String(40), nullable=False, index=True),
    Column("practice", Boolean, nullable=False, default=False),
    Column("phase", String(20), nullable=False),
    Column("version", Integer, nullable=False),
    Column("state", JSON, nullable=False),
    Column("number", Integer, nullable=False, server_default="0"),
    Index("ix_challenge_run_number", "number"),
)
"""A team's run at a challenge.

``state`` is what `race.challenge.kept` makes of it; ``phase``, ``challenge`` and ``practice`` repeat what lists ask
for.  ``version`` counts its changes: who changes it says which version he saw.
"""

challenge_photos = Table(
    "challenge_photo",
    metadata,
    Column("check_id", String(32), ForeignKey("photo_check.id", ondelete="CASCADE"), primary_key=True),
    Column("run_id", String(32), ForeignKey("challenge_run.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("turn", Integer, nullable=False),
    Column("shows", String(10), nullable=False),
    Column("told", String(80), nullable=False, default=""),
    Column("number", Integer, nullable=False, server_default="0"),
)
"""A photo of a run: of which of its drives (``turn``, counted from 0), and whether it ``shows`` the board "before" or
"after" it.  ``told`` says up to which state of its check the run has heard of it; ``number`` counts them as they came:
of two photos of one drive the later counts, whatever the wall clock says.
"""

challenge_book = Table(
    "challenge_book",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("state", JSON, nullable=False),
)
"""One row: the challenges that were won, as `race.book.kept` makes them; they stay when runs are deleted."""

live_races = Table(
    "live_race",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created_at", Float, nullable=False),
    Column("run_id", String(32)),
    Column("race_id", String(32)),
    Column("checks", JSON, nullable=False),
    Column("record", JSON, nullable=False),
    Column("number", Integer, nullable=False, server_default="0"),
    Index("ix_live_race_number", "number"),
)
"""A race that was watched live.

``record`` is what came of it (`live.after`); ``checks`` names for each of its boards the check of its last clear
picture, or null.  ``run_id`` and ``race_id`` name the challenge or race that it counted for, which may be gone.
"""

board_drafts = Table(
    "board_draft",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created_at", Float, nullable=False),
    Column("changed_at", Float, nullable=False),
    Column("name", String(200), nullable=False),
    Column("step", String(10), nullable=False),
    Column("version", Integer, nullable=False),
    Column("job", Integer, ForeignKey("job.id")),
    Column("picture", String(200)),
    Column("shown", String(200)),
    Column("flat", String(200)),
    Column("seen", JSON, nullable=False),
    Column("tracing", JSON, nullable=False),
    Column("suggestions", JSON, nullable=False),
    Column("error", JSON),
    Column("saved", Integer),
    Index("ix_board_draft_changed", "changed_at"),
)
"""A board that is being traced (`boards.drafts`).

``step`` is finding (the worker looks for its outline), corners (somebody sets them), laying (it is laid flat), tracing,
or failed; ``error`` says then why.  ``picture``, ``shown`` (smaller, for the page) and ``flat`` are keys of the picture
store.  ``seen`` has the picture's size, the corners in its pixels, whether they were found, and the board's size.
``tracing`` is what `stage.tracing` reads, ``suggestions`` what `vision.draft.suggest` found.  ``version`` counts its
changes: who changes it says which version he saw.  ``saved`` is the number of the stage file that was made of it.
"""
