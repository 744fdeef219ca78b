"""The derivative of a user function, as another function: algorithmic differentiation in forward mode.

Of a function y = f(x) the derivative, or *tangent*, is

    dy = der(f)(x, dx),      dy_i = sum over j of  (d f_i / d x_j) dx_j

with an input dx_j after all inputs for each that is Real, and an output dy_i for each output that is Real.
This is also the form in which the user may write one (the `derivative` annotation, section 12.7.1 of the
Modelica specification), and the tangent is a function like any other: it has a tangent itself. A partial
derivative is a call with one dx_j = 1 and the others 0.

Every Real variable v of the body gets a companion der(v), and every assignment one before it (Griewank and
Walther, Evaluating Derivatives, SIAM 2008, chapter 3):

    der(v) := sum over u of  (d e / d u) der(u);     v := e

Before, since e may use v. Branches and loops stay as they are: the derivative is that of the branch that is
taken and of the rounds that are made. Integers and Booleans have no companions.

A tangent is made when first wanted and kept with its
function.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from saltus.expr.differentiate import NotDifferentiable, total_derivative
from saltus.expr.helpers import derivative_name
from saltus.expr.nodes import ZERO, Expr, Op, Symbol, Type, apply, array, ref
from saltus.ir.program import Assign, CallFunction, Fill, For, Function, If, Statement, While, differentiation

_KEPT = "_tangent"  # the attribute of a function that holds its tangent


def derivative_call(
    function: Function, args: tuple[Expr, ...], slopes: tuple[Expr, ...]
) -> tuple[Function, tuple[Expr, ...]]:
    """The function to call for the derivatives of the outputs, and its arguments: the first derivative of the
    user that fits, else the tangent. A slope of ZERO stands for that of a scalar or a whole array."""
    full = tuple(_filled(s, slope) for s, slope in zip(function.inputs, slopes, strict=True))
    fixed = len(args) - function.linear_inputs
    if function.linear_inputs and all(slope is ZERO for slope in slopes[:fixed]):
        return function, (*args[:fixed], *full[fixed:])
    for d in function.derivatives:
        if all(slopes[i] is ZERO for i in d.constant) and all(full[i] is args[j] for i, j in d.chain):
            return d.function, (*args, *(full[i] for i in d.seeds))
    if function.external is not None:
        raise NotDifferentiable(apply(function, args))
    real = [slope for s, slope in zip(function.inputs, full, strict=True) if s.type is Type.REAL]
    return tangent(function), (*args, *real)


def tangent(function: Function) -> Function:
    """The function of the inputs and their derivatives that gives the derivatives of the outputs."""
    known: Function | None = vars(function).get(_KEPT)
    if known is not None:
        return known
    companions = _companions(function)

    def companions_of(symbols: tuple[Symbol, ...]) -> tuple[Symbol, ...]:
        return tuple(companions[s] for s in symbols if s in companions)

    seeds = companions_of(function.inputs)
    result = Function(
        derivative_name(function.name),
        (*function.inputs, *seeds),
        companions_of(function.outputs),
        (*function.outputs, *function.locals, *companions_of(function.locals)),
        (),
        linear_inputs=len(seeds),
    )
    # Kept before its body is made: a recursive function calls itself, and so does its tangent.
    object.__setattr__(function, _KEPT, result)
    try:
        object.__setattr__(result, "body", _Differentiation(companions).block(function.body))
    except NotDifferentiable:
        object.__delattr__(function, _KEPT)
        raise
    return result


def _companions(function: Function) -> dict[Symbol, Symbol]:
    """der(v) for each Real variable v, with names that are not taken."""
    symbols = (*function.inputs, *function.outputs, *function.locals)
    taken = {s.name for s in symbols}
    found: dict[Symbol, Symbol] = {}
    for s in symbols:
        if s.type is Type.REAL:
            name = derivative_name(s.name)
            while name in taken:
                name += "'"
            taken.add(name)
            found[s] = Symbol(name, Type.REAL, s.shape)
    return found


def _filled(symbol: Symbol, slope: Expr) -> Expr:
    """The slope of an input in its shape."""
    if slope is ZERO and symbol.shape:
        return array(symbol.shape, [ZERO] * prod(symbol.shape))
    return slope


class _Differentiation:
    """The statements of a tangent from those of its function."""

    def __init__(self, companions: dict[Symbol, Symbol]) -> None:
        self._companions = companions
        self._memo: dict[Expr, Expr] = {}

    def block(self, body: tuple[Statement, ...]) -> tuple[Statement, ...]:
        return tuple(s for statement in body for s in self._statement(statement))

    def _statement(self, s: Statement) -> Iterator[Statement]:
        match s:
            case Assign(local, value, indices) if local in self._companions:
                yield Assign(self._companions[local], self._slope(value), indices)
                yield s
            case Fill(local, value) if local in self._companions:
                yield Fill(self._companions[local], self._slope(value))
                yield s
            case If(branches, otherwise):
                inner = tuple((condition, self.block(body)) for condition, body in branches)
                yield If(inner, self.block(otherwise))
            case For(index, start, step, stop, body):
                yield For(index, start, step, stop, self.block(body))
            case While(condition, body):
                yield While(condition, self.block(body))
            case CallFunction():
                yield from self._call(s)
                yield s
            case _:
                yield s

    def _call(self, s: CallFunction) -> Iterator[Statement]:
        results = [
            self._companions[target] if target is not None else None
            for target, output in zip(s.targets, s.function.outputs, strict=True)
            if output.type is Type.REAL
        ]
        slopes = tuple(map(self._slope, s.args))
        if any(slope is not ZERO for slope in slopes):
            if any(r is not None for r in results):
                yield CallFunction(tuple(results), *s.function.derivative_call(s.args, slopes))
            return
        for r in results:  # in a loop they may have had other values before
            if r is not None:
                yield Fill(r, ZERO) if r.shape else Assign(r, ZERO)

    def _slope(self, e: Expr) -> Expr:
        return total_derivative(e, self._leaf, self._memo)

    def _leaf(self, leaf: Expr) -> Expr:
        companion = self._companions.get(leaf.data) if leaf.op is Op.REF else None
        return ZERO if companion is None else ref(companion)


differentiation[:] = [derivative_call]
