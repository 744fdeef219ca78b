"""Where a run sends finished rows: into a file, or a few of their columns into memory. A short run sends
none: its creator uses an outlet that was not started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from saltus.result.exchange.curves import Curves, curves_of
from saltus.result.exchange.formats import opener_of, read_result, told_where
from saltus.result.exchange.stream import Stream
from saltus.result.exchange.where import IN_ROWS
from saltus.result.trajectories.recording import Recording
from saltus.result.trajectories.trajectories import Trajectories

#: A run sends rows away when they reach this number of bytes.
MANY_BYTES = 2**24

#: This many numbers are written to a file at a time.
_NUMBERS_AT_ONCE = 2**20


class Outlet:
    """Takes the variables and parameters of a run that fit one of the patterns, or all. What there is to take
    is known when the first rows are given."""

    def __init__(self, patterns: Sequence[str] | None = None, *, many_bytes: int | None = None) -> None:
        self.patterns = patterns
        self.many_bytes = MANY_BYTES if many_bytes is None else many_bytes
        self._head: Curves | None = None
        self._blocks: list[Curves] = []

    @property
    def has_begun(self) -> bool:
        """Whether rows were given to it."""
        return self._head is not None

    def take(self, result: Trajectories, rows: Recording) -> None:
        """Takes rows of a run, which may be part of a result. They come in the order of time."""
        if self._head is None:
            self._head = curves_of(result, self.patterns).head
            self._begin(self._head)
        values = {name: result.along(rows, name) for name in self._head.names}
        self._blocks.append(replace(self._head, time=rows.times, arrays=values))
        self._taken()

    def _begin(self, head: Curves) -> None:
        """Rows like these are going to come."""

    def _taken(self) -> None:
        """There is one more block."""

    def close(self) -> None:
        """All rows were given."""

    def curves(self) -> Curves:
        """All that was taken."""
        raise NotImplementedError

    def _together(self) -> Curves:
        """The blocks that there are, as one."""
        assert self._head is not None
        blocks = [self._head, *self._blocks]
        values = {name: np.concatenate([b.arrays[name] for b in blocks]) for name in self._head.names}
        return replace(self._head, time=np.concatenate([b.time for b in blocks]), arrays=values)


class MemoryOutlet(Outlet):
    """Keeps what it takes."""

    def close(self) -> None:
        """All rows were given."""
        self._blocks = [self._together()]

    def curves(self) -> Curves:
        """All that was taken."""
        return self._blocks[0]


class FileOutlet(Outlet):
    """Writes what it takes to a file of the format that its suffix says. Where parameters are in a table:
    `saltus.result.exchange.formats`."""

    def __init__(
        self,
        path: str | Path,
        patterns: Sequence[str] | None = None,
        parameters: str = IN_ROWS,
        *,
        many_bytes: int | None = None,
    ) -> None:
        super().__init__(patterns, many_bytes=many_bytes)
        self.path, self.parameters = Path(path), parameters
        self._opener = opener_of(path, parameters)
        self._stream: Stream | None = None
        self._numbers = 0

    def _begin(self, head: Curves) -> None:
        with told_where(self.path):
            self._stream = self._opener(head, self.path)

    def _taken(self) -> None:
        last = self._blocks[-1]
        self._numbers += len(last.time) * (1 + len(last))
        if self._numbers >= _NUMBERS_AT_ONCE:
            self._write()

    def _write(self) -> None:
        assert self._stream is not None
        rows, self._blocks, self._numbers = self._together(), [], 0
        with told_where(self.path):
            self._stream.write(rows)

    def close(self) -> None:
        """All rows were given; the file is complete."""
        if self._stream is None:
            return
        stream = self._stream
        try:
            self._write()
        finally:
            self._stream = None
            with told_where(self.path):
                stream.close()

    def curves(self) -> Curves:
        """All that was taken: it is read from the file."""
        return read_result(self.path)


def outlet_of(output: str | Path | FileOutlet | None, patterns: Sequence[str] | None) -> Outlet | None:
    """Where the rows of a run go that is to have these variables, or a file of them; None if it keeps all."""
    if isinstance(output, FileOutlet):
        return output
    if output is not None:
        return FileOutlet(output, patterns)
    return None if patterns is None else MemoryOutlet(patterns)
