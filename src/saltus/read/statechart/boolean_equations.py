"""Machines without hierarchy to Boolean equations, by the rule of Elmqvist, Cellier and Otter (1993):

    new(state) = pre-state-1 and in-condition-1 or ... or state and not (out-condition-1 or ...)

The rule wants conditions that exclude each other. Where priorities decide between those of one state, the
condition of a transition says that those of the earlier ones do not hold.
"""

from __future__ import annotations

from saltus.ir import ast
from saltus.ir.automata.machine import Machine, State, Transition
from saltus.read.lines.pieces import initially, joined, negated, truth
from saltus.read.statechart.lowering import BEGUN, MachineLowering


def boolean_equations(machine: Machine) -> ast.ClassDefinition:
    """The model of a machine that has no states in states."""
    return _Rule(machine).definition()


class _Rule(MachineLowering):
    """Like the lowering, but for transitions, which have no variables here."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(machine)
        self.conditions: dict[str, list[ast.Expression]] = {}
        states, transitions = machine.states, machine.transitions
        #: Whether something is set, which does not happen before the start.
        self.sets = any(s.entry or s.exit for s in states) or any(t.actions or t.after for t in transitions)
        self.begins = bool(machine.state(machine.root.initial).entry)
        self.waiting = {t.source for t in transitions if t.after is not None}

    def begin(self) -> None:
        """Something is set at the start only if the first state does."""
        if self.begins:
            super().begin()

    def declare_transitions(self) -> None:
        """They are parts of the equations of their states."""

    def took(self, transition: Transition) -> ast.Expression:
        """`pre(source) and condition`"""
        source = self.was(transition, transition.source)
        started = [self._started(transition)] if self.sets else []
        return joined("and", [source, *started, *self.conditions[transition.name]])

    def take(self, transition: Transition) -> None:
        """Finds the condition: its own, and that those which go before do not hold."""
        parts = self.own_conditions(transition)
        for other in self.machine.in_turn:
            if other is transition:
                break
            if other.source == transition.source:
                parts.append(negated(self._whole(other)))
        self.conditions[transition.name] = parts
        self.leaving[transition.source].append(self._whole(transition))
        self.entering[transition.target].append(self.took(transition))

    def _started(self, node: ast.Node) -> ast.Expression:
        """Transitions wait for the first round in which something can be set."""
        return self.was(node, BEGUN) if self.begins else negated(initially(node))

    def _whole(self, transition: Transition) -> ast.Expression:
        parts = self.conditions[transition.name]
        return joined("and", parts) if parts else truth(transition, True)

    def stays(self, state: State, left: ast.Expression) -> ast.Expression:
        """`state and not (out-conditions)`"""
        remains = negated(left)
        if self.sets and self.leaving[state.name]:
            waits: ast.Expression = initially(state)
            if self.begins:
                waits = negated(self.was(state, BEGUN))
            remains = joined("or", [waits, remains])
        return joined("and", [self.was(state, state.name), remains])

    def any_of(self, state: State, what: str, ways: list[ast.Expression]) -> ast.Expression:
        """The ways themselves, but where something is set or a time is kept when the state is entered."""
        needed = {"entered": state.entry or state.name in self.waiting, "left": state.exit}[what]
        if needed:
            if what == "left" and ways:  # what sets something waits for the first round
                ways = [joined("and", [self._started(state), joined("or", ways)])]
            return super().any_of(state, what, ways)
        return joined("or", ways) if ways else truth(state, False)
