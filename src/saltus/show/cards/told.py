"""Warnings and errors as boxes, with the text that the command prints."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from saltus.core.message import Diagnostic, Severity
from saltus.core.render import render
from saltus.show.cards.card import STYLE


def box(diagnostics: Sequence[Diagnostic]) -> str:
    """One box for all of them; nothing, if there are none."""
    if not diagnostics:
        return ""
    errors = any(d.severity is Severity.ERROR for d in diagnostics)
    kind = "error" if errors else "warning"
    return f'{STYLE}<div class="saltus-told saltus-{kind}"><pre>{escape(render(diagnostics))}</pre></div>'
