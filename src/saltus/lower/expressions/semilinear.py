"""Equations with `semiLinear` where nothing flows (section 3.7.4.7).

    y = semiLinear(x, a, s);   y = semiLinear(x, s, b);

determine `s` while `x` is not zero: it is `a` for one direction of the flow and `b` for the other. At zero
both say `0 = 0`. So they are replaced by equations that say the same elsewhere, and choose a value there.
Such pairs come from two components that are connected, and then have other names for `x` and `y`, with other
signs: plain equations between two variables are looked through, and balances of several of which all but two
are zero. So a pump without heat and without a mass of its own is a link of the chain.

Where three flows or more meet, the specification has no rule. Their balance

    y1 + y2 + y3 = 0;   y1 = semiLinear(x1, s, a);   y2 = semiLinear(x2, s, b);   y3 = semiLinear(x3, s, c);

with x1 + x2 + x3 = 0 says that `s` is what flows in, mixed. It is replaced by just that, and by the mean of
a, b and c where nothing flows: the choice that stream connectors have there (section 15.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from saltus.expr.nodes import (
    ZERO,
    Expr,
    Op,
    add,
    call,
    const,
    div,
    if_,
    is_const,
    mul,
    neg,
    no_event,
    relation,
    smooth,
)
from saltus.ir.flat import Clause, Equation
from saltus.lower.scope.parts import Expressions, SemiLinear

Signed = tuple[int, Expr]  # a variable, or its negative


def semi_linear(x: Expr, up: Expr, down: Expr) -> Expr:
    """`semiLinear(x, up, down)` as the specification defines it."""
    return smooth(0, if_(relation(Op.GE, x, ZERO), mul(up, x), mul(down, x)))


def defined_at_zero(expressions: Expressions, clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses, with equations by `semiLinear` that also determine their slopes at zero."""
    if not expressions.semi_linears:
        return list(clauses)
    aliases = _Aliases(clauses)
    groups: dict[tuple[int, Expr, Expr], list[_Flow]] = {}
    for clause in clauses:
        flow = _flow(expressions, clause, aliases) if isinstance(clause, Equation) else None
        if flow is not None:
            groups.setdefault((*flow.y, flow.key), []).append(flow)
    instead: dict[Clause, Equation] = {}
    whole: dict[Expr, list[_Flow]] = {}  # by y
    for (_, y, x), flows in groups.items():
        if aliases.is_zero(y) and aliases.is_zero(x):
            for flow in flows:
                instead[flow.equation] = replace(flow.equation, lhs=flow.up, rhs=flow.down)
            continue
        chain = _chain(flows, aliases) if len(flows) > 1 else flows
        if chain is not None:
            instead |= _replaced(chain) if len(chain) > 1 else {}
            whole.setdefault(y, []).append(replace(chain[0], down=chain[-1].down))
    instead |= _mixed(clauses, {y: flows[0] for y, flows in whole.items() if len(flows) == 1}, aliases)
    return [instead.get(clause, clause) for clause in clauses]


@dataclass(frozen=True, eq=False)
class _Flow:
    """`y = semiLinear(x, up, down)` with `x` in its own direction; `key` is the variable `x` stands for."""

    equation: Equation
    y: Signed
    key: Expr
    x: Expr
    side: Expr  # y, as it is written
    up: Expr
    down: Expr

    def turned(self) -> _Flow:
        """This flow, counted in the other direction: semiLinear(-x, a, b) = -semiLinear(x, b, a)."""
        y = (-self.y[0], self.y[1])
        return replace(self, y=y, x=neg(self.x), side=neg(self.side), up=self.down, down=self.up)


def _flow(expressions: Expressions, q: Equation, aliases: _Aliases) -> _Flow | None:
    for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
        sign = -1 if other.op is Op.NEG else 1
        known: SemiLinear | None = expressions.semi_linears.get(other.args[0] if sign < 0 else other)
        y = aliases.signed(side)
        x = aliases.signed(known.x) if known is not None else None
        if known is None or y is None or x is None:
            continue
        y = (sign * y[0], y[1])
        side = side if sign > 0 else neg(side)
        flow = _Flow(q, y, x[1], known.x, side, known.up, known.down)
        return flow if x[0] > 0 else flow.turned()
    return None


def _chain(flows: list[_Flow], aliases: _Aliases) -> list[_Flow] | None:
    """The flows in the order in which each begins with the slope that the one before ends with."""
    by_start = {aliases.name(flow.up): flow for flow in flows}
    ends = {aliases.name(flow.down) for flow in flows}
    first = [flow for flow in flows if aliases.name(flow.up) not in ends]
    if len(by_start) < len(flows) or len(ends) < len(flows) or len(first) != 1:
        return None
    chain = [first[0]]
    while len(chain) < len(flows):
        flow = by_start.get(aliases.name(chain[-1].down))
        if flow is None or chain[-1].down.op is not Op.REF:
            return None
        chain.append(flow)
    return chain


