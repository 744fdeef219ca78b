"""The initial system: what holds at the start, and which start values complete it.

Unknown are the states, their derivatives, algebraic and discrete variables, and the parameters that
initialisation determines. Given are all equations of the model, the initial equations, and `x = start` for
every continuous variable with fixed = true. What is still open is completed with `x = start` for states that
are not fixed: those with a start value first, those with fixed = false last, in the order of declaration,
and only where such an equation can be matched beside the given ones (a greedy choice along augmenting
paths, see `matching`). The start values that were *chosen* are told in a warning unless they are what
anyone would expect. What is given twice (`x = 1`, `2*x = 2`) is checked.

`pre(d)` of a discrete variable is known and holds its start value, so `d = if ... else pre(d)` works as it
stands. An initial equation for `d` takes the place of that equation; one for `pre(d)` makes `pre(d)` an
unknown of this system. `initial()` is true here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from saltus.analyse.alias import Reduced, start_value
from saltus.analyse.blocks import BlockMaker
from saltus.analyse.cancel import is_real
from saltus.analyse.dependence import HiddenCondition, refuse_dependent
from saltus.analyse.homotopy import at_start, rewritten
from saltus.analyse.matching import Matching
from saltus.analyse.parameters import binding_equation, free_parameters
from saltus.analyse.singular import equation_text
from saltus.analyse.system import System, unsigned
from saltus.analyse.wording import LISTED, listed, number
from saltus.core.diagnostics import Diagnostic, ModelError, Note, model_error
from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import (
    FALSE,
    INITIAL,
    ONE,
    ZERO,
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
from saltus.ir.interpret import call_function
from saltus.ir.structure import Block, Explicit

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
    left_out: frozenset[int] = frozenset(),
) -> InitialSystem:
    """Completes and sorts the initial system. `matched` is the perfect matching of the running system, which
    has the equations of the model in their order.

    A given equation that has nothing left to determine is not used, but checked. That is most often a start
    value of one of the `constrained_variables`, which follow from states by constraints. `left_out` are given
    equations that are known to say nothing new, by their positions."""
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
    excess = _add_given(reduced, full, matching, len(given), len(unchanged), left_out)
    chosen = []
    for row, v in enumerate(proposals, len(given)):
        if matching.column_of[row] < 0 and matching.augment(row):
            chosen.append(v)
    proposed = len(given)

    rows = [row for row, column in enumerate(matching.column_of) if column >= 0]
    assert len(rows) == len(full.unknowns), "every unknown has at least its start value"
    final = System(tuple(full.equations[row] for row in rows), full.unknowns, full.continuous)
    blocks = maker.sorted_blocks(final, [matching.column_of[row] for row in rows])
    redundant = _redundant(reduced, full, blocks, range(len(unchanged), proposed))
    if redundant is not None:
        # The exact combination of the equations is 0 = 0: one of them can go, and something else is open.
        more = left_out | {redundant}
        return initial_system(reduced, running, matched, maker, constrained_variables, more)
    checks = tuple(_checks(reduced, full, excess, blocks, constrained_variables))
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


@dataclass(frozen=True)
class _Excess:
    """A given equation without an unknown of its own, and the given equations that leave it none."""

    row: int
    others: tuple[int, ...]


def _add_given(
    reduced: Reduced,
    full: System,
    matching: Matching,
    given: int,
    model_rows: int,
    left_out: frozenset[int],
) -> list[_Excess]:
    """Matches every given equation. Those that have nothing left to determine are returned, to be checked;
    the model is refused where they are no equations of Reals, or not initial ones, or have no unknown."""
    found: list[_Excess] = []
    for row in range(given):
        if row not in left_out and matching.column_of[row] < 0 and not matching.augment(row):
            others = tuple(r for r in sorted(matching.visited) if r >= model_rows and r != row)
            found.append(_Excess(row, others))
    refused = [
        e
        for e in found
        if e.row < model_rows or not full.solvable[e.row] or not is_real(full.equations[e.row])
    ]
    if refused:
        raise _overdetermined(reduced, full, refused)
    return found


def _redundant(reduced: Reduced, full: System, blocks: Sequence[Block], initial: range) -> int | None:
    """An initial equation that says what others say in other words, seen only by the coefficients:
    `x + y = 1` and `2*x + 2*y = 2`. Where they contradict each other the model is refused."""
    rows = {full.equations[row]: row for row in initial}
    try:
        refuse_dependent(blocks, ())
    except HiddenCondition as found:
        own = [rows[q] for q in found.involved if q in rows]
        if found.left is not ZERO or not own:
            return None  # it depends on the values of others; the run will tell
        if found.constant == 0.0:
            return max(own)
        texts = [equation_text(reduced, q) for q in found.involved]
        raise model_error(
            "E303",
            f"these equations contradict each other at the start: {listed(texts)}; "
            f"combined they say 0 = {abs(found.constant):g}",
            full.equations[max(own)].span,
            notes=tuple(_given_here(reduced, found.involved)),
            hint="remove or correct an initial equation",
        ) from None
    return None


def _checks(
    reduced: Reduced,
    full: System,
    excess: Sequence[_Excess],
    blocks: Sequence[Block],
    constrained_variables: frozenset[Symbol],
) -> Iterator[Check]:
    """Redundant initial equations must agree with the others. What literals alone decide is decided now; the
    rest, which a parameter may change, is checked when the initial system has been solved."""
    if not excess:
        return
    values = _literal_values(reduced.model, blocks)
    wrong: list[_Excess] = []
    for e in excess:
        q = full.equations[e.row]
        agrees = _agreement(q)
        if all(leaf in values for leaf in leaves(agrees)):
            if not _holds(agrees, values):
                wrong.append(e)
            continue
        words = _contradiction(reduced, full, e, constrained_variables)
        notes = tuple(_given_here(reduced, [full.equations[r] for r in e.others]))
        yield Check(INITIAL, no_event(agrees), const(words), False, q.span, code="E401", notes=notes)
    if wrong:
        words = _contradiction(reduced, full, wrong[0], frozenset())
        raise _overdetermined(reduced, full, wrong, words if len(wrong) == 1 else "")


def _agreement(q: Equation) -> Expr:
    """Both sides are the same, up to a small part of the terms they consist of."""
    parts = [p for e in (q.lhs, q.rhs) for p in (e.args if e.op is Op.ADD else (e,))]
    size = add(ONE, *(call("abs", p) for p in parts))
    return relation(Op.LE, call("abs", sub(q.lhs, q.rhs)), mul(const(CONSISTENT), size))


def _literal_values(model: HybridModel, blocks: Sequence[Block]) -> dict[Expr, Any]:
    """What can be computed without knowing any parameter."""
    values: dict[Expr, Any] = {}
    known = [(ref(v.symbol), v.binding) for v in model.constants if v.binding is not None]
    for unknown, value in (*known, *((b.unknown, b.value) for b in blocks if isinstance(b, Explicit))):
        if all(leaf in values for leaf in leaves(value)):
            with suppress(NotEvaluable, ArithmeticError, ValueError, IndexError, ModelError):
                values[unknown] = evaluate(value, values.__getitem__, apply=call_function)
    return values


def _holds(condition: Expr, values: dict[Expr, Any]) -> bool:
    try:
        return bool(evaluate(condition, values.__getitem__, apply=call_function))
    except (NotEvaluable, ArithmeticError, ValueError, IndexError, ModelError):
        return False


def _contradiction(
    reduced: Reduced, full: System, e: _Excess, constrained_variables: frozenset[Symbol]
) -> str:
    q = full.equations[e.row]
    symbol = q.lhs.data if q.lhs.op is Op.REF else None
    v = next((v for v in (*reduced.model.states, *reduced.model.algebraics) if v.symbol is symbol), None)
    fixed = v is not None and v.fixed is True and q.rhs is start_value(v)
    if symbol in constrained_variables and v is not None and fixed:
        return f"the fixed start value of `{v.name}` contradicts those of the states it depends on"
    text = equation_text(reduced, q)
    if symbol in constrained_variables or not e.others:
        return f"`{text}` contradicts the other initial values and the equations"
    return f"`{text}` contradicts {listed([equation_text(reduced, full.equations[r]) for r in e.others])}"


def _given_here(reduced: Reduced, equations: Sequence[Equation]) -> Iterator[Note]:
    for q in equations[:LISTED]:
        yield Note(f"`{equation_text(reduced, q)}` is given here", q.span)
    if len(equations) > LISTED:
        yield Note(f"... and {len(equations) - LISTED} more equations")


def _overdetermined(
    reduced: Reduced, full: System, excess: Sequence[_Excess], contradiction: str = ""
) -> ModelError:
    """Names the equations of which some must go: those in excess and those that already said it all."""
    involved = list(dict.fromkeys(row for e in excess for row in (*e.others, e.row)))
    texts = [equation_text(reduced, full.equations[row]) for row in involved]
    if len(excess) == 1:
        message = contradiction or f"one initial condition too many: {listed(texts)}"
    else:
        message = f"{len(excess)} initial conditions too many among these: {listed(texts)}"
    return model_error(
        "E303",
        message,
        full.equations[excess[0].row].span,
        notes=tuple(_given_here(reduced, [full.equations[row] for row in involved])),
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
