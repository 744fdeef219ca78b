"""Files, folders and the environment, as the functions of a model see them while it is translated.

Translating a model changes nothing on the disk: what functions write, rename and remove is kept here, and
what they read is what they have written before, or else what is on the disk. A run that begins puts on the
disk what came of all that (`carry_out`), and says what was printed. It is the same each time: a file to which
something was added has it once, however many runs there are.
"""

from __future__ import annotations

import os
from enum import Enum
from pathlib import Path

from saltus.functions.external.objects import ExternalError


class Kind(Enum):
    """What is known of a place on the disk without a file."""

    FOLDER = "folder"
    NOTHING = "nothing"


class Surroundings:
    """What has been changed, by absolute path; the folder in which relative names begin; the environment."""

    def __init__(self) -> None:
        self._changed: dict[Path, bytes | Kind] = {}
        self._folder: Path | None = None
        self._environment: dict[str, str] = {}
        self._said: list[str] = []

    # ------------------------------------------------------------ looking

    def place(self, name: str) -> Path:
        """The absolute path of a name, without `..`."""
        return Path(os.path.normpath((self._folder or Path.cwd()) / name))

    @property
    def folder(self) -> str:
        """Where relative names begin."""
        return (self._folder or Path.cwd()).as_posix()

    def variable(self, name: str) -> str | None:
        """An environment variable."""
        return self._environment.get(name, os.environ.get(name))

    def is_folder(self, name: str) -> bool:
        """Whether there is a folder of this name."""
        known = self._known(self.place(name))
        return known is Kind.FOLDER if known is not None else self.place(name).is_dir()

    def is_file(self, name: str) -> bool:
        """Whether there is a file of this name."""
        known = self._known(self.place(name))
        return isinstance(known, bytes) if known is not None else self.place(name).is_file()

    def exists(self, name: str) -> bool:
        """Whether there is anything of this name."""
        known = self._known(self.place(name))
        return known is not Kind.NOTHING if known is not None else self.place(name).exists()

    def content(self, name: str) -> bytes:
        """What is in a file."""
        known = self._known(self.place(name))
        if isinstance(known, bytes):
            return known
        try:
            if known is not None:
                raise FileNotFoundError(2, os.strerror(2))
            return self.place(name).read_bytes()
        except OSError as error:
            raise ExternalError(f"the file {name} cannot be read: {error.strerror}", "E102") from None

    def is_changed(self, name: str) -> bool:
        """Whether what is on the disk under this name is not what a run will find there."""
        return self._known(self.place(name)) is not None

    def listed(self, name: str) -> list[str]:
        """The names in a folder, in order."""
        if not self.is_folder(name):
            raise ExternalError(f"{name} is no folder", "E102")
        place = self.place(name)
        names = {p.name for p in place.iterdir()} if place.is_dir() else set()
        names |= {p.name for p in self._changed if p.parent == place}
        return sorted(n for n in names if self.exists(str(place / n)))

    def _known(self, path: Path) -> bytes | Kind | None:
        """What has been changed there; a file in a folder that was removed is gone, too."""
        if path in self._changed:
            return self._changed[path]
        above = next((p for p in path.parents if p in self._changed), None)
        return Kind.NOTHING if above is not None and self._changed[above] is not Kind.FOLDER else None

    # ------------------------------------------------------------ changing

    def say(self, text: str) -> None:
        """A line for the screen."""
        self._said.append(text)

    def write(self, name: str, content: bytes) -> None:
        """A file is this from now on."""
        if self.is_folder(name) or not self._has_place(name):
            raise ExternalError(f"the file {name} cannot be written: there is no such folder, or it is one")
        self._changed[self.place(name)] = content

    def remove(self, name: str) -> None:
        """A file, if there is one, is gone; a folder has to be empty."""
        if self.is_folder(name) and self.listed(name):
            raise ExternalError(f"the folder {name} cannot be removed: it is not empty")
        if self.exists(name):
            self._changed[self.place(name)] = Kind.NOTHING

    def make_folder(self, name: str) -> None:
        """A new folder."""
        if self.exists(name) or not self._has_place(name):
            why = "something of that name exists" if self.exists(name) else "there is no folder for it"
            raise ExternalError(f"the folder {name} cannot be made: {why}")
        self._changed[self.place(name)] = Kind.FOLDER

    def _has_place(self, name: str) -> bool:
        """Whether the folder exists in which a name would be."""
        return self.is_folder(str(self.place(name).parent))

    def rename(self, old: str, new: str) -> None:
        """A file, or a folder with what is in it, under another name."""
        source, target = self.place(old), self.place(new)
        if not self.exists(old) or self.exists(new) or not self._has_place(new) or source in target.parents:
            why = "something of that name exists" if self.exists(new) else "there is no such file or folder"
            raise ExternalError(f"{old} cannot be called {new}: {why}")
        if self.is_file(old):
            self._changed[self.place(new)] = self.content(old)
        else:
            self._changed[self.place(new)] = Kind.FOLDER
            for name in self.listed(old):
                self.rename(f"{old}/{name}", f"{new}/{name}")
        self._changed[self.place(old)] = Kind.NOTHING

    def enter(self, name: str) -> None:
        """Relative names begin there from now on."""
        if not self.is_folder(name):
            raise ExternalError(f"{name} is no folder")
        self._folder = self.place(name)

    def set_variable(self, name: str, content: str) -> None:
        """An environment variable for the functions of the model."""
        self._environment[name] = content

    # ------------------------------------------------------------ a run

    def carry_out(self) -> None:
        """Puts on the disk what has been changed, and says what was printed. What is in the way goes first,
        what is in a folder before the folder; then folders come before what is in them."""
        try:
            for path in sorted(self._changed, reverse=True):
                change = self._changed[path]
                if path.is_dir() and change is not Kind.FOLDER:
                    path.rmdir()
                elif path.is_file() and not isinstance(change, bytes):
                    path.unlink()
            for path in sorted(self._changed):
                change = self._changed[path]
                if change is Kind.FOLDER:
                    path.mkdir(exist_ok=True)
                elif isinstance(change, bytes):
                    path.write_bytes(change)
        except OSError as error:
            raise ExternalError(f"{path} cannot be changed: {error.strerror}", "E102") from None
        for text in self._said:
            print(text)
