"""Machines to classes of Modelica.

A state becomes a Boolean of its name, a transition a component of its name, whose Boolean `taken` is true in
the rounds in which it is:

    go: Red -> Green when x > 1

    go.taken = not initial() and pre('begun') and pre(Red) and x > 1;
    Green = go.taken or not (what leaves Green is taken) and pre(Green);

Everything is decided by what was before the round: in expressions of the text the name of a state means
`pre(state)`, and so does that of a memory. The rounds of a machine are the iterations of an event; in the
first one the states that are active at the start are entered.
"""

from __future__ import annotations

from collections.abc import Iterable

from saltus.ir import ast
from saltus.ir.automata.lines import Continuous, Equation, Memory, Signal
from saltus.ir.automata.machine import Machine, State, Transition
from saltus.read.lines.assigned import assign
from saltus.read.lines.declared import Body, declare, started, types
from saltus.read.lines.pieces import (
    before_the_round,
    called,
    component,
    declared,
    initially,
    joined,
    literal,
    negated,
    path,
    truth,
)
from saltus.read.lines.stored import model_class
from saltus.read.statechart.checks import during_target

LIBRARY = ("Saltus", "StateMachines", "Interfaces")
BEGUN = "'begun'"


def to_class(machine: Machine) -> ast.ClassDefinition:
    """The model of a machine that was checked."""
    return MachineLowering(machine).definition()


