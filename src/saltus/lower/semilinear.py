"""Equations with `semiLinear` where nothing flows (section 3.7.4.7).

    y = semiLinear(x, a, s);   y = semiLinear(x, s, b);

determine `s` while `x` is not zero: it is `a` for one direction of the flow and `b` for the other. At zero
both say `0 = 0`. So they are replaced by equations that say the same elsewhere, and choose a value there.
Such pairs come from two components that are connected, and then have other names for `x` and `y`, with other
signs: plain equations between two variables are looked through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from saltus.expr.nodes import ZERO, Expr, Op, if_, is_const, mul, neg, relation, smooth
from saltus.ir.flat import Clause, Equation
from saltus.lower.context import Context, SemiLinear

Signed = tuple[int, Expr]  # a variable, or its negative


def semi_linear(x: Expr, up: Expr, down: Expr) -> Expr:
    """`semiLinear(x, up, down)` as the specification defines it."""
    return smooth(0, if_(relation(Op.GE, x, ZERO), mul(up, x), mul(down, x)))


def defined_at_zero(context: Context, clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses, with equations by `semiLinear` that also determine their slopes at zero."""
    if not context.semi_linears:
        return list(clauses)
    aliases = _Aliases(clauses)
    groups: dict[tuple[int, Expr, Expr], list[_Flow]] = {}
    for clause in clauses:
        flow = _flow(context, clause, aliases) if isinstance(clause, Equation) else None
        if flow is not None:
            groups.setdefault((*flow.y, flow.key), []).append(flow)
    instead: dict[Clause, Equation] = {}
    for (_, y, x), flows in groups.items():
        if aliases.is_zero(y) and aliases.is_zero(x):
            for flow in flows:
                instead[flow.equation] = replace(flow.equation, lhs=flow.up, rhs=flow.down)
        elif len(flows) > 1:
            chain = _chain(flows, aliases)
            if chain is not None:
                instead |= _replaced(chain)
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


def _flow(context: Context, q: Equation, aliases: _Aliases) -> _Flow | None:
    for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
        sign = -1 if other.op is Op.NEG else 1
        known: SemiLinear | None = context.semi_linears.get(other.args[0] if sign < 0 else other)
        y = aliases.signed(side)
        x = aliases.signed(known.x) if known is not None else None
        if known is None or y is None or x is None:
            continue
        y = (sign * y[0], y[1])
        side = side if sign > 0 else neg(side)
        if x[0] > 0:
            return _Flow(q, y, x[1], known.x, side, known.up, known.down)
        # semiLinear(-x, a, b) = -semiLinear(x, b, a)
        return _Flow(q, (-y[0], y[1]), x[1], neg(known.x), neg(side), known.down, known.up)
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


class _Aliases:
    """Variables that plain equations make equal, or each other's negative, or zero."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._parent: dict[Expr, Signed] = {}
        self._zero: set[Expr] = set()
        for q in clauses:
            if isinstance(q, Equation):
                self._take(q)

    def _take(self, q: Equation) -> None:
        terms = [(1, e) for e in _terms(q.lhs)] + [(-1, e) for e in _terms(q.rhs)]
        plain: list[Signed] = []
        for sign, e in terms:
            bare = e.args[0] if e.op is Op.NEG else e
            if bare.op is not Op.REF:
                return
            plain.append((-sign if e.op is Op.NEG else sign, bare))
        if len(plain) == 1:
            self._zero.add(self._find(plain[0][1])[1])
        elif len(plain) == 2:
            (s, a), (t, b) = plain
            self._join(a, b, -s * t)

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
        """What tells whether two slopes are the same."""
        return self.signed(e) or (1, e)

    def is_zero(self, root: Expr) -> bool:
        return root in self._zero


def _terms(e: Expr) -> tuple[Expr, ...]:
    """The terms of a sum; none of zero."""
    if is_const(e) and e.data == 0:
        return ()
    return e.args if e.op is Op.ADD else (e,)
