"""Events without end: which relations and discrete variables keep changing, and how each choice of them
contradicts itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, Note, RunError
from saltus.core.source import Span
from saltus.expr.nodes import Expr, Type, leaf_symbol, ref
from saltus.expr.show import show
from saltus.ir.sorted.modes import Mode
from saltus.run.failures.coupling import ENUMERATED, groups
from saltus.run.failures.phrases import SHOWN, at_time, names
from saltus.run.memory.memory import Memory, typed

#: The number of passes in which flipping relations are searched for after `settle` has given up.
_WATCHED_PASSES = 12

#: The largest number of contradictory relations and discrete variables for which each choice is explained.
_TRIED_OUT = 2


@dataclass(frozen=True)
class Switch:
    """A relation or a presumption, as the user knows it."""

    text: str
    span: Span
    residue: Expr | None  # of a relation
    type: Type = Type.BOOLEAN
    loop: tuple[str, ...] = ()  # what else is in the loop of a presumption
    origin: str = ""  # the component it belongs to

    def said(self, value: float) -> str:
        """`x > 0` true, or `mode` 3."""
        shown = typed(self.type, value)
        return f"`{self.text}` {str(shown).lower() if self.type is Type.BOOLEAN else shown}"


#: Methods for what is not stiff, and what may be wrong with them where it is.
_NOT_STIFF = ("adams", "rk45")
_STIFF = "; or a part of the model is so fast that --method {method} swings to and fro: try --method bdf"


def switches(memory: Memory) -> list[Switch]:
    """All relations, then all presumptions."""
    structure = memory.structure
    found = [Switch(r.text, r.span, r.residue, origin=r.origin) for r in structure.model.relations]
    for p in structure.presumptions:
        others = (x for x in p.loop if x is not p.variable and leaf_symbol(x).helper is None)
        span, loop = p.equation.span, tuple(map(show, others))
        found.append(Switch(show(p.variable), span, None, p.variable.type, loop, p.equation.origin))
    return found


def no_mode_to_start_in(memory: Memory, tried: Sequence[Mode]) -> RunError:
    """E404: the solution of the initial system in each mode belongs to another."""
    model = memory.structure.model
    texts = {ref(r.symbol): r.text for r in model.relations}
    notes = [
        Note("tried: " + ", ".join(f"`{texts.get(g) or show(g)}` = {v:g}" for g, v in mode.fixed[:SHOWN]))
        for mode in tried[:SHOWN]
    ]
    return RunError(
        Diagnostic(
            "E404",
            f"no mode was found in which `{model.name}` can start: the values of each lead to another",
            model.span,
            tuple(notes),
            "give start values for the variables in these conditions",
        )
    )


def relations_flip(memory: Memory, *, initial: bool = False) -> RunError:
    """E404 for a settle that did not end: the relations and discrete variables that keep changing in further
    passes, and how each choice of a few of them contradicts itself."""
    one_pass = _Pass(memory, initial)
    changing: set[int] = set()
    for _ in range(_WATCHED_PASSES):
        before = one_pass.mode()
        if not one_pass.done():
            break
        changing.update(np.flatnonzero(one_pass.mode() != before).tolist())
    known = switches(memory)
    places = sorted(changing) or list(range(len(known)))
    found = [known[i] for i in places]
    if len(found) <= _TRIED_OUT and all(s.type is Type.BOOLEAN for s in found):
        notes = list(_contradictions(memory, one_pass, known, places))
    else:
        notes = [
            Note(f"`{s.text}` keeps changing{_residue_now(memory, s)}", s.span)
            for s in sorted(found, key=lambda s: s.residue is None)
        ]
        notes[SHOWN:] = [Note(f"... and {len(notes) - SHOWN} more")] if len(notes) > SHOWN else []
    loop = list(dict.fromkeys(name for s in found for name in s.loop))
    notes += [Note(f"it depends on itself through {names(loop)}")] if loop else []
    sizes = [
        len(g.members)
        for g in groups(memory.structure, initial=initial)
        if not changing.isdisjoint(g.members)
    ]
    largest = max(sizes, default=0)
    message = f"no consistent values were found for {names([s.text for s in found])} {at_time(memory)}: " + (
        "each choice contradicts itself"
        if largest <= ENUMERATED
        else f"{largest} depend on each other, which are too many to try all choices"
    )
    return RunError(
        Diagnostic(
            "E404",
            message,
            found[0].span,
            tuple(notes),
            "use pre() to break the loop",
            origin=found[0].origin,
        )
    )


class _Pass:
    """One pass of `settle` on what it finds in the memory."""

    def __init__(self, memory: Memory, initial: bool) -> None:
        name = "settle_initial" if initial else "settle"
        self._routines = [
            memory.routines[r] for r in ("initial" if initial else "evaluate", "relations", f"{name}_update")
        ]
        self._sections = [memory.section(s) for s in ("relations", "presumed")]

    def mode(self) -> NDArray[np.float64]:
        """All truths, and all presumed values."""
        return np.concatenate(self._sections)

    def take(self, mode: NDArray[np.float64]) -> None:
        """Takes a mode for granted."""
        count = len(self._sections[0])
        self._sections[0][:], self._sections[1][:] = mode[:count], mode[count:]

    def done(self) -> bool:
        """Whether nothing failed."""
        return not any(routine() for routine in self._routines)


def _contradictions(
    memory: Memory, one_pass: _Pass, known: Sequence[Switch], places: Sequence[int]
) -> Iterator[Note]:
    """What comes out for each choice of a few switches."""
    start = memory.array.copy()
    for values in product((1.0, 0.0), repeat=len(places)):
        memory.array[:] = start
        mode = one_pass.mode()
        mode[places] = values
        one_pass.take(mode)
        choice = "with " + ", ".join(known[i].said(mode[i]) for i in places)
        if not one_pass.done():
            yield Note(f"{choice}, the equations have no solution")
            continue
        after = one_pass.mode()
        for i in places:
            if after[i] != mode[i]:
                opposite = f"`{known[i].text}` is {'true' if after[i] else 'false'}"
                yield Note(f"{choice}: {opposite}{_residue_now(memory, known[i])}", known[i].span)
                break
    memory.array[:] = start


def _residue_now(memory: Memory, switch: Switch) -> str:
    """`; x - 1 = 0.5` for a relation."""
    if switch.residue is None:
        return ""
    value = memory.number(switch.residue, math.nan)
    return f"; {show(switch.residue)} = {value:.6g}"


def discretes_flip(memory: Memory, changing_now: NDArray[np.bool_], rounds: int) -> RunError:
    """E404 for an iteration in which discrete variables keep changing."""
    first = memory.first("discretes")
    slots = [first + int(i) for i in np.flatnonzero(changing_now)]
    places = {slot: leaf for leaf, slot in memory.layout.slots.items()}
    changing = [places[s] for s in slots if s in places]
    named = [leaf for leaf in changing if leaf_symbol(leaf).helper is None] or changing
    origin = leaf_symbol(named[0]).name if named else ""
    notes = []
    for leaf in named[:SHOWN]:
        for block in memory.blocks:
            if leaf in block.unknowns:
                span = block.equations[min(block.unknowns.index(leaf), len(block.equations) - 1)].span
                notes.append(Note(f"`{show(leaf)}` is determined here", span))
                break
    if not named:  # states that jump again and again
        jumped = np.flatnonzero(memory.section("jumped"))
        states = [v.name for i, v in enumerate(memory.structure.states) if i in jumped]
        notes = [Note("reinit here", j.span) for j in memory.structure.model.jumps if j.state.name in states]
        what = f"{names(states)} is reinitialised again and again" if states else "the event does not settle"
        origin = states[0] if states else ""
    else:
        verb = "keeps" if len(named) == 1 else "keep"
        what = f"{names([show(leaf) for leaf in named])} {verb} changing"
    return RunError(
        Diagnostic(
            "E404",
            f"{what} {at_time(memory)} (stopped after {rounds} rounds)",
            notes[0].span if notes else None,
            tuple(notes) if len(notes) > 1 else (),
            origin=origin,
        )
    )


def endless_events(
    memory: Memory, fired: Sequence[int], count: int, passed: float, *, method: str
) -> RunError:
    """E404 for events that follow each other with next to no time passing. Relations in the user's own file
    come first, since those of libraries are only affected. Where states are stiff, an unsuitable method
    oscillates across a zero that is not one."""
    model = memory.structure.model
    found = sorted((model.relations[i] for i in fired), key=lambda r: r.span.source is not model.span.source)
    cause = f" of {names([r.text for r in found])}" if found else ""
    return RunError(
        Diagnostic(
            "E404",
            f"{count} events{cause} within {passed:.3g} s {at_time(memory)}",
            found[0].span if found else None,
            tuple(Note(f"`{r.text}`", r.span) for r in found[:SHOWN]),
            "two modes push towards each other here (chattering), or the intervals between events shrink "
            f"to nothing (Zeno){_STIFF.format(method=method) if method in _NOT_STIFF else ''}",
            origin=found[0].origin if found else "",
        )
    )


def unresolved_events(memory: Memory, index: int) -> RunError:
    """E404 for a relation that changed and changed back within one step after an event. Unnoticed, a ball
    would fall through its floor."""
    relation = memory.structure.model.relations[index]
    return RunError(
        Diagnostic(
            "E404",
            f"events of `{relation.text}` follow each other faster than can be resolved {at_time(memory)}",
            relation.span,
            (),
            "the intervals between events shrink to nothing here (Zeno): give the model a state of rest; "
            "otherwise, try a smaller tolerance",
            origin=relation.origin,
        )
    )
