"""The `referee` command.

Heavy rooms are imported where a command needs them: `referee --help` reads none of them.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

import referee
from referee.errors import (
    BadStageFile,
    NotAPicture,
    NotCalibrated,
    PictureTooLarge,
    RefereeError,
    UnknownStage,
    WrongUsage,
)
from referee.turbo.cli import turbo_words
from referee.turbo_time.cli import turbo_time_words

if TYPE_CHECKING:
    from referee.model import Copy, Decision, Failure, Json, Report, Stage
    from referee.report.page import Page
    from referee.rules.settings import Rules
    from referee.stage.catalogue import Catalogue
    from referee.stage.printing_extras import ExtraName, ScoreLine
    from referee.words import Language

JUDGED = 0
FAULT_OF_OURS = 1
WRONG_USAGE = 2
NOT_ALL_JUDGED = 3
INTERRUPTED = 128 + signal.SIGINT

VIDEO_ENDINGS = {".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v", ".3gp", ".mpg", ".mpeg", ".y4m", ".wmv"}

DECISIONS_WORDS = """a decision names a question or a call of the report (--json), and answers it:
  [{"rule": "R2", "kind": "white-line", "element": "white-line-5", "at_mm": [140.0, 77.7],
    "answer": "no", "reason": "We all saw it.", "who": "Ann", "when": "2026-12-01 15:04"}]
several pictures: add "source", the picture's name.  A report.json with decisions in it will do, too."""

Handler = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, 2 for wrong usage, or 3 where a picture could not be judged."""
    _speak_on_any_console()
    _keep_to_one_thread()
    chosen = _parser().parse_args(arguments)
    handler: Handler = chosen.handler
    try:
        status = handler(chosen)
        sys.stdout.flush()
    except RefereeError as error:
        from referee.words import told

        language: Language = getattr(chosen, "language", "en")
        _say(f"referee: {told(error.message, language)}\n  {told(error.hint, language)}")
        return WRONG_USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _say_no_more()  # whoever read our words has read enough
        return JUDGED
    except OSError as error:
        if not _is_full(error):
            raise
        _say_no_more()
        _say(f"referee: the answer cannot be written: {error.strerror}.\n  Make room, or write it elsewhere.")
        return WRONG_USAGE
    return status


def _is_full(fault: Exception) -> bool:
    """Whether what we write cannot be kept where it goes."""
    return isinstance(fault, OSError) and fault.errno in (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EDQUOT)


def _say_no_more() -> None:
    """What is left unsaid must not complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _named_path(name: str) -> Path:
    """A path that somebody named; an empty name would mean the folder that one happens to be in."""
    if not name:
        raise argparse.ArgumentTypeError("the name is empty; name a file or folder")
    return Path(name)


