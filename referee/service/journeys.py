"""The journeys through the page, in the order of the navigation: each is a sub-package with a blueprint and words."""

from __future__ import annotations

from importlib import import_module

from flask import Blueprint, Flask

JOURNEYS = ("checks", "challenges", "races", "live", "boards", "history")
"""A journey's package holds ``blueprint``, and ``api`` where programs may travel it, too."""


def register(app: Flask) -> None:
    """Give every journey's pages and calls to the application."""
    for journey in JOURNEYS:
        room = import_module(f"referee.service.{journey}")
        for name in ("blueprint", "api"):
            if isinstance(found := getattr(room, name, None), Blueprint):
                app.register_blueprint(found)
