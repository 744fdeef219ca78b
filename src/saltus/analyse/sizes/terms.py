"""Equations as sums of terms, and terms as products of powers of variables.

    a*(x + b*y^2)                  ->   a x^1,  a*b y^2
    if c then x else p             ->   x^1 while c,  p while not c
    x/(1 + y)                      ->   x^1 * (1 + y)^-1

What is no product of powers (a sum in a denominator, a function) is kept as it is, in the rest of its term. A
product of sums is written out as long as there are not too many terms; then it stays a factor.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace

from saltus.expr.nodes import ONE, TIME, Expr, Op, Symbol, Type, leaf_symbol, mul, power
from saltus.expr.traversal import leaves
from saltus.ir.balance import Term

#: Terms of one equation; a sum that would have more stays a factor.
MOST_TERMS = 200

_TRANSPARENT = frozenset({Op.NEG, Op.NOEVENT, Op.SMOOTH, Op.HOMOTOPY})


@dataclass(frozen=True)
class _Product:
    coefficient: Expr = ONE
    powers: tuple[tuple[int, float], ...] = ()
    rest: tuple[tuple[Expr, float], ...] = ()


class Terms:
    """The terms of expressions, for variables that have numbers."""

    def __init__(self, numbers: Mapping[Expr, int], parameters: Set[Symbol]) -> None:
        self._numbers = numbers
        self._parameters = parameters
        self._known: dict[Expr, bool] = {}

    def of(self, e: Expr) -> tuple[Term, ...]:
        """All terms of an expression; that of zero has none."""
        room = [MOST_TERMS]
        return tuple(self._split(e, (), _Product(), room))

    def _split(
        self, e: Expr, choices: tuple[tuple[Expr, bool], ...], factor: _Product, room: list[int]
    ) -> Iterator[Term]:
        while e.op in _TRANSPARENT:
            e = e.args[0]
        if e.op is Op.CONST and e.data == 0:
            return
        if not self._is_known(e) and room[0] > 0:
            match e.op:
                case Op.ADD:
                    room[0] -= len(e.args) - 1
                    for a in e.args:
                        yield from self._split(a, choices, factor, room)
                    return
                case Op.IF:
                    room[0] -= 1
                    yield from self._branches(e, choices, factor, room)
                    return
                case Op.MUL:
                    place = next((k for k, a in enumerate(e.args) if self._is_sum(a)), None)
                    if place is not None:
                        for k, a in enumerate(e.args):
                            factor = factor if k == place else self._times(factor, a, 1.0)
                        yield from self._split(e.args[place], choices, factor, room)
                        return
                case Op.DIV if self._is_sum(e.args[0]):
                    below = self._times(factor, e.args[1], -1.0)
                    yield from self._split(e.args[0], choices, below, room)
                    return
        found = self._times(factor, e, 1.0)
        yield Term(found.coefficient, found.powers, found.rest, choices)

    def _branches(
        self, e: Expr, choices: tuple[tuple[Expr, bool], ...], factor: _Product, room: list[int]
    ) -> Iterator[Term]:
        guard, truth = e.args[0], True
        while guard.op is Op.NOT:
            guard, truth = guard.args[0], not truth
        for branch, holds in ((e.args[1], truth), (e.args[2], not truth)):
            if (guard, not holds) in choices:
                continue
            further = choices if (guard, holds) in choices else (*choices, (guard, holds))
            yield from self._split(branch, further, factor, room)

    def _is_sum(self, e: Expr) -> bool:
        while e.op in _TRANSPARENT:
            e = e.args[0]
        return e.op in (Op.ADD, Op.IF) and e.type is Type.REAL and not self._is_known(e)

    def _times(self, product: _Product, e: Expr, exponent: float) -> _Product:
        """A product with one more factor, to a power."""
        while e.op in _TRANSPARENT:
            e = e.args[0]
        if self._is_known(e):
            more = e if exponent == 1.0 else power(e, ONE * exponent)
            return replace(product, coefficient=mul(product.coefficient, more))
        number = self._numbers.get(e)
        if number is not None:
            powers = dict(product.powers)
            powers[number] = powers.get(number, 0.0) + exponent
            return replace(product, powers=tuple(powers.items()))
        match e.op:
            case Op.MUL:
                for a in e.args:
                    product = self._times(product, a, exponent)
                return product
            case Op.DIV:
                return self._times(self._times(product, e.args[0], exponent), e.args[1], -exponent)
            case Op.POW if e.args[1].op is Op.CONST:
                return self._times(product, e.args[0], exponent * float(e.args[1].data))
            case Op.CALL if e.data == "sqrt":
                return self._times(product, e.args[0], 0.5 * exponent)
            case Op.CALL if e.data in ("abs", "real"):
                return self._times(product, e.args[0], exponent)
        return replace(product, rest=(*product.rest, (e, exponent)))

    def _is_known(self, e: Expr) -> bool:
        """Whether an expression is made of parameters alone."""
        found = self._known.get(e)
        if found is None:
            found = self._known[e] = not e.starts and all(
                leaf is not TIME and leaf_symbol(leaf) in self._parameters for leaf in leaves(e)
            )
        return found