def _keep_to_one_thread() -> None:
    """Systems of equations here are small: a library that shares them among threads takes four times as long on a
    busy machine (0.7 s for 3 s).  Must come before numpy."""
    for library in ("OPENBLAS", "MKL", "OMP"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


def _speak_on_any_console() -> None:
    """A sign that the console cannot show becomes a question mark, not a crash."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


# ------------------------------------------------------------------------------------------- the words of the command


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="referee",
        description="The camera referee: a photo of a raced board goes in, a verdict with its evidence comes out.",
        epilog="Exit status: 0 all judged, 1 a fault of the referee's own, 2 wrong usage, 3 a picture not judged.",
    )
    parser.add_argument("--version", action="version", version=f"referee {referee.__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _judge_words(commands.add_parser("judge", help="judge pictures of raced boards"))
    _stages_words(commands.add_parser("stages", help="list the stages that the referee knows"))
    _check_words(commands.add_parser("check", help="check stage files"))
    _print_words(commands.add_parser("print", help="print boards to a PDF at their exact size"))
    _calibrate_words(
        commands.add_parser("calibrate", help="measure the lens of a fixed camera from pictures of the target")
    )
    _rules_words(commands.add_parser("rules", help="list the settings of the rules with their defaults"))
    _bench_words(commands.add_parser("bench", help="measure speed and memory on this machine"))
    _reliability_words(commands.add_parser("reliability", help="measure how far photos with truth are judged right"))
    _serve_words(commands.add_parser("serve", help="open the referee's page in the browser"))
    _watch_words(commands.add_parser("watch", help="call a race as it runs: a camera, a film or a network camera"))
    _new_stage_words(commands.add_parser("new-stage", help="make a stage of a picture of your own clean board"))
    turbo_words(commands.add_parser("turbo", help="Turbo: the circuit race with counters: circuits, moves, logs"))
    turbo_time_words(commands.add_parser("turbo-time", help="It's Turbo Time: points, powers, logs, toys and cards"))
    return parser


def _judge_words(judge: argparse.ArgumentParser) -> None:
    judge.add_argument("pictures", nargs="+", metavar="PICTURE", help="photos, or films: judged in time")
    judge.add_argument("--stage", metavar="FILE|NUMBER", help="the stage in the pictures, if its markers shall not say")
    _stages_option(judge)
    judge.add_argument(
        "--corners",
        nargs="+",
        metavar="X,Y",
        help="where the board of --stage lies, if nothing else finds it: its corners in pixels, top left first, "
        "clockwise",
    )
    judge.add_argument(
        "--baseline",
        type=_named_path,
        metavar="PICTURE",
        help="the board before the race, with its gadgets drawn: a photo",
    )
    judge.add_argument("--mode", choices=("coop", "competitive"), help="the kind of race (coop)")
    judge.add_argument("--nitro", action="store_true", help="the Nitro card was played (competitive races)")
    judge.add_argument(
        "--rules", type=Path, metavar="FILE", help="settings of the rules, as `rules --toml` writes them"
    )
    judge.add_argument("--lens", type=Path, metavar="PROFILE", help="the camera's lens, as `calibrate` measured it")
    judge.add_argument(
        "--decisions", type=_named_path, metavar="FILE", help="what people decided where they know better (JSON)"
    )
    judge.add_argument("--language", choices=("en", "fr"), default="en", help="the language of the words (en)")
    judge.epilog = DECISIONS_WORDS
    judge.formatter_class = argparse.RawDescriptionHelpFormatter
    judge.add_argument("--json", action="store_true", help="one JSON document on standard output, words nowhere")
    judge.add_argument(
        "--out", type=_named_path, metavar="DIR", help="write a page with the evidence, close-ups, report.json"
    )
    judge.set_defaults(handler=_judge)


def _stages_words(stages: argparse.ArgumentParser) -> None:
    _stages_option(stages)
    stages.add_argument("--json", action="store_true", help="a JSON array on standard output")
    stages.add_argument("--html", type=_named_path, metavar="FILE", help="write a page with a small picture of each")
    stages.set_defaults(handler=_stages)


def _check_words(check: argparse.ArgumentParser) -> None:
    check.add_argument("files", nargs="+", type=Path, metavar="STAGE.svg")
    check.set_defaults(handler=_check)


def _print_words(printing: argparse.ArgumentParser) -> None:
    printing.add_argument(
        "stages",
        nargs="*",
        metavar="STAGE",
        help="numbers or stage files; `templates`, `cards` and `scores` for what is played with beside them; "
        "`target` for the sheet to calibrate with",
    )
    printing.add_argument("--all", action="store_true", help="every stage, the templates, the cards, the score sheet")
    _stages_option(printing)
    printing.add_argument("--paper", choices=("a4", "letter", "a3", "a4-halves"), default="a4", help="the paper (a4)")
    printing.add_argument("--copies", choices=("A", "B", "AB"), default="AB", help="one board a team (AB)")
    printing.add_argument(
        "-o", "--output", type=Path, required=True, metavar="FILE", help="the PDF to write (the target: or .svg)"
    )
    printing.set_defaults(handler=_print)


def _new_stage_words(new: argparse.ArgumentParser) -> None:
    new.description = (
        "Makes a stage file of a picture of a clean board without markers: found, laid flat, its shading taken off. "
        "The file is a draft: road, lines and zones are traced in the editor (`referee serve`) or any SVG editor, and "
        "`referee check` says what is missing."
    )
    new.add_argument(
        "picture", type=_named_path, metavar="PICTURE", help="a photo of the whole clean board, from above"
    )
    new.epilog = "Exit status: 0 the file is written, 2 wrong usage, 3 the picture cannot be read."
    new.add_argument("-o", "--output", type=_named_path, metavar="FILE", help="the stage file (stage-NUMBER.svg)")
    size = new.add_mutually_exclusive_group()
    size.add_argument("--size-mm", type=_size_mm, metavar="WxH", help="the board's width and height: 297x210")
    size.add_argument("--paper", choices=("a3", "a4", "a5", "letter"), help="the paper that the board is printed on")
    size.add_argument(
        "--long-mm", type=float, metavar="MM", help="its long side; the picture tells the other one, to a few percent"
    )
    new.add_argument(
        "--corners", nargs="+", metavar="X,Y", help="its corners in pixels, top left first, if they are not found"
    )
    new.add_argument("--number", type=int, metavar="N", help="the stage's number (the first free one from 101)")
    new.add_argument("--name", metavar="TEXT", help="its name (the picture's)")
    new.set_defaults(handler=_new_stage)


def _size_mm(text: str) -> tuple[float, float]:
    """Two lengths with an x between them."""
    try:
        width, height = (float(side) for side in text.lower().replace("×", "x").split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write 297x210") from None
    return width, height


def _corners(words: Sequence[str] | None) -> list[tuple[float, float]] | None:
    """Four pairs x,y: as one word or as several; raises `WrongUsage`.

    >>> _corners(["10,10,300,12", "310,220", "5,210"])
    [(10.0, 10.0), (300.0, 12.0), (310.0, 220.0), (5.0, 210.0)]
    """
    if words is None:
        return None
    try:
        numbers = [float(number) for word in words for number in word.replace(";", ",").split(",") if number.strip()]
    except ValueError:
        numbers = []
    if len(numbers) != 8 or not all(abs(number) < 1e6 for number in numbers):
        told = " ".join(words)
        raise WrongUsage(
            f"--corners takes four corners, not {told!r}.",
            "Write x,y of each in pixels, top left first, clockwise: --corners 105,118 906,137 909,652 106,679",
        )
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _calibrate_words(calibrate: argparse.ArgumentParser) -> None:
    calibrate.description = (
        "Measures how a fixed camera's lens bends its pictures. Print the target (calibration/target-a4.pdf, or "
        "`referee print target -o target.pdf`), glue it to something flat, and take 8 to 12 pictures at the size that "
        "races are photographed at: tilted by 20 to 40 degrees to all sides, and filling each corner of the picture."
    )
    calibrate.epilog = "Exit status: 0 the profile is written, 2 wrong usage, 3 the pictures do not make one."
    calibrate.add_argument("pictures", nargs="+", metavar="PICTURE", help="pictures of the target: 6 at least")
    calibrate.add_argument(
        "--out", type=_named_path, required=True, metavar="PROFILE", help="the profile to write (.toml)"
    )
    calibrate.add_argument("--date", metavar="TEXT", help="a date to write into it (none)")
    calibrate.set_defaults(handler=_calibrate)


def _rules_words(rules: argparse.ArgumentParser) -> None:
    rules.add_argument("--toml", action="store_true", help="as a file for `judge --rules`")
    rules.set_defaults(handler=_rules)


def _bench_words(bench: argparse.ArgumentParser) -> None:
    bench.add_argument("picture", nargs="?", type=Path, metavar="PICTURE", help="a photo (the largest sample)")
    bench.add_argument("--rounds", type=int, default=7, metavar="N", help="rounds to take the median of (7)")
    _stages_option(bench)
    bench.add_argument("--live", action="store_true", help="watch the sample films: a frame's cost, a call's delay")
    bench.add_argument("--loop", action="store_true", help="with --live: ten minutes more, for memory")
    bench.set_defaults(handler=_bench)


def _serve_words(serve: argparse.ArgumentParser) -> None:
    serve.description = (
        "Serves the page and names its address. Other settings are environment variables: REFEREE_DATABASE, "
        "REFEREE_PICTURES, REFEREE_QUEUE, REFEREE_KEEP_DAYS, REFEREE_WORKERS, REFEREE_LANGUAGE (README.md)."
    )
    serve.add_argument("--host", metavar="H", help="0.0.0.0 opens it to the home network (127.0.0.1: this machine)")
    serve.add_argument("--port", type=int, metavar="P", help="the port (8150; 0 takes a free one)")
    serve.add_argument("--https", action="store_true", default=None, help="with a certificate of its own making")
    serve.add_argument("--data", type=_named_path, metavar="DIR", help="where pictures and verdicts are kept")
    serve.add_argument("--open", action="store_true", help="open the page in this machine's browser")
    _stages_option(serve)
    serve.set_defaults(handler=_serve)


def _watch_words(watch: argparse.ArgumentParser) -> None:
    watch.description = (
        "Prints what happens in a race as it happens, and the verdict at the end (Ctrl-C ends a camera)."
    )
    watch.add_argument("source", metavar="CAMERA|VIDEO|URL", help="a camera's number (0), a film's file, an address")
    watch.add_argument("--stage", metavar="FILE|NUMBER", help="the stage on the table, if its markers shall not say")
    _stages_option(watch)
    watch.add_argument("--mode", choices=("coop", "competitive"), help="the kind of race (coop)")
    watch.add_argument("--nitro", action="store_true", help="the Nitro card was played (competitive races)")
    watch.add_argument("--rules", type=Path, metavar="FILE", help="settings of the rules")
    watch.add_argument("--json", action="store_true", help="JSON lines: one object a call, at the end one a board")
    watch.add_argument("--language", choices=("en", "fr"), default="en", help="the language of the words (en)")
    watch.set_defaults(handler=_watch)


def _reliability_words(reliability: argparse.ArgumentParser) -> None:
    reliability.description = (
        "Judges photos whose truth is known and says how often the verdict was right, how far margins were off, and "
        "how often the true margin lay within one and two of the stated uncertainties."
    )
    reliability.add_argument(
        "folders", nargs="+", type=Path, metavar="FOLDER", help="a case (photo.jpg, truth.json), or a folder of cases"
    )
    _stages_option(reliability)
    reliability.add_argument(
        "--cache", type=Path, metavar="FILE", help="keeps reports: a run that was stopped goes on where it was"
    )
    reliability.add_argument("--json", action="store_true", help="one JSON document on standard output")
    reliability.set_defaults(handler=_reliability)


def _stages_option(command: argparse.ArgumentParser) -> None:
    command.add_argument("--stages", type=Path, metavar="DIR", dest="folder", help="a folder of more stage files")


# ------------------------------------------------------------------------------------------------------------ judge


def _judge(chosen: argparse.Namespace) -> int:
    """Judge every picture in turn; only one is held in memory at a time."""
    from referee.model import Report
    from referee.pipeline import judge_boards  # before the page: it says what to do where OpenCV cannot be loaded

    pictures = list(_expanded(chosen.pictures))
    corners = _corners(chosen.corners)
    if corners is not None and (chosen.stage is None or len(pictures) != 1):
        raise WrongUsage(
            "--corners is about one board in one picture.", "Say --stage, too, and give that picture alone."
        )
    if any(picture.suffix.lower() in VIDEO_ENDINGS for picture in pictures):
        _refuse_for_films(chosen)
    rules = _rules_of(chosen)
    catalogue = _catalogue(chosen.folder)
    stage, failure = _stage_of_the_run(chosen.stage, catalogue)
    sources = _sources(pictures)
    said = _decisions(chosen.decisions, sources)
    desk = _Desk(chosen.json, chosen.out, len(pictures), chosen.language)
    for picture, source in zip(pictures, sources, strict=True):
        desk.announce(source)
        try:
            if failure is not None:
                desk.take([Report(source, failure=failure)])
            elif picture.suffix.lower() in VIDEO_ENDINGS:
                desk.take_film(str(picture), source, catalogue, rules, stage)
            else:
                desk.take(
                    judge_boards(
                        picture,
                        stage=stage,
                        catalogue=catalogue,
                        rules=rules,
                        source=source,
                        lens=chosen.lens,
                        baseline=chosen.baseline,
                        decisions=said[source],
                        corners_px=corners,
                    )
                )
        except (WrongUsage, BrokenPipeError):
            raise
        except RefereeError as error:
            desk.take([Report(source, failure=_failure(error))])
        except Exception as fault:  # a fault of ours must not cost the other pictures their verdict
            if _is_full(fault):
                raise
            desk.fault(source, fault)
    return desk.close()


class _Desk:
    """Takes the reports as they come and hands them out: words or JSON, and the page, if one is wanted."""

    def __init__(self, as_json: bool, folder: Path | None, pictures: int, language: Language) -> None:
        self.as_json = as_json
        self.pictures = pictures
        self.language = language
        self.seen = 0
        self.spoken = 0
        self.gap = False
        """Whether an empty line ends what standard output holds."""
        self.faults = 0
        self.documents: list[Json] = []
        self.page = self._page(folder, language) if folder else None

    @staticmethod
    def _page(folder: Path, language: Language) -> Page:
        from referee.report.page import Page

        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WrongUsage(f"--out {folder}: {error.strerror}.", "Name a folder that can be made.") from error
        if not os.access(folder, os.W_OK | os.X_OK):  # said now, not when the first picture is judged
            raise WrongUsage(f"--out {folder}: nothing may be written there.", "Name a folder of your own.")
        return Page(folder, language)

    def announce(self, source: str) -> None:
        from referee.model import one_line

        self.seen += 1
        if self.pictures > 1:
            print(self._gap(), end="", flush=True)  # before the progress, which heads the words that follow
            _say(f"[{self.seen}/{self.pictures}] {one_line(source)}")

    def take(self, reports: Sequence[Report]) -> None:
        from referee.report.document import document
        from referee.report.text import text

        several = self.pictures > 1 or len(reports) > 1
        for report in reports:
            names = self.page.add(report, several=several) if self.page else {}
            self.documents.append(document(report, names, self.language))
            if report.failure is not None:
                _say(text(report, self.language).rstrip())
            elif not self.as_json:
                print(self._gap() + text(report, self.language), end="", flush=True)
                self.spoken, self.gap = self.spoken + 1, False

    def take_film(self, name: str, source: str, catalogue: Catalogue, rules: Rules, stage: Stage | None) -> None:
        """Judge a film, saying how far it is, and take what came of each board."""
        from referee.live.document import film_document, film_words
        from referee.live.film import judge_film

        judged = judge_film(name, catalogue, rules, stage, _Progress(source, self.language))
        for report in judged.reports:
            if report.photo is not None and report.photo.judgement is not None and self.page:
                self.page.add(replace(report.photo, source=source), several=len(judged.reports) > 1)
            self.documents.append(film_document(report, source, self.language))
            if report.judgement is None:
                _say(film_words(report, source, self.language).rstrip())
            elif not self.as_json:
                print(self._gap() + film_words(report, source, self.language), end="", flush=True)
                self.spoken, self.gap = self.spoken + 1, False

    def _gap(self) -> str:
        """An empty line between the words of one board and the next."""
        if not self.spoken or self.gap:
            return ""
        self.gap = True
        return "\n"

    def fault(self, source: str, fault: Exception) -> None:
        from referee.model import one_line

        self.faults += 1
        last = traceback.extract_tb(fault.__traceback__)[-1]
        where = f"{PurePath(last.filename).name} line {last.lineno}"
        ours = f"a fault of the referee's own, not of your picture: {type(fault).__name__} in {where}: {fault}"
        _say(f"{one_line(source)}: {ours}\n  Please report it, with the picture.")

    def close(self) -> int:
        from referee.report.document import dumps
        from referee.words import say, told

        whole = dumps(self.documents, as_array=self.pictures > 1 or len(self.documents) != 1)
        if self.as_json:
            print(whole)
        if self.page:
            self.page.write(whole)
            _say(told(say("page.here", path=self.page.path), self.language))
        if self.faults:
            return FAULT_OF_OURS
        return NOT_ALL_JUDGED if any("error" in board for board in self.documents) else JUDGED


class _Progress:
    """Says on standard error how much of a film is done: a bar on a screen, elsewhere a line every quarter."""

    def __init__(self, name: str, language: Language) -> None:
        self.name, self.language = name, language
        self.told = -1

    def __call__(self, share: float) -> None:
        on_screen = sys.stderr.isatty()
        part = int(share * (50 if on_screen else 4))
        if part == self.told:
            return
        self.told = part
        if on_screen:
            end = "\n" if part == 50 else ""
            print(f"\r{_clean(self.name)} [{'#' * part}{' ' * (50 - part)}]", end=end, file=sys.stderr, flush=True)
        else:
            from referee.words import say, told

            _say(told(say("film.done", name=self.name, percent=25 * part), self.language))


def _watch(chosen: argparse.Namespace) -> int:
    """Say what happens as it happens; a camera is watched until Ctrl-C."""
    from referee.live.document import call_words, film_document, film_words, line_json
    from referee.live.film import cut_short
    from referee.live.outer import watched
    from referee.words import say, told

    catalogue, rules = _catalogue(chosen.folder), _rules_of(chosen)
    stage, failure = _stage_of_the_run(chosen.stage, catalogue)
    language: Language = chosen.language
    if failure is not None:
        _say(f"{told(failure.message, language)}\n  {told(failure.hint, language)}")
        return NOT_ALL_JUDGED
    run = watched(chosen.source, catalogue, rules, stage)
    broke_off: RefereeError | None = None
    try:
        for sight in run.sights():
            for note in run.news(sight):
                _say(told(note, language))
            for board in sight.boards:
                for call in board.calls:
                    said = (
                        _json_line(line_json(sight, board, call))
                        if chosen.json
                        else _clean(told(call_words(call), language))
                    )
                    print(said, flush=True)
    except KeyboardInterrupt:
        pass
    except RefereeError as fault:
        _say(f"{told(fault.message, language)}\n  {told(fault.hint, language)}")
        broke_off = fault
    reports = run.reports()
    if broke_off is not None:
        try:
            reports = cut_short(reports, broke_off, run.last_s, run.ends_s)
        except RefereeError:
            return NOT_ALL_JUDGED
    for report in reports:
        name = told(run.name, language)
        whole, words = film_document(report, name, language), film_words(report, name, language)
        print(_json_line(whole) if chosen.json else "\n" + words, end="\n" if chosen.json else "")
    if not reports:
        _say(f"{told(say('film.no-board'), language)}\n  {told(say('cure.film-whole-board'), language)}")
    return JUDGED if reports and all(r.judgement for r in reports) else NOT_ALL_JUDGED


def _json_line(whole: Json) -> str:
    import json

    return json.dumps(whole, allow_nan=False)


def _decisions(file: Path | None, sources: Sequence[str]) -> dict[str, list[Decision]]:
    """What people decided, by the picture that it is about."""
    said: dict[str, list[Decision]] = {source: [] for source in sources}
    if file is None:
        return said
    from referee.rules.decisions import decisions_from_file

    for number, (about, decision) in enumerate(decisions_from_file(file), 1):
        about = sources[0] if about is None and len(sources) == 1 else about
        if about not in said:
            told = (
                "does not say which picture it is about" if about is None else f"is about {about}, which is not given"
            )
            raise WrongUsage(f"{file}: decision {number} {told}.", f'Its "source" may be: {", ".join(sources[:5])}.')
        said[about].append(decision)
    return said


def _expanded(pictures: Sequence[str]) -> Iterator[Path]:
    """The pictures meant: on Windows the shell leaves `*.jpg` to us."""
    for picture in map(Path, pictures):
        found = [] if picture.exists() or "*" not in picture.name else sorted(picture.parent.glob(picture.name))
        yield from found or [picture]


def _sources(pictures: Sequence[Path]) -> list[str]:
    """A short name for each picture: its file's name, with as many folders as it takes to tell two files apart.

    >>> _sources([Path("a/race.jpg"), Path("b/race.jpg"), Path("b/end.jpg")])
    ['a/race.jpg', 'b/race.jpg', 'end.jpg']
    """
    paths = [picture.absolute() for picture in pictures]
    names = {path: path.name for path in paths}
    for length in range(2, max((len(path.parts) for path in paths), default=0) + 1):
        count = Counter(names.values())
        names = {
            path: name if count[name] == 1 else PurePath(*path.parts[-length:]).as_posix()
            for path, name in names.items()
        }
    return [names[path] for path in paths]


def _refuse_for_films(chosen: argparse.Namespace) -> None:
    """What is only for photos yet."""
    for name in ("baseline", "lens", "decisions", "corners"):
        if getattr(chosen, name) is not None:
            raise WrongUsage(f"--{name} is for photos.", "Judge the last picture of the film with it.")


def _stage_of_the_run(wanted: str | None, catalogue: Catalogue) -> tuple[Stage | None, Failure | None]:
    """The stage that `--stage` names; where its file is broken or nobody knows its number, why no picture is judged."""
    if wanted is None:
        return None, None
    try:
        return _stage_named(wanted, catalogue), None
    except (BadStageFile, UnknownStage) as error:
        return None, _failure(error)


def _stage_named(wanted: str, catalogue: Catalogue) -> Stage:
    """The stage of a number or a file."""
    if wanted.isdecimal():
        return catalogue.find(int(wanted))
    if not Path(wanted).is_file():
        raise WrongUsage(f"{wanted} is neither a stage's number nor a file.", "`referee stages` lists the numbers.")
    from referee.stage.load import load_stage

    return load_stage(Path(wanted))


def _failure(error: RefereeError) -> Failure:
    from referee.model import Failure

    return Failure(error.code, error.message, error.hint)


def _rules_of(chosen: argparse.Namespace) -> Rules:
    """The rules of a file, if one is given, with what the command line says itself."""
    from referee.rules.settings import Rules, rules_from_toml

    rules = rules_from_toml(chosen.rules) if chosen.rules else Rules()
    return replace(rules, mode=chosen.mode or rules.mode, nitro=chosen.nitro or rules.nitro)


def _catalogue(folder: Path | None) -> Catalogue:
    """The stages at hand: the built-in ones, those that were traced on this machine, and a folder's before them."""
    from referee.service.settings import settings_from
    from referee.stage.catalogue import Catalogue

    own = settings_from(os.environ).own_folder
    return Catalogue([*([own] if own.is_dir() else []), *([folder] if folder else [])])


# --------------------------------------------------------------------------------------------------- other commands


def _stages(chosen: argparse.Namespace) -> int:
    from referee.report.text import stages_text
    from referee.stage.check import describe

    stages, faults = _known(_catalogue(chosen.folder))
    if chosen.json:
        import json

        print(json.dumps([_stage_json(stage) for stage in stages]))
    else:
        print(stages_text(describe(stage) for stage in stages), end="")
    sys.stdout.flush()
    if chosen.html:
        _write(chosen.html, _stages_page(stages).encode())
        _say(f"{chosen.html}: open it in a browser.")
    for fault in faults:
        _say(f"left out: {fault.message} {fault.hint}")
    return JUDGED


def _stages_page(stages: Sequence[Stage]) -> str:
    """A page with a small picture of each stage."""
    from referee.report.stages_page import PICTURE_PX_PER_MM, stages_page
    from referee.stage.check import describe
    from referee.stage.render import artwork

    return stages_page([(describe(stage), artwork(stage, None, PICTURE_PX_PER_MM)) for stage in stages])


def _known(catalogue: Catalogue) -> tuple[list[Stage], list[BadStageFile]]:
    """The stages that load, by number, and what is wrong with the others, each said once."""
    stages: list[Stage] = []
    faults = {fault.message: fault for fault in catalogue.broken().values()}
    for number in catalogue.numbers():
        try:
            stages.append(catalogue.find(number))
        except BadStageFile as fault:
            faults[fault.message] = fault
    return stages, list(faults.values())


def _stage_json(stage: Stage) -> Json:
    from referee.stage.check import describe

    about = describe(stage)
    return {
        "number": stage.number,
        "name": stage.name,
        "theme": stage.theme,
        "set": stage.set_name,
        "difficulty": stage.difficulty,
        "length_mm": round(about.course_mm, 1),
        "elements": about.elements,
        "size_mm": list(stage.size_mm),
        "file": stage.source,
    }


def _check(chosen: argparse.Namespace) -> int:
    """Say of each file whether it can be judged by, and what is odd in it; only the first decides the status."""
    from referee.report.text import check_text
    from referee.stage.check import check_stage

    checkups = [(path, check_stage(path)) for path in chosen.files]
    for path, checkup in checkups:
        if checkup.stage is not None:
            print(check_text(checkup.stage))
        for remark in checkup.remarks:
            said = remark.text.removeprefix(f"{path.name}: ")
            print(_clean(f"{path}: {remark.level}: {_about(remark.element)}{said}\n  {remark.hint}"))
    return JUDGED if all(checkup.loads for _, checkup in checkups) else NOT_ALL_JUDGED


def _about(element: str | None) -> str:
    return f"{element}: " if element else ""


def _print(chosen: argparse.Namespace) -> int:
    from referee.stage.printing import print_pdf

    if chosen.stages == ["target"]:
        return _print_target(chosen.paper, chosen.output)
    stages, extras = _to_print(chosen)
    copies: tuple[Copy, ...] = tuple(chosen.copies)
    _write(chosen.output, print_pdf(stages, chosen.paper, copies, extras, _score_lines()))
    _say(f"{chosen.output}: print it at 100 % (no fitting to the page), then measure the ruler on it.")
    return JUDGED


def _to_print(chosen: argparse.Namespace) -> tuple[list[Stage], tuple[ExtraName, ...]]:
    """The boards and the other pages that are asked for."""
    from referee.stage.printing_extras import EXTRAS

    catalogue = _catalogue(chosen.folder)
    extras = tuple(extra for extra in EXTRAS if chosen.all or extra in chosen.stages)
    every = _known(catalogue)[0] if chosen.all else []
    known = {*EXTRAS, *(str(stage.number) for stage in every)}
    stages = [*every, *(_stage_named(wanted, catalogue) for wanted in chosen.stages if wanted not in known)]
    if not stages and not extras:
        raise WrongUsage("Nothing to print is named.", "Name stages by number or file, or say --all.")
    return stages, extras


def _score_lines() -> list[ScoreLine]:
    """The challenges as the score sheet shows them."""
    from referee.rules.challenges import CHALLENGES, CONDITIONS
    from referee.stage.printing_extras import ScoreLine

    return [
        ScoreLine(
            challenge.name.en,
            challenge.stages.text.en,
            f"{challenge.target_s // 60}:{challenge.target_s % 60:02}",
            ", ".join(CONDITIONS[name].text.en for name in challenge.conditions),
        )
        for challenge in CHALLENGES.values()
    ]


def _print_target(paper: str, output: Path) -> int:
    from referee.stage.printing_target import target_pdf, target_svg

    _write(output, target_svg(paper).encode() if output.suffix.lower() == ".svg" else target_pdf(paper))
    _say(f"{output}: print it at 100 %, glue it to something flat; `referee calibrate --help` says how to go on.")
    return JUDGED


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise WrongUsage(f"{path}: {error.strerror}.", "Name a file in a folder that is there.") from error


def _new_stage(chosen: argparse.Namespace) -> int:
    """Write the draft of a stage; what was made out of the picture is said."""
    import numpy as np

    from referee.drafting import Size, new_stage
    from referee.stage.draft import free_number

    corners = _corners(chosen.corners)
    folder = chosen.output.absolute().parent if chosen.output else Path.cwd()
    number = chosen.number if chosen.number is not None else free_number(folder)
    output = chosen.output or Path(f"stage-{number}.svg")
    if output.exists():  # it may be a stage that somebody has traced for an hour
        raise WrongUsage(f"{output}: there is such a file already.", "Name another with -o, or take it away.")
    size = Size(chosen.size_mm, chosen.paper, chosen.long_mm)
    name = chosen.name or chosen.picture.stem
    given = None if corners is None else np.array(corners)
    try:
        draft = new_stage(chosen.picture, size, number, name, given)
    except (NotAPicture, PictureTooLarge) as fault:
        _say(f"No stage: {fault.message}\n  {fault.hint}")
        return NOT_ALL_JUDGED
    _write(output, draft.svg)
    _say(f"{output}: stage {number}, {draft.size_mm[0]:g} x {draft.size_mm[1]:g} mm, a draft to be traced.")
    told = " ".join(f"{x:.0f},{y:.0f}" for x, y in draft.corners_px)
    if not draft.found:
        _say(
            "  The board's outline was not found, so the whole picture was taken; say --corners if it is not all board."
        )
    elif given is None:
        _say(f"  The board's corners were found at {told}; if they are off, say --corners with better ones.")
    if draft.is_odd:
        _say(f"  The board looks {draft.looks:.2f} times as wide as high, but its size is another: check both.")
    _say("  Trace it in the editor (`referee serve`); `referee check` says what is missing.")
    return JUDGED


def _calibrate(chosen: argparse.Namespace) -> int:
    """Measure a lens; what is wrong with a picture or with all of them is said, the profile is written or nothing."""
    from referee.calibrate import calibrate

    if not chosen.out.absolute().parent.is_dir() or chosen.out.is_dir():  # said now, not after the last picture
        raise WrongUsage(f"--out {chosen.out}: no file can be written there.", "Name a file in a folder that is there.")
    try:
        found = calibrate(list(_expanded(chosen.pictures)), _say)
    except NotCalibrated as fault:
        _say(f"No profile: {fault.message}\n  {fault.hint}")
        return NOT_ALL_JUDGED
    _write(chosen.out, found.toml(chosen.date).encode())
    lens = found.lens
    _say(
        f"{chosen.out}: the lens as {lens.pictures} pictures of {lens.picture_wh[0]} x {lens.picture_wh[1]} pixels "
        f"show it, to {lens.rms_px:.2f} px.\n  Use it: referee judge PHOTO --lens {chosen.out}"
    )
    return JUDGED


def _rules(chosen: argparse.Namespace) -> int:
    from referee.report.text import rules_text, rules_toml
    from referee.rules.settings import settings

    print(rules_toml(settings()) if chosen.toml else rules_text(settings()), end="")
    return JUDGED


def _bench(chosen: argparse.Namespace) -> int:
    from referee.bench import bench
    from referee.bench.live import bench_live

    if chosen.live:
        for line in bench_live(_say, chosen.loop):
            print(line, flush=True)
        return JUDGED
    for line in bench(chosen.picture, chosen.folder, chosen.rounds, _say):
        print(line, flush=True)
    return JUDGED


def _reliability(chosen: argparse.Namespace) -> int:
    from referee.reliability.cases import cases_in, judge_cases
    from referee.reliability.figures import figures, text
    from referee.reliability.matching import outcome

    cases = cases_in(chosen.folders, _say)
    judged = list(judge_cases(cases, chosen.folder, chosen.cache, _say))
    told = figures([outcome(one) for one in judged])
    if chosen.json:
        import json

        print(json.dumps(told))
    else:
        print(_clean(text(told)), end="")
    return FAULT_OF_OURS if any(one.fault for one in judged) else JUDGED


def _serve(chosen: argparse.Namespace) -> int:
    from referee.service.serve import run
    from referee.service.settings import settings_from

    data = chosen.data.absolute() if chosen.data else None
    stages = chosen.folder.absolute() if chosen.folder else None
    settings = settings_from(
        os.environ, data=data, host=chosen.host, port=chosen.port, https=chosen.https, stages=stages
    )
    run(settings, _say, open_browser=chosen.open)
    return JUDGED


def _say(words: str) -> None:
    """A line for people beside the answer, on standard error."""
    print(_clean(words), file=sys.stderr, flush=True)


def _clean(words: str) -> str:
    """Words without what steers a screen: a file's or an element's name may hold anything."""
    from referee.model import one_line

    return "\n".join(map(one_line, words.split("\n")))
