"""W406: a mode does not determine everything, reported once for each quantity.

The potential of a node between two open switches has no value that follows from the equations. The run
continues with values of least change (`Structure.open`), since nothing that is determined depends on them;
but users should know.
"""

from __future__ import annotations

from collections.abc import Iterable

from saltus.core.diagnostics import Diagnostic, Note
from saltus.result.modes.guards import granted_in_words, in_words
from saltus.result.modes.stays import open_names
from saltus.result.words.wording import Wording
from saltus.run.engine.engine import Engine
from saltus.run.failures import phrases

#: What a warning is about, before the names.
_OPEN = "left open"

#: The largest number of guards named in a warning.
_SHOWN = 6


def tell_open(engine: Engine, engines: Iterable[Engine]) -> None:
    """Warns about what the mode of an engine leaves open, unless any engine of the run has warned about the
    same quantities before."""
    structure = engine.structure
    told = _told(engines)
    names = [name for name in open_names(structure) if name not in told]
    if not names:
        return
    guards = granted_in_words(structure, Wording(structure))
    mode = [f"`{text}` is {in_words(value)} there" for text, value in guards.items()]
    first = next((v for v in structure.model.variables() if v.name == names[0]), None)
    engine.memory.notices.tell_once(
        Diagnostic(
            "W406",
            f"the equations of the mode that begins {phrases.at_time(engine.memory)} do not determine "
            f"{phrases.names(names)}; values of least change are used",
            None if first is None else first.span,
            tuple(map(Note, mode[:_SHOWN])),
            "nothing that is determined depends on them; `result.undetermined(name)` says where",
            origin=names[0],
        ),
        (_OPEN, *names),
    )


def _told(engines: Iterable[Engine]) -> set[str]:
    """The names that a warning has listed."""
    return {
        name
        for engine in engines
        for about in engine.memory.notices.about
        if isinstance(about, tuple) and about[:1] == (_OPEN,)
        for name in about[1:]
    }


def opened_by_numbers(engine: Engine, engines: Iterable[Engine]) -> list[Diagnostic]:
    """The warning about all that modes have left open where one program finds their structure by numbers: it
    goes through many modes, so native code records what it has left open, and one warning lists it, without
    what other engines have reported."""
    structure, memory = engine.structure, engine.memory
    signature = structure.signature
    if signature is None:
        return []
    noted, since = memory.section("noted"), memory.section("open_since")
    told = _told(engines)
    own = (s for s, flag in zip(signature.variables, noted, strict=True) if flag and not s.is_hidden)
    symbols = [s for s in own if s.name not in told]
    if not symbols:
        return []
    spans = {v.symbol: v.span for v in structure.model.variables()}
    first = min(float(t) for t, flag in zip(since, noted, strict=True) if flag)
    return [
        Diagnostic(
            "W406",
            f"the equations of modes of the run, the first of which begins at time {first:.9g}, do not "
            f"determine {phrases.names([s.name for s in symbols])}; values of least change are used",
            spans.get(symbols[0]),
            (),
            "nothing that is determined depends on them; `result.undetermined(name)` says where",
            origin=symbols[0].name,
        )
    ]
