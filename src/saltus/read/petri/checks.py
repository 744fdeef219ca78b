"""Checks that a net is meaningful, with errors in its own terms. All errors are collected, with the places of
both sides of a conflict. Names in expressions are looked up later, as in every model.
"""

from __future__ import annotations

from collections.abc import Iterator

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.nearest import known_hint
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.automata.lines import Experiment
from saltus.ir.automata.net import Arc, Net, Place, Transition
from saltus.read.lines.declared import types
from saltus.read.lines.experiments import experiment_faults
from saltus.read.lines.names import name_faults, target_faults, truth_faults
from saltus.read.lines.numbers import WholeNumbers
from saltus.read.modelica.lexer import MAXIMUM_OF_ERRORS

#: A variable that every net has: no transition has its tokens any more.
DEADLOCK = "deadlock"


def check(net: Net, source: Source) -> None:
    """Raises `ModelError` with what is wrong with a net."""
    found = list(_faults(net, source))
    if found:
        raise ModelError(found[:MAXIMUM_OF_ERRORS])
    net.verify()


def _faults(net: Net, source: Source) -> Iterator[Diagnostic]:
    checks = _Checks(net, source)
    reserved = {DEADLOCK: "says whether no transition has its tokens any more"}
    yield from name_faults(net.named(), source, reserved)
    for place in net.places:
        yield from checks.place(place)
    for transition in net.transitions:
        yield from checks.arcs(transition)
        yield from checks.condition(transition)
        yield from target_faults(transition.actions, net.settable, "the net", source)
    experiments = [i for i in net.items if isinstance(i, Experiment)]
    yield from experiment_faults(experiments, source)


class _Checks:
    def __init__(self, net: Net, source: Source) -> None:
        self.net = net
        self.source = source
        self.places = {p.name: p for p in reversed(net.places)}
        self.numbers = WholeNumbers(net.parameters)
        numbers = {**{p.name: "place" for p in net.places}, **{s.name: "state" for s in net.settable}}
        self.types = types(net.items, numbers)

    def at(self, offsets: ast.Offsets) -> Span:
        return Span(self.source, *offsets)

    def of(self, node: ast.Node) -> Span:
        return Span(self.source, node.start, node.end)

    # ------------------------------------------------------------ places

    def place(self, place: Place) -> Iterator[Diagnostic]:
        """Tokens and capacity are numbers that fit together."""
        tokens, capacity = (
            self.numbers.of(place.tokens),
            self.numbers.of(self.net.capacity_of(place)),
        )
        for value, what, least in ((place.tokens, "the tokens", 0), (place.capacity, "the capacity", 1)):
            number = self.numbers.of(value)
            if isinstance(value, ast.Number) and number is None:
                hint = "tokens cannot be divided"
                yield Diagnostic("E207", f"{what} of a place are a whole number", self.of(value), hint=hint)
            elif value is not None and number is not None and number < least:
                message = f"{what} of `{place.name}` cannot be {number}"
                yield Diagnostic("E207", message, self.of(value), hint=f"give {least} or more")
        if tokens is not None and capacity is not None and tokens > capacity >= 1:
            message = f"`{place.name}` begins with {tokens} tokens, and its capacity is {capacity}"
            yield Diagnostic("E207", message, self.of(place), hint="let one of the numbers be another")

    # ------------------------------------------------------------ arcs

    def arcs(self, transition: Transition) -> Iterator[Diagnostic]:
        """They join places with the transition, each once, with weights that the places can hold."""
        if not (transition.inputs or transition.outputs):
            message = f"no arc joins `{transition.name}` with a place"
            hint = f"write `transition {transition.name}: a -> b`"
            yield Diagnostic("E210", message, self.at(transition.named), hint=hint)
        for arcs in (transition.inputs, transition.outputs, transition.inhibitors):
            first: dict[str, Arc] = {}
            for arc in arcs:
                if arc.place not in self.places:
                    yield self._no_place(arc)
                elif arc.place in first:
                    note = Note("the other arc", self.of(first[arc.place]))
                    hint = f"write one arc with a weight: `2*{arc.place}`"
                    message = f"two arcs lead from `{arc.place}` to `{transition.name}`"
                    if arcs is transition.outputs:
                        message = f"two arcs lead from `{transition.name}` to `{arc.place}`"
                    yield Diagnostic("E202", message, self.of(arc), (note,), hint)
                else:
                    yield from self._weight(arc, transition)
                first.setdefault(arc.place, arc)

    def _no_place(self, arc: Arc) -> Diagnostic:
        what = next((w for n, _, w in self.net.named() if n == arc.place), None)
        hint = known_hint(arc.place, self.places, "the net", "place")
        if what is not None:
            message = f"`{arc.place}` is a {what}, and arcs join transitions with places"
            if what == "parameter":
                hint = f"a weight stands before its place: `{arc.place}*a`"
            return Diagnostic("E210", message, self.of(arc), hint=hint)
        hint = hint or f"declare it: `place {arc.place}`"
        return Diagnostic("E201", f"there is no place `{arc.place}`", self.of(arc), hint=hint)

    def _weight(self, arc: Arc, transition: Transition) -> Iterator[Diagnostic]:
        weight = self.numbers.of(arc.weight) if arc.weight is not None else 1
        capacity = self.numbers.of(self.net.capacity_of(self.places[arc.place]))
        if isinstance(arc.weight, ast.Reference) and arc.weight.text not in self._parameters:
            hint = known_hint(arc.weight.text, self._parameters, "the net", "parameter")
            message = f"there is no parameter `{arc.weight.text}` that a weight could be"
            yield Diagnostic("E201", message, self.of(arc.weight), hint=hint)
        elif weight is not None and weight < 1:
            message = f"the weight of this arc is {weight}"
            yield Diagnostic("E207", message, self.of(arc), hint="a weight is 1 or more")
        elif weight is not None and capacity is not None and weight > capacity:
            note = Note(f"its capacity is {capacity}", self.of(self.places[arc.place]))
            if any(arc is a for a in transition.inhibitors):
                message = f"`{arc.place}` never holds {weight} tokens, so this arc never holds anything back"
            else:
                message = f"`{transition.name}` can never fire: `{arc.place}` does not hold {weight} tokens"
            hint = "let the weight or the capacity be another"
            yield Diagnostic("E209", message, self.of(arc), (note,), hint)

    @property
    def _parameters(self) -> list[str]:
        return [p.name for p in self.net.parameters]

    # ------------------------------------------------------------ conditions

    def condition(self, transition: Transition) -> Iterator[Diagnostic]:
        """Conditions, delays and arcs together let the transition end its firing."""
        name = transition.name
        if transition.edge and transition.delay is not None:
            message = f"`{name}` fires at the instant at which its condition becomes true, and cannot wait"
            hint = "write `when` in place of `at`, or leave the delay"
            yield Diagnostic("E209", message, self.of(transition.delay), hint=hint)
        yield from truth_faults(transition.condition, self.types, self.source)
        free = not transition.inputs and transition.condition is None and transition.delay is None
        known = [self.places[a.place] for a in transition.outputs if a.place in self.places]
        bounded = any(self.net.capacity_of(place) is not None for place in known)
        if free and transition.outputs and not transition.inhibitors and not bounded:
            message = f"nothing holds `{name}` back: it fires without end at one instant"
            hint = f"give it a delay, `transition {name}(delay = 1)`, a condition, or a place before it"
            yield Diagnostic("E209", message, self.at(transition.named), hint=hint)
