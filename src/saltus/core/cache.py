"""A disk cache by content: what was computed once from the same bytes is loaded instead.

An entry's name is the SHA-256 of a format version and the content, so nothing ever needs to be invalidated:
other content or another format is another entry. The cache is a convenience and never an error: an entry
that is missing, damaged or of foreign classes counts as absent, a folder that cannot be written is left
alone.

Entries are pickles behind a checksum. The folder is the user's own, and still the reader accepts only the
dataclasses of the given modules: a planted entry can at worst be a wrong tree, it cannot call anything.
What will be carried out (native code) is kept in a *private* folder, which is not used if anybody else owns
it or may write to it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import crc32

from saltus.core.collection import put_off

_CHECKSUM = 4  # bytes
_OFF = frozenset(["off", "0", "no", "false"])

#: A limited cache checks its size once in this many stores, and then shrinks to this fraction of the limit.
_LOOK_EVERY = 16
_CLEARED_TO = 0.75
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def default_folder() -> Path | None:
    """`$SALTUS_CACHE`, else `$XDG_CACHE_HOME/saltus`, else `~/.cache/saltus`; None for `SALTUS_CACHE=off`."""
    chosen = os.environ.get("SALTUS_CACHE", "")
    if chosen.lower() in _OFF:
        return None
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME", "")
    if base:
        return Path(base) / "saltus"
    try:
        return Path.home() / ".cache" / "saltus"
    except RuntimeError:  # a user without a home
        return None


def format_version(files: Iterable[Path]) -> str:
    """A version that changes with every change of these source files, and with the Python version."""
    digest = hashlib.sha256(repr(sys.version_info[:2]).encode())
    for file in files:
        try:
            digest.update(file.read_bytes())
        except OSError:  # source not shipped: the modification of the format is then the release's
            digest.update(file.name.encode())
    return digest.hexdigest()


class DiskCache:
    """Trees by the content they were made from. `folder` None is a cache that is always empty.

    `version` becomes part of every key; `modules` are the modules whose dataclasses may be loaded. With a
    `limit`, in bytes, what was not used for the longest time goes when there is more. A `private` cache is
    empty if others may write to its folder.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        version: str = "",
        modules: Iterable[str] = (),
        limit: int | None = None,
        private: bool = False,
    ) -> None:
        self.folder = folder
        self._version = version.encode()
        self._modules = tuple(modules)
        self._limit = limit
        self._private = private

    def key(self, content: bytes) -> str:
        """The name under which the result of this content is kept."""
        return hashlib.sha256(b"%d:%s:%s" % (len(self._version), self._version, content)).hexdigest()

    def load(self, key: str) -> object | None:
        """The value kept under a key; None if there is none that can be read."""
        if self.folder is None or not self._trusted():
            return None
        file = self._file(key)
        try:
            data = file.read_bytes()
        except OSError:
            return None
        if crc32(data[_CHECKSUM:]).to_bytes(_CHECKSUM, "little") != data[:_CHECKSUM]:
            return None
        try:
            value = unpickle(data[_CHECKSUM:], self._modules)
        except Exception:  # a planted pickle can raise anything; the entry is then as good as absent
            return None
        if self._limit is not None:
            with suppress(OSError):
                os.utime(file)  # used just now
        return value

    def store(self, key: str, value: object) -> None:
        """Keeps a value, if that is possible. Readers see the whole entry or none."""
        if self.folder is None:
            return
        try:
            data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, TypeError, ValueError, RecursionError):
            return
        file = self._file(key)
        temporary = ""
        try:
            if self._private:
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                if not self._trusted():
                    self.folder = None
                    return
            file.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=".new-")
            with os.fdopen(handle, "wb") as stream:
                stream.write(crc32(data).to_bytes(_CHECKSUM, "little") + data)
            os.replace(temporary, file)  # noqa: PTH105  # the name that says it is atomic
        except OSError:
            if temporary:
                with suppress(OSError):
                    Path(temporary).unlink()
            # Not writable, full, or read-only: do not try again for every file.
            self.folder = None
            return
        if self._limit is not None and int(key[-4:], 16) % _LOOK_EVERY == 0:
            self._clear(self._limit)

    def _trusted(self) -> bool:
        """Whether no other user can have written what is in the folder."""
        if not self._private or not hasattr(os, "getuid"):
            return True
        assert self.folder is not None
        try:
            found = self.folder.stat()
        except OSError:
            return False
        return found.st_uid == os.getuid() and not found.st_mode & _OTHERS_MAY_WRITE

    def _clear(self, limit: int) -> None:
        """Removes what was not used for the longest time. Others may do the same at the same time."""
        assert self.folder is not None
        found: list[tuple[float, int, Path]] = []
        with suppress(OSError):
            for file in self.folder.glob("*/*"):
                with suppress(OSError):
                    known = file.stat()
                    found.append((known.st_mtime, known.st_size, file))
        total = sum(size for _, size, _ in found)
        if total <= limit:
            return
        for _, size, file in sorted(found):
            with suppress(OSError):
                file.unlink()
            total -= size
            if total <= limit * _CLEARED_TO:
                return

    def _file(self, key: str) -> Path:
        assert self.folder is not None
        # Two letters of folder: no file system likes a hundred thousand names in one.
        return self.folder / key[:2] / key[2:]


def unpickle(data: bytes, modules: tuple[str, ...]) -> object:
    """The tree in a pickle that may contain dataclasses of these modules only."""
    with put_off():
        return _TreeUnpickler(data, _loadable(modules)).load()


@cache
def _loadable(modules: tuple[str, ...]) -> dict[tuple[str, str], type]:
    """The dataclasses defined in these (already imported) modules."""
    return {
        (module, name): value
        for module in modules
        for name, value in vars(sys.modules[module]).items()
        if isinstance(value, type) and is_dataclass(value) and value.__module__ == module
    }


class _TreeUnpickler(pickle.Unpickler):
    """Finds only the classes it was given. Overriding one method keeps the rest in C."""

    def __init__(self, data: bytes, classes: dict[tuple[str, str], type]) -> None:
        super().__init__(BytesIO(data))
        self._classes = classes

    def find_class(self, module: str, name: str) -> Any:
        """The class of that name, if it is one of the allowed."""
        found = self._classes.get((module, name))
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} may not be loaded")
        return found
