"""Your own boards: a picture of a clean board is laid flat and traced, and becomes a stage file like any other.

``drafts``    the boards that are being traced, in the database; whoever changes one says which version he saw
``drafting``  in the worker: the outline is found, the board laid flat, suggestions looked for
``folder``    the stage files of the user's own folder: kept, brought in, deleted
``telling``   a draft and what it lacks as the API tells it
``calls``     the API; ``pages`` the pages for people, which use it
"""

from flask import Blueprint

blueprint = Blueprint("boards", __name__, url_prefix="/boards", template_folder="templates")
api = Blueprint("boards_api", __name__, url_prefix="/api/boards")

from referee.service.boards import calls, pages  # noqa: E402, F401  the views register themselves