class MachineLowering:
    """Makes the class; its other forms differ in how transitions are described."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.body = Body()
        self.types = types(machine.items, {s.name: "Boolean" for s in machine.states})
        self.before = {s.name for s in machine.states} | {
            i.name for i in machine.items if isinstance(i, Memory)
        }
        self.first = frozenset(machine.entered_first())
        self.histories = [s for s in machine.states if s.history]
        #: States of which it is known since when they have been active.
        self.waits: set[str] = set()
        #: Of a state: what enters it, and what leaves it.
        self.entering: dict[str, list[ast.Expression]] = {s.name: [] for s in machine.states}
        self.leaving: dict[str, list[ast.Expression]] = {s.name: [] for s in machine.states}
        #: What a state determines, where the text has a value for all others.
        self.during: dict[tuple[str, bool], list[tuple[State, Equation]]] = {}

    def definition(self) -> ast.ClassDefinition:
        machine, body = self.machine, self.body
        for state in machine.states:
            for equation in state.during:
                target = during_target(equation)
                assert target is not None
                self.during.setdefault(target, []).append((state, equation))
        for item in machine.items:
            match item:
                case Signal():
                    value = self._during((item.name, False), item, self._meaning(item.value))
                    body.elements.append(declared(item, item.name, self.types[item.name], value))
                case Equation() if during_target(item) in self.during:
                    target = during_target(item)
                    assert target is not None
                    value = self._during(target, item, self._meaning(item.right))
                    body.equation(item, item.left, value)
                case _:
                    declare(body, item, self.types, self._meaning)
        self._derivatives()
        self.begin()
        for state in machine.states:
            self._declare(state)
        self.declare_transitions()
        for transition in machine.in_turn:
            self.take(transition)
        for state in machine.states:
            self._active(state)
        for settable in machine.settable:
            self._set(settable)
        return model_class(machine, body.elements, body.items)

    def _meaning(self, node: ast.Expression) -> ast.Expression:
        return before_the_round(node, self.before)

    def was(self, node: ast.Node, name: str) -> ast.Expression:
        return called(node, "pre", path(node, name))

    # ------------------------------------------------------------ while a state is active

    def _during(self, target: tuple[str, bool], node: ast.Node, otherwise: ast.Expression) -> ast.Expression:
        """What the innermost active state determines; if none does, the value for all others."""
        found = self.during.get(target, [])
        inner_first = sorted(found, key=lambda pair: -self.machine.depth(pair[0].name))
        ways = tuple((self.was(e, s.name), self._meaning(e.right)) for s, e in inner_first)
        return ast.IfExpression(node.start, node.end, ways, otherwise) if ways else otherwise

    def _derivatives(self) -> None:
        """The derivatives of variables that have one while states are active: otherwise they are zero."""
        given = {during_target(i) for i in self.machine.items if isinstance(i, Equation)}
        for item in self.machine.items:
            target = (getattr(item, "name", ""), True)
            if isinstance(item, Continuous) and target in self.during and target not in given:
                left = called(item, "der", path(item, item.name))
                self.body.equation(item, left, self._during(target, item, literal(item, 0)))

    # ------------------------------------------------------------ states

    def begin(self) -> None:
        """The first round, in which states are entered and nothing else happens."""
        machine = self.machine
        self.body.kept(machine, BEGUN, "Boolean", truth(machine, False))
        self.body.equation(machine, path(machine, BEGUN), negated(initially(machine)))
        begins = joined("and", [negated(initially(machine)), negated(self.was(machine, BEGUN))])
        for state in machine.states:
            if state.name in self.first:
                self.entering[state.name].append(begins)

    def _declare(self, state: State) -> None:
        begins = started(state, truth(state, state.name in self.first))
        self.body.elements.append(
            declared(state, state.name, "Boolean", modification=begins, annotation=state.named)
        )
        if state.history:
            for inner in state.states:
                name = _last(state.name, inner.name)
                self.body.kept(inner, name, "Boolean", truth(inner, inner.name == state.initial))
                now = path(inner, inner.name)
                kept = self.was(inner, name)
                ways = ((path(inner, state.name), now),)
                value = ast.IfExpression(inner.start, inner.end, ways, kept)
                self.body.equation(inner, path(inner, name), value)

    def _active(self, state: State) -> None:
        """Whether it is active after the round."""
        own = path(state, state.name)
        entered = self.any_of(state, "entered", self.entering[state.name])
        left = self.any_of(state, "left", self.leaving[state.name])
        self.body.equation(state, own, joined("or", [entered, self.stays(state, left)]))

    def stays(self, state: State, left: ast.Expression) -> ast.Expression:
        """Whether it was active and is not left."""
        return joined("and", [self.was(state, state.name), negated(left)])

    def any_of(self, state: State, what: str, ways: list[ast.Expression]) -> ast.Expression:
        """Whether one of several ways is taken, as a variable of its own."""
        value = joined("or", ways) if ways else truth(state, False)
        return self.body.hidden(state, f"{state.name} {what}", "Boolean", value)

    # ------------------------------------------------------------ transitions

    def declare_transitions(self) -> None:
        """Each is a component that says whether it is taken."""
        for transition in self.machine.transitions:
            made = component(transition, (*LIBRARY, "Taking"), transition.name, ())
            self.body.elements.append(made)

    def took(self, transition: Transition) -> ast.Expression:
        """Whether a transition is taken in the round."""
        return path(transition, transition.name, "taken")

    def take(self, transition: Transition) -> None:
        """Says when a transition is taken, and what it leaves and enters."""
        machine = self.machine
        conditions = [self.was(transition, BEGUN), self.was(transition, transition.source)]
        conditions += self.own_conditions(transition)
        for other in machine.in_turn:
            if other is transition:
                break
            if machine.conflict(other, transition) and self._compatible(other, transition):
                conditions.append(negated(self.took(other)))
        self.body.equation(transition, self.took(transition), joined("and", conditions))
        for state in machine.state(machine.domain(transition)).within():
            self.leaving[state.name].append(self.took(transition))
        for name, needed in machine.entered(transition):
            resumed = [self.was(transition, _last(outer, inner)) for outer, inner in needed]
            self.entering[name].append(joined("and", [self.took(transition), *resumed]))

    def own_conditions(self, transition: Transition) -> list[ast.Expression]:
        """The conditions of a transition: that it has waited, and its own."""
        found: list[ast.Expression] = []
        if transition.after is not None:
            since = self._since(self.machine.state(transition.source))
            due = _closed(self._meaning(transition.after))
            sum_ = ast.Binary(transition.start, transition.end, "+", since, due)
            time = path(transition, "time")
            found.append(ast.Binary(transition.start, transition.end, ">=", time, sum_))
        if transition.condition is not None:
            found.append(self._condition(transition))
        return found

    def _compatible(self, a: Transition, b: Transition) -> bool:
        """Whether their sources can be active together."""
        machine = self.machine
        if machine.contains(a.source, b.source) or machine.contains(b.source, a.source):
            return True
        return machine.together(a.source, b.source)

    def _condition(self, transition: Transition) -> ast.Expression:
        assert transition.condition is not None
        holds = self._meaning(transition.condition)
        return self.body.rises(holds, transition.name) if transition.edge else holds

    def _since(self, state: State) -> ast.Expression:
        """Since when a state has been active."""
        name = f"'{state.name} since'"
        if state.name not in self.waits:
            self.waits.add(state.name)
            self.body.kept(state, name, "Real", literal(state, 0), "discrete")
            entered = path(state, f"'{state.name} entered'")
            now = ast.SimpleEquation(state.start, state.end, path(state, name), path(state, "time"))
            # Entered twice in one instant, it is entered at the same time.
            conditions = ast.ArrayConstructor(state.start, state.end, (initially(state), entered))
            self.body.items.append(ast.WhenEquation(state.start, state.end, ((conditions, (now,)),)))
        return self.was(state, name)

    # ------------------------------------------------------------ actions

    def _set(self, target: Memory | Continuous) -> None:
        """What is set in a round: by entries of inner states, of outer ones, by transitions, by exits of
        outer states, of inner ones; the first of these that happens counts."""
        machine = self.machine
        inner_first = sorted(machine.states, key=lambda s: -machine.depth(s.name))
        ways: list[tuple[ast.Expression, ast.Expression]] = []

        def add(condition: ast.Expression, actions: Iterable[object]) -> None:
            for action in actions:
                if action.target.text == target.name:  # type: ignore[attr-defined]
                    ways.append((condition, self._meaning(action.value)))  # type: ignore[attr-defined]

        for state in inner_first:
            add(path(state, f"'{state.name} entered'"), reversed(state.entry))
        for transition in machine.in_turn:
            add(self.took(transition), reversed(transition.actions))
        for state in sorted(machine.states, key=lambda s: machine.depth(s.name)):
            left = path(state, f"'{state.name} left'")
            add(joined("and", [left, self.was(state, state.name)]), reversed(state.exit))
        assign(self.body, target, self.types.get(target.name, "Real"), ways)


def _last(outer: str, inner: str) -> str:
    """The name of the variable that says which state was active last."""
    return f"'{outer} last in {inner}'"


def _closed(node: ast.Expression) -> ast.Expression:
    if isinstance(node, ast.Binary | ast.IfExpression | ast.Unary):
        return ast.Parenthesis(node.start, node.end, node)
    return node
