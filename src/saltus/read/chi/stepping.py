"""An automaton as Modelica.

A process takes one edge in each iteration of an event, by what was true after the iteration before:

    'nabla v > 1' = 'is at' == Location.A and v > 1          of each edge, whether it may be taken
    moves = if pre('nabla v > 1') or ... then not pre(moves) else pre(moves)
    when {moves, not moves} then                              an algorithm
      if pre('is at') == Location.A then ... 'is at' := Location.B

So every decision is about equations that have been solved with all that was assigned before, nothing that is
decided depends on itself, and a relation that holds already lets its edge be taken at once. `moves` changes
its truth whenever an edge is taken: each iteration has an edge of its own to trigger on.

That something is equal to something else is waited for as a change of side. It has no side, and the wait ends
at once, if both are equal when it begins, or if the last wait for the same equality has ended with the value
that is still there: the crossing that was located lies beside zero by an error of rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from saltus.core.source import Source
from saltus.ir import ast
from saltus.read.chi.automaton import Automaton, Choice, Edge, Step
from saltus.read.chi.channels import Offer, equations, passes
from saltus.read.chi.doing import Doing, gets, keeps_guard, new_value, of
from saltus.read.chi.equations import asserted, exhaustive
from saltus.read.chi.names import BOOLEAN, REAL, RECEIVE, SEND, Declared, quoted
from saltus.read.chi.pieces import (
    called,
    joined,
    literal,
    modifier,
    negated,
    path,
    truth,
)
from saltus.read.chi.syntax import Alternative, Assignment, Receive, Send, StateEvent, TimeOut

LOCATION, AT, MOVES = "'location'", "'is at'", "'moves'"


@dataclass(frozen=True)
class Controlled:
    """What a process declares and does beside its equations."""

    elements: tuple[ast.Element, ...]
    sections: tuple[ast.Section, ...]


def controlled(automaton: Automaton, known: dict[str, Declared], source: Source) -> Controlled:
    """The automaton in Modelica."""
    return _Stepping(automaton, known, source).whole()


class _Stepping:
    def __init__(self, automaton: Automaton, known: dict[str, Declared], source: Source) -> None:
        self.automaton = automaton
        self.known = known
        self.source = source
        self.elements: list[ast.Element] = []
        self.names: dict[int, str] = {}
        self.taken = set(known)
        for edge in automaton.edges:
            if edge.alternative is not None:
                self.names[id(edge.alternative)] = self._unique(edge.alternative.text)
        self.doing = Doing(known, source, self.names, self._declare_once)

    def _unique(self, text: str) -> str:
        name, count = quoted(text), 1
        while name in self.taken:
            count += 1
            name = quoted(f"{text} ({count})")
        self.taken.add(name)
        return name

    def _declare_once(self, node: ast.Node, name: str, type_name: str) -> None:
        if name not in self.taken:
            self.taken.add(name)
            start = truth(node, False) if type_name == BOOLEAN else literal(node, 0)
            self._declare(node, name, type_name, start)

    def whole(self) -> Controlled:
        """All of it."""
        automaton = self.automaton
        self._declare_location()
        items: list[ast.Item] = []
        for edge in automaton.edges:
            if edge.alternative is not None:
                items.append(self._may_be_taken(edge))
        for edge in automaton.edges:
            if edge.otherwise:
                items.append(self._otherwise(edge))
        items += self._checks()
        items += self._negative_times()
        channels = [d for d in self.known.values() if d.kind in (SEND, RECEIVE)]
        items += equations(channels, self._offers())
        items.append(self._moves())
        step = ast.WhenEquation(
            automaton.start, automaton.end, ((self._either(automaton, MOVES), self._body()),)
        )
        items += list(self._jumps())
        return Controlled(
            tuple(self.elements),
            (
                ast.Section(automaton.start, automaton.end, False, False, tuple(items)),
                ast.Section(automaton.start, automaton.end, True, False, (step,)),
            ),
        )

    # ------------------------------------------------------------ declarations

    def _declare_location(self) -> None:
        automaton = self.automaton
        literals = tuple((quoted(location.name), "", None) for location in automaton.locations)
        body = ast.EnumerationBody(automaton.start, automaton.end, literals)
        self.elements.append(ast.ClassDefinition(automaton.start, automaton.end, LOCATION, "type", body))
        initial = automaton.locations[automaton.initial]
        self._declare(initial, AT, LOCATION, self._place(initial, automaton.initial))
        self._declare(initial, MOVES, BOOLEAN, truth(initial, False))

    def _declare(self, node: ast.Node, name: str, type_name: str, start: ast.Expression) -> None:
        given = (modifier(node, "start", start), modifier(node, "fixed", truth(node, True)))
        modification = ast.Modification(node.start, node.end, given)
        declaration = ast.Declaration(node.start, node.end, name, modification=modification)
        variability = "discrete" if type_name == REAL else ""
        self.elements.append(
            ast.ComponentClause(
                node.start, node.end, path(node, type_name), (), (declaration,), variability=variability
            )
        )

    def _place(self, node: ast.Node, number: int) -> ast.Reference:
        return path(node, LOCATION, quoted(self.automaton.locations[number].name))

    def _is_at(self, node: ast.Node, number: int, before: bool = False) -> ast.Expression:
        at: ast.Expression = path(node, AT)
        if before:
            at = called(node, "pre", at)
        return ast.Binary(node.start, node.end, "==", at, self._place(node, number))

    # ------------------------------------------------------------ what may be taken

    def _may_be_taken(self, edge: Edge) -> ast.SimpleEquation:
        alternative = edge.alternative
        assert alternative is not None
        name = self.names[id(alternative)]
        conditions: list[ast.Expression] = [self._is_at(alternative, edge.source)]
        if alternative.guard is not None:
            conditions.append(self._guard(name, alternative))
        match alternative.event:
            case StateEvent(equality=None) as event:
                conditions.append(event.relation)
            case StateEvent() as event:
                conditions.append(self._crossed(name, event))
            case TimeOut() as event:
                until = path(event, of("until", name))
                conditions.append(ast.Binary(event.start, event.end, ">=", path(event, "time"), until))
            case Send() | Receive():
                conditions += self._nothing_before(edge)
        self._declare(alternative, name, BOOLEAN, truth(alternative, False))
        value = joined("and", conditions)
        return ast.SimpleEquation(alternative.start, alternative.end, path(alternative, name), value)

    def _nothing_before(self, edge: Edge) -> Iterator[ast.Expression]:
        """The conditions that no earlier alternative without a communication is possible."""
        for other in self.automaton.leaving(edge.source):
            if other is edge:
                return
            if other.alternative is not None and not isinstance(other.alternative.event, Send | Receive):
                yield negated(path(edge, self.names[id(other.alternative)]))

    def _offers(self) -> dict[str, list[Offer]]:
        """Where the process waits for its channels."""
        found: dict[str, list[Offer]] = {}
        for edge in self.automaton.edges:
            alternative = edge.alternative
            event = alternative.event if alternative is not None else None
            if isinstance(event, Send | Receive):
                waits = path(event, self.names[id(alternative)])
                value = event.value if isinstance(event, Send) else None
                offer = Offer(event, waits, self._is_at(event, edge.source), value)
                found.setdefault(event.channel, []).append(offer)
        return found

    def _taken(self, edge: Edge) -> ast.Expression:
        """Whether an edge is taken in this iteration."""
        if edge.otherwise:
            name = self._otherwise_name(edge)
        else:
            assert edge.alternative is not None
            name = self.names[id(edge.alternative)]
        possible = called(edge, "pre", path(edge, name))
        event = edge.alternative.event if edge.alternative is not None else None
        if isinstance(event, Send | Receive):
            return joined("and", [possible, path(event, passes(event.channel))])
        return possible

    def _guard(self, name: str, alternative: Alternative) -> ast.Expression:
        """A guard in front of an event is asked when the wait begins."""
        assert alternative.guard is not None
        if not keeps_guard(alternative, self.known):
            return alternative.guard
        kept = of("open", name)
        self._declare(alternative, kept, BOOLEAN, truth(alternative, False))
        return path(alternative.guard, kept)

    def _crossed(self, name: str, event: StateEvent) -> ast.Expression:
        assert event.equality is not None
        left, right = event.equality
        side = path(event, of("side", name))

        def relation(sign: str) -> ast.Binary:
            return ast.Binary(event.start, event.end, sign, left, right)

        above = ast.Binary(event.start, event.end, ">", side, literal(event, 0))
        below = ast.Binary(event.start, event.end, "<", side, literal(event, 0))
        branches = ((above, relation("<=")), (below, relation(">=")))
        return ast.Parenthesis(
            event.start,
            event.end,
            ast.IfExpression(event.start, event.end, branches, truth(event, True)),
        )

    def _otherwise_name(self, edge: Edge) -> str:
        return quoted(f"otherwise: {self.automaton.locations[edge.source].name}")

    def _guards(self, location: int) -> list[ast.Expression] | None:
        """The guards of a location, None if it can always be left by one of its edges."""
        found = []
        for edge in self.automaton.leaving(location):
            if edge.otherwise:
                continue
            alternative = edge.alternative
            if alternative is None or alternative.guard is None:
                return None
            guard = alternative.guard
            name = self.names[id(alternative)]
            kept = keeps_guard(alternative, self.known)
            found.append(path(guard, of("open", name)) if kept else guard)
        return found

    def _otherwise(self, edge: Edge) -> ast.SimpleEquation:
        """Whether all guards of a repetition are closed."""
        guards = self._guards(edge.source)
        assert guards
        node = self.automaton.locations[edge.source]
        name = self._otherwise_name(edge)
        self._declare(node, name, BOOLEAN, truth(node, False))
        value = joined("and", [self._is_at(node, edge.source), negated(joined("or", guards))])
        return ast.SimpleEquation(node.start, node.end, path(node, name), value)

    def _checks(self) -> Iterator[ast.CallEquation]:
        """One of the guards of a selection is open."""
        for number, location in enumerate(self.automaton.locations):
            leaving = self.automaton.leaving(number)
            guards = self._guards(number)
            if not leaving or guards is None or any(e.otherwise for e in leaving) or exhaustive(guards):
                continue
            elsewhere = negated(self._is_at(location, number))
            yield asserted(location, guards, "no guard is open", self.known, self.source, elsewhere)

    def _negative_times(self) -> Iterator[ast.CallEquation]:
        """Time does not pass backwards."""
        for edge in self.automaton.edges:
            event = edge.alternative.event if edge.alternative is not None else None
            if isinstance(event, TimeOut):
                past = path(event, of("negative", self.names[id(edge.alternative)]))
                shown = " ".join(self.source.text[event.start : event.end].split())
                message = ast.String(event.start, event.end, f"`{shown}` waits for a time that is negative")
                yield ast.CallEquation(
                    event.start, event.end, called(event, "assert", negated(past), message)
                )

    def _moves(self) -> ast.SimpleEquation:
        """A Boolean that changes its truth whenever an edge is taken."""
        node = self.automaton
        conditions: list[ast.Expression] = []
        for edge in node.edges:
            at_once = edge.at_once
            conditions.append(self._is_at(edge, edge.source, before=True) if at_once else self._taken(edge))
        before = called(node, "pre", path(node, MOVES))
        value: ast.Expression = before
        if conditions:
            branches = ((joined("or", conditions), negated(before)),)
            value = ast.IfExpression(node.start, node.end, branches, before)
        return ast.SimpleEquation(node.start, node.end, path(node, MOVES), value)

    def _either(self, node: ast.Node, name: str) -> ast.ArrayConstructor:
        """Each change of a truth is an event of its own."""
        variable = path(node, name)
        return ast.ArrayConstructor(node.start, node.end, (variable, negated(variable)))

    # ------------------------------------------------------------ what is done

    def _body(self) -> tuple[ast.Item, ...]:
        """One statement for each edge. Of those of a location the first one that is possible is taken."""
        found: list[ast.Item] = []
        for number in range(len(self.automaton.locations)):
            others: list[ast.Expression] = []
            for edge in self.automaton.leaving(number):
                taken = self._is_at(edge, number, before=True) if edge.at_once else self._taken(edge)
                alone = joined("and", [taken, *(negated(other) for other in others)])
                others.append(taken)
                branch = (alone, self._steps(edge))
                found.append(ast.IfEquation(edge.start, edge.end, (branch,)))
        return tuple(found)

    def _steps(self, edge: Edge) -> tuple[ast.Item, ...]:
        there = ast.Assignment(edge.start, edge.end, path(edge, AT), self._place(edge, edge.target))
        return (*self.doing.steps(edge), there)

    # ------------------------------------------------------------ continuous variables that are assigned

    def _jumps(self) -> Iterator[ast.WhenEquation]:
        """Continuous variables get their new values where edges have assigned them."""
        assigned: dict[str, Assignment] = {}
        waiting: list[Step] = [step for edge in self.automaton.edges for step in edge.steps]
        while waiting:
            step = waiting.pop(0)
            if isinstance(step, Choice):
                waiting += [inner for _, steps in step.branches for inner in steps]
            elif isinstance(step, Assignment) and step.continuous:
                assigned.setdefault(step.name, step)
        for name, step in assigned.items():
            self._declare(step, new_value(name), REAL, literal(step, 0))
            self._declare(step, gets(name), BOOLEAN, truth(step, False))
            reinit = called(step, "reinit", path(step, name), path(step, new_value(name)))
            body = (ast.CallEquation(step.start, step.end, reinit),)
            yield ast.WhenEquation(step.start, step.end, ((self._either(step, gets(name)), body),))
