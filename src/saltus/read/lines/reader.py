"""A text, statement by statement.

A faulty one is left out and the next one is read, so that one run reports all faults.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.source import Source, Span
from saltus.read.lines.statement import Statement
from saltus.read.lines.statements import statements, tokens_of
from saltus.read.modelica.lexer import MAXIMUM_OF_ERRORS
from saltus.read.modelica.token_stream import Fault

S = TypeVar("S", bound=Statement)


class Reader(Generic[S]):
    """Goes through the statements, which are of the class that a language has for them; `at` is the index of
    the next one."""

    statement_class: type[S]
    #: Words of the language that do not begin a statement, also at the beginning of a line.
    continuing: frozenset[str] = frozenset()

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parts = list(statements(source, tokens_of(source), self.continuing))
        self.at = 0
        self.errors: list[Diagnostic] = []

    def complain(self, diagnostic: Diagnostic) -> None:
        """Collects a fault; raises `ModelError` where there are too many."""
        self.errors.append(diagnostic)
        if len(self.errors) >= MAXIMUM_OF_ERRORS:
            raise ModelError(self.errors)

    def next(self) -> S:
        """The next statement."""
        statement = self.statement_class(self.source, self.parts[self.at])
        self.at += 1
        return statement

    def read(self, statement: S, rule: Callable[[], None]) -> None:
        """Applies a rule to a whole statement; its faults are collected."""
        try:
            rule()
            statement.finish()
        except Fault as fault:
            self.complain(fault.diagnostic)
        except RecursionError:
            hint = "give parts of the expression a name: `signal NAME = ...`"
            self.complain(Diagnostic("E101", "nested too deeply", statement.whole, hint=hint))
        for error in statement.errors:
            self.complain(error)

    def missing_end(self, what: str, name: str, head: S) -> Diagnostic:
        """E101 for a text that ends, or continues with something else, before `end NAME`."""
        end = self.parts[self.at - 1].ends[-1]
        note = Note(f"{what} `{name}` begins here", head.whole)
        hint = f"write `end {name}` behind the last statement"
        place = Span(self.source, end, end)
        return Diagnostic("E101", f"`end {name}` is missing", place, (note,), hint)
