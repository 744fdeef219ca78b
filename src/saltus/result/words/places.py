"""Where something that made an event is written in the source, and in which order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from saltus.core.source import Span
from saltus.ir.hybrid import Relation

#: A name with its dots, a number, or any other sign.
_TOKEN = re.compile(r"[A-Za-z_$][\w.]*(?:\[[\d,]*\][\w.]*)*|[\d.]+(?:[eE][-+]?\d+)?|[<>]=?|\S")


def place(span: Span) -> str:
    """`Ball.mo:7`, as short as possible. The file of a package is shown with its folder."""
    parts = PurePath(span.source.path).parts
    name = "/".join(parts[-2:] if parts[-1:] == ("package.mo",) else parts[-1:])
    return f"{name}:{span.line}"


def relation_span(relation: Relation) -> Span:
    """The place of the relation itself, if it is found in the clause that it belongs to; else that of the
    clause."""
    return written_span(relation.text, relation.span, relation.origin)


def as_written(relations: Sequence[Relation]) -> list[int]:
    """Relations in their order, but those of one clause of a component as the text has them."""
    first: dict[tuple[Span, str], int] = {}
    for i, relation in enumerate(relations):
        first.setdefault((relation.span, relation.origin), i)
    places = [(first[r.span, r.origin], relation_span(r).start) for r in relations]
    return sorted(range(len(places)), key=places.__getitem__)


def numbers(relations: Sequence[Relation]) -> list[int]:
    """The numbers by which people know relations: 1 for the first that is written."""
    found = [0] * len(relations)
    for number, i in enumerate(as_written(relations), start=1):
        found[i] = number
    return found


def written_span(text: str, clause: Span, origin: str = "") -> Span:
    """The place of an expression in a clause, by its text; if it is not found, the clause. A long when-clause
    has one span, but the condition of its third `elsewhen` is ten lines further down. `origin` is the
    component, whose name is not written there."""
    prefix = f"{origin}." if origin else ""
    tokens = (token.removeprefix(prefix) for token in _TOKEN.findall(text))
    found = re.search(r"\s*".join(map(re.escape, tokens)), clause.text)
    if found is None:
        return clause
    return Span(clause.source, clause.start + found.start(), clause.start + found.end())
