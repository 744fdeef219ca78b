"""Files that get their rows block by block: what a format has to offer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeAlias

from saltus.result.exchange.curves import Curves


class Stream(Protocol):
    """A file that is being written."""

    def write(self, rows: Curves) -> None:
        """Appends rows."""

    def close(self) -> None:
        """The file is complete. So it is when an error has ended the writing: with the rows until then."""


#: Begins a file for curves like these, which have no rows.
Opener: TypeAlias = Callable[[Curves, Path], Stream]


def write_at_once(opener: Opener, curves: Curves, path: Path) -> None:
    """A file of all rows."""
    stream = opener(curves.head, path)
    try:
        stream.write(curves)
    finally:
        stream.close()
