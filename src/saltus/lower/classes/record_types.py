"""Which record a class stands for: `connector In = input Complex` and `record Voltage = Complex(...)` hold
what `Complex` holds, and their values are values of it.

A class defined by a short class definition has the type of the class that it names (section 4.6.1), so the
record at the end of such a chain is what decides about fields, constructors and overloaded operators.
"""

from __future__ import annotations

from saltus.core.diagnostics import ModelError
from saltus.ir import ast
from saltus.ir.instance import UNANSWERED, ClassEntry, Predefined, Question
from saltus.lower.classes.lookup import resolve_from

_RECORD: Question[ClassEntry | None] = Question("the record it stands for")


def record_of(cls: ClassEntry | Predefined) -> ClassEntry | None:
    """The record that a class is, or that it stands for by short class definitions; None if there is none."""
    if isinstance(cls, Predefined):
        return None
    known = _RECORD.known(cls)
    if known is UNANSWERED:
        known = _RECORD.keep(cls, _record_of(cls))
    return known


def _record_of(cls: ClassEntry) -> ClassEntry | None:
    seen: list[ClassEntry] = []
    place: ClassEntry | Predefined = cls
    while isinstance(place, ClassEntry) and place not in seen:
        seen.append(place)
        body = place.definition.body
        if not isinstance(body, ast.ShortBody):
            return place if place.kind == "record" else None
        try:
            place = resolve_from(body.type_name, place.parent, place)
        except ModelError:  # reported when a component of it is created
            return None
    return None
