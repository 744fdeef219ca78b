"""A run between two stretches of integration, as plain data and back.

What is not in here is recreated at the beginning of each stretch, also in an undisturbed run: the integrators
and drivers, the table of ticks. So everything that a stretch depends on must be in here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from saltus.core.diagnostics import Diagnostic
from saltus.expr.show import show
from saltus.ir.sorted.modes import Fixing
from saltus.ir.sorted.surfaces import OnSurface
from saltus.result.log.records import Records
from saltus.result.trajectories.recording import Recording
from saltus.run.engine.engine import Engine
from saltus.run.memory.objects import make_objects
from saltus.run.modes.choices import Choices
from saltus.run.modes.engines import Origin
from saltus.run.past.histories import Past, packed, unpacked
from saltus.run.resume.checkpoint import TRANSLATION, Saved
from saltus.run.schedule.clocks import Clocks
from saltus.run.schedule.diagnostic_data import diagnostic, plain, sources_of
from saltus.run.schedule.grid import Grid
from saltus.run.schedule.settings import Settings
from saltus.run.start.initialise import make_clocks
from saltus.run.steps.keeper import Stored


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
    choices_made: int
    pasts: Sequence[Past]
    surfaces: dict[str, Any]
    modes: dict[str, Any]
    steps: Stored | None
    seconds: float


def identity(engine: Engine, settings: Settings) -> dict[str, Any]:
    """What two runs must have in common for one to resume the other: the model with its code, start values
    and nominal values, the settings, and the version of Saltus."""
    from importlib.metadata import version  # takes its time, and few runs are saved

    model = engine.structure.model
    digest = hashlib.sha256(engine.machine.text.encode())
    for v in model.variables():
        known = (show(e) if e is not None else "" for e in (v.start, v.nominal))
        digest.update("\0".join((v.name, *known, "\n")).encode())
    return {
        "version of Saltus": version("saltus"),
        "model": model.name,
        TRANSLATION: digest.hexdigest(),
        **settings.identity(),
    }


def saved(moment: Moment, choices: Choices) -> Saved:
    """The moment, and all engines. Rows and memories are not copied: to be written down at once."""
    engines = list(choices.engines)
    parts = [engine.part for engine in engines]
    values = {
        "now": moment.now,
        "engine": engines.index(moment.engine),
        "engines": [_engine(engine) for engine in engines],
        "origins": [_origin(origin) for origin in choices.engines.origins],
        "counted": choices.engines.statistics(),
        "parts": [parts.index(part) for part in moment.recording.parts],
        "turns": moment.recording.turns,
        "ticks": moment.clocks.ticks,
        "grid": moment.grid.k,
        "warnings": [plain(w) for w in moment.warnings],
        "warned": sorted(moment.warned),
        "homotopy_steps": moment.homotopy_steps,
        "choices_made": moment.choices_made,
        "pasts": len(moment.pasts),
        "surfaces": moment.surfaces,
        "modes": moment.modes,
        "steps": moment.steps.values if moment.steps is not None else None,
        "began_in": choices.first.structure.mode.texts,
        "seconds": moment.seconds,
    }
    arrays = moment.records.stored()
    for k, engine in enumerate(engines):
        arrays[f"memory_{k}"] = engine.memory.array
        arrays[f"times_{k}"], arrays[f"rows_{k}"] = engine.rows.times, engine.rows.values
        if engine.at_zero.noted is not None:
            arrays[f"bands_{k}"] = engine.at_zero.noted
    for k, past in enumerate(moment.pasts):
        arrays.update({f"past_{k}_{name}": array for name, array in packed(past).items()})
    if moment.steps is not None:
        arrays.update({f"steps_{name}": array for name, array in moment.steps.arrays.items()})
    return Saved(values, arrays)


def restored(found: Saved, choices: Choices, settings: Settings) -> Moment:
    """The moment that was saved; `choices`, which have their first engine only, get the others."""
    values, arrays = found.values, found.arrays
    origins = [_restored_origin(o, choices.first) for o in values["origins"]]
    began_in = choices.first.mode.guards.mode_named(values["began_in"])
    if began_in != choices.first.structure.mode:
        choices.begin_with(choices.starting(began_in))
    choices.make_again(origins, values["counted"])
    engines = list(choices.engines)
    sources = sources_of(choices.first.structure)
    for k, (engine, known) in enumerate(zip(engines, values["engines"], strict=True)):
        engine.memory.array[:] = arrays[f"memory_{k}"]
        make_objects(engine.memory)  # those of the run that was saved are gone
        if f"bands_{k}" in arrays:
            engine.at_zero.load(arrays[f"bands_{k}"])
        engine.rows.load(arrays[f"times_{k}"], arrays[f"rows_{k}"])
        engine.pivots.near_singular = known["near_singular"]
        told = [_hashable(about) for about in known["told"]]
        for warning, about in zip(known["warnings"], told, strict=True):
            engine.memory.notices.tell_once(diagnostic(warning, sources), about)
    clocks = make_clocks(choices.first.memory, settings.start_time)
    clocks.begin_anew(values["ticks"])
    records = Records()
    records.load(arrays)
    grid = Grid(settings)
    grid.skip_to(values["grid"])
    return Moment(
        now=values["now"],
        engine=engines[values["engine"]],
        recording=Recording.of([engines[k].part for k in values["parts"]], values["turns"]),
        records=records,
        clocks=clocks,
        grid=grid,
        warnings=[diagnostic(w, sources) for w in values["warnings"]],
        warned=set(values["warned"]),
        homotopy_steps=values["homotopy_steps"],
        choices_made=values["choices_made"],
        pasts=[unpacked(_under(f"past_{k}_", arrays)) for k in range(values["pasts"])],
        surfaces=values["surfaces"],
        modes=values["modes"],
        steps=Stored(values["steps"], _under("steps_", arrays)) if values["steps"] is not None else None,
        seconds=values["seconds"],
    )


def _origin(origin: Origin) -> dict[str, Any]:
    on = [on.stored() for on in sorted(origin.surfaces)]
    fixed = None if origin.fixing is None else [c.texts for c in origin.fixing.combinations]
    return {
        "values": dict(origin.values),
        "on": on,
        "mode": origin.mode.texts,
        "fixing": fixed,
        "numbers": origin.numbers,
    }


def _restored_origin(stored: Mapping[str, Any], engine: Engine) -> Origin:
    surfaces = frozenset(OnSurface.restored(on) for on in stored["on"])
    fixed = stored["fixing"]
    fixing = None if fixed is None else Fixing(combinations=tuple(map(engine.mode.guards.mode_named, fixed)))
    mode = engine.mode.guards.mode_named(stored["mode"])
    return Origin(stored["values"], surfaces, mode, fixing, stored["numbers"])


def _under(prefix: str, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays whose names begin so, by the rest of their names."""
    return {name.removeprefix(prefix): a for name, a in arrays.items() if name.startswith(prefix)}


def _engine(engine: Engine) -> dict[str, Any]:
    memory = engine.memory
    return {
        "near_singular": engine.pivots.near_singular,
        "warnings": [plain(w) for w in memory.notices.warnings],
        "told": memory.notices.about,
    }


def _hashable(about: Any) -> Any:
    """JSON has lists in place of tuples."""
    return tuple(_hashable(x) for x in about) if isinstance(about, list) else about
