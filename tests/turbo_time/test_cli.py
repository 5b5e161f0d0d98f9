"""`referee turbo-time`: what it says, in which language, and with which exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.cli import main
from referee.turbo_time import settings
from tests.turbo_time.test_log import BY_HAND, changed, finished

LATER = "T.l./dmmm/mbbb bg,Bu 2-5,7-10 * 11.12 1 1.6 powers"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Status, standard output and standard error."""
    status = main(["turbo-time", *words])
    said = capsys.readouterr()
    return status, said.out, said.err


def log_in(folder: Path, text: str) -> str:
    (folder / "game.log").write_text(text, encoding="utf-8")
    return str(folder / "game.log")


# ----------------------------------------------------------------------------------------- score


def test_points_are_told_line_by_line(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "score", "tlbb", "gmmmb", "ud")
    assert (status, out) == (
        0,
        "Player 1: 22 points\n  1 Turbo Man             10\n  1 Lottery Ball           8\n"
        "  2 Boosters               4\n"
        "Player 2: 22 points\n  1 Gift Certificate       5\n  3 Demons                15\n"
        "  1 Booster                2\n"
        "Player 3: -2 points\n  1 Tubro Man             -5\n  1 Dementor               3\n"
        "Player 2 wins: as many points as another, but more toys.\n",
    )


def test_points_are_told_in_french_and_a_shared_win_too(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "score", "b", "m", "B", "--language", "fr")
    assert out.startswith("Joueur 1\u00a0: 2 points\n  1 Booster                2\n")
    assert out.endswith("Joueur 1, joueur 2 et joueur 3 gagnent ensemble\u00a0: autant de points, autant de jouets.\n")


def test_points_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "score", "tb", "d", "--json")
    told = json.loads(out)
    assert (told["winners"], told["carts"][1]["points"]) == ([1], 3)
    assert told["carts"][0]["lines"][0] == {"toy": "turbo-man", "count": 1, "points": 10}


@pytest.mark.parametrize(
    ("carts", "says"), [(["tx"], "“x” is no toy's letter"), (["tb", "t"], "Turbo Man: a set has 1")]
)
def test_carts_that_cannot_be_are_wrong_usage(capsys: pytest.CaptureFixture[str], carts: list[str], says: str) -> None:
    status, out, err = run(capsys, "score", *carts)
    assert (status, out) == (2, "")
    assert says in err


# ----------------------------------------------------------------------------------------- powers


def test_whose_power_is_next_and_what_it_allows(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "powers", LATER)
    assert status == 0
    assert out.startswith("Player 2: card 6, Swap! Swap any two toys. (Step 1 of 1.)\n91 ways: swap a1 a3, ")
    told = json.loads(run(capsys, "powers", *LATER.split(), "--json")[1])
    assert (told["player"], told["card"], told["power"], len(told["moves"])) == (2, 6, "swap", 91)


def test_in_other_phases_it_says_whose_turn_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "powers", "tulg/dmmm/mbbb b,b 1-5,6-10 * - 2 - play")
    assert out == "Player 2: plays a card.\n5 ways: play 6, play 7, play 8, play 9, play 10\n"
    _, out, _ = run(capsys, "powers", "..lg/dmmm/mbbb bt,bu 2-5,7-10 * 1.6 1 - draw", "--language", "fr")
    assert out == "Tout le monde\u00a0: pioche jusqu'à cinq cartes.\n1 possibilité\u00a0: draw\n"
    _, out, _ = run(capsys, "powers", "..../..../.... btlgbbb,bmmmmdu 2-5,7-10 * 11-20 1 1.6 over")
    assert out == "The game is over.\n"


def test_a_set_of_ones_own_has_its_own_powers(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('flip = "retelling"\n[powers]\nflip = [6]\n')
    _, out, _ = run(capsys, "powers", LATER, "--settings", str(tmp_path / "own.toml"))
    assert out.startswith("Player 2: card 6, Flip! Turn any toy over: face up or face down. (Step 1 of 1.)\n14 ways")


def test_a_text_that_is_no_position_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "powers", "x", "--language", "fr")
    assert status == 2
    assert "une position a huit mots" in err


