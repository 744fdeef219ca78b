"""The implicit form F(t, y, y') = 0 of the differential equations, for an integrator of DAEs (IDA).

The explicit form solves every algebraic loop inside every evaluation of the derivatives. Here the loops are
left to the integrator, whose own Newton iteration solves them together with the step. Of the blocks that the
derivatives need, in order,

    [der(x)] = e                 explicit        0 = x' - e
    [v] = e                      explicit        computed in between
    A(t, x, v) u = b(t, x, v)    linear loop     0 = A u - b      residual equations
    r(t, x, v, u) = 0            nonlinear loop  0 = r            all equations

The components of y are the states, then the algebraic tearing variables of linear loops and the algebraic
unknowns of nonlinear ones. A `der(x)` among them is the x' that the integrator offers. The inner unknowns of
a torn loop are computed like those of explicit blocks. There are as many residuals as components: each
derivative, however it comes about, stands for one state.

Tearing makes the integrator's matrix small: a network of a hundred loops runs four times as fast. Nonlinear
loops are not torn all the same. There the iteration needs predicted values of all loop unknowns: with those
of tearing variables alone, steps failed where all diodes of a rectifier block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from saltus.emit.layout.schedule import continuous_blocks, needed
from saltus.emit.loops.torn import untorn
from saltus.expr.nodes import Expr, Op, Type, add, der, div, mul, neg, ref
from saltus.ir.sorted.blocks import Block, Explicit, Linear, Nonlinear, Tearing
from saltus.ir.structure import Structure


@dataclass(frozen=True)
class ImplicitForm:
    """The blocks that the derivatives need, and the algebraic components of the loops among them."""

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
    loop_unknowns = [x for b in blocks for x in _tearing_variables(b) if x.op is not Op.DER]
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
        yield from ((x, rate_of[x]) for x in _tearing_variables(block) if x in rate_of)
    for block in form.blocks:
        for unknown, value in _computed(block):
            yield unknown, value
            if unknown in rate_of:
                yield next(rows), rate_of[unknown] - unknown
        yield from ((next(rows), residual) for residual in _residuals(block))


def _tearing(block: Linear | Nonlinear) -> Tearing:
    torn = block.tearing if isinstance(block, Linear) else None  # see above
    return torn or untorn(len(block.unknowns))


def _tearing_variables(block: Block) -> list[Expr]:
    return (
        [block.unknowns[j] for j in _tearing(block).columns] if isinstance(block, Linear | Nonlinear) else []
    )


def _computed(block: Block) -> list[tuple[Expr, Expr]]:
    """Unknowns that follow from what is known and from the tearing variables, in order."""
    match block:
        case Explicit(unknown, value, _):
            # Text is for messages, not for the run.
            return [] if unknown.type is Type.STRING else [(unknown, value)]
        case Linear():
            pivots = dict(_tearing(block).inner)
            rows = _rows(block, pivots)
            entries = {(i, j): a for i, j, a in block.matrix}
            return [(block.unknowns[j], div(neg(rows[i]), entries[i, j])) for i, j in pivots.items()]
        case _:
            return []


def _residuals(block: Block) -> list[Expr]:
    """The residual equations."""
    match block:
        case Nonlinear():
            return list(block.residuals)
        case Linear():
            rows = _rows(block, {})
            return [rows[i] for i in _tearing(block).rows]
        case _:
            return []


def _rows(block: Linear, pivots: Mapping[int, int]) -> list[Expr]:
    """A x - b, in each row without the term of its pivot."""
    rows: list[list[Expr]] = [[neg(b)] for b in block.right]
    for i, j, a in block.matrix:
        if pivots.get(i) != j:
            rows[i].append(mul(a, block.unknowns[j]))
    return [add(*terms) for terms in rows]
