"""What is known of a model that was written as a Petri net or a state machine: which one it is, and errors in
its terms."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from saltus.core.diagnostics import Diagnostic, ModelError, Note, RunError, SaltusError, UsageError
from saltus.core.source import Source, Span
from saltus.core.wording import listed
from saltus.expr.nodes import FALSE
from saltus.finding import PETRI_NET, STATE_MACHINE, language_of
from saltus.ir import ast
from saltus.ir.automata.machine import Machine
from saltus.ir.automata.machine import Transition as MachineTransition
from saltus.ir.automata.net import Arc, Net
from saltus.ir.automata.net import Transition as NetTransition
from saltus.ir.flat import Variable
from saltus.ir.instance import ClassEntry, Instance, instances
from saltus.read.lines.numbers import WholeNumbers
from saltus.read.modelica.printer_expressions import expression_text
from saltus.read.petri.files import nets
from saltus.read.statechart.files import machines
from saltus.read.statechart.writer import words_text
from saltus.result.result import Result
from saltus.show.listings.reachable import reachable_text
from saltus.show.pictures.chart_drawing import chart_drawing
from saltus.show.pictures.net_drawing import net_drawing
from saltus.show.pictures.svg import Drawing, in_columns
from saltus.transform.flattening import flattened
from saltus.transform.reachability import reachable
from saltus.transform.to_net import to_net

#: What the log says of a state of parts.
_ENTERED = "State {} is entered at time = %time"
#: The largest number of endlessly firing transitions that are named.
_NAMED = 5


@dataclass(frozen=True)
class Written:
    """A net or a machine, and the text in which it stands."""

    automaton: Net | Machine
    source: Source


def written(cls: ClassEntry) -> Written | None:
    """The net or the machine of which a class was made, if it was made of one."""
    language = language_of(cls.source.path)
    if cls.parent is not None or language not in (PETRI_NET, STATE_MACHINE):
        return None
    all_: tuple[Net | Machine, ...] = (nets if language is PETRI_NET else machines)(cls.source)
    found = next((a for a in all_ if a.name == cls.name), None)
    return None if found is None else Written(found, cls.source)


def check_parts(root: Instance, variables: Iterable[Variable]) -> None:
    """Checks that exactly one of several parallel states of parts is initial. Raises `ModelError` (E209)."""
    known = {v.name: v for v in variables}
    beside: dict[str, list[str]] = {}
    for v in known.values():
        path, _, what = v.name.rpartition(".")
        if what == "active" and v.log == (_ENTERED.format(path),):
            beside.setdefault(path.rpartition(".")[0], []).append(path)

    def is_true(name: str) -> bool:
        found = known.get(name)
        return found is None or found.binding is None or found.binding is not FALSE

    places = {i.path: i.span for i in instances(root)}
    for around, states in beside.items():
        if is_true(f"{around}.around.parallel".lstrip(".")):
            continue
        starting = [path for path in states if is_true(f"{path}.start")]
        if len(starting) == 1:
            continue
        called = f"`{around or root.cls.name}`"
        names = [f"`{path.rpartition('.')[2]}`" for path in starting]
        if starting:
            message = f"{called} begins in {listed(starting, _NAMED)}, of which one is active at a time"
            hint = "leave `start = true` at one of them, or let the class around them extend Parallel"
        else:
            message = f"{called} does not say where it begins"
            hint = f"write `{states[0].rpartition('.')[2]}(start = true)`"
        notes = tuple(
            Note(f"{name} begins", places[path]) for name, path in zip(names, starting, strict=True)
        )
        raise ModelError(Diagnostic("E209", message, places[(starting or states)[0]], notes[1:], hint))


def regions_of(
    cls: ClassEntry, variables: Iterable[Variable], clocked: Collection[Mapping[str, str]]
) -> dict[str, dict[str, str]]:
    """The Booleans of the states of machines with the names of the states, by the machine or state that
    contains them. States of parts are those that the log names as such. `clocked` are the states of each
    clocked machine by their Booleans; parallel machines are distinguished by their initial states."""
    found: dict[str, dict[str, str]] = {}
    machine = written(cls)
    if machine is not None and isinstance(machine.automaton, Machine):
        for state in machine.automaton.root.within():
            if state.states:
                found[state.name] = {inner.name: inner.name for inner in state.states}
    for v in variables:
        path, _, what = v.name.rpartition(".")
        if what == "active" and v.log == (_ENTERED.format(path),):
            around, _, name = path.rpartition(".")
            found.setdefault(around or cls.name, {})[v.name] = name
    begins = [next(iter(states.values())).rpartition(".") for states in clocked]
    owners = Counter(around for around, _, _ in begins)
    for states, (around, _, first) in zip(clocked, begins, strict=True):
        beside = f", {first}" if owners[around] > 1 else ""
        names = {active: path.rpartition(".")[2] for active, path in states.items()}
        found[(around or cls.name) + beside] = names
    return found


def reachable_of(cls: ClassEntry) -> str:
    """Where a net or a machine can come to, in words. Raises `UsageError` for what is neither."""
    found = written(cls)
    if found is None:
        hint = "this applies only to Petri nets (.pn) and state machines (.sm)"
        raise UsageError(Diagnostic("E501", f"`{cls.full_name}` is neither a net nor a machine", hint=hint))
    return reachable_text(reachable(as_net(found.automaton)))


def drawn(
    automaton: Net | Machine,
    situation: Mapping[str, int] | None = None,
    *,
    acting: Collection[str] = (),
    title: str | None = None,
) -> Drawing:
    """A picture with the tokens, or the active states, of a situation: how many each place has, and 1 for an
    active state. That at the start if there is none. What is `acting` is red."""
    if isinstance(automaton, Net):
        start = _first_marking(automaton)
        marking = situation if situation is not None else start
        return net_drawing(automaton, marking, _weight, start=start, firing=acting, title=title)
    active = automaton.entered_first() if situation is None else [n for n, on in situation.items() if on]
    return chart_drawing(automaton, _words, active=active, taken=acting, title=title)


def drawn_at(automaton: Net | Machine, result: Result, time: float) -> Drawing:
    """A picture of the situation at a time of a run, after the events of that time."""
    row = int(np.searchsorted(result.time, time, side="right")) - 1
    if row < 0:
        hint = f"the run begins at {result.time[0]:g}"
        raise UsageError(Diagnostic("E502", f"there is nothing at the time {time:g}", hint=hint))
    return drawn(automaton, _situation(automaton, result, row), title=f"{automaton.name} at {time:g}")


def strip(automaton: Net | Machine, result: Result, most: int = 12) -> Drawing:
    """Pictures over the events of a run: one for each instant at which the situation has changed."""
    columns = result.events.columns
    pictures: list[Drawing] = []
    last: Mapping[str, int] | None = None
    for time, row in zip(columns.times.tolist(), columns.rights.tolist(), strict=True):
        situation = _situation(automaton, result, row)
        if situation != last and len(pictures) < most:
            pictures.append(drawn(automaton, situation, title=f"time {time:.6g}"))
        last = situation
    if not pictures:
        pictures = [drawn(automaton)]
    return in_columns(pictures, 3 * max(p.height for p in pictures) + 40, 20)


def _situation(automaton: Net | Machine, result: Result, row: int) -> Mapping[str, int]:
    things = automaton.places if isinstance(automaton, Net) else automaton.states
    return {thing.name: int(result[thing.name][row]) for thing in things}


def _first_marking(net: Net) -> Mapping[str, int]:
    numbers = WholeNumbers(net.parameters)
    return {p.name: numbers.of(p.tokens) or 0 if p.tokens is not None else 0 for p in net.places}


def _weight(arc: Arc) -> str:
    return "1" if arc.weight is None else expression_text(arc.weight)


def _words(transition: MachineTransition) -> str:
    said = words_text(transition)
    return f"{transition.name}: {said}" if transition.is_named else said or "always"


def as_net(automaton: Net | Machine) -> Net:
    """A machine as a net, without hierarchy: its places are the sets of states that are active together."""
    return automaton if isinstance(automaton, Net) else to_net(flattened(automaton))


def tell_in_automata(cls: ClassEntry, error: SaltusError) -> None:
    """Reports endless transitions of a net or a machine at one instant in terms of its transitions."""
    if not isinstance(error, RunError) or not error.diagnostics or error.diagnostics[0].code != "E404":
        return
    found = written(cls)
    told = _endless(found, error.diagnostics[0]) if found is not None else None
    if told is not None:
        error.diagnostics = (told, *error.diagnostics[1:])


def _endless(found: Written, first: Diagnostic) -> Diagnostic | None:
    """E404 for endless transitions at one instant; None for anything else."""
    if "keep" not in first.message:
        return None
    spans = [first.span, *(note.span for note in first.notes)]
    told = {s.start for s in spans if s is not None and s.source == found.source}
    acting: list[Any] = [t for t in found.automaton.transitions if t.start in told] or _of_places(found, told)
    if not acting:
        return None
    is_net = isinstance(found.automaton, Net)
    instant = re.search(r"at time \S+", first.message)
    when = instant[0] if instant else "at one instant"
    names = listed([t.name for t in acting], _NAMED)
    one = "fires" if is_net else "is taken"
    verb = one if len(acting) == 1 else "fire" if is_net else "are taken"
    message = f"{names} {verb} without end {when}: the {'net' if is_net else 'machine'} is illegitimate"
    notes = tuple(Note(f"it {one}", _span(found, t)) for t in acting[:_NAMED])
    hint = f"let one of them wait, `{_waiting(acting[0])}`, or give it a condition that ends it"
    return replace(first, message=message, span=_span(found, acting[0]), notes=notes, hint=hint)


def _of_places(found: Written, told: set[int]) -> list[NetTransition]:
    """Transitions that fire in every round do not change, but their places do."""
    if not isinstance(found.automaton, Net):
        return []
    places = {p.name for p in found.automaton.places if p.start in told}
    return [t for t in found.automaton.transitions if any(a.place in places for a in t.moving)]


def _waiting(transition: NetTransition | MachineTransition) -> str:
    if isinstance(transition, MachineTransition):
        return f"{transition.source} -> {transition.target} after 1"
    return f"transition {transition.name}(delay = 1): ..."


def _span(found: Written, node: ast.Node) -> Span:
    return Span(found.source, node.start, node.end)
