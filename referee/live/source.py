"""Where frames come from: a camera by its number, a film's file, or an address on the network."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from referee.errors import BadVideo
from referee.vision.opencv import MAX_PIXELS, cv2
from referee.words import say

Picture = NDArray[np.uint8]

ADDRESSES = ("http://", "https://", "rtsp://", "rtsps://", "rtmp://", "udp://", "tcp://")
FIRST_TRIES = 30
"""A camera that is waking gives nothing at first."""
USUAL_FPS = 30.0
WHOLE_SHARE, SPARE_S = 0.9, 0.5
"""A film is whole if so much of the frames and seconds that it says it has can be read, or all but so little."""
CONVERT = "ffmpeg -i FILM -c:v libx264 -pix_fmt yuv420p race.mp4"


@dataclass(frozen=True)
class About:
    """What a source says of itself: ``seconds`` and ``frames`` None where it does not say, as a camera."""

    name: str
    size_wh: tuple[int, int]
    fps: float | None
    frames: int | None

    @property
    def seconds(self) -> float | None:
        """How long the film is."""
        return self.frames / self.fps if self.frames and self.fps else None


def is_camera(name: str) -> bool:
    """Whether a name is a camera's number.

    >>> is_camera("0"), is_camera("race.mp4")
    (True, False)
    """
    return name.isascii() and name.isdecimal()


def is_address(name: str) -> bool:
    """Whether a name is a network camera's address."""
    return name.lower().startswith(ADDRESSES)


def address_shown(address: str) -> str:
    """A network camera's address without what nobody else should read: name, password, and what follows a "?".

    >>> address_shown("rtsp://ann:secret@10.0.0.7:554/live?pwd=secret#x")
    'rtsp://10.0.0.7:554/live'
    """
    scheme, _, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    if "@" in path:  # a password may hold a "/"
        host, slash, path = rest.rpartition("@")[2].partition("/")
    return f"{scheme}://{host.rpartition('@')[2].partition('?')[0].partition('#')[0]}{slash}{_plain(path)}"


def _plain(path: str) -> str:
    return path.partition("?")[0].partition("#")[0].partition(";")[0]


class Source:
    """An open camera or film.  Raises `BadVideo` where it cannot be opened or gives no picture."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_live = is_camera(name) or is_address(name)
        if not self.is_live:
            _refuse_no_film(Path(name))
        self._capture = cv2.VideoCapture(int(name)) if is_camera(name) else cv2.VideoCapture(name, cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise self._not_opened()
        size = tuple(int(self._capture.get(part)) for part in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        if size[0] * size[1] > MAX_PIXELS or max(size) > 16384:
            self.close()
            about = {"name": self._called, "width": size[0], "height": size[1]}
            raise BadVideo(say("fault.video-large", **about), say("cure.video-size"))
        self._first = self._first_frame()
        self.about = self._about()

    @property
    def _called(self) -> str:
        if is_camera(self.name):
            return say("fault.video-camera", name=self.name)
        return address_shown(self.name) if self.is_live else Path(self.name).name

    def _not_opened(self) -> BadVideo:
        if is_camera(self.name):
            return BadVideo(say("fault.video-no-camera", name=self.name), say("cure.video-try"))
        if self.is_live:
            return BadVideo(say("fault.video-silent", name=self._called), say("cure.video-address"))
        return BadVideo(say("fault.video-no-film", name=self._called), say("cure.video-phone", convert=CONVERT))

    def _first_frame(self) -> Picture:
        for _ in range(FIRST_TRIES if self.is_live else 1):
            done, frame = self._capture.read()
            if done and frame is not None and frame.size:
                return np.asarray(frame, np.uint8)
        codec = self._codec()
        self.close()
        if is_camera(self.name):
            raise BadVideo(say("fault.video-camera-silent", name=self.name), say("cure.video-plug"))
        if codec in ("AV01", "av01"):
            raise BadVideo(say("fault.video-av1", name=self._called), say("cure.video-convert", convert=CONVERT))
        raise BadVideo(say("fault.video-no-pictures", name=self._called), say("cure.video-whole", convert=CONVERT))

    def _codec(self) -> str:
        four = int(self._capture.get(cv2.CAP_PROP_FOURCC))
        return "".join(chr(four >> 8 * k & 0xFF) for k in range(4)) if four > 0 else ""

    def _about(self) -> About:
        fps, frames = (float(self._capture.get(part)) for part in (cv2.CAP_PROP_FPS, cv2.CAP_PROP_FRAME_COUNT))
        height, width = self._first.shape[:2]
        known = np.isfinite([fps, frames]).all() and 0.5 <= fps <= 1000
        return About(
            self._called,
            (width, height),
            fps if known else None,
            int(frames) if known and not self.is_live and 0 < frames < 1e7 else None,
        )

    def frames(self) -> Iterator[tuple[Picture, float]]:
        """The frames (BGR) of a film with their times in s, which never go back; `BadVideo` where it breaks off."""
        last_s, number = -1.0, 0
        frame: Picture | None = self._first
        fps = self.about.fps or USUAL_FPS
        while frame is not None:
            said = float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
            at_s = said if np.isfinite(said) and said > last_s else last_s + 1 / fps if number else max(said, 0.0)
            yield frame, at_s
            last_s, number = at_s, number + 1
            frame = self.read()
        self._refuse_cut(number, last_s + 1 / fps)

    def _refuse_cut(self, seen: int, seen_s: float) -> None:
        """Say so where a film gives far fewer frames than it says it has."""
        frames, whole_s = self.about.frames, self.about.seconds
        if frames is None or whole_s is None or seen >= WHOLE_SHARE * frames:
            return
        if seen_s >= min(WHOLE_SHARE * whole_s, whole_s - SPARE_S):
            return
        told = say("fault.video-cut", name=self._called, seen=seen_s, whole=whole_s)
        raise BadVideo(told, say("cure.video-whole", convert=CONVERT))

    def read(self) -> Picture | None:
        """The next frame as it comes; None where there is none any more."""
        done, frame = self._capture.read()
        return np.asarray(frame, np.uint8) if done and frame is not None and frame.size else None

    def take_first(self) -> Picture:
        """The frame that showed that the source works."""
        return self._first

    def close(self) -> None:
        """Let go of the camera or file."""
        self._capture.release()


def _refuse_no_film(path: Path) -> None:
    """A file that cannot be a film is refused before any decoder sees it."""
    try:
        about = path.stat()
    except OSError as error:
        told = say("fault.video-none", reason=error.strerror or str(error))
        raise BadVideo(told, say("cure.video-name", path=path)) from error
    if stat.S_ISDIR(about.st_mode):
        raise BadVideo(say("fault.video-folder", path=path), say("cure.video-in-folder"))
    if not stat.S_ISREG(about.st_mode):
        raise BadVideo(say("fault.video-device", path=path), say("cure.video-number"))
    if about.st_size == 0:
        raise BadVideo(say("fault.video-empty", name=path.name), say("cure.video-copy"))
