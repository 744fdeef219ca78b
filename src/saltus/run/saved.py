"""A run between two stretches of integration, as plain data and back.

What is not in here is made anew at the beginning of each stretch, also in a run that goes on undisturbed: the
integrators and drivers, the table of ticks. So everything that a stretch depends on must be in here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from saltus.core.diagnostics import Diagnostic, Note
from saltus.core.source import Source, Span
from saltus.expr.show import show
from saltus.ir.structure import Structure
from saltus.result.recording import Recording
from saltus.result.records import Records
from saltus.run.checkpoint import TRANSLATION, Saved
from saltus.run.choices import Choices
from saltus.run.clocks import Clocks
from saltus.run.engine import Engine
from saltus.run.grid import Grid
from saltus.run.initialise import make_clocks
from saltus.run.settings import Settings


@dataclass
class Moment:
    """Everything about a run at one moment, its engines aside."""

    now: float
    engine: Engine
    recording: Recording
    records: Records
    clocks: Clocks
    grid: Grid
    warnings: list[Diagnostic]
    warned: set[int]
    homotopy_steps: int
    seconds: float


def identity(engine: Engine, settings: Settings) -> dict[str, Any]:
    """What two runs must have in common for one to go on where the other was: the model with its code, start
    values and nominal values, the settings, and the version of Saltus."""
    model = engine.structure.model
    digest = hashlib.sha256(engine.machine.text.encode())
    for v in model.variables():
        known = (show(e) if e is not None else "" for e in (v.start, v.nominal))
        digest.update("\0".join((v.name, *known, "\n")).encode())
    return {
        "version of Saltus": version("saltus"),
        "model": model.name,
        TRANSLATION: digest.hexdigest(),
        "start time": settings.start_time,
        "stop time": settings.stop_time,
        "tolerance": settings.tolerance,
        "method": settings.method,
        "output interval": settings.output_interval,
        "largest step": settings.max_step,
        "linear solver": settings.linear_solver,
        "choice of parameters": dict(sorted(settings.overrides.items())),
    }


def saved(moment: Moment, choices: Choices) -> Saved:
    """The moment, and all engines. Rows and memories are not copied: to be written down at once."""
    engines = choices.engines
    parts = [engine.part for engine in engines]
    values = {
        "now": moment.now,
        "engine": engines.index(moment.engine),
        "engines": [_engine(engine) for engine in engines],
        "origins": [dict(values) for values in choices.origins],
        "counted": choices.statistics(),
        "parts": [parts.index(part) for part in moment.recording.parts],
        "turns": moment.recording.turns,
        "ticks": moment.clocks.ticks,
        "grid": moment.grid.k,
        "warnings": [_plain(w) for w in moment.warnings],
        "warned": sorted(moment.warned),
        "homotopy_steps": moment.homotopy_steps,
        "seconds": moment.seconds,
    }
    arrays = moment.records.stored()
    for k, engine in enumerate(engines):
        arrays[f"memory_{k}"] = engine.memory.array
        arrays[f"times_{k}"], arrays[f"rows_{k}"] = engine.rows.times, engine.rows.values
    return Saved(values, arrays)


def restored(found: Saved, choices: Choices, settings: Settings) -> Moment:
    """The moment that was saved; `choices`, which have their first engine only, get the others."""
    values, arrays = found.values, found.arrays
    choices.make_again(values["origins"], values["counted"])
    engines = choices.engines
    sources = _sources(choices.first.structure)
    for k, (engine, plain) in enumerate(zip(engines, values["engines"], strict=True)):
        engine.memory.array[:] = arrays[f"memory_{k}"]
        engine.rows.load(arrays[f"times_{k}"], arrays[f"rows_{k}"])
        engine.near_singular = plain["near_singular"]
        told = [_hashable(about) for about in plain["told"]]
        for warning, about in zip(plain["warnings"], told, strict=True):
            engine.memory.tell_once(_diagnostic(warning, sources), about)
    clocks = make_clocks(choices.first.memory, settings.start_time)
    clocks.begin_anew(values["ticks"])
    grid = Grid(settings)
    grid.skip_to(values["grid"])
    return Moment(
        now=values["now"],
        engine=engines[values["engine"]],
        recording=Recording.of([engines[k].part for k in values["parts"]], values["turns"]),
        records=Records.restored(arrays),
        clocks=clocks,
        grid=grid,
        warnings=[_diagnostic(w, sources) for w in values["warnings"]],
        warned=set(values["warned"]),
        homotopy_steps=values["homotopy_steps"],
        seconds=values["seconds"],
    )


def _engine(engine: Engine) -> dict[str, Any]:
    memory = engine.memory
    return {
        "near_singular": engine.near_singular,
        "warnings": [_plain(w) for w in memory.warnings],
        "told": memory.told,
    }


def _hashable(about: Any) -> Any:
    """JSON has lists in place of tuples."""
    return tuple(_hashable(x) for x in about) if isinstance(about, list) else about


# ---------------------------------------------------------------- diagnostics


def _plain(d: Diagnostic) -> dict[str, Any]:
    notes = [{"message": n.message, "span": _place(n.span)} for n in d.notes]
    return {"code": d.code, "message": d.message, "span": _place(d.span), "notes": notes, "hint": d.hint}


def _place(span: Span | None) -> list[Any] | None:
    return None if span is None else [span.source.path, span.start, span.end]


def _diagnostic(plain: Mapping[str, Any], sources: Mapping[str, Source]) -> Diagnostic:
    notes = tuple(Note(n["message"], _span(n["span"], sources)) for n in plain["notes"])
    span = _span(plain["span"], sources)
    return Diagnostic(plain["code"], plain["message"], span, notes, plain["hint"])


def _span(place: Sequence[Any] | None, sources: Mapping[str, Source]) -> Span | None:
    if place is None or place[0] not in sources:
        return None
    return Span(sources[place[0]], place[1], place[2])


def _sources(structure: Structure) -> dict[str, Source]:
    """The files of the model, by name."""
    return {span.source.path: span.source for span in _spans(structure) if span is not None}


def _spans(structure: Structure) -> Iterator[Span | None]:
    model = structure.model
    for group in (model.variables(), model.relations, model.checks, model.endings, model.clocks):
        for entry in group:
            yield entry.span
