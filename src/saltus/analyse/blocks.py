"""From a matching to blocks: each strongly connected component becomes explicit, linear or nonlinear.

A single equation is solved symbolically where that is possible; a component whose residuals are linear in
all its unknowns jointly is a linear system with symbolic coefficients; everything else is solved by Newton
iteration with a symbolic Jacobian where there is one. Components of several equations are torn (`tearing`).

An unknown that constants and parameters alone determine (the voltage of a ground) is inserted into the blocks
after it. So it is not computed in every step, and what it multiplies may turn out to be linear. The equations
of a block stay as they were written.

Discrete unknowns are assigned, never iterated: a component that contains one and anything else is refused.
Loops through relations do not get here, since the truth of a relation is known during a pass.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from saltus.analyse.parameters import free_parameters
from saltus.analyse.sort import sorted_components
from saltus.analyse.system import System, dependencies
from saltus.analyse.tearing import tear
from saltus.analyse.trial import TrialValues
from saltus.analyse.wording import LISTED, listed
from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.expr.differentiate import NotDifferentiable, differentiate
from saltus.expr.linear import linear_system, solve
from saltus.expr.nodes import ONE, ZERO, Expr, Op, Type, leaf_symbol, leaves, not_, ref, sub, substitute
from saltus.expr.show import show
from saltus.ir.flat import Equation
from saltus.ir.hybrid import HybridModel
from saltus.ir.structure import Block, Explicit, Linear, Nonlinear, Tearing


class BlockMaker:
    """Makes blocks. The running and the initial system share most components, so that what was made for
    the same equations and unknowns is used again."""

    def __init__(self, model: HybridModel) -> None:
        self._nominals = {v.symbol: v.nominal for v in model.variables() if v.nominal is not None}
        self._started = {v.symbol for v in (*model.states, *model.algebraics) if v.start is not None}
        self._trial = TrialValues(model)
        self._made: dict[tuple[tuple[Equation, ...], tuple[Expr, ...]], Block] = {}
        free = {v.symbol for v in free_parameters(model)}
        known = (*model.constants, *model.parameters)
        self._parameters = {ref(v.symbol) for v in known if v.symbol not in free}
        self._constant: dict[Expr, Expr] = {}  # unknowns with values that do not change during a run

    def sorted_blocks(self, system: System, matched: Sequence[int]) -> tuple[Block, ...]:
        """Blocks in the order of evaluation, for a matching that is perfect."""
        blocks = []
        for rows in sorted_components(dependencies(system, matched)):
            columns = [matched[row] for row in rows]
            equations = tuple(system.equations[row] for row in rows)
            unknowns = tuple(system.unknowns[column] for column in columns)
            block = self._made.get((equations, unknowns))
            if block is None:
                if any(map(system.is_discrete, columns)) and not _at_rest(unknowns):
                    block = _discrete(unknowns, equations)
                else:
                    block = self._continuous(unknowns, equations)
                self._made[equations, unknowns] = block
            blocks.append(block)
        return tuple(blocks)

    def _continuous(self, unknowns: tuple[Expr, ...], equations: tuple[Equation, ...]) -> Block:
        sides = self._inserted(unknowns, equations)
        if len(equations) == 1:
            value = _solved(unknowns[0], *sides[0])
            if value is not None:
                self._note_constant(unknowns[0], value)
                return Explicit(unknowns[0], value, equations[0])
        residuals = tuple(sub(lhs, rhs) for lhs, rhs in sides)
        if len(equations) > 1:
            affine = linear_system(residuals, unknowns)
            if affine is not None:
                matrix, right = affine
                tearing = self._torn(unknowns, matrix)
                return Linear(unknowns, equations, tuple(matrix), tuple(right), tearing)
        scales = tuple(self._nominals.get(leaf_symbol(x), ONE) for x in unknowns)
        jacobian = _jacobian(residuals, unknowns)
        block = Nonlinear(unknowns, equations, residuals, jacobian, scales)
        return self._torn_nonlinear(block, sides) if len(unknowns) > 1 else block

    def _note_constant(self, unknown: Expr, value: Expr) -> None:
        if unknown.op is Op.REF and all(leaf in self._parameters for leaf in leaves(value)):
            self._constant[unknown] = value

    def _inserted(
        self, unknowns: tuple[Expr, ...], equations: tuple[Equation, ...]
    ) -> list[tuple[Expr, Expr]]:
        """The sides of the equations with constant unknowns inserted; as they are where one of the unknowns
        would vanish, as x does from 0*x: then the run has to tell."""
        plain = [(q.lhs, q.rhs) for q in equations]
        own = set(unknowns)
        memo: dict[Expr, Expr] = {}
        inserted: list[tuple[Expr, Expr]] = []
        for lhs, rhs in plain:
            used = {leaf for side in (lhs, rhs) for leaf in leaves(side)}
            if not any(leaf in self._constant for leaf in used):
                inserted.append((lhs, rhs))
                continue
            new = substitute(lhs, self._constant, memo), substitute(rhs, self._constant, memo)
            if any(own & used - {leaf for side in new for leaf in leaves(side)}):
                return plain
            inserted.append(new)
        return inserted

    def _torn(
        self,
        unknowns: tuple[Expr, ...],
        matrix: Sequence[tuple[int, int, Expr]],
        wanted: Collection[int] = (),
        bends: Collection[tuple[int, int]] = (),
    ) -> Tearing:
        values = {(i, j): self._trial.number(e) for i, j, e in matrix}
        return tear(len(unknowns), matrix, values, wanted, bends)

    def _torn_nonlinear(self, block: Nonlinear, sides: Sequence[tuple[Expr, Expr]]) -> Nonlinear:
        """Torn by the Jacobian; a function that has no derivative leaves its unknowns to the iteration."""
        if block.jacobian is None:
            return block
        column = {x: j for j, x in enumerate(block.unknowns)}
        bends = [(i, column[leaf]) for i, _, e in block.jacobian for leaf in leaves(e) if leaf in column]
        wanted = {j for j, x in enumerate(block.unknowns) if leaf_symbol(x) in self._started}
        tearing = self._torn(block.unknowns, block.jacobian, wanted, bends)
        inner: list[Expr] = []
        for i, j in tearing.inner:
            value = _solved(block.unknowns[j], *sides[i])
            if value is None:  # linear, but not as it is written
                return block
            inner.append(value)
        return replace(block, tearing=tearing, inner=tuple(inner))


def _solved(unknown: Expr, lhs: Expr, rhs: Expr) -> Expr | None:
    """The value of an unknown from an equation, None where there is no formula."""
    solution = solve(lhs, rhs, unknown)
    return None if solution is None else solution.value


def _jacobian(
    residuals: tuple[Expr, ...], unknowns: tuple[Expr, ...]
) -> tuple[tuple[int, int, Expr], ...] | None:
    """The entries that are not zero, row by row; None where a residual has no symbolic derivative."""
    column = {x: j for j, x in enumerate(unknowns)}
    entries: list[tuple[int, int, Expr]] = []
    try:
        for i, residual in enumerate(residuals):
            for j in sorted(column[leaf] for leaf in leaves(residual) if leaf in column):
                slope = differentiate(residual, unknowns[j])
                if slope is not ZERO:
                    entries.append((i, j, slope))
    except NotDifferentiable:
        return None
    return tuple(entries)


# ---------------------------------------------------------------- discrete equations


def _at_rest(unknowns: tuple[Expr, ...]) -> bool:
    """A loop of discrete Reals with a value before the start among them, as `y = pre(y)` in an initial
    equation makes it: numbers like any others."""
    return (
        len(unknowns) > 1
        and any(x.op is Op.PRE for x in unknowns)
        and all(x.type is Type.REAL for x in unknowns)
    )


def _discrete(unknowns: tuple[Expr, ...], equations: tuple[Equation, ...]) -> Explicit:
    """The assignment of a discrete unknown; several, or one with continuous unknowns, are a loop."""
    if len(unknowns) > 1:
        raise _discrete_loop(unknowns, equations)
    (unknown,), (q,) = unknowns, equations
    for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
        negated = side.op is Op.NOT and side.args[0] is unknown
        if side is not unknown and not negated:
            continue
        if unknown in leaves(other):
            raise _discrete_loop((unknown,), (q,))
        return Explicit(unknown, not_(other) if negated else other, q)
    value = _solved(unknown, q.lhs, q.rhs)
    if value is None:
        raise model_error(
            "E305",
            f"the discrete variable `{show(unknown)}` cannot be computed from its equation",
            q.span,
            hint=f"write the equation in the form `{show(unknown)} = ...`",
        )
    return Explicit(unknown, value, q)


def _is_condition(x: Expr) -> bool:
    """A variable that the compiler made for the condition of a when-clause: the user has not heard of it."""
    return leaf_symbol(x).name.startswith("$")


def _told(x: Expr) -> str:
    return "the condition of a `when`" if _is_condition(x) else f"`{show(x)}`"


def _discrete_loop(unknowns: tuple[Expr, ...], equations: tuple[Equation, ...]) -> ModelError:
    first = unknowns[0]
    notes = [
        Note(f"{_told(x)} is determined here", q.span)
        for x, q in list(zip(unknowns, equations, strict=True))[:LISTED]
    ]
    if len(unknowns) == 1:
        message = f"the discrete variable `{show(first)}` depends on its own new value"
    else:
        named = [x for x in unknowns if not _is_condition(x)]
        message = f"these variables depend on each other at an event: {listed([show(x) for x in named])}"
        if len(named) < len(unknowns):
            message += ", through the condition of a `when`"
        if len(unknowns) > LISTED:
            notes.append(Note(f"... and {len(unknowns) - LISTED} more equations"))
    return model_error(
        "E305",
        message,
        equations[0].span,
        notes=tuple(notes),
        hint="break the loop with `pre(...)` where the value before the event is meant",
    )
