"""An equation as a sum of terms: what cancels is removed.

    x + y = x      ->  y = 0
    a = a          ->  0 = 0

Structure looks at which unknowns *occur*; after aliases are eliminated an unknown may still be written in
an equation while its coefficient is zero (a component whose two pins are connected to the same node). Only
terms that are the same expression up to a constant factor are combined, which is linear in the size of the
equation; a full normal form would find more, and is not worth its price here.
"""

from __future__ import annotations

from dataclasses import replace

from saltus.expr.nodes import ZERO, Expr, Op, Type, add, const, mul
from saltus.ir.flat import Equation


def terms(equation: Equation) -> tuple[dict[Expr, float], float, bool]:
    """`lhs - rhs` as coefficients of its terms and a constant; and whether a term occurred twice."""
    found: dict[Expr, float] = {}
    constant: float = 0.0
    repeated = False
    stack = [(equation.rhs, -1.0), (equation.lhs, 1.0)]
    while stack:
        e, factor = stack.pop()
        match e.op:
            case Op.ADD:
                stack.extend((a, factor) for a in reversed(e.args))
            case Op.NEG:
                stack.append((e.args[0], -factor))
            case Op.CONST:
                constant += factor * e.data
            case Op.MUL if e.args[0].op is Op.CONST:
                stack.append((mul(*e.args[1:]), factor * e.args[0].data))
            case _:
                if e in found:
                    repeated = True
                    found[e] += factor
                else:
                    found[e] = factor
    return found, constant, repeated


def is_real(equation: Equation) -> bool:
    """An equation of Reals: at least one side is one (the other may be an Integer)."""
    return Type.REAL in (equation.lhs.type, equation.rhs.type)


def cancel(equation: Equation) -> Equation:
    """The equation without terms that cancel; the same object if there are none."""
    if equation.lhs is equation.rhs:
        return replace(equation, lhs=ZERO, rhs=ZERO)
    if not is_real(equation):
        return equation
    found, constant, repeated = terms(equation)
    if not repeated or all(found.values()):
        return equation
    left = add(*(mul(const(c), t) for t, c in found.items() if c), ZERO)
    return replace(equation, lhs=left, rhs=const(-constant))
