"""Result files that grow during a run, and can be read at any moment. A file may be read, or the process
killed, while it is being updated. So a copy is updated, which then replaces the file atomically: it always
consists of whole lines. Only new rows are turned into text; the operating system copies the rest.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.result.files.eventlog import json_lines
from saltus.result.trajectories.csv import csv_header, csv_lines

if TYPE_CHECKING:
    from saltus.result.result import Result


class GrowingFile:
    """`header` gives the first line, `lines` the text of all items from a number on, `count` says how many
    items there are."""

    def __init__(
        self,
        path: str | Path,
        header: Callable[[Result], str],
        lines: Callable[[Result, int], Iterator[str]],
        count: Callable[[Result], int],
    ) -> None:
        self.path = Path(path).resolve()  # a link stays one
        self._header, self._lines, self._count = header, lines, count
        self._first_line = ""
        self._items = 0
        self._size = -1  # in bytes; nothing is written yet

    def update(self, result: Result) -> None:
        """Brings the file up to date with a result that has grown. What was there before the first time is
        replaced, and so is all when the first line changes: a new mode may bring variables of its own."""
        count, header = self._count(result), self._header(result)
        try:
            goes_on = (
                header == self._first_line
                and count >= self._items
                and self.path.is_file()
                and self.path.stat().st_size == self._size
            )
            self._size = replace_file(self.path, lambda file: self._write(file, result, goes_on))
        except OSError as error:
            raise UsageError(Diagnostic("E503", f"{self.path}: {error.strerror or error}")) from error
        self._items, self._first_line = count, header

    def _write(self, file: BinaryIO, result: Result, goes_on: bool) -> None:
        if goes_on:
            with self.path.open("rb") as old:
                shutil.copyfileobj(old, file, 2**20)
        else:
            file.write(self._header(result).encode())
        for text in self._lines(result, self._items if goes_on else 0):
            file.write(text.encode())


def growing_csv(path: str | Path) -> GrowingFile:
    """What `Result.to_csv` writes."""
    return GrowingFile(path, csv_header, lambda result, since: csv_lines(result, since=since), len)


def growing_events(path: str | Path) -> GrowingFile:
    """What `saltus.result.files.eventlog.write_events` writes."""
    return GrowingFile(path, lambda _: "", json_lines, lambda result: len(result.records))


def replace_file(path: Path, write: Callable[[BinaryIO], None]) -> int:
    """Puts what `write` writes in the place of a file, in one step and only when it is safe on the disk. The
    size in bytes. Should it fail, the file is as it was."""
    temporary = path.with_name(path.name + ".new")
    try:
        with temporary.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        with suppress(OSError):
            shutil.copymode(path, temporary)
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    return size
