"""Derivatives: with respect to a leaf, and with respect to time.

Forward mode over the expression graph: the derivative of each distinct node is made once from those of its
arguments, so a shared subexpression has a shared derivative and the result stays as small as the original.

Case distinctions are differentiated branch by branch: the condition of an `if` counts as constant, and
functions that are constant between their jumps (`floor`, `sign`, ...) have the derivative zero. A case
distinction that a derivative brings in (that of `abs`) stands inside `noEvent`: the event, if there is one,
belongs to the function and not to its derivative.

A user function is asked for its derivative (`functions/tangent.py` makes one by algorithmic differentiation,
if the user has not written one): a function of the arguments and their derivatives, called once for all
outputs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Protocol, runtime_checkable

from saltus.expr.nodes import (
    LEAVES,
    MINUS_ONE,
    NOT_NUMBERS,
    ONE,
    TIME_SYMBOL,
    ZERO,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    apply,
    array,
    call,
    const,
    der,
    div,
    homotopy,
    if_,
    index,
    item,
    mul,
    neg,
    no_event,
    power,
    recall,
    relation,
    smooth,
    sub,
)
from saltus.expr.traversal import postorder


class NotDifferentiable(Exception):
    """The node has no derivative in the expression language (an unknown function, a second derivative)."""

    def __init__(self, node: Expr) -> None:
        self.node = node
        super().__init__(f"{node!r} cannot be differentiated symbolically")


def differentiate(e: Expr, leaf: Expr, memo: dict[Expr, Expr] | None = None) -> Expr:
    """Partial derivative with respect to a REF, DER or PRE leaf; all other leaves count as constant.

    Raises `NotDifferentiable` where the leaf is an argument of a function without derivative. A `memo` may be
    shared between calls for the same leaf.
    """
    return _derive(e, lambda node: ONE if node is leaf else ZERO, {} if memo is None else memo)


def time_derivative(
    e: Expr,
    is_constant: Callable[[Symbol], bool],
    der_of_der: Callable[[Expr], Expr] | None = None,
    memo: dict[Expr, Expr] | None = None,
) -> Expr:
    """Total derivative with respect to time: x becomes der(x), time becomes 1, constants become 0.

    `is_constant` tells parameters and discrete variables, which do not change between events. The
    derivative of a DER leaf is what `der_of_der` gives for it; without it `NotDifferentiable` is raised.
    A `memo` may be shared between calls with the same functions.
    """

    def leaf_derivative(leaf: Expr) -> Expr:
        if leaf.op is Op.REF:
            if leaf.data is TIME_SYMBOL:
                return ONE
            return ZERO if leaf.type is not Type.REAL or is_constant(leaf.data) else der(leaf)
        if leaf.op is Op.DER:
            if der_of_der is None:
                raise NotDifferentiable(leaf)
            return der_of_der(leaf)
        return ZERO  # a constant, or a left limit: kept between events

    return _derive(e, leaf_derivative, {} if memo is None else memo)


def total_derivative(
    e: Expr, leaf_derivative: Callable[[Expr], Expr], memo: dict[Expr, Expr] | None = None
) -> Expr:
    """The chain rule with given derivatives of the leaves (constants included)."""
    return _derive(e, leaf_derivative, {} if memo is None else memo)


@runtime_checkable
class Differentiable(Protocol):
    """A user function that has a derivative (`ir.program.Function`)."""

    def derivative_call(self, args: tuple[Expr, ...], slopes: tuple[Expr, ...]) -> tuple[Any, Iterable[Expr]]:
        """Function and arguments of the call that gives the derivatives of the Real outputs. A slope is that
        of a scalar or an array of slopes; ZERO stands for either."""
        ...

    def real_position(self, position: int) -> int:
        """Where among its results that of the output at a position is."""
        ...


# ---------------------------------------------------------------- the chain rule

#: The derivatives of what histories answer.
_SLOPES = {"value": "slope", "recent": "slope", "content": "content.gradient"}

#: Functions that are constant between their jumps.
_STEPS = frozenset({"sign", "div", "floor", "ceil", "integer", "peek"})


def _derive(e: Expr, leaf_derivative: Callable[[Expr], Expr], memo: dict[Expr, Expr]) -> Expr:
    if e in memo:
        return memo[e]
    for node in postorder(e, memo, _differentiated):
        if node.op in LEAVES:
            memo[node] = leaf_derivative(node)
        else:
            memo[node] = _chain(node, [memo[a] for a in _differentiated(node)])
    return memo[e]


def _differentiated(e: Expr) -> tuple[Expr, ...]:
    """The arguments whose derivatives matter for that of the node."""
    if e.op in LEAVES or e.type in NOT_NUMBERS or (e.op is Op.CALL and e.data in _STEPS):
        return ()
    if e.op is Op.ITEM and e.type is not Type.REAL:
        return ()  # an Integer that a function computes is constant between its jumps
    if e.op is Op.INDEX:
        return e.args[:1]
    if e.op is Op.RECALL:
        return e.args[2:] if e.data in _SLOPES else e.args
    return e.args[1:] if e.op is Op.IF else e.args


def _chain(e: Expr, slopes: list[Expr]) -> Expr:
    """The derivative of a node from those of its (differentiated) arguments."""
    if all(d is ZERO for d in slopes):
        return ZERO
    match e.op:
        case Op.ADD:
            return add(*slopes)
        case Op.NEG:
            return neg(slopes[0])
        case Op.MUL:
            return _product(e.args, slopes)
        case Op.DIV:
            # (u/v)' = (u' - (u/v) v')/v, which shares the quotient itself
            return div(sub(slopes[0], mul(e, slopes[1])), e.args[1])
        case Op.POW:
            return _power(e, slopes)
        case Op.IF:
            return if_(e.args[0], slopes[0], slopes[1])
        case Op.NOEVENT:
            return no_event(slopes[0])
        case Op.HOMOTOPY:
            return homotopy(slopes[0], slopes[1])
        case Op.SMOOTH:
            return smooth(e.data - 1, slopes[0]) if e.data > 0 else slopes[0]
        case Op.CALL:
            return _function(e, slopes)
        case Op.ARRAY:
            return array(e.data, slopes)
        case Op.INDEX:
            return index(slopes[0], *e.args[1:])
        case Op.RECALL if e.data in _SLOPES:
            along = mul(recall(_SLOPES[e.data], *e.args[:3]), slopes[0])
            if e.data != "recent" or slopes[1] is not ZERO:
                # As time passes, the present value moves along the course that is asked for.
                return along
            return add(along, mul(recall("share", *e.args[:4]), slopes[2]))
        case Op.APPLY if isinstance(e.data, Differentiable):
            return apply(*e.data.derivative_call(e.args, tuple(slopes)))
        case Op.APPLY:
            return ONE  # only a mark: something in it varies
        case Op.ITEM if slopes[0].op is Op.APPLY:
            return item(slopes[0], e.args[0].data.real_position(e.data))
        case _:
            raise NotDifferentiable(e)


def _product(factors: tuple[Expr, ...], slopes: list[Expr]) -> Expr:
    terms = []
    for i, d in enumerate(slopes):
        if d is not ZERO:
            terms.append(mul(*factors[:i], d, *factors[i + 1 :]))
    return add(*terms)


def _power(e: Expr, slopes: list[Expr]) -> Expr:
    base, exponent = e.args
    terms = []
    if slopes[0] is not ZERO:
        if exponent.type is Type.INTEGER and exponent.op is not Op.CONST:
            # The terms of a polynomial, x^k in a loop: x^0 is constant, also at x = 0.
            factor = mul(exponent, power(base, sub(exponent, const(1))))
            factor = if_(no_event(relation(Op.EQ, exponent, const(0))), ZERO, factor)
        else:
            factor = mul(exponent, power(base, sub(exponent, ONE)))
        terms.append(mul(factor, slopes[0]))
    if slopes[1] is not ZERO:
        terms.append(mul(e, call("log", base), slopes[1]))
    return add(*terms)


# ---------------------------------------------------------------- built-in functions


def _function(e: Expr, slopes: list[Expr]) -> Expr:
    if e.data in _CASES:
        return _CASES[e.data](*e.args, *slopes)
    return mul(_DERIVATIVES[e.data](e), slopes[0])


def _choose(op: Op, a: Expr, b: Expr, da: Expr, db: Expr) -> Expr:
    """The derivative of min and max: that of the argument that is taken."""
    return if_(no_event(relation(op, a, b)), da, db)


def _atan2(y: Expr, x: Expr, dy: Expr, dx: Expr) -> Expr:
    return div(sub(mul(x, dy), mul(y, dx)), add(power(x, const(2)), power(y, const(2))))


#: Functions of several arguments, and of several cases: the derivative from arguments and their slopes.
_CASES: dict[str, Callable[..., Expr]] = {
    "real": lambda u, du: du,
    "abs": lambda u, du: if_(no_event(relation(Op.GE, u, ZERO)), du, neg(du)),
    "min": partial(_choose, Op.LE),
    "max": partial(_choose, Op.GE),
    "mod": lambda x, y, dx, dy: sub(dx, mul(no_event(call("floor", div(x, y))), dy)),
    "rem": lambda x, y, dx, dy: sub(dx, mul(no_event(call("div", x, y)), dy)),
    "atan2": _atan2,
}


def _one_minus_square(u: Expr) -> Expr:
    return sub(ONE, power(u, const(2)))


#: Functions of one argument: the derivative from the function's own node, which it may use again.
_DERIVATIVES: dict[str, Callable[[Expr], Expr]] = {
    "sin": lambda e: call("cos", e.args[0]),
    "cos": lambda e: neg(call("sin", e.args[0])),
    "tan": lambda e: add(ONE, power(e, const(2))),
    "asin": lambda e: div(ONE, call("sqrt", _one_minus_square(e.args[0]))),
    "acos": lambda e: div(MINUS_ONE, call("sqrt", _one_minus_square(e.args[0]))),
    "atan": lambda e: div(ONE, add(ONE, power(e.args[0], const(2)))),
    "sinh": lambda e: call("cosh", e.args[0]),
    "cosh": lambda e: call("sinh", e.args[0]),
    "tanh": lambda e: _one_minus_square(e),
    "exp": lambda e: e,
    "log": lambda e: div(ONE, e.args[0]),
    "log10": lambda e: div(const(1 / math.log(10)), e.args[0]),
    "sqrt": lambda e: div(const(0.5), e),
}
