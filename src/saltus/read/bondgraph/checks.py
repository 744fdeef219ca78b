"""Checks that a graph is meaningful, with errors in its own terms. All errors are collected, with the places
of both sides of a conflict. Names in expressions are looked up later, as in every model.
"""

from __future__ import annotations

from collections.abc import Iterator

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.nearest import known_hint, nearest
from saltus.core.source import Source, Span
from saltus.core.wording import listed
from saltus.ir import ast
from saltus.ir.automata.automaton import Transition
from saltus.ir.automata.lines import Experiment
from saltus.ir.bonds.graph import CONTROLLED, KINDS, OFF, ON, Bond, Element, Graph, Machine, Ports
from saltus.read.lines.experiments import experiment_faults
from saltus.read.modelica.lexer import MAXIMUM_OF_ERRORS

#: Names that mean something in every expression.
_RESERVED = frozenset({"time"})


def check(graph: Graph, source: Source) -> None:
    """Raises `ModelError` with what is wrong with a graph."""
    found = list(_faults(graph, source))
    if found:
        raise ModelError(found[:MAXIMUM_OF_ERRORS])
    graph.verify()


def lone_warnings(graph: Graph, source: Source) -> Iterator[Diagnostic]:
    """Elements to which no bond leads, and which take no part therefore: that is seldom meant."""
    for element in graph.elements:
        if graph.is_lone(element.name):
            name, kind = element.name, KINDS[element.kind]
            through = kind.ports is Ports.THROUGH
            hint = f"write `bond a -> {name}{' -> b' if through else ''}`, or leave it out"
            message = f"no bond leads to `{name}`, a {kind.what}: it takes no part"
            yield Diagnostic("W207", message, Span(source, *element.named), hint=hint)


def _faults(graph: Graph, source: Source) -> Iterator[Diagnostic]:
    checks = _Checks(graph, source)
    yield from checks.names()
    yield from checks.bonds()
    for element in graph.elements:
        yield from checks.arguments(element)
        yield from checks.degree(element)
    yield from checks.machines()
    yield from experiment_faults([i for i in graph.items if isinstance(i, Experiment)], source)


