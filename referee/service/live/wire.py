"""What the server and an eye say to each other: a head in JSON and a body of bytes, their lengths before."""

from __future__ import annotations

import json
import struct
from typing import BinaryIO

from referee.model import Json

LENGTHS = struct.Struct(">II")
FOLDERS = "REFEREE_EYE_STAGES"
"""The environment variable that tells an eye the folders of stage files, between `os.pathsep`."""


def send(stream: BinaryIO, head: Json, body: bytes = b"") -> None:
    """Write one message; OSError (or ValueError) where nobody reads any more."""
    told = json.dumps(head, allow_nan=False).encode()
    stream.write(LENGTHS.pack(len(told), len(body)) + told)
    stream.write(body)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[Json, bytes] | None:
    """Read one message; None where the other side has ended.

    >>> from io import BytesIO
    >>> pipe = BytesIO()
    >>> send(pipe, {"do": "look"}, b"jpeg"); _ = pipe.seek(0)
    >>> receive(pipe), receive(pipe)
    (({'do': 'look'}, b'jpeg'), None)
    """
    lengths = stream.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    head_bytes, body_bytes = LENGTHS.unpack(lengths)
    head, body = stream.read(head_bytes), stream.read(body_bytes)
    if len(head) < head_bytes or len(body) < body_bytes:
        return None
    told: Json = json.loads(head)
    return told, body
