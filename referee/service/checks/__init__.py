"""Check photos: one picture or fifty go in, a verdict with its evidence comes out at an address that lasts."""

from flask import Blueprint

blueprint = Blueprint("checks", __name__, url_prefix="/checks", template_folder="templates")
api = Blueprint("checks_api", __name__, url_prefix="/api/checks")

from referee.service.checks import calls, pages  # noqa: E402, F401  the views register themselves
