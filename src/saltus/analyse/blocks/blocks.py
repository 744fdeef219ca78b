"""From a matching to blocks: each strongly connected component becomes explicit, linear or nonlinear.

A single equation is solved symbolically where that is possible; a component whose residuals are linear in
all its unknowns jointly is a linear system with symbolic coefficients; everything else is solved by Newton
iteration with a symbolic Jacobian where there is one. Components of several equations are torn (`tearing`).

An unknown that constants and parameters alone determine (the voltage of a ground) is inserted into the blocks
after it. So it is not computed in every step, and what it multiplies may turn out to be linear. The equations
of a block stay as they were written.

Discrete unknowns are assigned, never iterated. Loops through relations do not get here, since the truth of a
relation is known during a pass. Other loops with Boolean or Integer unknowns are made open in the same way: a
few of these unknowns are *presumed* where the component uses them, and what is left of it is sorted again.

    n = integer(x)                       x + y = if presumed(n) > 1 then a else b     (a linear system for
    x + y = if n > 1 then a else b   ->  x - y = c                                     x and y)
    x - y = c                            n = integer(x)

The event iteration repeats its passes until presumed and computed values agree (`ir.structure.Presumption`).
Loops of discrete Reals are solved like any others. Where continuous unknowns are among them (a sampled
controller whose output acts on what it measures), the system is solved at events only, with copies of these
unknowns, the *echoes*; they themselves follow from the discrete ones, as they do between events.
Alternative not taken: to iterate over the modes of each component alone. Modes of different components may
depend on each other, and relations on both; one iteration for all of them is simpler and misses nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from saltus.analyse.blocks.tearing import tear
from saltus.analyse.index.shared_work import Common
from saltus.analyse.index.trial import TrialValues
from saltus.analyse.order.contradiction import is_contradiction
from saltus.analyse.order.feedback import cut_loops
from saltus.analyse.order.parameters import free_parameters
from saltus.analyse.order.sort import sorted_components
from saltus.analyse.order.system import System, dependencies
from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.wording import LISTED, listed
from saltus.expr.differentiate import NotDifferentiable, differentiate
from saltus.expr.linear import linear_system, solve
from saltus.expr.nodes import ONE, TIME, ZERO, Expr, Op, Symbol, Type, leaf_symbol, not_, pre, ref, sub
from saltus.expr.show import show
from saltus.expr.traversal import leaves, substitute
from saltus.ir.flat import Equation
from saltus.ir.hybrid import HybridModel
from saltus.ir.sorted.blocks import Block, Explicit, Linear, Nonlinear, Tearing
from saltus.ir.structure import Presumption


@dataclass(frozen=True)
class _Component:
    """A strongly connected component. `needs[i]` are the places of the unknowns that equation i uses; its own
    is added where it is assigned something that depends on it."""

    unknowns: tuple[Expr, ...]
    equations: tuple[Equation, ...]
    discrete: list[bool]
    needs: list[list[int]]

    def part(self, rows: Sequence[int]) -> tuple[tuple[Expr, ...], tuple[Equation, ...]]:
        """Some unknowns, and their equations."""
        return tuple(self.unknowns[k] for k in rows), tuple(self.equations[k] for k in rows)

    def of_itself(self) -> list[int]:
        """Discrete unknowns that are assigned something that depends on them."""
        pairs = zip(self.unknowns, self.equations, self.discrete, strict=True)
        return [k for k, (x, q, discrete) in enumerate(pairs) if discrete and _uses_itself(x, q)]


class BlockMaker:
    """Makes blocks. The running and the initial system share most components, so that what was made for
    the same equations and unknowns is used again; so are continuous blocks of other modes."""

    def __init__(
        self, model: HybridModel, common: Common | None = None, lasting: Container[Expr] | None = None
    ) -> None:
        """Inserts values of unknowns that do not change during a run where they are used; if `lasting` is
        given, only those of its unknowns."""
        self._lasting = lasting
        self._common = (common or Common()).blocks
        self._nominals = {v.symbol: v.nominal for v in model.variables() if v.nominal is not None}
        self._started = {v.symbol for v in (*model.states, *model.algebraics) if v.start is not None}
        self._trial = TrialValues(model)
        self._made: dict[tuple[tuple[Equation, ...], tuple[Expr, ...]], tuple[Block, ...]] = {}
        self._presumed: dict[Expr, Presumption] = {}
        self._echoes: dict[Expr, Expr] = {}
        free = {v.symbol for v in free_parameters(model)}
        known = (*model.constants, *model.parameters)
        self._parameters = {ref(v.symbol) for v in known if v.symbol not in free}
        self._constant: dict[Expr, Expr] = {}  # unknowns with values that do not change during a run

    def tell_sizes(self, nominals: Mapping[Symbol, Expr]) -> None:
        """Nominal values of unknowns that are no variables of the model."""
        self._nominals |= nominals

    @property
    def presumptions(self) -> tuple[Presumption, ...]:
        """The presumptions of all blocks made so far."""
        return tuple(self._presumed.values())

    @property
    def echoes(self) -> dict[Expr, Expr]:
        """The echoes of all blocks made so far: the copies, and what they are copies of."""
        return {echo: unknown for unknown, echo in self._echoes.items()}

    def sorted_blocks(self, system: System, matched: Sequence[int]) -> tuple[Block, ...]:
        """Blocks in the order of evaluation, for a matching that is perfect."""
        blocks: list[Block] = []
        needs = dependencies(system, matched)
        for rows in sorted_components(needs):
            columns = [matched[row] for row in rows]
            equations = tuple(system.equations[row] for row in rows)
            unknowns = tuple(system.unknowns[column] for column in columns)
            made = self._made.get((equations, unknowns))
            if made is None:
                place = {row: k for k, row in enumerate(rows)}
                local = [[place[d] for d in needs[row] if d in place] for row in rows]
                discrete = [system.is_discrete(column) for column in columns]
                made = tuple(self._component(_Component(unknowns, equations, discrete, local)))
                self._made[equations, unknowns] = made
            blocks += made
        return tuple(blocks)

    def _component(self, loop: _Component) -> Iterator[Block]:
        """The blocks of a component: one, or several where some unknowns are presumed."""
        unknowns, equations, needs = loop.unknowns, loop.equations, loop.needs
        if not any(loop.discrete) or _at_rest(unknowns):
            yield self._continuous(unknowns, equations)
            return
        for k in loop.of_itself():
            if not _may_hold_itself(unknowns[k], equations[k]):
                raise _own_value(unknowns[k], equations[k])
            needs[k].append(k)
        if not any(needs):
            yield self._discrete(unknowns[0], equations[0], {})
            return
        if is_contradiction(unknowns, equations):
            raise _contradiction(unknowns, equations)
        ranks = [_rank(x) if d else None for x, d in zip(unknowns, loop.discrete, strict=True)]
        cut = cut_loops(needs, ranks)
        presumed = {unknowns[k]: self._presume(unknowns[k], equations[k], unknowns) for k in cut}
        known = set(cut)
        for part in sorted_components([[d for d in need if d not in known] for need in needs]):
            if not any(loop.discrete[k] for k in part):
                yield self._continuous(*loop.part(part), presumed)
            elif len(part) == 1:
                yield self._discrete(unknowns[part[0]], equations[part[0]], presumed)
            else:
                yield from self._sampled(loop, part, presumed)

    def _discrete(self, unknown: Expr, q: Equation, presumed: dict[Expr, Expr]) -> Block:
        """The assignment of a discrete unknown. A Real may have to be searched for, as any other, if nothing
        that varies between events is in its equation."""
        if unknown.type is Type.REAL and _assigned(unknown, q) is None and TIME not in q.leaves:
            return self._continuous((unknown,), (q,), presumed)
        return _discrete(unknown, q, presumed)

    def _sampled(self, loop: _Component, part: Sequence[int], presumed: dict[Expr, Expr]) -> Iterator[Block]:
        """Discrete Reals that depend on each other, then the continuous unknowns among them."""
        discrete, continuous = ([k for k in part if loop.discrete[k] is d] for d in (True, False))
        echoes = {loop.unknowns[k]: self._echo(loop.unknowns[k]) for k in continuous}
        unknowns, equations = loop.part([*discrete, *continuous])
        own = tuple(echoes.get(x, x) for x in unknowns)
        yield self._continuous(own, equations, {**presumed, **echoes})
        place = {k: i for i, k in enumerate(continuous)}
        for rows in sorted_components([[place[d] for d in loop.needs[k] if d in place] for k in continuous]):
            yield self._continuous(*loop.part([continuous[i] for i in rows]), presumed)

    def _echo(self, unknown: Expr) -> Expr:
        """The copy of a continuous unknown, for events."""
        if unknown not in self._echoes:
            of = leaf_symbol(unknown)
            helper, derived = (of.helper, of.derivative_of) if unknown.op is Op.REF else (None, of)
            echo = Symbol(show(unknown), unknown.type, helper=helper, derivative_of=derived)
            self._echoes[unknown] = ref(echo)
        return self._echoes[unknown]

    def _presume(self, unknown: Expr, equation: Equation, loop: tuple[Expr, ...]) -> Expr:
        """What stands for the unknown where it is not computed yet."""
        found = self._presumed.get(unknown)
        if found is None:
            symbol = Symbol(f"presumed({show(unknown)})", unknown.type)
            found = self._presumed[unknown] = Presumption(unknown, ref(symbol), equation, loop)
        return found.presumed

    def _continuous(
        self,
        unknowns: tuple[Expr, ...],
        equations: tuple[Equation, ...],
        presumed: dict[Expr, Expr] | None = None,
    ) -> Block:
        sides = self._inserted(unknowns, equations)
        if presumed:
            memo: dict[Expr, Expr] = {}
            sides = [(substitute(lhs, presumed, memo), substitute(rhs, presumed, memo)) for lhs, rhs in sides]
        as_written = all((q.lhs, q.rhs) == side for q, side in zip(equations, sides, strict=True))
        block = self._common.get((equations, unknowns)) if as_written else None
        if block is None:
            block = self._solving(unknowns, equations, sides)
            if as_written:
                self._common[equations, unknowns] = block
        if isinstance(block, Explicit):
            self._note_constant(block.unknown, block.value)
        return block

    def _solving(
        self, unknowns: tuple[Expr, ...], equations: tuple[Equation, ...], sides: list[tuple[Expr, Expr]]
    ) -> Block:
        if len(equations) == 1:
            value = _solved(unknowns[0], *sides[0])
            if value is not None:
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
        lasts = self._lasting is None or unknown in self._lasting
        if lasts and unknown.op is Op.REF and all(leaf in self._parameters for leaf in leaves(value)):
            self._constant[unknown] = value

    def _inserted(
        self, unknowns: tuple[Expr, ...], equations: tuple[Equation, ...]
    ) -> list[tuple[Expr, Expr]]:
        """The sides of the equations with constant unknowns inserted; unchanged where one of the unknowns
        would vanish, as x does from 0*x: then the run has to decide."""
        plain = [(q.lhs, q.rhs) for q in equations]
        if not any(leaf in self._constant for q in equations for leaf in q.leaves):
            return plain
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


def _rank(x: Expr) -> int | None:
    """Which of the discrete unknowns of a loop are presumed first: Booleans, since there are only two values
    to choose from, and before others those that the user has heard of. Reals are never presumed."""
    if x.op is not Op.REF or x.type not in (Type.BOOLEAN, Type.INTEGER):
        return None
    return (0 if x.type is Type.BOOLEAN else 2) + (1 if _is_condition(x) else 0)


def _assigned(unknown: Expr, q: Equation) -> tuple[Expr, bool] | None:
    """What an equation `d = e`, `not d = e` or either turned round assigns to d: e, and whether it is
    negated. None for other forms."""
    for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
        negated = side.op is Op.NOT and side.args[0] is unknown
        if side is unknown or negated:
            return other, negated
    return None


def _uses_itself(unknown: Expr, q: Equation) -> bool:
    """Whether a discrete unknown is assigned something that depends on it."""
    found = _assigned(unknown, q)
    return found is not None and unknown in leaves(found[0])


def _may_hold_itself(unknown: Expr, q: Equation) -> bool:
    """Whether its own new value is what was meant: a gate that holds itself, `b = b or c`. In a when-clause,
    and for numbers, it is more likely that pre(...) was forgotten."""
    return unknown.type is Type.BOOLEAN and pre(unknown) not in (*leaves(q.lhs), *leaves(q.rhs))


def _discrete(unknown: Expr, q: Equation, presumed: dict[Expr, Expr]) -> Explicit:
    """The assignment of a discrete unknown."""
    found = _assigned(unknown, q)
    if found is not None:
        value = substitute(found[0], presumed)
        return Explicit(unknown, not_(value) if found[1] else value, q)
    solved = _solved(unknown, substitute(q.lhs, presumed), substitute(q.rhs, presumed))
    if solved is None:
        raise model_error(
            "E305",
            f"the discrete variable `{show(unknown)}` cannot be computed from its equation",
            q.span,
            hint=f"write the equation in the form `{show(unknown)} = ...`",
            origin=q.origin,
        )
    return Explicit(unknown, solved, q)


def _is_condition(x: Expr) -> bool:
    """A variable that the compiler made for the condition of a when-clause: the user has not heard of it."""
    return leaf_symbol(x).helper is not None


def _told(x: Expr) -> str:
    return "the condition of a `when`" if _is_condition(x) else f"`{show(x)}`"


def _own_value(unknown: Expr, q: Equation) -> ModelError:
    return model_error(
        "E305",
        f"the discrete variable `{show(unknown)}` depends on its own new value",
        q.span,
        hint=f"write `pre({show(unknown)})` where the value before the event is meant",
        origin=q.origin,
    )


def _contradiction(unknowns: tuple[Expr, ...], equations: tuple[Equation, ...]) -> ModelError:
    several = len(unknowns) > 1
    return model_error(
        "E305",
        f"no values of {_named(unknowns)} satisfy {'these equations' if several else 'this equation'}",
        equations[0].span,
        notes=_determined_here(unknowns, equations) if several else (),
        hint="write `pre(...)` where the value before the event is meant",
        origin=equations[0].origin,
    )


def _named(unknowns: tuple[Expr, ...]) -> str:
    named = [x for x in unknowns if not _is_condition(x)]
    hidden = ", through the condition of a `when`" if len(named) < len(unknowns) else ""
    return listed([show(x) for x in named]) + hidden


def _determined_here(unknowns: tuple[Expr, ...], equations: tuple[Equation, ...]) -> tuple[Note, ...]:
    notes = [
        Note(f"{_told(x)} is determined here", q.span)
        for x, q in list(zip(unknowns, equations, strict=True))[:LISTED]
    ]
    if len(unknowns) > LISTED:
        notes.append(Note(f"... and {len(unknowns) - LISTED} more equations"))
    return tuple(notes)
