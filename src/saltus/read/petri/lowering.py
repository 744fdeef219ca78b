"""Nets to classes of Modelica.

A place becomes an Integer of its name, its tokens; a transition a component of its name, whose Boolean
`fires` is true in the rounds in which it does:

    transition t: a + 2*b -> c when h > 1

    t.fires = not initial() and h > 1 and pre(a) >= 1 and pre(b) >= 2;
    a = pre(a) - (if t.fires then 1 else 0);

Everything is decided by what was before the round, so that no equation contains itself: in conditions
and equations of the text the name of a place means `pre(place)`, and so does that of a memory. Between events
both are the same. The rounds of the token game are the iterations of an event.

Where several transitions take tokens from one place, what is left is counted from one to the next, and so is
the room of places with a capacity:

    'a left to u' = pre(a) - (if t.fires then 1 else 0);
    u.fires = ... 'a left to u' >= 1 ...
"""

from __future__ import annotations

from saltus.ir import ast
from saltus.ir.automata.lines import Continuous, Memory
from saltus.ir.automata.net import Arc, Net, Place, Transition
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
from saltus.read.petri.checks import DEADLOCK

LIBRARY = ("Saltus", "PetriNets", "Interfaces")


def to_class(net: Net) -> ast.ClassDefinition:
    """The model of a net that was checked."""
    return _Lowering(net).definition()


