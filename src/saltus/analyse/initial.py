"""The initial system: what holds at the start, and which start values complete it.

Unknown are the states, their derivatives, algebraic and discrete variables, and the parameters that
initialisation determines. Given are all equations of the model, the initial equations, and `x = start` for
every continuous variable with fixed = true. What is still open is completed with `x = start` for states that
are not fixed: those with a start value first, those with fixed = false last, in the order of declaration,
and only where such an equation can be matched beside the given ones (a greedy choice along augmenting
paths, see `matching`). The start values that were *chosen* are told in a warning unless they are what
anyone would expect.

`pre(d)` of a discrete variable is known and holds its start value, so `d = if ... else pre(d)` works as it
stands. An initial equation for `d` takes the place of that equation; one for `pre(d)` makes `pre(d)` an
unknown of this system. `initial()` is true here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from saltus.analyse.alias import Reduced, start_value
from saltus.analyse.blocks import BlockMaker
from saltus.analyse.homotopy import at_start, rewritten
from saltus.analyse.matching import Matching
from saltus.analyse.parameters import binding_equation, free_parameters
from saltus.analyse.singular import equation_text
from saltus.analyse.system import System, unsigned
from saltus.analyse.wording import LISTED, listed, number
from saltus.core.diagnostics import Diagnostic, ModelError, Note, model_error
from saltus.expr.nodes import (
    FALSE,
    INITIAL,
    ONE,
    Expr,
    Op,
    Symbol,
    Type,
    add,
    call,
    const,
    if_,
    leaves,
    mul,
    no_event,
    pre,
    ref,
    relation,
    sub,
    walk,
)
from saltus.expr.show import show
from saltus.ir.flat import Equation, Variable
from saltus.ir.hybrid import Check, HybridModel
from saltus.ir.structure import Block

#: How far a redundant fixed start value may be off, relative to its size.
CONSISTENT = 1e-6


@dataclass(frozen=True, eq=False)
class InitialSystem:
    """The sorted initial system, and what to tell about it."""

    blocks: tuple[Block, ...]
    warnings: tuple[Diagnostic, ...]
    checks: tuple[Check, ...]  # fixed start values that follow from others already


def initial_system(
    reduced: Reduced,
    running: System,
    matched: list[int],
    maker: BlockMaker,
    constrained_variables: frozenset[Symbol] = frozenset(),
) -> InitialSystem:
    """Completes and sorts the initial system. `matched` is the perfect matching of the running system, which
    has the equations of the model in their order.

    A fixed start value of one of the `constrained_variables` (they follow from states by constraints) may be
    redundant; then it is not used, but checked."""
    model = reduced.model
    memo: dict[Expr, Expr] = {}
    during = [_at_start(q, memo) for q in model.equations]
    replaced = _replaced(model.initial_equations, running, during)
    unchanged = [row for row in range(len(during)) if row not in replaced]
    given = [during[row] for row in unchanged]
    given += [_at_start(q, memo) for q in model.initial_equations]
    given += _jumps_at_start(model, memo)
    free = free_parameters(model)
    given += [binding_equation(v) for v in free if v.binding is not None]
    given += [_start_equation(v) for v in (*model.states, *model.algebraics) if v.fixed is True]
    proposals = _proposals(reduced, free)

    full = _system(reduced, running, free, (*given, *(_start_equation(v) for v in proposals)))
    matching = _seeded(full, running, matched, unchanged)
    excess = _add_given(reduced, full, matching, len(given), len(unchanged), constrained_variables)
    checks = tuple(_consistency(reduced, full.equations[row]) for row in excess)
    chosen = []
    for row, v in enumerate(proposals, len(given)):
        if matching.column_of[row] < 0 and matching.augment(row):
            chosen.append(v)

    rows = [row for row, column in enumerate(matching.column_of) if column >= 0]
    assert len(rows) == len(full.unknowns), "every unknown has at least its start value"
    final = System(tuple(full.equations[row] for row in rows), full.unknowns, full.continuous)
    blocks = maker.sorted_blocks(final, [matching.column_of[row] for row in rows])
    constrained = bool(model.initial_equations) or any(v.fixed is True for v in model.algebraics)
    return InitialSystem(blocks, tuple(_warnings(chosen, constrained)), checks)


# ---------------------------------------------------------------- the equations


def _at_start(q: Equation, memo: dict[Expr, Expr]) -> Equation:
    return rewritten(q, at_start(q.lhs, memo), at_start(q.rhs, memo))


def _jumps_at_start(model: HybridModel, memo: dict[Expr, Expr]) -> Iterable[Equation]:
    """A reinit that is active during initialisation (`when initial()`) counts as an initial equation
    (section 8.6 of the specification). Where its condition has no value yet, the start value is the other
    choice."""
    starts = {v.symbol: start_value(v) for v in model.states}
    for jump in model.jumps:
        if not any(node is INITIAL for node in walk(jump.condition)):
            continue
        active = at_start(jump.condition, memo)
        if active is FALSE:
            continue
        value = at_start(jump.value, memo)
        yield Equation(
            ref(jump.state), if_(active, value, starts[jump.state]), jump.span, jump.origin
        )


def _start_equation(v: Variable) -> Equation:
    return Equation(ref(v.symbol), start_value(v), v.span)


def _proposals(reduced: Reduced, free: tuple[Variable, ...]) -> list[Variable]:
    """Variables whose start value may complete the system, the most natural first."""
    states = sorted(
        (v for v in reduced.model.states if v.fixed is not True),
        key=lambda v: (v.fixed is False, v.start is None),
    )
    others = [v for v in reduced.model.algebraics if v.fixed is not True]
    return [*states, *(v for v in free if v.binding is None), *others]


def _replaced(given: Iterable[Equation], running: System, during: list[Equation]) -> set[int]:
    """Rows `d = ... pre(d) ...` of the running system in whose place an initial equation for d stands."""
    row_of = {column: row for row, column in enumerate(running.claims) if column >= 0}
    rows: set[int] = set()
    for q in given:
        for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
            variable, bare = unsigned(side), unsigned(other)
            column = running.column.get(variable)
            if column is None or not running.is_discrete(column):
                continue
            if other is pre(variable):
                continue  # d = pre(d), at rest: that determines pre(d)
            if bare.op is Op.REF and running.column.get(bare, running.continuous) < running.continuous:
                continue  # d = y with a continuous y: that determines y
            row = row_of[column]
            if any(pre(variable) in leaves(e) for e in (during[row].lhs, during[row].rhs)):
                rows.add(row)
                break
    return rows


def _system(
    reduced: Reduced, running: System, free: tuple[Variable, ...], equations: tuple[Equation, ...]
) -> System:
    """The columns of the running system with states, free parameters and `pre` unknowns added."""
    before: dict[Expr, None] = {}
    for q in reduced.model.initial_equations:
        sides = (unsigned(q.lhs), unsigned(q.rhs))
        before.update((side, None) for side in sides if side.op is Op.PRE)
    pre_unknowns = [x for x in before if running.column.get(x.args[0], -1) >= running.continuous]
    reals = [ref(v.symbol) for v in free if v.symbol.type is Type.REAL]
    others = [ref(v.symbol) for v in free if v.symbol.type is not Type.REAL]
    states = [ref(v.symbol) for v in reduced.model.states]
    continuous = [*running.unknowns[: running.continuous], *states, *reals]
    discrete = [*running.unknowns[running.continuous :], *others, *pre_unknowns]
    return System(equations, (*continuous, *discrete), len(continuous))


# ---------------------------------------------------------------- matching


def _seeded(full: System, running: System, matched: list[int], unchanged: list[int]) -> Matching:
    """Starts from the matching of the running system, so that little is left to search."""
    seed = list(full.claims)
    for row, old in enumerate(unchanged):
        column = full.column[running.unknowns[matched[old]]]
        if seed[row] < 0 and not running.is_discrete(matched[old]) and column in full.solvable[row]:
            seed[row] = column
    return Matching(full.solvable, len(full.unknowns), seed)


def _add_given(
    reduced: Reduced,
    full: System,
    matching: Matching,
    given: int,
    model_rows: int,
    constrained_variables: frozenset[Symbol],
) -> list[int]:
    """Matches every given equation; refuses the model where one has nothing left to determine, unless it is a
    start value of a constrained variable. Those rows are returned."""
    excess: list[int] = []
    redundant: list[int] = []
    involved: dict[int, None] = {}
    for row in range(given):
        if matching.column_of[row] < 0 and not matching.augment(row):
            side = full.equations[row].lhs
            if row >= model_rows and side.op is Op.REF and side.data in constrained_variables:
                redundant.append(row)
                continue
            excess.append(row)
            involved.update((r, None) for r in sorted(matching.visited) if r >= model_rows)
            involved[row] = None
    if excess:
        raise _overdetermined(reduced, full, excess, list(involved))
    return redundant


def _consistency(reduced: Reduced, q: Equation) -> Check:
    """An initial value that others determine must agree with them."""
    v = next(v for v in (*reduced.model.states, *reduced.model.algebraics) if v.symbol is q.lhs.data)
    size = add(call("abs", q.rhs), v.nominal if v.nominal is not None else ONE)
    close = relation(Op.LE, call("abs", sub(q.lhs, q.rhs)), mul(const(CONSISTENT), size))
    if v.fixed is True and q.rhs is start_value(v):
        message = f"the fixed start value of `{v.name}` contradicts those of the states it depends on"
    else:
        message = f"`{equation_text(reduced, q)}` contradicts the other initial values and the constraints"
    return Check(INITIAL, no_event(close), const(message), False, q.span)


def _overdetermined(reduced: Reduced, full: System, excess: list[int], involved: list[int]) -> ModelError:
    """Names the equations of which some must go: those in excess and those that already said it all."""
    texts = [equation_text(reduced, full.equations[row]) for row in involved]
    notes = [
        Note(f"`{text}` is given here", full.equations[row].span)
        for text, row in zip(texts[:LISTED], involved[:LISTED], strict=True)
    ]
    if len(involved) > LISTED:
        notes.append(Note(f"... and {len(involved) - LISTED} more equations"))
    if len(excess) == 1:
        message = f"one initial condition too many: {listed(texts)}"
    else:
        message = f"{len(excess)} initial conditions too many among these: {listed(texts)}"
    return model_error(
        "E303",
        message,
        full.equations[excess[0]].span,
        notes=tuple(notes),
        hint="remove an initial equation, or a `fixed = true`",
    )


# ---------------------------------------------------------------- warnings


def _warnings(chosen: list[Variable], constrained: bool) -> Iterable[Diagnostic]:
    silent = [v for v in chosen if v.start is None]
    if silent:
        names = listed([v.name for v in silent])
        words = f"value of {names} is" if len(silent) == 1 else f"values of {names} are"
        yield _warning(f"the initial {words} not given: 0 is used", silent)
    started = [v for v in chosen if v.start is not None]
    if started and constrained:
        names = listed([f"{v.name} = {show(start_value(v))}" for v in started])
        count = number(len(chosen), "initial value")
        verb = "is" if len(started) == 1 else "are"
        yield _warning(f"the initial equations leave {count} open: {names} {verb} used as start", started)


def _warning(message: str, variables: list[Variable]) -> Diagnostic:
    notes = tuple(Note(f"`{v.name}` is declared here", v.span) for v in variables[1:LISTED])
    return Diagnostic(
        "W301", message, variables[0].span, notes, "give `start` and `fixed = true`, or an initial equation"
    )
