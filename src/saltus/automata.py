"""What is known of a model because it was written as a Petri net: its net, and refusals told in its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from saltus.core.diagnostics import Diagnostic, Note, RunError
from saltus.core.source import Source, Span
from saltus.core.wording import listed
from saltus.finding import PETRI_NET, language_of
from saltus.ir.automata.net import Net
from saltus.ir.instance import ClassEntry
from saltus.read.petri.files import nets

#: Of many transitions that fire without end, so many are named.
_NAMED = 5


@dataclass(frozen=True)
class WrittenNet:
    """A net and the text in which it stands."""

    net: Net
    source: Source


def written_net(cls: ClassEntry) -> WrittenNet | None:
    """The net of which a class was made, if it was made of one."""
    if language_of(cls.source.path) is not PETRI_NET or cls.parent is not None:
        return None
    found = next((n for n in nets(cls.source) if n.name == cls.name), None)
    return None if found is None else WrittenNet(found, cls.source)


@contextmanager
def told_in_automata(cls: ClassEntry) -> Iterator[None]:
    """Tells of a net that fires without end in its transitions."""
    try:
        yield
    except RunError as error:
        found = written_net(cls)
        if found is not None and error.diagnostics:
            first, *others = error.diagnostics
            told = _endless(found, first) if first.code == "E404" else None
            if told is not None:
                error.diagnostics = (told, *others)
        raise


def _endless(written: WrittenNet, first: Diagnostic) -> Diagnostic | None:
    """E404 for transitions that fire without end at one instant; None if it is something else."""
    if "keep" not in first.message:
        return None
    spans = [first.span, *(note.span for note in first.notes)]
    told = {s.start for s in spans if s is not None and s.source == written.source}
    firing = [t for t in written.net.transitions if t.start in told]
    if not firing:  # those that fire in every round do not change
        places = {p.name for p in written.net.places if p.start in told}
        firing = [t for t in written.net.transitions if any(a.place in places for a in t.moving)]
    if not firing:
        return None
    instant = re.search(r"at time \S+", first.message)
    names = listed([t.name for t in firing], _NAMED)
    verb = "fires" if len(firing) == 1 else "fire"
    when = instant[0] if instant else "at one instant"
    message = f"{names} {verb} without end {when}: the net is illegitimate"
    notes = tuple(Note("it fires", Span(written.source, t.start, t.end)) for t in firing[:_NAMED])
    delayed = f"`transition {firing[0].name}(delay = 1): ...`"
    hint = f"give one of them a delay, {delayed}, or a condition that ends it"
    place = Span(written.source, *firing[0].named)
    return replace(first, message=message, span=place, notes=notes, hint=hint)