class _Lowering:
    def __init__(self, net: Net) -> None:
        self.net = net
        self.body = Body()
        self.places = {p.name: p for p in net.places}
        self.before = set(self.places) | {i.name for i in net.items if isinstance(i, Memory)}
        self.types = types(net.items)
        # What is left at a place, or what it holds, for the transition that is asked next.
        self.left: dict[str, ast.Expression] = {}
        self.held: dict[str, ast.Expression] = {}
        #: The arcs of each place: what they do to its tokens, and of which transition they are.
        self.around: dict[str, list[tuple[str, Transition, Arc]]] = {name: [] for name in self.places}
        for transition in net.transitions:
            for sign, arcs in (("-", transition.inputs), ("+", transition.outputs)):
                for arc in arcs:
                    self.around[arc.place].append((sign, transition, arc))
        self.takers = self._count("inputs")
        self.givers = self._count("outputs")

    def _count(self, side: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for transition in self.net.transitions:
            for arc in getattr(transition, side):
                found[arc.place] = found.get(arc.place, 0) + 1
        return found

    def definition(self) -> ast.ClassDefinition:
        net, body = self.net, self.body
        for item in net.items:
            match item:
                case Place():
                    self._place(item)
                case Transition():
                    self._declare(item)
                case _:
                    declare(body, item, self.types, self._meaning)
        for transition in net.in_turn:
            self._fires(transition)
        for place in net.places:
            self._moved(place)
        for target in net.settable:
            self._set(target)
        self._deadlock()
        return model_class(net, body.elements, body.items)

    def _meaning(self, node: ast.Expression) -> ast.Expression:
        """An expression of the text: places and memories are what they were before the round."""
        return before_the_round(node, self.before)

    # ------------------------------------------------------------ declarations

    def _place(self, place: Place) -> None:
        tokens = place.tokens if place.tokens is not None else literal(place, 0)
        begins = started(place, tokens)
        self.body.elements.append(
            declared(place, place.name, "Integer", modification=begins, annotation=place.named)
        )

    def _declare(self, transition: Transition) -> None:
        name = "Firing" if transition.delay is None else "TimedFiring"
        self.body.elements.append(component(transition, (*LIBRARY, name), transition.name, ()))

    # ------------------------------------------------------------ transitions

    def _fires(self, transition: Transition) -> None:
        fires = path(transition, transition.name, "fires")
        possible = self._room(transition, before=True)
        still = self._room(transition, before=False)
        conditions: list[ast.Expression] = [negated(initially(transition))]
        if transition.condition is not None:
            holds = self._meaning(transition.condition)
            conditions.append(self.body.rises(holds, transition.name) if transition.edge else holds)
        if transition.delay is None:
            self.body.equation(transition, fires, joined("and", [*conditions, *still]))
        else:
            able = path(transition, transition.name, "able")
            free = path(transition, transition.name, "free")
            delay = path(transition, transition.name, "delay")
            self.body.equation(transition, able, joined("and", [*conditions, *possible]))
            self.body.equation(transition, free, joined("and", still or [truth(transition, True)]))
            self.body.equation(transition.delay, delay, self._meaning(transition.delay))
        self._pass_on(transition)

    def _room(self, transition: Transition, *, before: bool) -> list[ast.Expression]:
        """What has to hold of its places: before the round, or as they are left by those asked earlier."""
        found: list[ast.Expression] = []
        for arc in transition.inputs:
            left = None if before else self.left.get(arc.place)
            found.append(_binary(arc, left or self._was(arc), ">=", _weight(arc)))
        for arc in transition.outputs:
            capacity = self.net.capacity_of(self.places[arc.place])
            if capacity is not None:
                held = (None if before else self.held.get(arc.place)) or self._was(arc)
                total = _binary(arc, held, "+", self._needed(arc, transition))
                found.append(_binary(arc, total, "<=", capacity))
        found += [_binary(arc, self._was(arc), "<", _weight(arc)) for arc in transition.inhibitors]
        return found

    def _was(self, arc: Arc) -> ast.Expression:
        return called(arc, "pre", path(arc, arc.place))

    def _needed(self, arc: Arc, transition: Transition) -> ast.Expression:
        """The room that an arc needs: what the transition itself takes from the place makes room."""
        own = transition.taking(arc.place)
        if own is None:
            return _weight(arc)
        given, taken = _weight(arc), _weight(own)
        if isinstance(given, ast.Number) and isinstance(taken, ast.Number):
            return literal(arc, max(0, int(given.value) - int(taken.value)))
        return called(arc, "max", literal(arc, 0), _binary(arc, given, "-", taken))

    def _pass_on(self, transition: Transition) -> None:
        """What those that are asked next find."""
        for arc in transition.inputs:
            if self.takers[arc.place] > 1:
                left = self.left.get(arc.place) or self._was(arc)
                rest = _binary(arc, left, "-", self._if_fires(transition, arc, _weight(arc)))
                name = f"{arc.place} left by {transition.name}"
                self.left[arc.place] = self.body.hidden(arc, name, "Integer", rest)
        for arc in transition.outputs:
            if self.givers[arc.place] > 1 and self.net.capacity_of(self.places[arc.place]) is not None:
                held = self.held.get(arc.place) or self._was(arc)
                more = self._if_fires(transition, arc, self._needed(arc, transition))
                name = f"{arc.place} with {transition.name}"
                more = _binary(arc, held, "+", more)
                self.held[arc.place] = self.body.hidden(arc, name, "Integer", more)

    def _if_fires(self, transition: Transition, node: ast.Node, value: ast.Expression) -> ast.Expression:
        """`(if t.fires then value else 0)`"""
        fires = path(node, transition.name, "fires")
        choice = ast.IfExpression(node.start, node.end, ((fires, value),), literal(node, 0))
        return ast.Parenthesis(node.start, node.end, choice)

    # ------------------------------------------------------------ what changes

    def _moved(self, place: Place) -> None:
        """The tokens of a place after the round."""
        value: ast.Expression = called(place, "pre", path(place, place.name))
        for sign, transition, arc in self.around[place.name]:
            value = _binary(arc, value, sign, self._if_fires(transition, arc, _weight(arc)))
        self.body.equation(place, path(place, place.name), value)

    def _set(self, target: Memory | Continuous) -> None:
        """What transitions set: that of the one that is asked first, if several fire in one round."""
        ways = [
            (path(action, transition.name, "fires"), self._meaning(action.value))
            for transition in self.net.in_turn
            for action in transition.actions
            if action.target.text == target.name
        ]
        assign(self.body, target, self.types.get(target.name, "Real"), ways)

    def _deadlock(self) -> None:
        """Whether no transition has its tokens, and room for those that it would put somewhere."""
        net = self.net
        value: ast.Expression = truth(net, True)
        if net.transitions:
            ways = [joined("and", self._room(t, before=True) or [truth(t, True)]) for t in net.transitions]
            value = negated(ast.Parenthesis(net.start, net.end, joined("or", ways)))
        start = net.start, net.start + len("net")
        what = "No transition has its tokens"
        self.body.elements.append(
            declared(net, DEADLOCK, "Boolean", value, annotation=start, description=what)
        )


def _weight(arc: Arc) -> ast.Expression:
    return arc.weight if arc.weight is not None else literal(arc, 1)


def _binary(node: ast.Node, left: ast.Expression, operator: str, right: ast.Expression) -> ast.Binary:
    return ast.Binary(node.start, node.end, operator, left, right)
