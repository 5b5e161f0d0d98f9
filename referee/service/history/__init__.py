"""History: what has been, best times, where accidents happen, taking it all home, deleting.

``timeline``  the entries of all journeys (`referee.service.past`), page by page
``best``      the best times
``places``    the accidents of all kept reports, by stage: from the table, with the section of each
``drawing``   the same as a picture: marks on the stage's paled print
``parcel``    everything as one ZIP, made while it is sent
``tables``    the same as CSV
``pages``     for people; ``calls`` for programs
"""

from flask import Blueprint

blueprint = Blueprint("history", __name__, url_prefix="/history", template_folder="templates")
api = Blueprint("history_api", __name__, url_prefix="/api/history")

from referee.service.history import calls, pages  # noqa: E402, F401  the views register themselves