def _replaced(chain: list[_Flow]) -> dict[Clause, Equation]:
    first, last = chain[0], chain[-1]
    chosen = if_(relation(Op.GE, first.x, ZERO), first.up, last.down)
    found: dict[Clause, Equation] = {}
    for flow, following in pairwise(chain):
        value = chosen if flow is first else flow.up
        found[flow.equation] = replace(flow.equation, lhs=following.up, rhs=value)
    whole = semi_linear(first.x, first.up, last.down)
    found[last.equation] = replace(last.equation, lhs=first.side, rhs=whole)
    return found


def _mixed(
    clauses: Sequence[Clause], flows: Mapping[Expr, _Flow], aliases: _Aliases
) -> dict[Clause, Equation]:
    """Balances of three flows and more that meet, with the value of their mixture instead."""
    sums = [(q, aliases.terms(q)) for q in clauses if isinstance(q, Equation)]
    balances = {frozenset(terms) for _, terms in sums if len(terms) > 2}
    found: dict[Clause, Equation] = {}
    for q, terms in sums:
        if len(terms) < 3 or not all(y in flows for _, y in terms):
            continue
        signs = [sign * flows[y].y[0] for sign, y in terms]
        meeting = [
            flows[y].turned() if sign < 0 else flows[y] for sign, (_, y) in zip(signs, terms, strict=True)
        ]
        turned = [flow.turned() for flow in meeting]
        carriers = [(sign, flow.key) for sign, flow in zip(signs, meeting, strict=True)]
        opposite = [(-sign, x) for sign, x in carriers]
        if not balances & {frozenset(carriers), frozenset(opposite)}:
            continue
        for ends in (meeting, turned):
            if len({aliases.name(flow.up) for flow in ends}) == 1:
                found[q] = replace(q, lhs=ends[0].up, rhs=_mixture(ends))
                break
    return found


def _mixture(ends: Sequence[_Flow]) -> Expr:
    """What flows into a meeting place brings there; their mean where nothing flows."""
    inwards = [call("max", neg(flow.x), ZERO) for flow in ends]
    total = add(*inwards)
    brought = add(*(mul(weight, flow.down) for weight, flow in zip(inwards, ends, strict=True)))
    mean = div(add(*(flow.down for flow in ends)), const(float(len(ends))))
    return no_event(if_(relation(Op.GT, total, ZERO), div(brought, total), mean))


class _Aliases:
    """Variables that plain equations make equal, or each other's negative, or zero."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._parent: dict[Expr, Signed] = {}
        self._zero: set[Expr] = set()
        sums = [plain for q in clauses if isinstance(q, Equation) and (plain := _plain_sum(q)) is not None]
        while True:
            # What an equation says may be plain only when others have said what is zero: a balance of two
            # flows and a source that is switched off.
            left = [plain for plain in sums if not self._take(plain)]
            if len(left) == len(sums):
                break
            sums = left

    def _take(self, plain: list[Signed]) -> bool:
        """Whether a sum that is zero determines one variable, or relates two."""
        rest = [(sign, e) for sign, e in plain if self._find(e)[1] not in self._zero]
        if len(rest) == 1:
            self._zero.add(self._find(rest[0][1])[1])
        elif len(rest) == 2:
            (s, a), (t, b) = rest
            self._join(a, b, -s * t)
        return len(rest) <= 2

    def terms(self, q: Equation) -> list[Signed]:
        """The variables whose sum an equation says is zero, without those that are zero; nothing if it says
        something else, or has one twice."""
        signed = [(sign, self._find(e)) for sign, e in _plain_sum(q) or ()]
        found = [(sign * own, root) for sign, (own, root) in signed if root not in self._zero]
        return found if len({root for _, root in found}) == len(found) else []

    def _find(self, e: Expr) -> Signed:
        sign = 1
        while e in self._parent:
            step, e = self._parent[e]
            sign *= step
        return sign, e

    def _join(self, a: Expr, b: Expr, sign: int) -> None:
        (s, first), (t, second) = self._find(a), self._find(b)
        if first is not second:
            self._parent[second] = (s * t * sign, first)
            if second in self._zero:
                self._zero.add(first)

    def signed(self, e: Expr) -> Signed | None:
        sign = 1
        if e.op is Op.NEG:
            sign, e = -1, e.args[0]
        if e.op is not Op.REF:
            return None
        own, root = self._find(e)
        return sign * own, root

    def name(self, e: Expr) -> Signed:
        """A key that is equal for slopes that are the same."""
        return self.signed(e) or (1, e)

    def is_zero(self, root: Expr) -> bool:
        return root in self._zero


def _plain_sum(q: Equation) -> list[Signed] | None:
    """The terms whose sum an equation says is zero, if all are variables."""
    plain: list[Signed] = []
    for side, e in [(1, e) for e in _terms(q.lhs)] + [(-1, e) for e in _terms(q.rhs)]:
        bare = e.args[0] if e.op is Op.NEG else e
        if bare.op is not Op.REF:
            return None
        plain.append((-side if e.op is Op.NEG else side, bare))
    return plain


def _terms(e: Expr) -> tuple[Expr, ...]:
    """The terms of a sum; none of zero."""
    if is_const(e) and e.data == 0:
        return ()
    return e.args if e.op is Op.ADD else (e,)