class _Checks:
    def __init__(self, graph: Graph, source: Source) -> None:
        self.graph = graph
        self.source = source
        self.elements = {e.name: e for e in reversed(graph.elements)}

    def at(self, offsets: ast.Offsets) -> Span:
        return Span(self.source, *offsets)

    def of(self, node: ast.Node) -> Span:
        return Span(self.source, node.start, node.end)

    # ------------------------------------------------------------ names

    def names(self) -> Iterator[Diagnostic]:
        """Each is used once."""
        first: dict[str, tuple[ast.Offsets, str]] = {}
        for name, place, what in self.graph.named():
            if name in _RESERVED:
                message = f"`{name}` has a meaning of its own"
                yield Diagnostic("E202", message, self.at(place), hint="choose another name")
            elif name in first:
                other, is_ = first[name]
                note = Note(f"the {is_} `{name}` is here", self.at(other))
                yield Diagnostic("E202", f"`{name}` is there already, a {is_}", self.at(place), (note,))
            else:
                first[name] = place, what

    # ------------------------------------------------------------ bonds

    def bonds(self) -> Iterator[Diagnostic]:
        """Their ends are elements, and not the same one."""
        for bond in self.graph.bonds:
            for name, place in ((bond.tail, bond.tail_at), (bond.head, bond.head_at)):
                if name not in self.elements:
                    yield self._no_element(name, place)
            if bond.tail == bond.head:
                hint = "a bond joins two elements"
                yield Diagnostic(
                    "E210", f"this bond leads from `{bond.tail}` to itself", self.of(bond), hint=hint
                )

    def _no_element(self, name: str, place: ast.Offsets) -> Diagnostic:
        what = next((w for n, _, w in self.graph.named() if n == name), None)
        if what is not None:
            message = f"`{name}` is a {what}, and bonds join elements"
            return Diagnostic(
                "E210", message, self.at(place), hint=known_hint(name, self.elements, "the graph")
            )
        hint = known_hint(name, self.elements, "the graph", "element")
        return Diagnostic("E201", f"there is no element `{name}`", self.at(place), hint=hint)

    def degree(self, element: Element) -> Iterator[Diagnostic]:
        """An element has the bonds that its kind takes."""
        name, kind = element.name, KINDS[element.kind]
        into = [b for b in self.graph.bonds if b.head == name and b.tail != name]
        out = [b for b in self.graph.bonds if b.tail == name and b.head != name]
        place, all_ = self.at(element.named), [*into, *out]
        notes = tuple(Note(f"a bond of `{name}`", self.of(b)) for b in all_[:4])
        what = f"`{name}`, a {kind.what}"
        if not all_ and kind.ports is Ports.ANY:
            hint = f"write `bond a -> {name}`, where `a` is an element"
            yield Diagnostic("E210", f"no bond leads to {what}", place, hint=hint)
        elif not all_:
            return  # a warning, no fault: see `lone_warnings`
        elif kind.ports is Ports.THROUGH and (len(into), len(out)) != (1, 1):
            message = f"{what}, takes {kind.ports.value}; {_count(into)} in, {_count(out)} out"
            yield Diagnostic("E210", message, place, notes, self._through(name, into, out))
        elif kind.ports in (Ports.INTO, Ports.EITHER) and len(all_) > 1:
            hint = "let one bond lead to a junction, and the others from there"
            yield Diagnostic("E210", f"{what}, has {len(all_)} bonds and takes one", place, notes, hint)
        elif kind.ports is Ports.INTO and out:
            bond = out[0]
            message = f"the half arrow of `{bond.text}` points away from `{name}`, a {kind.what}"
            hint = f"power counts as positive where it comes in: write `bond {bond.head} -> {name}`"
            yield Diagnostic("E210", message, self.of(bond), hint=hint)

    def _through(self, name: str, into: list[Bond], out: list[Bond]) -> str:
        if len(into) == 2 and not out:
            return f"write `{name} -> {into[1].tail}` for one of them, along the power"
        if len(out) == 2 and not into:
            return f"write `{out[0].head} -> {name}` for one of them, along the power"
        return f"write `bond a -> {name} -> b`"

    # ------------------------------------------------------------ arguments

    def arguments(self, element: Element) -> Iterator[Diagnostic]:
        """Checks the arguments of an element: only those of its kind, each once, and all required ones."""
        kind = KINDS[element.kind]
        seen: set[str] = set()
        for argument in element.arguments:
            name = argument.name
            place = Span(self.source, argument.start, argument.start + len(name))
            if name in seen:
                yield Diagnostic("E202", f"`{name}` is given twice", place)
            elif name not in kind.arguments:
                owner = f"a {kind.what} ({element.kind})"
                known = kind.arguments
                hint = known_hint(name, known, owner) if known else f"{owner} takes no arguments"
                yield Diagnostic("E207", f"{owner} has no `{name}`", place, hint=hint)
            seen.add(name)
        for group, what in ((kind.law, "its law"), (kind.start, "its start")):
            given = [a for a in element.arguments if a.name in group]
            if len({a.name for a in given}) > 1:
                both = listed([a.name for a in given])
                message = f"{both} of `{element.name}` both say {what}"
                yield Diagnostic("E207", message, self.of(given[1]), hint="leave one of them")
        if kind.law and not element.argument(*kind.law):
            first = kind.law[0]
            hint = f"write `{element.kind} {element.name}({first} = ...)`"
            message = f"`{element.name}`, a {kind.what}, needs its `{first}`"
            yield Diagnostic("E207", message, self.at(element.named), hint=hint)

    # ------------------------------------------------------------ machines

    def machines(self) -> Iterator[Diagnostic]:
        """Every controlled junction has one, and each is in order."""
        owners: dict[str, Machine] = {}
        for machine in self.graph.machines:
            element = self.elements.get(machine.name)
            place = self.at(machine.named)
            if element is None:
                junctions = [e.name for e in self.graph.elements if e.kind in CONTROLLED]
                hint = known_hint(machine.name, junctions, "the graph", "controlled junction")
                message = f"there is no controlled junction `{machine.name}`"
                yield Diagnostic("E201", message, place, hint=hint)
            elif element.kind not in CONTROLLED:
                note = Note(f"`{machine.name}` is a {KINDS[element.kind].what}", self.of(element))
                hint = f"write `X{element.kind[1]} {machine.name}`" if element.kind in ("J0", "J1") else None
                message = f"`{machine.name}` is not a controlled junction, so a machine cannot switch it"
                yield Diagnostic("E209", message, place, (note,), hint)
            elif machine.name in owners:
                note = Note("the other one is here", self.at(owners[machine.name].named))
                hint = "write all transitions in one machine"
                yield Diagnostic("E202", f"`{machine.name}` has two machines", place, (note,), hint)
            owners.setdefault(machine.name, machine)
            yield from self._machine(machine)
        for element in self.graph.elements:
            if element.kind in CONTROLLED and element.name not in owners:
                message = f"no machine says when `{element.name}`, a {KINDS[element.kind].what}, is on"
                name = element.name
                hint = f"write `machine {name}` with its transitions, or make it J{element.kind[1]}"
                yield Diagnostic("E209", message, self.at(element.named), hint=hint)

    def _machine(self, machine: Machine) -> Iterator[Diagnostic]:
        automaton = machine.automaton
        name, names = automaton.name, automaton.names
        wrong = False
        if not automaton.initial:
            message = f"machine `{name}` does not say where it begins"
            yield Diagnostic(
                "E209", message, self.at(machine.named), hint="write `initial off` or `initial on`"
            )
            wrong = True
        elif automaton.initial not in names:
            yield self._no_location(machine, automaton.initial, self.at(machine.begins))
            wrong = True
        for transition in automaton.transitions:
            for end in (transition.source, transition.target):
                if end not in names:
                    yield self._no_location(machine, end, self.of(transition))
                    wrong = True
            if transition.source == transition.target:
                hint = "a machine stays where no transition is enabled"
                message = f"this transition leads from `{transition.source}` to itself"
                yield Diagnostic("E209", message, self.of(transition), hint=hint)
                wrong = True
            if transition.actions:
                yield from self._actions(machine, transition)
        if wrong:
            return
        reached = automaton.reachable()
        for transition in automaton.transitions:
            if transition.source not in reached:
                message = f"`{name}` never comes to `{transition.source}`: it begins in `{automaton.initial}`"
                hint = f"no transition leads from there to `{transition.source}`"
                yield Diagnostic("E209", message, self.of(transition), hint=hint)

    def _no_location(self, machine: Machine, name: str, place: Span) -> Diagnostic:
        hint = known_hint(name, machine.automaton.names, f"`{machine.name}`", "location")
        if nearest(name, (OFF, ON), 1) == []:
            hint = f"declare it with `location {name} = on`, or `= off`"
        return Diagnostic("E201", f"machine `{machine.name}` has no location `{name}`", place, hint=hint)

    def _actions(self, machine: Machine, transition: Transition) -> Iterator[Diagnostic]:
        memories = [m.name for m in self.graph.memories]
        for action in transition.actions:
            name = action.target.text
            if name not in memories:
                hint = known_hint(name, memories, "the graph", "memory") or f"declare it: `memory {name} = 0`"
                message = f"there is no memory `{name}` that a transition could set"
                yield Diagnostic("E201", message, self.of(action.target), hint=hint)
        ends = transition.source, transition.target
        others = [t for t in machine.automaton.transitions if (t.source, t.target) == ends]
        if len(others) > 1 and transition is not others[0]:
            note = Note("the other one is here", self.of(others[0]))
            message = f"two transitions lead from `{ends[0]}` to `{ends[1]}`, and one of them sets memories"
            hint = "write one transition whose conditions are joined by `or`"
            yield Diagnostic("E209", message, self.of(transition), (note,), hint)


def _count(bonds: list[Bond]) -> str:
    return ("none", "one")[len(bonds)] if len(bonds) < 2 else str(len(bonds))
