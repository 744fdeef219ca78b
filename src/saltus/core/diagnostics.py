"""Errors that carry what there is to say, and a reporter that collects it.

What is said is a value (`saltus.core.message`); an error shows itself as the text that the command prints.
"""

from __future__ import annotations

from collections.abc import Iterable

from saltus.core.coloured import coloured
from saltus.core.message import HINTS, TITLES, Diagnostic, Note, Severity
from saltus.core.render import render
from saltus.core.source import Span

__all__ = [
    "HINTS",
    "TITLES",
    "Diagnostic",
    "ModelError",
    "Note",
    "Reporter",
    "RunError",
    "SaltusError",
    "Severity",
    "UsageError",
    "model_error",
]


class SaltusError(Exception):
    """Ends the work; carries everything there is to say. `exit_status` is the command's."""

    exit_status = 1

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic]) -> None:
        self.diagnostics = (diagnostics,) if isinstance(diagnostics, Diagnostic) else tuple(diagnostics)
        super().__init__("; ".join(d.message for d in self.diagnostics))

    def __str__(self) -> str:
        """What the command prints, with places and hints: in a notebook this is all there is to see."""
        return render(self.diagnostics)

    def _render_traceback_(self) -> list[str]:
        """What IPython and notebooks show in place of a traceback."""
        return [*coloured(str(self)), *self._remarks()]

    def _remarks(self) -> list[str]:
        """What else there is to know in a notebook."""
        return []


class ModelError(SaltusError):
    """The model is refused."""

    exit_status = 1


class UsageError(SaltusError):
    """The command or call was wrong."""

    exit_status = 2


class RunError(SaltusError):
    """The model was translated but its run failed. `partial` holds what was computed, if anything; `status`
    is that of the routine that failed, if one did."""

    exit_status = 3
    partial: object | None = None
    status: int = 0

    def _remarks(self) -> list[str]:
        if self.partial is None:
            return []
        return ["  what was computed until then: import sys; sys.last_value.partial"]


def model_error(
    code: str,
    message: str,
    span: Span | None = None,
    *,
    hint: str | None = None,
    notes: tuple[Note, ...] = (),
    origin: str = "",
) -> ModelError:
    """Shorthand for a refusal with one diagnostic."""
    return ModelError(Diagnostic(code, message, span, notes, hint, origin=origin))


class Reporter:
    """Collects diagnostics, so that one run can report several errors, up to a limit."""

    ENOUGH = 50

    def __init__(self) -> None:
        self.warnings: list[Diagnostic] = []
        self._errors: list[Diagnostic] = []
        self._told: set[tuple[str, str, Span | None]] = set()

    def report(self, diagnostic: Diagnostic) -> None:
        """Keeps a diagnostic. The same words about the same place are kept once, however many components
        of a class lead there."""
        words = (diagnostic.code, diagnostic.message, diagnostic.span)
        if words in self._told:
            return
        self._told.add(words)
        if diagnostic.severity is Severity.WARNING:
            self.warnings.append(diagnostic)
            return
        self._errors.append(diagnostic)
        if len(self._errors) >= self.ENOUGH:
            self.stop_if_errors()

    def absorb(self, error: SaltusError) -> None:
        for diagnostic in error.diagnostics:
            self.report(diagnostic)

    def stop_if_errors(self) -> None:
        if self._errors:
            raise ModelError(self._errors)
