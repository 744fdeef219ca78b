"""What a model declares, as text: the listing of `saltus describe`.

Motor: A DC motor that is switched on, with a load

PARAMETERS 3
name  value  unit  description                 place
R     0.5    Ohm   resistance of the armature  Motor.mo:2
"""

from __future__ import annotations

from collections.abc import Sequence

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.core.nearest import did_you_mean
from saltus.ir.declared import Declarations, Declared, value_text

_GROUPS = ("parameter", "input", "output", "state", "discrete", "variable", "constant")


def declared_text(name: str, description: str, rows: Sequence[Declared], word: str | None) -> str:
    """All rows in groups, or those that match a word; for the full name of one, all about it."""
    if word is not None:
        exact = [row for row in rows if row.name == word]
        if exact:
            return _one(exact[0])
        known = [row.name for row in rows]
        rows = [row for row in rows if row.matches(word)]
        if not rows:
            message = f"nothing in `{name}` has `{word}` in its name or description"
            raise UsageError(Diagnostic("E502", message, hint=did_you_mean(word, known)))
    sections = [f"{name}: {description}" if description else name]
    for kind in _GROUPS:
        group = [row for row in rows if row.kind == kind]
        if group:
            plural = kind if kind == "discrete" else f"{kind}s"
            sections.append(f"{plural.upper()} {len(group)}\n{Declarations(iter(group), kind).text()}")
    return "\n\n".join(sections)


def _one(row: Declared) -> str:
    """All about one of them, a line each."""
    noun = "start value" if row.kind not in ("parameter", "constant") else "value"
    entries = (
        (noun, value_text(row.value)),
        ("type", row.type),
        ("unit", row.unit),
        ("shown in", row.display_unit),
        ("at least", value_text(row.minimum)),
        ("at most", value_text(row.maximum)),
        ("nominal", value_text(row.nominal)),
        ("declared", str(row.place)),
        ("to set it", _setting(row)),
    )
    width = max(len(heading) for heading, text in entries if text)
    told = f": {row.description}" if row.description else ""
    head = f"{row.name} ({'protected ' if row.protected else ''}{row.kind}){told}"
    return "\n".join([head, *(f"  {heading:<{width}}  {text}" for heading, text in entries if text)])


def _setting(row: Declared) -> str:
    if row.kind == "constant" or row.type == "String":
        return ""
    if row.kind == "parameter":
        return "it is final, or follows from initial equations" if row.fixed else f"--set {row.name}=..."
    if row.kind == "input" and "." not in row.name:
        return f"--signals FILE, or --set {row.name}=..."
    return f"--set {row.name}.start=..."
