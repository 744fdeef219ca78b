"""Random expressions with a second, independent meaning.

A recipe is a nested tuple. `build` makes the expression from it with the constructors of `nodes`;
`compute` works out its value and its partial derivative in plain Python (dual numbers), without any of
them. `compute` raises `Unsuitable` where rounding could decide the answer: near a jump, a pole or the edge
of a domain, or where numbers get large.
"""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from saltus.expr.nodes import (
    Expr,
    Op,
    Symbol,
    add,
    call,
    const,
    div,
    if_,
    mul,
    neg,
    no_event,
    power,
    ref,
    relation,
    smooth,
    sub,
)

NAMES = ("x", "y", "z")
LEAVES = {name: ref(Symbol(name)) for name in NAMES}

FUNCTIONS = {
    "sin": (math.sin, math.cos),
    "cos": (math.cos, lambda u: -math.sin(u)),
    "atan": (math.atan, lambda u: 1 / (1 + u * u)),
    "tanh": (math.tanh, lambda u: 1 / math.cosh(u) ** 2),
    "sinh": (math.sinh, math.cosh),
    "cosh": (math.cosh, math.sinh),
    "exp": (math.exp, math.exp),
    "log": (math.log, lambda u: 1 / u),
    "log10": (math.log10, lambda u: 1 / (u * math.log(10))),
    "sqrt": (math.sqrt, lambda u: 0.5 / math.sqrt(u)),
    "tan": (math.tan, lambda u: 1 / math.cos(u) ** 2),
    "asin": (math.asin, lambda u: 1 / math.sqrt(1 - u * u)),
    "acos": (math.acos, lambda u: -1 / math.sqrt(1 - u * u)),
    "abs": (abs, lambda u: math.copysign(1, u)),
}
ARITHMETIC = {"+": add, "-": sub, "*": mul, "/": div}
RELATIONS = {"<": Op.LT, "<=": Op.LE, ">": Op.GT, ">=": Op.GE}

numbers = st.sampled_from([0.0, 1.0, -1.0, 2.0, 0.5, -3.0, 0.1, 1e-3]) | st.floats(-4, 4).map(
    lambda v: round(v, 3)
)
points = st.fixed_dictionaries({name: st.floats(-3, 3).map(lambda v: round(v, 4)) for name in NAMES})


def _grow(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    condition = st.tuples(st.sampled_from(sorted(RELATIONS)), inner, inner)
    return st.one_of(
        st.tuples(st.sampled_from(sorted(ARITHMETIC)), inner, inner),
        st.tuples(st.sampled_from(sorted(ARITHMETIC)), inner, inner),
        st.tuples(st.just("neg"), inner),
        st.tuples(st.just("^"), inner, st.sampled_from([2, 3, 2.0, 0.5, -1.0, 0, 1])),
        st.tuples(st.sampled_from(sorted(FUNCTIONS)), inner),
        st.tuples(st.sampled_from(["min", "max", "atan2"]), inner, inner),
        st.tuples(st.just("if"), condition, inner, inner),
        st.tuples(st.sampled_from(["noEvent", "smooth"]), inner),
    )


def recipes_over(names: tuple[str, ...], max_leaves: int = 12) -> st.SearchStrategy[Any]:
    """Recipes of expressions in the named leaves."""
    leaf = st.sampled_from(names).map(lambda name: ("leaf", name)) | numbers.map(lambda v: ("number", v))
    return st.recursive(leaf, _grow, max_leaves=max_leaves)


recipes = recipes_over(NAMES)


def build(recipe: Any) -> Expr:
    """The expression of a recipe."""
    kind, *rest = recipe
    if kind == "leaf":
        return LEAVES[rest[0]]
    if kind == "number":
        return const(rest[0])
    if kind == "^":
        return power(build(rest[0]), const(rest[1]))
    args = [build(r) for r in rest]
    if kind in ARITHMETIC:
        return ARITHMETIC[kind](*args)
    if kind in RELATIONS:
        return relation(RELATIONS[kind], *args)
    if kind == "smooth":
        return smooth(1, args[0])
    plain = {"neg": neg, "if": if_, "noEvent": no_event}
    return plain[kind](*args) if kind in plain else call(kind, *args)


class Unsuitable(Exception):
    """Rounding could decide the answer at this point."""


def compute(recipe: Any, point: dict[str, float], by: str = "x") -> tuple[float, float]:
    """Value and partial derivative of a recipe at a point, in plain Python."""
    try:
        value, slope = _compute(recipe, point, by)
    except (ArithmeticError, ValueError) as error:
        raise Unsuitable from error
    if isinstance(value, complex) or not abs(value) < 1e3 or not abs(slope) < 1e5:
        raise Unsuitable
    return value, slope


def _compute(recipe: Any, point: dict[str, float], by: str) -> tuple[float, float]:
    kind, *rest = recipe
    if kind == "leaf":
        return point[rest[0]], float(rest[0] == by)
    if kind == "number":
        return rest[0], 0.0
    if kind == "if":
        comparison, left, right = rest[0]
        a, b = compute(left, point, by)[0], compute(right, point, by)[0]
        _keep_off(a - b)
        truth = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[comparison]
        return compute(rest[1 if truth else 2], point, by)
    u, du = compute(rest[0], point, by)
    if kind == "^":
        n = rest[1]
        if n not in (2, 3):
            _keep_off(u)
        return u**n, n * u ** (n - 1) * du if n else 0.0
    if kind in ("noEvent", "smooth"):
        return u, du
    if kind == "neg":
        return -u, -du
    if kind in FUNCTIONS:
        if kind in ("log", "log10", "sqrt", "abs"):
            _keep_off(u)
        if kind in ("asin", "acos"):
            _keep_off(abs(u) - 1)
        function, derivative = FUNCTIONS[kind]
        return function(u), derivative(u) * du
    v, dv = compute(rest[1], point, by)
    if kind == "+":
        return u + v, du + dv
    if kind == "-":
        return u - v, du - dv
    if kind == "*":
        return u * v, u * dv + v * du
    if kind == "/":
        _keep_off(v)
        return u / v, (du * v - u * dv) / v**2
    if kind == "atan2":
        _keep_off(u)
        _keep_off(v)
        return math.atan2(u, v), (v * du - u * dv) / (u * u + v * v)
    _keep_off(u - v)
    first = (u < v) == (kind == "min")
    return (u, du) if first else (v, dv)


def _keep_off(distance: float) -> None:
    if abs(distance) < 1e-2:
        raise Unsuitable
