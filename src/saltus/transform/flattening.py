"""A machine with hierarchy to one without.

A state of the new machine is a set of old states that are active together, with what histories remember:
those that are reached from the first one, whatever conditions say. From each of them leads a transition for
each set of old transitions that may be taken in one round; its condition says that these hold and that those
do not which would have gone before. What the old transitions do, with the exits and entries, is what it does.

The names of the old states stay, as signals. How long a state has been active is a memory of its own, since
the new state around it may change meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.ir import ast
from saltus.ir.automata.automaton import Action
from saltus.ir.automata.lines import Declared, Equation, Memory, Signal
from saltus.ir.automata.machine import Machine, State, Transition
from saltus.read.lines.pieces import called, joined, literal, negated, path, truth
from saltus.read.modelica.printer_expressions import expression_text

#: The largest number of states of a flat machine.
MOST = 2000
_NOWHERE = (0, 0)


@dataclass(frozen=True)
class Configuration:
    """Which states are active, and of those with a history which state in it was active last."""

    active: frozenset[str]
    last: tuple[tuple[str, str], ...]


def flattened(machine: Machine) -> Machine:
    """The machine without hierarchy. Raises `UsageError` if it would have too many states."""
    return _Flattening(machine).machine()


class _Flattening:
    def __init__(self, old: Machine) -> None:
        self.old = old
        self.leaves = {s.name for s in old.states if not s.states}
        self.waits = sorted({t.source for t in old.transitions if t.after is not None})
        self.names: dict[Configuration, str] = {}

    def machine(self) -> Machine:
        old = self.old
        first = Configuration(
            frozenset(old.entered_first()), tuple((s.name, s.initial) for s in old.states if s.history)
        )
        own_name = self._name(first)
        begin = "Begin" if self._begin(first) else own_name
        transitions: list[Transition] = []
        waiting, seen = [first], {first}
        while waiting:
            configuration = waiting.pop(0)
            for transition, reached in self._leaving(configuration):
                transitions.append(transition)
                if reached not in seen:
                    seen.add(reached)
                    waiting.append(reached)
                    if len(seen) > MOST:
                        message = f"`{old.name}` has more than {MOST} sets of states that are active together"
                        raise UsageError(Diagnostic("E501", message, hint="flatten parts of it"))
        beginning: list[State] = []
        if begin == "Begin":
            own = [replace(t, source=begin) for t in transitions if t.source == self._name(first)]
            transitions = [*own, *transitions]
            beginning = [self._state(first, begin, entry=self._begin(first))]
        if all(t.target != self._name(first) for t in transitions) and beginning:
            seen.discard(first)
            transitions = [t for t in transitions if t.source != self._name(first)]
        states = [*beginning, *(self._state(c, self._name(c)) for c in self.names if c in seen)]
        root = replace(old.root, states=tuple(states), initial=begin)
        renamed = tuple(self._numbered(transitions))
        return Machine(
            old.start,
            old.end,
            old.name,
            old.description,
            root,
            renamed,
            self._items(first, seen, bool(beginning)),
        )

    def _numbered(self, transitions: list[Transition]) -> Iterator[Transition]:
        """Names of their own for transitions that are called after old ones."""
        taken = {name for name, _, _ in self.old.named()} - {t.name for t in self.old.transitions}
        for transition in transitions:
            count, name = 1, transition.name
            while name in taken:
                count += 1
                name = f"{transition.name}_{count}"
            taken.add(name)
            yield replace(transition, name=name)

    def _begin(self, first: Configuration) -> tuple[Action, ...]:
        entries = [self.old.state(n) for n in self._in_order(first.active)]
        found: dict[str, Action] = {}
        for state in sorted(entries, key=lambda s: self.old.depth(s.name), reverse=True):
            for action in reversed(state.entry):
                found.setdefault(action.target.text, action)
        for name in self.waits:
            if name in first.active:
                found[since(name)] = _set(since(name), path(self.old, "time"))
        return tuple(found.values())

    def _in_order(self, active: frozenset[str]) -> list[str]:
        return [s.name for s in self.old.states if s.name in active]

    def _name(self, configuration: Configuration) -> str:
        """`In_Fast_Dark`; numbered where only histories differ."""
        if configuration not in self.names:
            leaves = [n for n in self._in_order(configuration.active) if n in self.leaves]
            base = name = "_".join(["In", *leaves])
            count = 1
            while name in self.names.values():
                count += 1
                name = f"{base}_{count}"
            self.names[configuration] = name
        return self.names[configuration]

    # ------------------------------------------------------------ transitions

    def _leaving(self, at: Configuration) -> Iterator[tuple[Transition, Configuration]]:
        able = [t for t in self.old.in_turn if t.source in at.active]
        for number, (taken, refused) in enumerate(self._outcomes(able, (), ())):
            reached = self._after(at, taken)
            conditions = [c for t in taken for c in self._conditions(t)]
            for t in refused:
                parts = self._conditions(t)
                whole = joined("and", parts) if parts else truth(t, True)
                conditions.append(negated(_closed(whole)))
            condition = joined("and", conditions) if conditions else None
            actions = self._actions(at, reached, taken)
            yield (
                Transition(
                    *_NOWHERE,
                    "_and_".join(t.name for t in taken),
                    self._name(at),
                    self._name(reached),
                    condition,
                    False,
                    None,
                    number + 1,
                    actions,
                ),
                reached,
            )

    def _outcomes(
        self, able: list[Transition], taken: tuple[Transition, ...], refused: tuple[Transition, ...]
    ) -> Iterator[tuple[tuple[Transition, ...], tuple[Transition, ...]]]:
        """What may be taken in one round, with those that then must not hold."""
        if not able:
            if taken:
                yield taken, refused
            return
        first, *rest = able
        if any(self.old.conflict(first, t) for t in taken):
            yield from self._outcomes(rest, taken, refused)
            return
        yield from self._outcomes(rest, (*taken, first), refused)
        if first.condition is not None or first.after is not None:
            yield from self._outcomes(rest, taken, (*refused, first))

    def _conditions(self, transition: Transition) -> list[ast.Expression]:
        found: list[ast.Expression] = []
        if transition.after is not None:
            left = path(transition, "time")
            right = _sum(transition, path(transition, since(transition.source)), _closed(transition.after))
            found.append(ast.Binary(transition.start, transition.end, ">=", left, right))
        if transition.condition is not None:
            node = transition.condition
            found.append(
                called(node, "edge", path(node, edge_of(transition))) if transition.edge else _closed(node)
            )
        return found

    def _after(self, at: Configuration, taken: tuple[Transition, ...]) -> Configuration:
        old, last = self.old, dict(at.last)
        gone = {n.name for t in taken for n in old.state(old.domain(t)).within()}
        come = self._entered(at, taken)
        active = frozenset((at.active - gone) | come)
        for state in old.states:
            if state.history and state.name in active:
                last[state.name] = next(i.name for i in state.states if i.name in active)
        return Configuration(active, tuple(last.items()))

    def _entered(self, at: Configuration, taken: tuple[Transition, ...]) -> set[str]:
        last = dict(at.last)
        return {
            name
            for t in taken
            for name, needed in self.old.entered(t)
            if all(last[outer] == inner for outer, inner in needed)
        }

    def _actions(
        self, at: Configuration, reached: Configuration, taken: tuple[Transition, ...]
    ) -> tuple[Action, ...]:
        """What is set, each once: what happens last counts."""
        old = self.old
        come = self._entered(at, taken)
        gone = {n.name for t in taken for n in old.state(old.domain(t)).within()} & at.active
        in_order = sorted(old.states, key=lambda s: old.depth(s.name))
        inner_first = sorted(old.states, key=lambda s: -old.depth(s.name))
        happening = [
            *(s.entry for s in inner_first if s.name in come),
            *(t.actions for t in taken),
            *(s.exit for s in in_order if s.name in gone),
        ]
        found: dict[str, Action] = {}
        for actions in happening:
            for action in reversed(actions):
                found.setdefault(action.target.text, action)
        for name in self.waits:
            if name in come:
                found[since(name)] = _set(since(name), path(old, "time"))
        return tuple(found.values())

    # ------------------------------------------------------------ states and declarations

    def _state(self, at: Configuration, name: str, entry: tuple[Action, ...] = ()) -> State:
        found: dict[str, Equation] = {}
        for inner in sorted(self.old.states, key=lambda s: -self.old.depth(s.name)):
            if inner.name in at.active:
                for equation in inner.during:
                    target = self._left(equation)
                    found.setdefault(target, equation)
        return State(*_NOWHERE, name, entry=entry, during=tuple(found.values()))

    def _left(self, equation: Equation) -> str:
        return expression_text(equation.left)

    def _items(self, first: Configuration, seen: set[Configuration], begins: bool) -> tuple[Declared, ...]:
        """The old declarations, signals for old states, and memories of when they were entered."""
        found: list[Declared] = list(self.old.items)
        for state in self.old.states:
            inside = [self.names[c] for c in self.names if c in seen and state.name in c.active]
            if begins and state.name in first.active:
                inside = ["Begin", *inside]
            node = self.old
            value = joined("or", [path(node, n) for n in inside]) if inside else truth(node, False)
            found.append(Signal(*_NOWHERE, state.name, value, state.description, "Boolean"))
        for name in self.waits:
            found.append(Memory(*_NOWHERE, since(name), literal(self.old, 0)))
        for transition in self.old.transitions:
            if transition.edge and transition.condition is not None:
                found.append(Signal(*_NOWHERE, edge_of(transition), transition.condition, "", "Boolean"))
        return tuple(found)


def since(state: str) -> str:
    """The memory of when a state was entered."""
    return f"since_{state}"


def edge_of(transition: Transition) -> str:
    """The signal whose edge a transition waits for."""
    return f"condition_of_{transition.name}"


def _set(name: str, value: ast.Expression) -> Action:
    return Action(*_NOWHERE, ast.Reference(*_NOWHERE, ((name, ()),)), value)


def _sum(node: ast.Node, left: ast.Expression, right: ast.Expression) -> ast.Binary:
    return ast.Binary(node.start, node.end, "+", left, right)


def _closed(node: ast.Expression) -> ast.Expression:
    if isinstance(node, ast.Binary | ast.IfExpression):
        return ast.Parenthesis(node.start, node.end, node)
    return node
