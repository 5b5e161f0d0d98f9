"""What a photo showed, in words and as JSON: first what was seen, then what is certain of it, then the questions."""

from __future__ import annotations

from typing import Any

from referee.turbo_time.camera.carts import CartsSeen
from referee.turbo_time.camera.look import Players
from referee.turbo_time.camera.questions import Question
from referee.turbo_time.camera.trick import TrickSeen
from referee.turbo_time.settings import Settings
from referee.turbo_time.telling import all_of, score_json, score_lines, tell, winner_line
from referee.turbo_time.words import say
from referee.words import Language, told

Seen = CartsSeen | TrickSeen
ROWS, COLUMNS = ("top", "middle", "bottom"), ("left", "middle", "right")


def seen_json(seen: Seen, players: Players, settings: Settings, language: Language = "en") -> dict[str, Any]:
    """Everything about a photo; who wins, and the order of powers, are null where something has to be asked."""
    about = _carts_json(seen, players) if isinstance(seen, CartsSeen) else _trick_json(seen, players, settings)
    return {
        "players": players.count,
        "certain": seen.certain,
        **about,
        "asked": [_question_json(question, language) for question in seen.questions],
        "picture": {"width": seen.picture_wh[0], "height": seen.picture_wh[1]},
    }


def _question_json(question: Question, language: Language) -> dict[str, Any]:
    words = {"message": told(question.message, language), "hint": told(question.hint, language)}
    return {"kind": question.kind, **words, "at_px": question.at_px}


def _carts_json(seen: CartsSeen, players: Players) -> dict[str, Any]:
    carts = [
        {"cart": at + 1, "name": _name(seen, players, at), "row": cart.letters, "read_by": cart.read_by,
         "at_px": cart.at_px, **score_json(score)}
        for at, (cart, score) in enumerate(zip(seen.carts, seen.result.scores, strict=True))
    ]  # fmt: skip
    winners = [at + 1 for at in seen.result.winners] if seen.certain else None
    return {"about": "carts", "carts": carts, "winners": winners}


def _trick_json(seen: TrickSeen, players: Players, settings: Settings) -> dict[str, Any]:
    cards = [
        {
            "card": card.card,
            "power": settings.power_of(card.card),
            "name": _name(seen, players, at),
            "at_px": card.at_px,
        }
        for at, card in enumerate(seen.cards)
    ]
    order, takes = ([seen.cards[at].card for at in some] if seen.certain else None for some in (seen.order, seen.takes))
    return {"about": "trick", "cards": cards, "powers": order, "takes": takes}


def _name(seen: Seen, players: Players, at: int) -> str | None:
    """Whose the cart or card is; nobody's as long as something has to be asked."""
    return players.names[at] if players.names and seen.certain else None


# ------------------------------------------------------------------------------------------- in words


def seen_lines(seen: Seen, players: Players, settings: Settings, language: Language) -> list[str]:
    """What was seen, what is certain of it, and the questions."""
    if isinstance(seen, CartsSeen):
        lines = _cart_lines(seen, players, language)
    else:
        lines = _trick_lines(seen, players, settings, language)
    return lines + [line for question in seen.questions for line in _question_lines(question, seen, language)]


def _cart_lines(seen: CartsSeen, players: Players, language: Language) -> list[str]:
    names = [_name(seen, players, at) or say("look.cart", n=at + 1) for at in range(len(seen.carts))]
    lines = []
    for name, cart, score in zip(names, seen.carts, seen.result.scores, strict=True):
        lines += score_lines(name, score, language)
        toys = ", ".join(tell(language, f"toy.{toy}") for toy in cart.toys)
        lines.append(tell(language, f"look.{cart.read_by}", toys=toys, spot=_spot(cart.at_px, seen)))
    return [*lines, winner_line(seen.result, names, language) if seen.certain else tell(language, "look.no-winner")]


def _trick_lines(seen: TrickSeen, players: Players, settings: Settings, language: Language) -> list[str]:
    """The cards, the highest first; without a question this is the order of powers."""
    lines = [tell(language, "look.powers" if seen.certain else "look.cards")]
    for number, at in enumerate(seen.order, 1):
        card = seen.cards[at]
        words = {"card": card.card, "power": say(f"power.{settings.power_of(card.card)}")}
        whose = _name(seen, players, at) or _spot(card.at_px, seen)
        lines.append(f"  {number}. " + tell(language, "look.card", whose=whose, **words))
    if not seen.certain:
        return [*lines, tell(language, "look.no-order")]
    takers = [_name(seen, players, at) or say("look.taker", card=seen.cards[at].card) for at in seen.takes]
    return [*lines, tell(language, "look.take", players=all_of(takers, language))]


def _question_lines(question: Question, seen: Seen, language: Language) -> list[str]:
    where = "" if question.at_px is None else f" ({told(_spot(question.at_px, seen), language)})"
    return [f"? {told(question.message, language)}{where}", f"  {told(question.hint, language)}"]


def _spot(at_px: tuple[float, float], seen: Seen) -> str:
    """A place of the picture, by thirds."""
    across, down = (min(2, max(0, int(3 * at / size))) for at, size in zip(at_px, seen.picture_wh, strict=True))
    return say(f"spot.{ROWS[down]}-{COLUMNS[across]}")
