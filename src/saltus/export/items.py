"""What the driver goes by, with a name: whole numbers, numbers and tables.

One program has them as constants. Where there are several, what is the same in all of them is a constant,
too; the rest is a field of what each program tells of itself, and the driver reads it under the same name.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from saltus.export.values import number


@dataclass(frozen=True)
class Whole:
    """A whole number: a place in the memory, a count, a truth."""

    name: str
    value: int


@dataclass(frozen=True)
class Real:
    """Any number."""

    name: str
    value: float


@dataclass(frozen=True)
class Table:
    """Entries of one kind, as they are written."""

    kind: str
    name: str
    entries: tuple[str, ...]

    @staticmethod
    def of(kind: str, name: str, values: Iterable[float]) -> Table:
        """A table of numbers."""
        written = number if kind == "double" else _whole
        return Table(kind, name, tuple(written(value) for value in values))


Item: TypeAlias = "Whole | Real | Table"


def _whole(value: float) -> str:
    return str(int(value))


def enumeration(items: Iterable[Whole]) -> str:
    """Named whole numbers."""
    return "\n".join(["enum {", *(f"    {item.name} = {item.value}," for item in items), "};"])


def table(item: Table) -> str:
    """A table, which has an entry in any case."""
    length = max(1, len(item.entries))
    head = f"static const {item.kind} {item.name}[{length}] = {{"
    if item.kind == "char *const":  # texts have spaces that must stay
        lines = "".join(f"    {text},\n" for text in item.entries) or '    "",\n'
        return f"{head}\n{lines}}};"
    text = f"{head}{', '.join(item.entries) or '0'}}};"
    return textwrap.fill(text, 112, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def constants(items: Sequence[Item]) -> str:
    """All of them as constants."""
    lines = [enumeration(found)] if (found := [i for i in items if isinstance(i, Whole)]) else []
    lines += [f"#define {i.name} {number(i.value)}" for i in items if isinstance(i, Real)]
    return "\n".join([*lines, *(table(i) for i in items if isinstance(i, Table))])
