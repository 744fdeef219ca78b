"""The implicit form F(t, y, y') = 0 of the differential equations, for an integrator of DAEs (IDA).

The explicit form solves every algebraic loop inside every evaluation of the derivatives. Here the loops are
left to the integrator, whose own Newton iteration solves them together with the step. Of the blocks that the
derivatives need, in order,

    [der(x)] = e                 explicit        0 = x' - e
    [v] = e                      explicit        computed in between
    A(t, x, v) u = b(t, x, v)    linear loop     0 = A u - b      row by row
    r(t, x, v, u) = 0            nonlinear loop  0 = r            row by row

The components of y are the states, then those unknowns of loops that are algebraic. An unknown `der(x)` of a
loop is the x' that the integrator offers. There are as many residuals as components: each explicit derivative
and each loop unknown that is a derivative stands for one state.

The whole loop is used, not a torn form of it. The price is a larger matrix in the integrator's Newton
iteration; the gain is that this iteration starts from predicted values of all loop unknowns. Torn at its
current, a diode gets its voltage from an equation with new values on the other side, and the exponential of
that is out of Newton's reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from saltus.emit.schedule import continuous_blocks, needed
from saltus.expr.nodes import Expr, Op, Type, add, der, mul, neg, ref
from saltus.ir.structure import Block, Explicit, Linear, Nonlinear, Structure


@dataclass(frozen=True)
class ImplicitForm:
    """The blocks that the derivatives need, and the algebraic unknowns of the loops among them."""

    states: tuple[Expr, ...]
    loop_unknowns: tuple[Expr, ...]
    blocks: tuple[Block, ...]

    @property
    def components(self) -> tuple[Expr, ...]:
        """The leaves that the integrator's vector y holds, in its order."""
        return (*self.states, *self.loop_unknowns)


def implicit_form(structure: Structure) -> ImplicitForm:
    """What the integrator solves for."""
    states = tuple(ref(v.symbol) for v in structure.states)
    blocks = needed(continuous_blocks(structure), [der(x) for x in states])
    loop_unknowns = [
        x for b in blocks if not isinstance(b, Explicit) for x in b.unknowns if x.op is not Op.DER
    ]
    return ImplicitForm(states, tuple(loop_unknowns), tuple(blocks))


def residual_stores(
    form: ImplicitForm, loop_values: Sequence[Expr], rates: Sequence[Expr], residuals: Sequence[Expr]
) -> Iterator[tuple[Expr, Expr]]:
    """The routine `residual`, as what is stored where: (leaf, value), in order. The sequences are leaves of
    what the integrator offers, and of what it gets."""
    rows = iter(residuals)
    rate_of = {der(x): rate for x, rate in zip(form.states, rates, strict=True)}

    yield from zip(form.loop_unknowns, loop_values, strict=True)
    for block in form.blocks:
        if not isinstance(block, Explicit):
            yield from ((x, rate_of[x]) for x in block.unknowns if x in rate_of)
    for block in form.blocks:
        match block:
            case Explicit(unknown, value, _):
                if unknown.type is Type.STRING:
                    continue  # text is for messages, not for the run
                yield unknown, value
                if unknown in rate_of:
                    yield next(rows), rate_of[unknown] - unknown
            case Linear():
                yield from ((next(rows), row) for row in _rows(block))
            case Nonlinear():
                yield from ((next(rows), row) for row in block.residuals)


def _rows(block: Linear) -> Sequence[Expr]:
    """A x - b"""
    rows: list[list[Expr]] = [[neg(b)] for b in block.right]
    for i, j, a in block.matrix:
        rows[i].append(mul(a, block.unknowns[j]))
    return [add(*terms) for terms in rows]
