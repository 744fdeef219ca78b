"""A flat model with clocks to one without: clock partitions become discrete equations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from saltus.core.diagnostics import Diagnostic, ModelError, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.expr.traversal import leaves, transform, walk
from saltus.ir.flat import (
    BaseClock,
    BasePartition,
    Causality,
    Clause,
    Equation,
    FlatModel,
    Item,
    Reinit,
    SubPartition,
    Variability,
    clause_expressions,
    mapped,
)
from saltus.lower.clocks.constants import Constants
from saltus.lower.clocks.dues import Due, Dues, Made
from saltus.lower.clocks.machines import without_machines
from saltus.lower.clocks.methods import Methods
from saltus.lower.clocks.partitioning import Graph
from saltus.lower.clocks.rates import Based, Inference
from saltus.lower.clocks.rows import Row, Rows
from saltus.lower.clocks.solvers import discretised
from saltus.lower.clocks.ticking import Rewriting, Written, acted, kept, refuse_mixed, remembered, with_inputs
from saltus.lower.sections.algorithms import ENTRY


def without_clocks(flat: FlatModel) -> FlatModel:
    """The flat model with discrete equations for its clock partitions, which are listed in `partitions`. The
    model itself if it has none."""
    seen: set[Expr] = set()
    clauses = (*flat.clauses, *flat.initial_clauses)
    parts = (node for c in clauses for e in clause_expressions(c) for node in walk(e, seen))
    clocks = flat.machines or any(v.symbol.type is Type.CLOCK for v in flat.variables)
    if not clocks and all(node.op is not Op.CLOCKED for node in parts):
        return flat
    return _Conversion(without_machines(flat)).converted()


def default_clocks(partitions: Iterable[BasePartition]) -> Iterator[Diagnostic]:
    """Warnings about partitions without a clock: their fastest one ticks every second."""
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
        self._remembered = remembered(e for row in self._rows.rows for e in clause_expressions(row.clause))
        self._methods = Methods(self._graph, self._constants)
        self._clocked_initial: list[tuple[Equation, set[Symbol]]] = []

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
        outer = self._split_initial()
        inference = Inference(graph, self._constants)
        partitions = [
            self._base(inference.of(base), rows_of.get(base, {}), variables_of.get(base, {}))
            for base in dict.fromkeys([*rows_of, *sorted(self._bases)])
        ]
        variables = [
            replace(v, variability=Variability.DISCRETE) if v.symbol in self._discrete else v
            for v in (*self._flat.variables, *self._rows.helpers)
            if v.symbol.type is not Type.CLOCK
        ]
        initial = tuple(_clause(mapped(c, self._outside)) for c in outer)
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
            return self._outside(node.args[1]) if node.data == ENTRY else node.args[0]

        return transform(e, visit, {})

    # ------------------------------------------------------------ partitions

    def _base(
        self, based: Based, rows_of: dict[int, list[Row]], variables_of: dict[int, list[Symbol]]
    ) -> BasePartition:
        subs: list[SubPartition] = []
        together: list[tuple[Symbol, Equation, int]] = []
        continuous = {sub for sub, own in rows_of.items() if _is_continuous(own)}
        for sub, rate in based.rates.items():
            rows = [r for r in rows_of.get(sub, ()) if not _is_of_clocks(r)]
            symbols = [s for s in variables_of.get(sub, ()) if s.type is not Type.CLOCK]
            if not rows and not symbols:
                continue
            span = rows[0].span if rows else self._flat.span
            due = self._dues.of(based, rate, span)
            method = self._methods.of(sub, continuous, _place_of_continuous(rows) or span)
            is_continuous = sub in continuous
            solved = self._sub(based, due, rows, symbols, method if is_continuous else "")
            together += [(s, q, sub) for s, q in solved]
            names = tuple(s.name for s in symbols if s.helper is None)
            subs.append(SubPartition(rate, due.due, names, len(solved), method, is_continuous))
        refuse_mixed(together)
        timing = based.first
        clock = self._rows.text(timing.clock) if timing is not None else "Clock(1.0)"
        places = [r.span for own in rows_of.values() for r in own]
        place = timing.span if timing is not None else next(iter(places), None)
        subs.sort(key=lambda s: (s.rate.factor, s.rate.shift))
        return BasePartition(based.kind, clock, place, tuple(subs))

    def _sub(
        self, based: Based, due: Due, rows: list[Row], symbols: list[Symbol], method: str
    ) -> list[tuple[Symbol, Equation]]:
        written = Written(self._made, due)
        for row in rows:
            written.add(row.clause)
        symbols = [*symbols, *written.symbols]
        known = self._rows.is_known
        sampled = self._left_limit if based.kind in (BaseClock.EVENT, BaseClock.VARYING) else x.pre
        rewriting = Rewriting(due, known, sampled, is_discrete=not method)
        inputs: list[Equation] = []
        equations = written.equations
        if method:
            equations, inputs = with_inputs(equations, due, self._made, known)
        equations, inputs = ([_rewritten(q, rewriting) for q in part] for part in (equations, inputs))
        actions = [(rewriting(guard), mapped(action, rewriting)) for guard, action in written.actions]
        given = {v.symbol for v in self._flat.variables if v.causality is Causality.INPUT}
        unknowns = [s for s in symbols if s not in given]
        self._discrete |= set(symbols)
        span = rows[0].span if rows else self._flat.span
        if method:
            own = [x.leaf_symbol(q.lhs) for q in inputs]
            declared = {v.symbol: v for v in (*self._rows.variables.values(), *self._made.variables)}
            initial = [_rewritten(q, rewriting) for q in self._initial_of(set(symbols))]
            solved = discretised(
                method, equations, initial, inputs, [*unknowns, *own], declared.__getitem__, due
            )
            self._made.variables += solved.variables
            copies = set(solved.copies)
            unknowns += [*own, *(v.symbol for v in solved.variables if v.symbol not in copies)]
            kept(self._made, x.and_(due.due, x.not_(due.first)), solved.stages, solved.copies, set(), span)
            equations = solved.equations
        free = set(symbols) - self._remembered - remembered(e for q in equations for e in (q.lhs, q.rhs))
        solved_for = kept(self._made, due.due, equations, unknowns, free, span)
        acted(self._made, due, actions)  # type: ignore[arg-type]
        return solved_for

    def _initial_of(self, symbols: set[Symbol]) -> list[Equation]:
        """The initial equations of a sub-partition, which is discretised."""
        return [q for q, own in self._clocked_initial if own <= symbols]

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

    def _split_initial(self) -> list[Clause]:
        """The initial clauses without those of partitions, which have to be discretised ones."""
        graph, outer = self._graph, []
        rows = zip(self._rows.rows, graph.of_row, strict=True)
        subs = {graph.together.find(node) for row, node in rows if _is_continuous([row])}
        for clause in self._flat.initial_clauses:
            found: dict[Symbol, None] = {}
            for e in clause_expressions(clause):
                for leaf in leaves(transform(e, _held_away, {})):
                    symbol = x.leaf_symbol(leaf)
                    node = graph.of_variable.get(symbol)
                    if node is not None and graph.based.find(node) in self._bases:
                        found[symbol] = None
            if not found:
                outer.append(clause)
            elif isinstance(clause, Equation) and all(
                graph.together.find(graph.of_variable[s]) in subs for s in found
            ):
                self._clocked_initial.append((clause, set(found)))
            else:
                raise self._no_initial(clause, next(iter(found)))
        return outer

    def _no_initial(self, clause: Clause, symbol: Symbol) -> ModelError:
        return model_error(
            "E209",
            f"`{symbol.name}` has a clock, so an initial equation cannot contain it",
            clause.span,
            hint=f"previous({symbol.name}) is `{symbol.name}(start = ...)` at the first tick",
            origin=clause.origin,
        )


def _held_away(node: Expr) -> Expr | None:
    """What is held has no clock."""
    return x.TIME if node.op is Op.CLOCKED and node.data == "hold" else None


def _place_of_continuous(rows: Iterable[Row]) -> Span | None:
    return next((row.span for row in rows if _is_continuous([row])), None)


def _is_continuous(rows: Iterable[Row]) -> bool:
    return any(row.derivatives or row.events for row in rows)


def _rewritten(q: Equation, rewriting: Rewriting) -> Equation:
    return replace(q, lhs=rewriting(q.lhs), rhs=rewriting(q.rhs))


def _is_of_clocks(row: Row) -> bool:
    return isinstance(row.clause, Equation) and row.clause.lhs.type is Type.CLOCK


def _clause(item: Item) -> Clause:
    assert not isinstance(item, Reinit), "reinit belongs in a when-clause"
    return item
