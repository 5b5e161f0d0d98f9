"""Races (R11, R12): two teams, one stage, a board each; best of three.

``games``     the games in the database; every change is an event of `race.match`
``seen``      what was seen on a board before its race, as it is kept
``photos``    the pictures before and after a heat, told to the game as events
``looking``   in the worker: a look at a board before its race, gadgets drawn
``telling``   a game as the API tells it, and in words why a stage went to whom
``calls``     the API; ``pages`` the pages for people, which use it
"""

from flask import Blueprint

blueprint = Blueprint("races", __name__, url_prefix="/races", template_folder="templates")
api = Blueprint("races_api", __name__, url_prefix="/api/races")

from referee.service.races import calls, pages  # noqa: E402, F401  the views register themselves
