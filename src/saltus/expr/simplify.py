"""Constant folding and rewrite rules.

`RULES` is the whole knowledge: named rules by the kind of node they look at, each of which returns a
replacement or None. They are applied from the leaves up until nothing changes. A rule keeps the value
wherever it was finite (up to rounding) and the type; none may use that something is not zero, so `x/x`
stays. (Equal terms do cancel: `1/x - 1/x` becomes 0.)

What the constructors of `nodes` do already (neutral elements, flattening, folding of `+ - * / ^` and
logic, `if` with equal branches, double negation) is not repeated here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from saltus.expr.evaluate import evaluate
from saltus.expr.nodes import (
    FALSE,
    NEGATED,
    RELATIONS,
    TRUE,
    Expr,
    Op,
    Type,
    add,
    and_,
    call,
    const,
    div,
    if_,
    is_leaf,
    mul,
    or_,
    power,
    relation,
)
from saltus.expr.traversal import postorder, rebuild

Rule: TypeAlias = Callable[[Expr], "Expr | None"]


def simplify(e: Expr, memo: dict[Expr, Expr] | None = None) -> Expr:
    """An expression in a tidier form, with its value unchanged; simplifying the result again changes nothing.
    A `memo` may be shared between calls."""
    if memo is None:
        memo = {}
    original = e
    while True:
        for node in postorder(e, memo):
            if is_leaf(node) or not node.args:
                memo[node] = node
            else:
                memo[node] = _rewrite(rebuild(node, tuple(memo[a] for a in node.args)))
        if memo[e] is e:
            break
        e = memo[e]
    memo[original] = e
    return e


def _rewrite(e: Expr) -> Expr:
    for rule in RULES.get(e.op, ()):
        found = rule(e)
        if found is not None and found is not e:
            return found
    return e


# ---------------------------------------------------------------- arithmetic


def fold_call(e: Expr) -> Expr | None:
    """sin(0) -> 0, where all arguments are constants and the result is a finite number"""
    if any(a.op is not Op.CONST for a in e.args):
        return None
    try:
        value = evaluate(e, _no_leaf)
    except (ArithmeticError, ValueError):
        return None  # left to fail at the run, where it can be reported, if it is ever computed
    return None if isinstance(value, float) and not math.isfinite(value) else const(value)


def _no_leaf(leaf: Expr) -> float:
    raise AssertionError(leaf)


def collect_terms(e: Expr) -> Expr | None:
    """x + x -> 2*x, 2*x - x -> x, x - x -> 0"""
    collected: dict[Expr, list[float]] = {}
    for term in e.args:
        factor, core = _split_factor(term)
        collected.setdefault(core, []).append(factor)
    if len(collected) == len(e.args):
        return None
    terms = [mul(_number(e.type, _total(factors)), core) for core, factors in collected.items()]
    return add(_number(e.type, 0), *terms)


def _split_factor(term: Expr) -> tuple[float, Expr]:
    """A term as number times rest; a lone constant is the number 1 times itself."""
    if term.op is Op.NEG:
        factor, core = _split_factor(term.args[0])
        return -factor, core
    if term.op is Op.MUL and term.args[0].op is Op.CONST:
        return term.args[0].data, mul(*term.args[1:])
    return 1, term


def _total(factors: list[float]) -> float:
    """The sum of the factors of equal terms. What is only rounding of a sum that should be zero (0.1 + 0.2
    - 0.3) becomes zero: a coefficient of 1e-17 would later be divided by."""
    total = sum(factors)
    return 0 if abs(total) <= 1e-15 * sum(map(abs, factors)) else total


def _number(kind: Type, value: float) -> Expr:
    return const(float(value)) if kind is Type.REAL else const(value)


def collect_factors(e: Expr) -> Expr | None:
    """x*x -> x^2, x*x^2 -> x^3 (positive whole exponents only; Integer products stay, `^` is a Real)"""
    if e.type is not Type.REAL:
        return None
    exponents: dict[Expr, float] = {}
    for factor in e.args:
        base, exponent = _split_exponent(factor)
        exponents[base] = exponents.get(base, 0) + exponent
    if len(exponents) == len(e.args):
        return None
    return mul(*(power(base, const(n)) if n != 1 else base for base, n in exponents.items()))


def _split_exponent(e: Expr) -> tuple[Expr, float]:
    if e.op is Op.POW and _is_natural(e.args[1]):
        return e.args[0], e.args[1].data
    return e, 1


def _is_natural(e: Expr) -> bool:
    return e.op is Op.CONST and e.data > 0 and float(e.data).is_integer()


def power_of_power(e: Expr) -> Expr | None:
    """(x^2)^3 -> x^6 for positive whole exponents"""
    base, exponent = e.args
    if base.op is Op.POW and _is_natural(exponent) and _is_natural(base.args[1]):
        return power(base.args[0], const(base.args[1].data * exponent.data))
    return None


def nested_division(e: Expr) -> Expr | None:
    """(a/b)/c -> a/(b*c); but a/(b/c) stays, since a*c/b would also have a value for c = 0"""
    above, below = e.args
    if above.op is Op.DIV:
        return div(above.args[0], mul(above.args[1], below))
    return None


def constant_ratio(e: Expr) -> Expr | None:
    """4*x/2 -> 2*x"""
    above, below = e.args
    if below.op is Op.CONST and below.data != 0 and above.op is Op.MUL and above.args[0].op is Op.CONST:
        return mul(const(above.args[0].data / below.data), *above.args[1:])
    return None


# ---------------------------------------------------------------- functions


def idempotent_call(e: Expr) -> Expr | None:
    """min(x, x) -> x, abs(abs(x)) -> abs(x), abs(-x) -> abs(x), floor(real(n)) -> real(n)"""
    first = e.args[0]
    match e.data:
        case "min" | "max" if e.args[0] is e.args[1]:
            return first
        case "abs" if first.op is Op.CALL and first.data == "abs":
            return first
        case "abs" if first.op is Op.NEG:
            return call("abs", first.args[0])
        case "floor" | "ceil" if first.op is Op.CALL and first.data in ("floor", "ceil", "real"):
            return first
        case "floor" | "ceil" if first.type is Type.INTEGER:
            return call("real", first)
        case "integer" if first.type is Type.INTEGER:
            return first
        case "integer" if first.op is Op.CALL and first.data == "real":
            return first.args[0]
        case _:
            return None


# ---------------------------------------------------------------- logic


def negated_relation(e: Expr) -> Expr | None:
    """not (i < j) -> i >= j for Integers. Relations of Reals stay: they carry events, and NaN is in none."""
    (inner,) = e.args
    if inner.op in RELATIONS and all(a.type is not Type.REAL for a in inner.args):
        return relation(NEGATED[inner.op], *inner.args)
    return None


def same_sides(e: Expr) -> Expr | None:
    """x < x -> false, x <= x -> true, for a leaf, whose value is taken to be finite"""
    a, b = e.args
    if a is b and is_leaf(a):
        return const(e.op in (Op.LE, Op.GE, Op.EQ))
    return None


def complement(e: Expr) -> Expr | None:
    """a and not a -> false, a or not a -> true"""
    present = set(e.args)
    if any(a.op is Op.NOT and a.args[0] in present for a in e.args):
        return FALSE if e.op is Op.AND else TRUE
    return None


def inverted_condition(e: Expr) -> Expr | None:
    """if not c then a else b -> if c then b else a"""
    condition, then, other = e.args
    return if_(condition.args[0], other, then) if condition.op is Op.NOT else None


def known_condition(e: Expr) -> Expr | None:
    """if c then (if c then a else b) else d -> if c then a else d, and the same in the other branch"""
    condition, then, other = e.args
    if then.op is Op.IF and then.args[0] is condition:
        return _branch(e, then.args[1], other)
    if other.op is Op.IF and other.args[0] is condition:
        return _branch(e, then, other.args[2])
    return None


def _branch(e: Expr, then: Expr, other: Expr) -> Expr:
    """A new `if` that keeps the type of the old one, should the dropped branch have made it a Real."""
    found = if_(e.args[0], then, other)
    return call("real", found) if e.type is Type.REAL else found


def logical_if(e: Expr) -> Expr | None:
    """if c then true else b -> c or b, if c then b else false -> c and b"""
    condition, then, other = e.args
    if then is TRUE:
        return or_(condition, other)
    if other is FALSE:
        return and_(condition, then)
    return None


#: The rules for each kind of node, tried in order.
RULES: dict[Op, tuple[Rule, ...]] = {
    Op.ADD: (collect_terms,),
    Op.MUL: (collect_factors,),
    Op.POW: (power_of_power,),
    Op.DIV: (nested_division, constant_ratio),
    Op.CALL: (fold_call, idempotent_call),
    Op.NOT: (negated_relation,),
    Op.AND: (complement,),
    Op.OR: (complement,),
    Op.IF: (inverted_condition, known_condition, logical_if),
    **dict.fromkeys(RELATIONS, (same_sides,)),
}
