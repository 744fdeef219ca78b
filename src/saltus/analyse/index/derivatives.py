"""Derivatives: each of a variable has a symbol of its own, each of an equation is made once.

Modes of a model differ in few equations. For the same variables they share what is made here, so that a new
mode costs what its own equations cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from saltus.core.diagnostics import model_error
from saltus.expr.differentiate import NotDifferentiable, differentiate, total_derivative
from saltus.expr.helpers import derivative_name
from saltus.expr.nodes import ONE, TIME, ZERO, Expr, Op, Symbol, leaf_symbol, ref
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation


@dataclass(frozen=True)
class Level:
    """A derivative of a variable: v^(order)."""

    variable: int
    order: int


class Derivatives:
    """The derivatives of some variables, and of equations between them."""

    def __init__(self, variables: Sequence[Symbol]) -> None:
        self._variables = tuple(variables)
        self.index = {symbol: i for i, symbol in enumerate(variables)}
        self._symbols: dict[Level, Symbol] = {}
        #: The leaf of every level that has been asked for.
        self.level_of: dict[Expr, Level] = {}
        for i, symbol in enumerate(variables):
            self._name(Level(i, 0), symbol)
        self._orders: dict[Equation, dict[int, int]] = {}
        self._made: dict[Equation, list[Equation]] = {}
        self._slopes: dict[tuple[Expr, Expr], Expr] = {}

    def _name(self, level: Level, symbol: Symbol) -> Expr:
        self._symbols[level] = symbol
        leaf = ref(symbol)
        self.level_of[leaf] = level
        return leaf

    def leaf(self, level: Level) -> Expr:
        """v^(k) as a leaf: a symbol of its own for every order."""
        known = self._symbols.get(level)
        if known is not None:
            return ref(known)
        variable = self._variables[level.variable]
        name = derivative_name(variable.name, level.order)
        return self._name(level, Symbol(name, derivative_of=variable))

    def order(self, leaf: Expr) -> tuple[int, int] | None:
        """The variable that a leaf of an equation stands for, with its order there."""
        if leaf.op not in (Op.REF, Op.DER):
            return None
        i = self.index.get(leaf_symbol(leaf))
        return None if i is None else (i, 1 if leaf.op is Op.DER else 0)

    def orders(self, q: Equation) -> dict[int, int]:
        """The variables of an equation, each with the highest order that it has there."""
        found = self._orders.get(q)
        if found is None:
            found = self._orders[q] = {}
            for leaf in q.leaves:
                known = self.order(leaf)
                if known is not None:
                    found[known[0]] = max(found.get(known[0], 0), known[1])
        return found

    def plain(self, e: Expr) -> Expr:
        """der(x) as the symbol of the first derivative."""
        found = {
            leaf: self.leaf(Level(self.index[leaf.args[0].data], 1))
            for leaf in leaves(e)
            if leaf.op is Op.DER
        }
        return substitute(e, found) if found else e

    def of(self, q: Equation, times: int) -> list[Equation]:
        """The equation, with symbols for derivatives, and its derivatives."""
        found = self._made.get(q)
        if found is None:
            lhs, rhs = self.plain(q.lhs), self.plain(q.rhs)
            same = lhs is q.lhs and rhs is q.rhs
            found = self._made[q] = [q if same else Equation(lhs, rhs, q.span, q.origin)]
        while len(found) <= times:
            last = found[-1]
            try:
                sides = [total_derivative(e, self._leaf_derivative) for e in (last.lhs, last.rhs)]
            except NotDifferentiable as problem:
                raise model_error(
                    "E302",
                    f"this equation constrains states, but `{problem.node!r}` cannot be differentiated",
                    q.span,
                    hint="write the function's formula into the equation",
                    origin=q.origin,
                ) from None
            found.append(Equation(sides[0], sides[1], q.span, q.origin))
        return found[: times + 1]

    def slope(self, e: Expr, leaf: Expr) -> Expr:
        """The partial derivative of an expression by a leaf. Raises `NotDifferentiable`."""
        found = self._slopes.get((e, leaf))
        if found is None:
            found = self._slopes[e, leaf] = differentiate(e, leaf)
        return found

    def _leaf_derivative(self, leaf: Expr) -> Expr:
        if leaf is TIME:
            return ONE
        level = self.level_of.get(leaf)
        return ZERO if level is None else self.leaf(Level(level.variable, level.order + 1))
