"""The initial system: what holds at the start, and which start values complete it.

Unknown are the states, their derivatives, algebraic and discrete variables, and the parameters that
initialisation determines. Given are all equations of the model, the initial equations, and `x = start` for
every continuous variable with fixed = true. What is still open is completed with `x = start` for states that
are not fixed: those with a start value first, those with fixed = false last, in the order of declaration. A
variable that is preferred as a state and has a start value comes before states that have none: the level of a
tank, not its mass. Such an equation is added only where it can be matched beside the given ones (a greedy
choice along augmenting paths, see `matching`). Where a mode says what initial equations say already (a robot
is to begin without accelerations, and its brakes stick), it leaves open what decides about the mode, the
torque of a brake: then that comes first, because with its start value the mode was presumed. A warning names
the start values that were *chosen*, unless they are what anyone would expect. What is given twice (`x = 1`,
`2*x = 2`) is checked.

`pre(d)` of a discrete variable is known and holds its start value, so `d = if ... else pre(d)` works as it
stands. An initial equation for `d` takes the place of that equation; one for `pre(d)` makes `pre(d)` an
unknown of this system. `initial()` is true here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from saltus.analyse.blocks.blocks import BlockMaker
from saltus.analyse.order.matching import Matching
from saltus.analyse.order.parameters import binding_equation, free_parameters
from saltus.analyse.order.system import System, unsigned
from saltus.analyse.start.excess import consistency_checks, match_given, redundant_equation, with_guesses
from saltus.analyse.trivial.alias import Reduced, start_value
from saltus.analyse.trivial.homotopy import at_start, rewritten
from saltus.analyse.trivial.late_inlining import inlined_equation
from saltus.core.diagnostics import Diagnostic, ModelError, Note, model_error
from saltus.core.wording import LISTED, listed, number
from saltus.expr.nodes import FALSE, INITIAL, Expr, Op, Symbol, Type, if_, leaf_symbol, pre, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves, walk
from saltus.ir.flat import Equation, Variable
from saltus.ir.hybrid import Check, HybridModel
from saltus.ir.sorted.blocks import Block


@dataclass(frozen=True, eq=False)
class InitialSystem:
    """The sorted initial system, and warnings about it."""

    blocks: tuple[Block, ...]
    warnings: tuple[Diagnostic, ...]
    checks: tuple[Check, ...]  # given equations that follow from others already


class _Incomplete(Exception):
    """Without the equations left out, no start value can take their place."""


def initial_system(
    reduced: Reduced,
    running: System,
    matched: list[int],
    maker: BlockMaker,
    constrained_variables: frozenset[Symbol] = frozenset(),
    left_out: Mapping[int, tuple[int, ...]] | None = None,
    deciding: frozenset[Symbol] = frozenset(),
) -> InitialSystem:
    """Completes and sorts the initial system. `matched` is the perfect matching of the running system, which
    has the equations of the model in their order.

    A given equation that has nothing left to determine is not used, but checked. That is most often a start
    value of one of the `constrained_variables`, which follow from states by constraints. `left_out` are given
    equations that are known to say nothing new, and those that say it already, by their positions. `deciding`
    are variables that decide about the mode, if there is one."""
    left_out = left_out or {}
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
    excess = match_given(reduced, full, matching, len(given), len(unchanged), left_out)
    chosen = []
    proposed = list(enumerate(proposals, len(given)))
    written = range(len(unchanged), len(unchanged) + len(model.initial_equations))
    if any(e.row in written for e in excess):
        proposed.sort(key=lambda item: item[1].symbol not in deciding)
    for row, v in proposed:
        if matching.column_of[row] < 0 and matching.augment(row):
            chosen.append(v)

    rows = [row for row, column in enumerate(matching.column_of) if column >= 0]
    if len(rows) < len(full.unknowns):
        if left_out:
            raise _Incomplete
        open_ = set(range(len(full.unknowns))).difference(matching.column_of)
        raise _undetermined(reduced, [full.unknowns[column] for column in sorted(open_)])
    final = System(tuple(full.equations[row] for row in rows), full.unknowns, full.continuous)
    blocks = maker.sorted_blocks(final, [matching.column_of[row] for row in rows])
    redundant = redundant_equation(reduced, full, blocks, range(len(unchanged), len(given)))
    if redundant is not None:
        more = {**left_out, redundant.row: redundant.others}
        with suppress(_Incomplete):
            return initial_system(reduced, running, matched, maker, constrained_variables, more, deciding)
    checks = tuple(consistency_checks(reduced, full, excess, blocks, constrained_variables))
    constrained = bool(model.initial_equations) or any(v.fixed is True for v in model.algebraics)
    blocks = with_guesses(full, excess, blocks)
    return InitialSystem(blocks, tuple(_warnings(chosen, constrained)), checks)


def _undetermined(reduced: Reduced, unknowns: Sequence[Expr]) -> ModelError:
    """Continuous variables have start values at least; discrete ones need an equation that is solved for
    them."""
    names = [show(x) for x in unknowns]
    model = reduced.model
    spans = {v.symbol: v.span for v in (*model.states, *model.algebraics, *model.discretes)}
    return model_error(
        "E301",
        f"no equation determines {listed(names)} at the start",
        spans.get(leaf_symbol(unknowns[0]), model.span),
        hint="a discrete variable has to be assigned in a when-clause, or given by an equation of its own",
    )


# ---------------------------------------------------------------- the equations


def _at_start(q: Equation, memo: dict[Expr, Expr]) -> Equation:
    return inlined_equation(rewritten(q, at_start(q.lhs, memo), at_start(q.rhs, memo)))


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
        yield Equation(ref(jump.state), if_(active, value, starts[jump.state]), jump.span, jump.origin)


def _start_equation(v: Variable) -> Equation:
    return Equation(ref(v.symbol), start_value(v), v.span, v.owner)


def _proposals(reduced: Reduced, free: tuple[Variable, ...]) -> list[Variable]:
    """Variables whose start value may complete the system, the most natural first."""
    others = [v for v in reduced.model.algebraics if v.fixed is not True]
    preferred = [v for v in others if v.state_select == "prefer" and v.start is not None]
    # An inlined variable begins as the state would that it was; what carries it on follows from that.
    inlining = reduced.model.inlining
    inlined = {i.carrier: i.symbol for i in inlining.variables if not i.late} if inlining is not None else {}
    by_symbol = {v.symbol: v for v in reduced.model.algebraics}
    own = (by_symbol[inlined[v.symbol]] if v.symbol in inlined else v for v in reduced.model.states)
    former = {i.symbol for i in inlining.variables} if inlining is not None else set()
    preferred = [v for v in preferred if v.symbol not in former]
    states = sorted(
        (*(v for v in own if v.fixed is not True), *preferred),
        key=lambda v: (v.fixed is False, v.start is None, v in preferred),
    )
    rest = [v for v in others if v not in preferred and v.symbol not in former]
    return [*states, *(v for v in free if v.binding is None), *rest]


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
        "W301",
        message,
        variables[0].span,
        notes,
        "give `start` and `fixed = true`, or an initial equation",
        origin=variables[0].name,
    )
