"""Challenges (R13): the checklist of the nineteen, and a team's run at one of them, with one big clock.

``runs``      the runs and the book in the database; every change is an event of `race.challenge`
``photos``    what the referee saw in a run's photos, told to the run as events
``telling``   a run as the API tells it, and why it was won or lost, in words
``stage_pictures`` the stages as small pictures, which the worker draws (``stage_drawing``)
``calls``     the API; ``pages`` the pages for people, which use it
"""

from flask import Blueprint

blueprint = Blueprint("challenges", __name__, url_prefix="/challenges", template_folder="templates")
api = Blueprint("challenges_api", __name__, url_prefix="/api/challenges")

from referee.service.challenges import calls, pages  # noqa: E402, F401  the views register themselves
