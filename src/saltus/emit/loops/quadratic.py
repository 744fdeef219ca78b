"""One equation that is quadratic in its unknown, solved without iteration.

A rod of fixed length makes x^2 + y^2 = L^2 of every Cartesian pendulum. From any value x of the unknown the
equation is exactly

    r(x + d)  =  r + r' d + r'' d^2 / 2,        so        d  =  -2 r / (r' + sign(r') sqrt(r'^2 - 2 r'' r))

is the step to the solution on the same side of the vertex: the one to which Newton's method would go from
there, so that a pendulum stays on its side. Written in this way a short step is exact to the last digit.
Where there is no solution, Newton's method is left to find that out and to say so.
"""

from __future__ import annotations

from collections.abc import Mapping

from saltus.emit.straight.sharing import Section
from saltus.expr.differentiate import NotDifferentiable, differentiate
from saltus.expr.nodes import ZERO, Expr, Op, Symbol, Type, call, const, if_, ref, relation
from saltus.expr.traversal import leaves
from saltus.ir.program import Assign, Break, For, If, Statement, Store
from saltus.ir.sorted.blocks import Nonlinear

#: Steps below this part of the unknown, or of its nominal value, are rounding: they are not taken, so that
#: solving again changes nothing. After longer steps than this the rounding of the first is taken back.
ROUNDING = 1e-15
LONG = 1e-3


def curvature(block: Nonlinear) -> Expr | None:
    """The second derivative of the residual, where the block is one quadratic equation."""
    if len(block.unknowns) != 1 or block.jacobian is None or not block.jacobian:
        return None
    (unknown,) = block.unknowns
    try:
        found = differentiate(block.jacobian[0][2], unknown)
    except NotDifferentiable:
        return None
    return None if found is ZERO or unknown in leaves(found) else found


def solve_quadratic(
    block: Nonlinear, bend: Expr, slots: Mapping[Expr, int], outer: Section, otherwise: list[Statement]
) -> list[Statement]:
    """The step to the solution from the value in memory; `otherwise` is carried out where there is none."""
    (unknown,), (residual,), ((_, _, slope),) = block.unknowns, block.residuals, block.jacobian or ()
    # A section of its own: what is computed here is not known any more once the unknown has another value.
    section = Section(
        (residual, slope, bend), outer.locals, outer.lowered, parent=outer, varying=frozenset((unknown,))
    )
    r, first, second = (section.atom(e) for e in (residual, slope, bend))
    discriminant, root, step = (outer.locals.new(name) for name in ("discriminant", "root", "step"))
    both = if_(relation(Op.GE, first, ZERO), first + ref(root), first - ref(root))
    solvable = relation(Op.GT, ref(discriminant), ZERO)
    weight = section.atom(call("max", call("abs", unknown), call("abs", block.nominals[0])))

    def exceeds(part: float) -> Expr:
        return relation(Op.GT, call("abs", ref(step)), part * weight)

    body: tuple[Statement, ...] = (
        *section.statements,
        Assign(discriminant, first * first - 2.0 * second * r),
        If(((solvable, ()),), (*otherwise, Break())),
        Assign(root, call("sqrt", ref(discriminant))),
        Assign(step, 2.0 * r / both),
        Store(slots[unknown], if_(exceeds(ROUNDING), unknown - ref(step), unknown)),
        If(((exceeds(LONG), ()),), (Break(),)),
    )
    twice = Symbol("twice", Type.INTEGER)
    return [For(twice, const(1), const(1), const(2), body)]
