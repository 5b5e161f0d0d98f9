"""Live: the camera over the table.

```
browser's camera → JPEG ─┐                         ┌→ the answer to the frame → words, sounds (static/live*.js)
video file → JPEG ───────┼→ the eye's own process ─┤
webcam, network camera ──┘   (runs `live.watch`)   └→ whoever else looks asks for what is new (`calls.look`)
```

``wire``      what the server and an eye say to each other: a line of JSON, and bytes
``eye``       the process that sees: the only one that looks at a pixel; ``recorded`` what it keeps for afterwards
``sitting``   one watch as the server has it: the newest frame wins, what was called is kept
``sittings``  all of them; one ends when nobody is there any more
``ties``      what the challenge or race that a watch counts for is told
``shelf``     the races that were watched, in the database; ``after`` one of them as it is told
``telling``   a watch as the API tells it; ``calls`` the API; ``pages`` the pages for people; ``past`` the history
"""

from flask import Blueprint

blueprint = Blueprint("live", __name__, url_prefix="/live", template_folder="templates")
api = Blueprint("live_api", __name__, url_prefix="/api/live")

from referee.service.live import calls, pages  # noqa: E402, F401  the views register themselves
