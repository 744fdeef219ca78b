"""Equations of a sub-partition as discrete equations, which hold at its ticks.

    v = e                  ->  v = if due then e' else pre(v)
    f(v, w) = g(v, w)      ->  (if due then f' - g' else v - pre(v)) = 0

Which unknown keeps its value by which equation is found by a matching; what is solved in which order at a
tick, and for what, is left to the analysis, as for all equations. In e'

    previous(x)            ->  pre(x)
    sample(u)              ->  pre(u)         the left limit
    subSample(x, 3), ...   ->  x              what it was last, or is at this very tick
    interval(), firstTick()                   as `dues` has them
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from saltus.core.components import component_numbers
from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.expr.show import show
from saltus.expr.traversal import leaves, transform, walk
from saltus.ir.flat import Action, Assert, Equation, Guarded, IfEquation, Item, Terminate, When
from saltus.lower.clocks.dues import Due, Made
from saltus.lower.clocks.matching import matching
from saltus.lower.clocks.rows import CONVERSIONS
from saltus.lower.sections.algorithms import ENTRY
from saltus.lower.sections.branches import are_alike, counts_differ, paired


@dataclass(eq=False)
class Written:
    """Equations of a sub-partition without branches, what else is to be done under which condition, and
    variables that were made for conditions."""

    made: Made
    due: Due
    equations: list[Equation] = field(default_factory=list)
    actions: list[tuple[Expr, Assert | Terminate]] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)

    def add(self, clause: Item, guard: Expr = x.TRUE) -> None:
        """Takes in a clause."""
        match clause:
            case Equation():
                self.equations.append(clause)
            case Assert() | Terminate():
                self.actions.append((guard, clause))
            case IfEquation():
                self.equations += self._if(clause, guard)
            case When():
                self._when(clause)
            case _:
                raise model_error(
                    "E204",
                    "reinit in a clock partition",
                    clause.span,
                    hint="write the state as an equation of its own: `x = if ... else previous(x) + ...`",
                    origin=clause.origin,
                )

    def _when(self, clause: When) -> None:
        """A condition is evaluated when the partition ticks."""
        closed: list[Expr] = []
        cases: dict[Expr, list[tuple[Expr, Equation]]] = {}
        for branch in clause.branches:
            active = x.or_(*(self._begins(c, clause.span) for c in branch.conditions))
            here = x.and_(active, *(x.not_(c) for c in closed))
            closed.append(active)
            inner = replace(self, equations=[])
            for action in branch.actions:
                inner.add(action, here)
            for q in inner.equations:
                cases.setdefault(q.lhs, []).append((here, q))
        for target, own in cases.items():
            value = x.clocked("previous", target.type, target)
            for here, q in reversed(own):
                value = x.if_(here, q.rhs, value)
            self.equations.append(replace(own[0][1], lhs=target, rhs=value))

    def _begins(self, condition: Expr, span: Span) -> Expr:
        """Whether a condition has become true since the tick before."""
        first = x.clocked("firstTick", Type.BOOLEAN)
        if condition is x.INITIAL:
            return first
        held = self.made.variable(self.due.number, f"when{self.made.group()}", Type.BOOLEAN, span)
        self.symbols.append(x.leaf_symbol(held))
        self.equations.append(Equation(held, condition, span))
        return x.and_(held, x.not_(x.clocked("previous", Type.BOOLEAN, held)), x.not_(first))

    def _if(self, clause: IfEquation, guard: Expr) -> list[Equation]:
        conditions: list[Expr] = []
        branches: list[list[Equation]] = []
        for branch in clause.branches:
            test = branch.conditions[0] if branch.conditions else x.TRUE
            here = x.and_(guard, test, *(x.not_(c) for c in conditions))
            conditions.append(test)
            inner = replace(self, equations=[])
            for action in branch.actions:
                inner.add(action, here)
            branches.append(inner.equations)
        if conditions[-1] is not x.TRUE:
            conditions.append(x.TRUE)
            branches.append([])
        if not are_alike(branches):
            raise model_error("E209", counts_differ(branches), clause.span, origin=clause.origin)
        return paired(branches, conditions, clause.span)


class Rewriting:
    """Expressions of a sub-partition as they are at its ticks. `sampled` gives the left limit of a variable
    without a clock. One that `is_discrete` is not discretised."""

    def __init__(
        self,
        due: Due,
        is_known: Callable[[Expr], bool],
        sampled: Callable[[Expr], Expr],
        *,
        is_discrete: bool,
    ) -> None:
        self._due, self._is_known, self._sampled = due, is_known, sampled
        self._is_discrete = is_discrete
        self._memo: dict[Expr, Expr] = {}

    def __call__(self, e: Expr) -> Expr:
        return transform(e, self._visit, self._memo)

    def _visit(self, node: Expr) -> Expr | None:
        if node is x.TIME:
            return x.pre(node)
        if node is x.INITIAL:
            return self._due.first
        if node.op in (Op.EDGE, Op.CHANGE):
            (b,) = node.args
            different = x.relation(Op.NE, b, x.pre(b))
            became = x.and_(b, x.not_(x.pre(b))) if node.op is Op.EDGE else different
            return x.and_(became, x.not_(self._due.first))
        if node.op is not Op.CLOCKED:
            if node.op in (Op.SAMPLE, Op.DELAY, Op.TRANSPORT):
                raise model_error("E204", f"`{show(node, 60)}` in a clock partition", self._due.span)
            return None
        first = node.args[0] if node.args else None
        match node.data:
            case "sample":
                assert first is not None
                return first if self._is_known(first) else self._sampled(first)
            case "previous":
                assert first is not None
                return x.pre(first)
            case name if name == ENTRY:
                return x.pre(node.args[0]) if self._is_discrete else self(node.args[1])
            case "interval":
                return self._due.interval
            case "firstTick":
                return self._due.first
            case name if name in CONVERSIONS or name == "hold":
                return first
            case _:
                raise AssertionError(node.data)


def with_inputs(
    equations: Iterable[Equation], due: Due, made: Made, is_known: Callable[[Expr], bool]
) -> tuple[list[Equation], list[Equation]]:
    """Equations with variables in place of what comes from other partitions, and what these are."""
    found: dict[Expr, Equation] = {}

    def visit(node: Expr) -> Expr | None:
        if node.op is not Op.CLOCKED or not (node.data == "sample" or node.data in CONVERSIONS):
            return None
        if is_known(node.args[0]):
            return node.args[0]
        if node not in found:
            variable = made.variable(due.number, f"input{made.group()}", node.type, due.span)
            found[node] = Equation(variable, node, due.span)
        return found[node].lhs

    memo: dict[Expr, Expr] = {}
    rest = [
        replace(q, lhs=transform(q.lhs, visit, memo), rhs=transform(q.rhs, visit, memo)) for q in equations
    ]
    return rest, list(found.values())


def remembered(used: Iterable[Expr]) -> set[Symbol]:
    """Variables whose start values are asked for, somewhere: `previous` of them, or what holds them."""
    found: set[Symbol] = set()
    seen: set[Expr] = set()
    for e in used:
        for node in walk(e, seen):
            if node.op is Op.PRE or (node.op is Op.CLOCKED and node.data in _REMEMBERING):
                leaf = node.args[0] if node.op is Op.CLOCKED and node.args else node
                if leaf.op in (Op.REF, Op.PRE):
                    found.add(x.leaf_symbol(leaf))
            elif node.op in (Op.EDGE, Op.CHANGE):
                found |= {x.leaf_symbol(leaf) for leaf in leaves(node)}
    return found


_REMEMBERING = frozenset({ENTRY, "previous", "hold", "backSample", "noClock"})


def kept(
    made: Made,
    due: Expr,
    equations: Sequence[Equation],
    unknowns: Sequence[Symbol],
    free: set[Symbol],
    span: Span,
) -> list[tuple[Symbol, Equation]]:
    """Adds the equations of a sub-partition, in the form above. Between `free` variables, whose start values
    are not used, an equation may hold always. Returns which variable each equation determines."""
    matched = matching(equations, unknowns)
    if len(equations) != len(unknowns) or any(s is None for s in matched):
        raise _does_not_fit(equations, unknowns, matched, span)
    for q, symbol in zip(equations, matched, strict=True):
        assert symbol is not None
        v = x.ref(symbol)
        sides = {q.lhs, q.rhs}
        if all(e.op is Op.REF and e.data in free for e in sides) and q.lhs.type is q.rhs.type:
            made.clauses.append(q)
            continue
        value = _value(v, q)
        if value is not None:
            keeping = Equation(v, x.if_(due, value, x.pre(v)), q.span, q.origin, when_assigned=True)
        else:
            difference = x.if_(due, x.sub(q.lhs, q.rhs), x.sub(v, x.pre(v)))
            keeping = Equation(difference, x.ZERO, q.span, q.origin, when_assigned=True)
        made.clauses.append(keeping)
    return [(s, q) for q, s in zip(equations, matched, strict=True) if s is not None]


def refuse_mixed(found: Sequence[tuple[Symbol, Equation, int]]) -> None:
    """Systems of equations must not involve different sub-partitions (section 16.7.4). `found` are equations,
    with what each determines and the number of its sub-partition."""
    row_of = {symbol: row for row, (symbol, _, _) in enumerate(found)}
    needs = [
        [row_of[e.data] for e in q.leaves if e.op is Op.REF and e.data in row_of and e.data is not symbol]
        for symbol, q, _ in found
    ]
    first: dict[int, int] = {}
    for row, component in enumerate(component_numbers(needs)):
        other = first.setdefault(component, row)
        (one, q, sub), (two, equation, its) = found[row], found[other]
        if sub != its:
            raise model_error(
                "E310",
                f"`{two.name}` and `{one.name}` depend on each other at a tick, but have different rates",
                q.span,
                notes=(Note(f"`{two.name}` is determined here", equation.span),),
                hint="write `previous(...)` in one of the equations",
                origin=q.origin,
            )


def acted(made: Made, due: Due, actions: Iterable[tuple[Expr, Assert | Terminate]]) -> None:
    """Adds the conditions and actions of the ticks."""
    for guard, action in actions:
        inner: tuple[Action | IfEquation, ...] = (action,)
        if guard is not x.TRUE:
            inner = (IfEquation((Guarded((guard,), inner),), action.span, action.origin),)
        made.clauses.append(When((Guarded((due.due,), inner),), action.span, action.origin))


def _value(v: Expr, q: Equation) -> Expr | None:
    """What an equation `v = e`, `e = v` or `not v = e` says of v; None for others."""
    for side, other in ((q.lhs, q.rhs), (q.rhs, q.lhs)):
        if side is v and v not in leaves(other):
            return other
        if side.op is Op.NOT and side.args[0] is v and v not in leaves(other):
            return x.not_(other)
    return None


def _does_not_fit(
    equations: Sequence[Equation], unknowns: Sequence[Symbol], matched: Sequence[Symbol | None], span: Span
) -> Exception:
    determined = {s for s in matched if s is not None}
    left = [s.name for s in unknowns if s not in determined and s.helper is None]
    excess = next((q for q, s in zip(equations, matched, strict=True) if s is None), None)
    counts = f"{len(equations)} equations for {len(unknowns)} variables"
    words = f"a clock partition has {counts}"
    if left:
        words += f"; nothing determines `{left[0]}`"
    elif excess is not None:
        words += "; this equation has no variable to determine"
    return model_error("E301", words, excess.span if excess is not None and not left else span)
