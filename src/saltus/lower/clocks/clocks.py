"""A flat model with clocks to one without: clock partitions become discrete equations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from saltus.core.diagnostics import Diagnostic, model_error
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.expr.show import show
from saltus.ir.flat import (
    BaseClock,
    BasePartition,
    Causality,
    Clause,
    Equation,
    FlatModel,
    Reinit,
    SubPartition,
    Variability,
    clause_expressions,
)
from saltus.lower.clocks.constants import Constants
from saltus.lower.clocks.dues import Due, Dues, Made
from saltus.lower.clocks.partitioning import Graph
from saltus.lower.clocks.rates import Based, Inference
from saltus.lower.clocks.rows import Item, Row, Rows, mapped
from saltus.lower.clocks.ticking import Rewriting, Written, acted, kept, remembered


def without_clocks(flat: FlatModel) -> FlatModel:
    """The flat model with discrete equations for its clock partitions, which are listed in `partitions`. The
    model itself if it has none."""
    seen: set[Expr] = set()
    clauses = (*flat.clauses, *flat.initial_clauses)
    parts = (node for c in clauses for e in clause_expressions(c) for node in x.walk(e, seen))
    clocks = any(v.symbol.type is Type.CLOCK for v in flat.variables)
    if not clocks and all(node.op is not Op.CLOCKED for node in parts):
        return flat
    return _Conversion(flat).converted()


def default_clocks(partitions: Iterable[BasePartition]) -> Iterator[Diagnostic]:
    """Warnings about partitions that nobody has given a clock: their fastest one ticks every second."""
    for p in partitions:
        if p.kind is BaseClock.DEFAULT:
            names = [name for s in p.subs for name in s.variables]
            words = f"no clock is given for `{names[0]}`" if names else "no clock is given for this partition"
            hint = "give one: `sample(u, Clock(...))`, or `when Clock(...) then`"
            yield Diagnostic("W208", f"{words}: it ticks every second", p.span, hint=hint)


class _Conversion:
    def __init__(self, flat: FlatModel) -> None:
        self._flat = flat
        self._constants = Constants(flat)
        self._rows = Rows(flat, self._constants)
        self._graph = Graph(self._rows)
        self._bases = self._graph.clocked_bases()
        self._made = Made()
        self._dues = Dues(self._made, self._constants)
        self._discrete: set[Symbol] = set()
        self._sampled: dict[Expr, Expr] = {}
        self._remembered = remembered(
            (), (e for row in self._rows.rows for e in clause_expressions(row.clause))
        )

    def converted(self) -> FlatModel:
        """The model without clocks."""
        graph = self._graph
        unclocked: list[Clause] = []
        rows_of: dict[int, dict[int, list[Row]]] = {}
        for row, node in zip(self._rows.rows, graph.of_row, strict=True):
            base = graph.based.find(node)
            if base in self._bases:
                rows_of.setdefault(base, {}).setdefault(graph.together.find(node), []).append(row)
            else:
                unclocked.append(_clause(mapped(row.clause, self._outside)))
        variables_of: dict[int, dict[int, list[Symbol]]] = {}
        for symbol, node in graph.of_variable.items():
            base = graph.based.find(node)
            if base in self._bases:
                variables_of.setdefault(base, {}).setdefault(graph.together.find(node), []).append(symbol)
        self._refuse_initial()
        inference = Inference(graph, self._constants)
        partitions = [
            self._base(inference.of(base), rows_of.get(base, {}), variables_of.get(base, {}))
            for base in sorted(self._bases)
        ]
        variables = [
            replace(v, variability=Variability.DISCRETE) if v.symbol in self._discrete else v
            for v in (*self._flat.variables, *self._rows.helpers)
            if v.symbol.type is not Type.CLOCK
        ]
        initial = tuple(_clause(mapped(c, self._outside)) for c in self._flat.initial_clauses)
        return replace(
            self._flat,
            variables=(*variables, *self._made.variables),
            clauses=(*unclocked, *self._made.clauses),
            initial_clauses=initial,
            partitions=tuple(p for p in partitions if p.subs),
        )

    def _outside(self, e: Expr) -> Expr:
        """An expression without a clock."""

        def visit(node: Expr) -> Expr | None:
            if node.op is not Op.CLOCKED:
                return None
            assert node.data == "hold", node.data
            return node.args[0]

        return x.transform(e, visit, {})

    # ------------------------------------------------------------ partitions

    def _base(
        self, based: Based, rows_of: dict[int, list[Row]], variables_of: dict[int, list[Symbol]]
    ) -> BasePartition:
        subs: list[SubPartition] = []
        for sub, rate in based.rates.items():
            rows = [r for r in rows_of.get(sub, ()) if not _is_of_clocks(r)]
            symbols = [s for s in variables_of.get(sub, ()) if s.type is not Type.CLOCK]
            if not rows and not symbols:
                continue
            span = rows[0].span if rows else self._flat.span
            due = self._dues.of(based, rate, span)
            count = self._sub(based, due, rows, symbols)
            names = tuple(s.name for s in symbols if s.helper is None)
            subs.append(SubPartition(rate, due.due, names, count, "", discretised=False))
        timing = based.first
        clock = show(timing.clock) if timing is not None else "Clock(1.0)"
        places = [r.span for own in rows_of.values() for r in own]
        place = timing.span if timing is not None else next(iter(places), None)
        return BasePartition(based.kind, clock, place, tuple(subs))

    def _sub(self, based: Based, due: Due, rows: list[Row], symbols: list[Symbol]) -> int:
        self._refuse_continuous(rows)
        written = Written()
        for row in rows:
            written.add(row.clause)
        sampled = self._left_limit if based.kind in (BaseClock.EVENT, BaseClock.VARYING) else x.pre
        rewriting = Rewriting(due, self._rows.is_known, sampled)
        equations = [replace(q, lhs=rewriting(q.lhs), rhs=rewriting(q.rhs)) for q in written.equations]
        actions = [(rewriting(guard), mapped(action, rewriting)) for guard, action in written.actions]
        unknowns = [s for s in symbols if self._rows.variables[s].causality is not Causality.INPUT]
        self._discrete |= set(symbols)
        free = set(symbols) - self._remembered
        kept(self._made, due, equations, unknowns, free, rows[0].span if rows else self._flat.span)
        acted(self._made, due, actions)  # type: ignore[arg-type]
        return len(equations)

    def _left_limit(self, u: Expr) -> Expr:
        """The value of a variable one round of the event before: what ticks by an event does so in a later
        round, when others have jumped already."""
        if u.type is not Type.REAL or u is x.TIME:
            return x.pre(u)
        if u not in self._sampled:
            span = self._rows.variables[u.data].span
            found = self._made.variable(self._made.group(), "sampled", u.type, span)
            self._made.define(found, u, span)
            self._sampled[u] = found
        return x.pre(self._sampled[u])

    # ------------------------------------------------------------ refusals

    def _refuse_continuous(self, rows: list[Row]) -> None:
        for row in rows:
            if row.derivatives or row.events:
                what = (
                    f"`der({row.derivatives[0].name})`" if row.derivatives else f"`{show(row.events[0], 60)}`"
                )
                raise model_error(
                    "E204",
                    f"{what} in a clock partition",
                    row.span,
                    hint="write a difference equation with `previous(...)` and `interval()`",
                    origin=row.clause.origin,
                )

    def _refuse_initial(self) -> None:
        graph = self._graph
        for clause in self._flat.initial_clauses:
            for e in clause_expressions(clause):
                for node in x.walk(x.transform(e, _held_away, {})):
                    symbol = node.data if node.op is Op.REF else None
                    if (
                        symbol in graph.of_variable
                        and graph.based.find(graph.of_variable[symbol]) in self._bases
                    ):
                        raise model_error(
                            "E209",
                            f"`{symbol.name}` has a clock, so no initial equation can speak of it",
                            clause.span,
                            hint=f"previous({symbol.name}) is `{symbol.name}(start = ...)` at the first tick",
                            origin=clause.origin,
                        )


def _held_away(node: Expr) -> Expr | None:
    return x.ZERO if node.op is Op.CLOCKED and node.data == "hold" and node.type is Type.REAL else None


def _is_of_clocks(row: Row) -> bool:
    return isinstance(row.clause, Equation) and row.clause.lhs.type is Type.CLOCK


def _clause(item: Item) -> Clause:
    assert not isinstance(item, Reinit), "reinit stands in when-clauses"
    return item
