"""Diagnostics as plain data and back: the places they speak of are found again in the files of the model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from saltus.core.diagnostics import Diagnostic, Note
from saltus.core.source import Source, Span
from saltus.ir.structure import Structure


def plain(d: Diagnostic) -> dict[str, Any]:
    """A diagnostic in a form that JSON can hold."""
    notes = [{"message": n.message, "span": _place(n.span)} for n in d.notes]
    told = {"code": d.code, "message": d.message, "span": _place(d.span), "notes": notes, "hint": d.hint}
    return told | {"origin": d.origin}


def _place(span: Span | None) -> list[Any] | None:
    return None if span is None else [span.source.path, span.start, span.end]


def diagnostic(plain: Mapping[str, Any], sources: Mapping[str, Source]) -> Diagnostic:
    """From what `plain` made of one."""
    notes = tuple(Note(n["message"], _span(n["span"], sources)) for n in plain["notes"])
    span = _span(plain["span"], sources)
    return Diagnostic(
        plain["code"], plain["message"], span, notes, plain["hint"], origin=plain.get("origin", "")
    )


def _span(place: Sequence[Any] | None, sources: Mapping[str, Source]) -> Span | None:
    if place is None or place[0] not in sources:
        return None
    return Span(sources[place[0]], place[1], place[2])


def sources_of(structure: Structure) -> dict[str, Source]:
    """The files of the model, by name."""
    return {span.source.path: span.source for span in _spans(structure) if span is not None}


def _spans(structure: Structure) -> Iterator[Span | None]:
    model = structure.model
    for group in (model.variables(), model.relations, model.checks, model.endings, model.clocks):
        for entry in group:
            yield entry.span
