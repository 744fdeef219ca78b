"""A case: what a user might do with Saltus, in an empty folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

#: What transcripts end with.
ENDING = ".txt.gz"


@dataclass(frozen=True)
class Case:
    """Commands, one after the other, in a folder with these files. The first word of a command is `saltus`,
    or `python`, which carries out one of the files."""

    kind: str
    name: str
    commands: tuple[tuple[str, ...], ...]
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Where its transcript is, in the folder of a recording."""
        return f"{self.kind}/{re.sub(r'[^A-Za-z0-9_.+-]+', '_', self.name)}{ENDING}"

    def verify(self) -> None:
        """Commands are what can be carried out, files are in the folder."""
        assert self.commands, f"{self.path}: nothing to do"
        assert all(command[0] in ("saltus", "python") for command in self.commands), self.path
        assert not any("/" in name for name in self.files), self.path


def chosen(paths: Iterable[str], words: Iterable[str]) -> list[str]:
    """The paths of transcripts with one of the words in them; all, if there are none."""
    wanted = [word.lower() for word in words]
    return [path for path in paths if not wanted or any(word in path.lower() for word in wanted)]
