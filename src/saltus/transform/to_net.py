"""A machine without hierarchy to a net with one token, which is at the place of the active state.

A deterministic machine is a normal priority net whose transitions have one place before and one behind
(Cellier 2013, "Petri Nets VIII"). What is done when a state is left and entered is done by the transitions;
how long it has been active is a memory. Where something is done at the start the token begins at a place of
its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.ir import ast
from saltus.ir.automata.automaton import Action
from saltus.ir.automata.lines import Continuous, Declared, Equation, Memory, Signal
from saltus.ir.automata.machine import Machine, State, Transition
from saltus.ir.automata.net import Arc, Item, Net, Place
from saltus.ir.automata.net import Transition as Firing
from saltus.read.lines.pieces import called, joined, literal, path, rebuilt
from saltus.read.modelica.printer_expressions import expression_text
from saltus.transform.flattening import since

_NOWHERE = (0, 0)
BEGIN = "Begin"


def to_net(machine: Machine) -> Net:
    """The net. Raises `UsageError` for a machine with hierarchy, which is flattened first."""
    if any(s.states for s in machine.states):
        message = f"`{machine.name}` has states in states"
        raise UsageError(Diagnostic("E501", message, hint="flatten it first"))
    return _ToNet(machine).net()


class _ToNet:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.names = {s.name for s in machine.states}
        self.initial = machine.state(machine.root.initial)
        self.waits = {t.source for t in machine.transitions if t.after is not None}
        self.beginning = self._entering(self.initial)
        self.begin = BEGIN
        while self.begin in {name for name, _, _ in machine.named()}:
            self.begin += "_"

    def net(self) -> Net:
        machine = self.machine
        items: list[Item] = list(self._declared())
        begins = bool(self.beginning)
        if begins:
            items.append(Place(*_NOWHERE, self.begin, literal(machine, 1)))
        for state in machine.states:
            tokens = literal(state, 1) if state is self.initial and not begins else None
            items.append(
                Place(state.start, state.end, state.name, tokens, None, state.description, state.named)
            )
        if begins:
            arcs = (Arc(*_NOWHERE, self.begin),), (Arc(*_NOWHERE, self.initial.name),)
            items.append(Firing(*_NOWHERE, "begin", *arcs, actions=self._meant(self.beginning)))
        items += [self._firing(t) for t in machine.transitions]
        capacity = literal(machine, 1)
        return Net(machine.start, machine.end, machine.name, machine.description, tuple(items), capacity)

    # ------------------------------------------------------------ expressions

    def _meaning(self, node: Any) -> Any:
        """The name of a state asks whether its place has the token."""

        def change(n: Any) -> Any:
            if isinstance(n, ast.Reference) and n.parts[0][0] in self.names and len(n.parts) == 1:
                return ast.Parenthesis(n.start, n.end, self._active(n, n.parts[0][0]))
            return None

        return rebuilt(node, change)

    def _active(self, node: ast.Node, name: str) -> ast.Expression:
        held: ast.Expression = path(node, name)
        if name == self.initial.name and self.beginning:
            held = ast.Binary(node.start, node.end, "+", held, path(node, self.begin))
        return ast.Binary(node.start, node.end, ">=", held, literal(node, 1))

    def _meant(self, actions: Iterable[Action]) -> tuple[Action, ...]:
        return tuple(Action(a.start, a.end, a.target, self._meaning(a.value)) for a in actions)

    # ------------------------------------------------------------ transitions

    def _entering(self, state: State) -> tuple[Action, ...]:
        if state.name not in self.waits:
            return state.entry
        now = Action(*_NOWHERE, path(state, since(state.name)), path(state, "time"))
        return (*state.entry, now)

    def _firing(self, transition: Transition) -> Firing:
        source, target = (self.machine.state(n) for n in (transition.source, transition.target))
        found: dict[str, Action] = {}
        for actions in (self._entering(target), transition.actions, source.exit):
            for action in reversed(actions):
                found.setdefault(action.target.text, action)
        conditions: list[ast.Expression] = []
        if transition.after is not None:
            node = transition.after
            entered = path(node, since(source.name))
            due = ast.Binary(node.start, node.end, "+", entered, _closed(self._meaning(node)))
            conditions.append(ast.Binary(node.start, node.end, ">=", path(node, "time"), due))
        if transition.condition is not None:
            conditions.append(self._meaning(transition.condition))
        return Firing(
            transition.start,
            transition.end,
            transition.name,
            (Arc(transition.start, transition.end, source.name),),
            (Arc(transition.start, transition.end, target.name),),
            condition=joined("and", conditions) if conditions else None,
            edge=transition.edge,
            priority=transition.priority,
            actions=self._meant(found.values()),
            description=transition.description,
        )

    # ------------------------------------------------------------ declarations

    def _declared(self) -> list[Declared]:
        """What is declared, with what states determine."""
        found: list[Declared] = []
        derived: set[str] = set()
        for item in self.machine.items:
            match item:
                case Signal():
                    value = self._during(item.name, item, self._meaning(item.value))
                    found.append(
                        Signal(item.start, item.end, item.name, value, item.description, item.type_name)
                    )
                case Equation():
                    left = expression_text(item.left)
                    derived.add(left)
                    value = self._during(left, item, self._meaning(item.right))
                    found.append(
                        Equation(item.start, item.end, self._meaning(item.left), value, item.description)
                    )
                case _:
                    found.append(item)
        for item in self.machine.items:
            if isinstance(item, Continuous):
                derivative = called(item, "der", path(item, item.name))
                text = expression_text(derivative)
                if text not in derived and self._giving(text):
                    value = self._during(text, item, literal(item, 0))
                    found.append(Equation(item.start, item.end, derivative, value))
        return found + [Memory(*_NOWHERE, since(n), literal(self.machine, 0)) for n in sorted(self.waits)]

    def _giving(self, left: str) -> list[tuple[State, Equation]]:
        return [(s, e) for s in self.machine.states for e in s.during if expression_text(e.left) == left]

    def _during(self, left: str, node: ast.Node, otherwise: ast.Expression) -> ast.Expression:
        ways = tuple((self._active(e, s.name), self._meaning(e.right)) for s, e in self._giving(left))
        return ast.IfExpression(node.start, node.end, ways, otherwise) if ways else otherwise


def _closed(node: ast.Expression) -> ast.Expression:
    if isinstance(node, ast.Binary | ast.IfExpression):
        return ast.Parenthesis(node.start, node.end, node)
    return node
