"""Pictures and drawings by their key, in a folder or wherever fsspec reaches.

A key is made here, never from a name that somebody sent.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, cast

import fsspec

KEY = re.compile(r"[a-z0-9-]+(/[a-zA-Z0-9_-]+)+(\.[a-z0-9]+)?")


class Pictures:
    """The files of the page below one root."""

    def __init__(self, url: str) -> None:
        files, root = fsspec.core.url_to_fs(url)
        self._files: Any = files
        self._root = str(root).rstrip("/")

    def keep(self, content: bytes, folder: str, ending: str = "") -> str:
        """Store bytes under a new key in a folder; returns the key."""
        key = f"{folder}/{secrets.token_urlsafe(12)}{ending}"
        self.write(key, content)
        return key

    def write(self, key: str, content: bytes) -> None:
        """Store bytes under a key: whole or not at all, so that a reader never sees half of them."""
        path = self._path(key)
        self._files.makedirs(path.rpartition("/")[0], exist_ok=True)
        part = f"{path}.{secrets.token_hex(4)}.part"
        try:
            self._files.pipe_file(part, content)
            self._files.mv(part, path)
        except BaseException:  # a full disk must not stay full of halves
            with suppress(FileNotFoundError):
                self._files.rm_file(part)
            raise

    @contextmanager
    def written_down(self, key: str) -> Iterator[None]:
        """A key that is being written down somewhere: forgotten where that fails, for nobody would know it."""
        try:
            yield
        except BaseException:
            self.delete(key)
            raise

    def read(self, key: str) -> bytes:
        """The bytes of a key; raises FileNotFoundError."""
        return bytes(self._files.cat_file(self._path(key)))

    def opened(self, key: str) -> BinaryIO:
        """The file of a key, to be read piece by piece and closed by the reader; raises FileNotFoundError."""
        return cast(BinaryIO, self._files.open(self._path(key), "rb"))

    def has(self, key: str) -> bool:
        """Whether there is something under a key."""
        return bool(self._files.exists(self._path(key)))

    def delete(self, key: str) -> None:
        """Forget a key; one that is not there is no fault."""
        with suppress(FileNotFoundError):
            self._files.rm_file(self._path(key))

    def delete_folder(self, folder: str) -> None:
        """Forget all keys of a folder."""
        with suppress(FileNotFoundError):
            self._files.rm(self._path(f"{folder}/x").rpartition("/")[0], recursive=True)

    def delete_beside(self, kept: str | None, folder: str) -> None:
        """Forget the folders in a folder, but one: what an earlier round left."""
        inside = self._path(f"{folder}/x").rpartition("/")[0]
        with suppress(FileNotFoundError):
            for path in self._files.ls(inside, detail=False):
                if kept is None or not str(path).rstrip("/").endswith(f"/{kept}"):
                    self._files.rm(path, recursive=True)

    def everything(self) -> Iterator[str]:
        """The path below the root of every file there is, halves of some that were being written included."""
        with suppress(FileNotFoundError):
            for path in self._files.find(self._root):
                yield str(path)[len(self._root) :].lstrip("/")

    def forget_orphan(self, path: str) -> None:
        """Forget a file by its path below the root, as `everything` tells it."""
        with suppress(FileNotFoundError):
            self._files.rm_file(f"{self._root}/{path}")

    def _path(self, key: str) -> str:
        if not KEY.fullmatch(key):
            raise ValueError(f"a picture's key must be like checks/a1b2/photo.jpg, got {key!r}")
        return f"{self._root}/{key}"
