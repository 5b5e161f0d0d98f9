"""The referee's page: Flask, a store, a queue of jobs.

How a request travels
---------------------
`serve.run` starts two processes.  The **server** (waitress, `app.create_app`) answers requests and never looks at a
pixel, so that a clock's request never waits for a picture; the **worker** (`jobs.worker`) judges and draws.  Between
them stands the job table (`jobs.queue`): what the worker was at when it died is put back.

1. `safety` refuses foreign hosts, cross-site forms and calls, and writes the security headers.
2. `language` finds the visitor's language: the choice that stays, else what the browser asks for.
3. A journey's blueprint answers: `pages.py` for people (HTML), `api.py` for programs (JSON).
4. `faults` turns everything refused into one shape: ``{"error": {code, message, hint}}``, or a page with the words.

Where things live
-----------------
``settings``   one frozen value; a setting is a field there, and an environment variable REFEREE_<NAME>
``store/``     `tables` (all tables), `database` (opening, schema version), `pictures` (files), `metadata` (stripping),
               `order` (running numbers: no order hangs on the wall clock), `calendar` (how long pictures have been
               kept), `orphans` (files that no row knows), `versions` (rows that two may change at once)
``jobs/``      `queue` (the job table), `kinds` (kind → function), `bell` (huey), `worker`, `watch`
``words/``     the frame's words; ``templates/``, ``static/`` the frame and everything several journeys use, as are
               `asked` (what a request brings, held against its description by `schema`), `telling` (stages and times
               in words), `past` (for the history)
``checks/``    the first journey: photos in, verdicts out.  ``shelf`` its queries, ``pages`` and ``calls`` (the API) its
               views, ``table`` the CSV, ``taken`` photos for those who play; in the worker ``judging`` its job and
               ``exhibit`` what is drawn
``challenges/`` a team against the clock (R13): ``runs`` in the database, ``photos`` told to them as events,
               ``telling`` (the API's JSON and the words), ``pages``, ``calls``; the clock itself is `race.clock`, the
               page's half of it ``static/server_time.js``
``races/``     two teams against each other: ``games`` in the database, ``photos`` of boards before and after a heat,
               told to the game as events, ``telling`` it; in the worker ``looking`` at a board before its race
``boards/``    boards of one's own: ``drafts`` in the database, traced by ``static/boards/editor.js``; ``folder`` their
               stage files; in the worker ``drafting``, which finds a board's outline and lays it flat
``history/``   what has been; ``past`` says how a journey tells of it

How to add a journey
--------------------
1. A sub-package ``races/`` with ``blueprint = Blueprint("races", __name__, url_prefix="/races",
   template_folder="templates")`` in its ``__init__``, and its name in `journeys.JOURNEYS`: this registers the
   blueprint and its words, and puts it into the navigation if its words have ``nav``.  Name it in pyproject.toml too.
   Calls for programs go under ``/api/``: a second blueprint ``api`` there, each view ``@described(...)`` (`openapi`).
2. Words: ``races/words/en.toml`` and ``fr.toml``; ``{{ t("races.title") }}`` in a template, `language.say` in Python;
   a script gets its words from ``data-`` attributes.  A test holds that both languages have the same keys and fields.
   Let the view take what it needs from `app.the`: settings, store, bell.
3. Pages: ``races/templates/races/*.html`` extend ``base.html``.  Every form holds ``{{ token_field() }}``; a script
   sends through ``static/api.js``.  No inline script or style: the Content-Security-Policy forbids it.
4. Tables: in `store.tables`.  A new table appears by itself; a change to one that exists is a step in
   `store.database.STEPS`.
5. Jobs: a function ``(work, payload) -> write`` and a line in `jobs.kinds.KINDS`; ``store.jobs.add`` in the same
   transaction as the rows that it is about, then ``bell.ring()``.  A photo to be judged is no job of your own:
   `checks.shelf.add` takes it (``purpose`` tells whose it is), `checks.shelf.found` has its verdict.
6. A past: a module ``past`` with the functions of `service.past.Past`, and its name in the words ``history.kind``; the
   history lists, exports and deletes what happened through it, and the hourly broom sweeps old pictures.
7. Tests: ``tests/service/``; the fixture ``client`` is a visitor, ``work`` does the waiting jobs in the test's process.
"""
