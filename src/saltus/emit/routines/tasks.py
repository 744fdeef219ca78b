"""Tasks: what routines are put together from. A task appends its statements to a section of straight-line
code, and names beforehand the expressions it will ask for, so that what several tasks need is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from saltus.emit.layout.rolling import Unit
from saltus.emit.layout.schedule import PIECE
from saltus.emit.straight.sharing import Section
from saltus.expr.nodes import Expr
from saltus.ir.program import Statement


@dataclass(frozen=True)
class Task:
    """A few statements: the expressions they need, how many they are about, and how to append them. Those
    that are assignments and nothing else are a `unit` as well."""

    expressions: tuple[Expr, ...]
    cost: int
    append: Callable[[Section], None]
    unit: Unit | None = None


def verbatim(statements: list[Statement]) -> Task:
    """Statements as they are."""
    return Task((), len(statements), lambda section: section.statements.extend(statements))


def pieces(tasks: Iterable[Task]) -> list[list[Task]]:
    """The tasks in runs of about `PIECE` statements."""
    result: list[list[Task]] = []
    room = 0
    for task in tasks:
        if room <= 0:
            result.append([])
            room = PIECE
        result[-1].append(task)
        room -= task.cost
    return result