# ----------------------------------------------------------------------------------------- replay


def test_a_game_is_replayed_to_its_end_with_its_points(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, "replay", log_in(tmp_path, finished(1)))
    assert status == 0
    assert "The log is as it was written.\nPosition: ..../..../.... " in out
    assert "wins" in out
    told = json.loads(run(capsys, "replay", log_in(tmp_path, finished(1)), "--json")[1])
    assert (told["checked"], told["phase"]) == (True, "over")
    assert len(told["result"]["carts"]) == 3


def test_a_player_is_told_nothing_that_is_secret(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = log_in(tmp_path, BY_HAND)
    _, out, _ = run(capsys, "replay", log, "--player", "1")
    assert out == (
        "The log was written by hand: it has no checks.\n"
        "Position: .???/????/???. b,??,?? 4.5.16-18,x5,x5 x16 2.3.6.11.1 1 - play\n"
        "Player 1: plays a card.\n5 ways: play 4, play 5, play 16, play 17, play 18\n"
    )
    _, out, _ = run(capsys, "replay", log, "--player", "2")
    assert out.endswith("Player 1: plays a card.\n")
    told = json.loads(run(capsys, "replay", log, "--player", "2", "--json")[1])
    assert not {"log", "moves"} & set(told)


def test_a_changed_log_is_refused_with_line_and_rule(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = log_in(tmp_path, changed(BY_HAND, 9, "1:1", "1:2"))
    status, out, err = run(capsys, "replay", log)
    assert (status, out) == (3, "")
    assert err == "line 9: I4: there is no toy at 1:2.\n  Choose a place with a toy.\n"
    status, out, _ = run(capsys, "replay", log, "--json")
    assert (status, json.loads(out)["line"], json.loads(out)["rule"]) == (3, 9, "I4")
    _, _, err = run(capsys, "replay", log, "--language", "fr")
    assert err.startswith("ligne 9\u00a0: I4\u00a0: il n'y a pas de jouet en 1:2.")


def test_a_log_that_is_not_there_is_wrong_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, "replay", str(tmp_path / "none.log"))[0] == 2
    assert run(capsys, "replay", log_in(tmp_path, BY_HAND), "--player", "4")[0] == 2
    (tmp_path / "odd.log").write_bytes(b"\xff\xfe")
    assert "is no text" in run(capsys, "replay", str(tmp_path / "odd.log"))[2]


# ----------------------------------------------------------------------------------------- cards, print


def test_the_cards_are_listed_with_power_and_marker(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "cards")
    assert len(out.splitlines()) == 37
    assert out.splitlines()[17].split() == ["17", "Swap!", "117"]
    told = json.loads(run(capsys, "cards", "--json")[1])
    assert told["cards"][35] == {"card": 36, "power": "peek-swap", "marker": 136}
    assert settings.read(run(capsys, "cards", "--toml")[1]) == settings.STANDARD


def test_the_set_is_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = run(capsys, "print", "-o", str(tmp_path / "set.pdf"), "--paper", "letter", "--no-backs")
    assert (status, out) == (0, "")
    assert "100 %" in err
    assert (tmp_path / "set.pdf").read_bytes().startswith(b"%PDF")
    status, out, _ = run(capsys, "print", "-o", str(tmp_path / "set.pdf"), "--json")
    assert json.loads(out)["markers"]["toys"]["50"] == "turbo-man"
    assert run(capsys, "print", "-o", str(tmp_path / "no" / "set.pdf"))[0] == 2


def test_nothing_heavy_is_read_for_what_needs_no_paper() -> None:
    heavy = "{'cv2', 'flask', 'reportlab', 'scipy', 'skimage'}"
    script = (
        "import sys\nfrom referee.cli import main\n"
        f"main(['turbo-time', 'score', 'tb'])\nprint(sorted({heavy} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
