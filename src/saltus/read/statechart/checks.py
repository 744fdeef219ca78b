"""Checks that a machine is meaningful, with errors in its own terms."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from saltus.core.diagnostics import Diagnostic, ModelError, Note
from saltus.core.nearest import known_hint
from saltus.core.source import Source, Span
from saltus.ir import ast
from saltus.ir.automata.lines import Continuous, Equation, Experiment, Signal
from saltus.ir.automata.machine import Machine, State, Transition
from saltus.read.lines.declared import types
from saltus.read.lines.experiments import experiment_faults
from saltus.read.lines.names import name_faults, target_faults, truth_faults
from saltus.read.modelica.lexer import MAXIMUM_OF_ERRORS


def check(machine: Machine, source: Source) -> None:
    """Raises `ModelError` with what is wrong with a machine."""
    checks = _Checks(machine, source)
    # Where states are wrong, what transitions do cannot be said.
    found = [*name_faults(machine.named(), source, {machine.name: "is the name of the machine"})]
    found += checks.states()
    found = found or [*checks.transitions()]
    found = found or [*checks.actions()]
    experiments = [i for i in machine.items if isinstance(i, Experiment)]
    found += experiment_faults(experiments, source)
    if found:
        raise ModelError(found[:MAXIMUM_OF_ERRORS])
    machine.verify()


def during_target(equation: Equation) -> tuple[str, bool] | None:
    """The variable that a `during` gives a value, and whether it is its derivative."""
    match equation.left:
        case ast.Reference(parts=((name, ()),)):
            return name, False
        case ast.Call(function=function, args=(ast.Reference(parts=((name, ()),)),)) if (
            function.text == "der"
        ):
            return name, True
    return None


class _Checks:
    def __init__(self, machine: Machine, source: Source) -> None:
        self.machine = machine
        self.source = source
        self.names = [s.name for s in machine.states]

    def at(self, offsets: ast.Offsets) -> Span:
        return Span(self.source, *offsets)

    def of(self, node: ast.Node) -> Span:
        return Span(self.source, node.start, node.end)

    # ------------------------------------------------------------ states

    def states(self) -> Iterator[Diagnostic]:
        """One is initial where one of several is active."""
        if not self.machine.states:
            hint = "write `state NAME`"
            yield Diagnostic("E209", "this machine has no state", self.at(self.machine.root.named), hint=hint)
        for state in self.machine.root.within():
            inner = [s.name for s in state.states]
            place = self.at(state.named)
            if state.parallel:
                if state.initial or state.history:
                    message = f"all states in `{state.name}` are active with it, none is initial"
                    hint = "leave `initial` and `history`, or write `state` for `parallel`"
                    yield Diagnostic("E209", message, place, hint=hint)
                if len(inner) < 2:
                    message = f"`{state.name}` is parallel, but has {len(inner) or 'no'} states in it"
                    message = message.replace("1 states", "one state")
                    hint = "put two states or more into it, each with states of its own"
                    yield Diagnostic("E209", message, place, hint=hint)
                continue
            if state.initial and state.initial not in inner:
                near = known_hint(state.initial, inner, f"`{state.name}`", "state")
                message = f"`{state.name}` has no state `{state.initial}` in it"
                yield Diagnostic("E201", message, place, hint=near)
            elif inner and not state.initial:
                hint = f"write `initial {inner[0]}`"
                yield Diagnostic("E209", f"`{state.name}` does not say where it begins", place, hint=hint)
            elif state.history and not inner:
                message = f"`{state.name}` has no states of which one could have been the last"
                yield Diagnostic("E209", message, place, hint="leave `history`")

    # ------------------------------------------------------------ transitions

    def transitions(self) -> Iterator[Diagnostic]:
        """They lead from state to state, and not from one side of a parallel state to the other."""
        for transition in self.machine.transitions:
            unknown = [end for end in (transition.source, transition.target) if end not in self.names]
            for end in dict.fromkeys(unknown):
                hint = known_hint(end, self.names, f"`{self.machine.name}`", "state")
                message = f"there is no state `{end}`"
                yield Diagnostic("E201", message, self.of(transition), hint=hint)
            if unknown:
                continue
            yield from truth_faults(transition.condition, self._types, self.source)
            yield from self._sides(transition)
            if transition.edge and transition.after is not None:
                message = "this transition is taken when its condition becomes true, and cannot wait"
                hint = "write `when` in place of `at`, or leave `after`"
                yield Diagnostic("E209", message, self.of(transition), hint=hint)

    @property
    def _types(self) -> dict[str, str]:
        numbers = {m.name: "Real" for m in self.machine.settable if isinstance(m, Continuous)}
        return types(self.machine.items, numbers)

    def _sides(self, transition: Transition) -> Iterator[Diagnostic]:
        machine, source, target = self.machine, transition.source, transition.target
        around = machine.chain(machine.domain(transition))[-2]
        if machine.state(around).parallel:
            message = f"`{source}` and `{target}` are on two sides of `{around}`, which are active together"
            if machine.contains(source, target) or machine.contains(target, source):
                message = f"`{source}` is active as long as `{around}` is, and cannot be left alone"
            hint = f"leave `{around}` as a whole, or let conditions refer to states"
            yield Diagnostic("E209", message, self.of(transition), hint=hint)

    # ------------------------------------------------------------ actions

    def actions(self) -> Iterator[Diagnostic]:
        """What is set may be set, and what is determined during states is so once."""
        settable, owner = self.machine.settable, "the machine"
        for transition in self.machine.transitions:
            yield from target_faults(transition.actions, settable, owner, self.source)
        giving: dict[tuple[str, bool], list[tuple[State, Equation]]] = {}
        for state in self.machine.states:
            yield from target_faults((*state.entry, *state.exit), settable, owner, self.source)
            for equation in state.during:
                target = during_target(equation)
                fault = self._target(equation, target)
                if fault is not None:
                    yield fault
                elif target is not None:
                    giving.setdefault(target, []).append((state, equation))
        for found in giving.values():
            for (a, one), (b, other) in combinations(found, 2):
                if a is b or (self._apart(a, b) and self.machine.together(a.name, b.name)):
                    note = Note("the other one", self.of(one))
                    left = self.source.text[one.left.start : one.left.end]
                    message = f"`{left}` is determined twice while `{b.name}` is active"
                    hint = "determine it in one of them"
                    yield Diagnostic("E202", message, self.of(other), (note,), hint)

    def _apart(self, a: State, b: State) -> bool:
        return not (self.machine.contains(a.name, b.name) or self.machine.contains(b.name, a.name))

    def _target(self, equation: Equation, target: tuple[str, bool] | None) -> Diagnostic | None:
        place = self.of(equation.left)
        if target is None:
            hint = "write `during u = ...` or `during der(x) = ...`"
            return Diagnostic("E209", "this is nothing that a state determines", place, hint=hint)
        name, is_derivative = target
        kind: type = Continuous if is_derivative else Signal
        able = [i for i in self.machine.items if isinstance(i, Continuous | Signal)]
        known = [i.name for i in able if isinstance(i, kind)]
        if name in known:
            return None
        what, word = ("continuous variable", "continuous") if is_derivative else ("signal", "signal")
        hint = known_hint(name, known, "the machine", what) or f"declare it: `{word} {name} = 0`"
        return Diagnostic("E201", f"there is no {what} `{name}`", place, hint=hint)
