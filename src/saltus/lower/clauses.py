"""Clauses of the flat model to equations, jumps, checks and endings of the hybrid DAE.

When-clauses become discrete equations, if-equations become equations between if-expressions; what is left
after this is sorted together (paper 000, "Instantaneous equations").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.ir.flat import (
    Action,
    Assert,
    Causality,
    Clause,
    Equation,
    FlatModel,
    IfEquation,
    Reinit,
    Terminate,
    Variability,
    Variable,
    When,
    is_discrete_type,
)
from saltus.ir.hybrid import Check, Ending, HybridModel, Jump
from saltus.lower.conditions import activation
from saltus.lower.events import EventTables


def to_hybrid(flat: FlatModel) -> HybridModel:
    """The hybrid DAE of a flat model."""
    return _Conversion(flat).convert()


@dataclass(eq=False)
class _Assignment:
    """What a when-clause does to one variable: values by the condition under which they hold."""

    equation: Equation
    cases: list[tuple[Expr, Expr]] = field(default_factory=list)


class _Conversion:
    def __init__(self, flat: FlatModel) -> None:
        self.flat = flat
        self.when_targets = _when_targets(flat)
        discrete = {
            v.symbol
            for v in flat.variables
            if v.variability is Variability.DISCRETE
            or (is_discrete_type(v.symbol) and v.variability > Variability.PARAMETER)
        }
        discrete |= set(self.when_targets)
        self.tables = EventTables(flat, discrete)
        self.equations: list[Equation] = []
        self.jumps: list[Jump] = []
        self.checks: list[Check] = []
        self.endings: list[Ending] = []
        self.whens = 0

    def convert(self) -> HybridModel:
        flat, tables = self.flat, self.tables
        for clause in flat.clauses:
            self._clause(clause, x.TRUE)
        self._free_inputs()
        initial = [
            Equation(
                tables.rewrite(e.lhs, e.span, e.origin, events=False, stepping=False),
                tables.rewrite(e.rhs, e.span, e.origin, events=False, stepping=False),
                e.span,
                e.origin,
            )
            for e in self._initial_equations()
        ]
        under_der = {
            x.leaf_symbol(node) for e in flat.expressions() for node in x.leaves(e) if node.op is Op.DER
        }
        self._refuse_discrete_states(under_der)
        roles: dict[str, list[Variable]] = {
            r: [] for r in ("constant", "parameter", "state", "algebraic", "discrete")
        }
        for v in (*flat.variables, *tables.helpers):
            roles[self._role(v, under_der)].append(v)
        return HybridModel(
            flat.name,
            flat.span,
            tuple(roles["constant"]),
            tuple(roles["parameter"]),
            tuple(roles["state"]),
            tuple(roles["algebraic"]),
            tuple(roles["discrete"]),
            (*self.equations, *tables.equations),
            tuple(initial),
            tuple(tables.relations.values()),
            tuple(tables.clocks.values()),
            tuple(self.jumps),
            tuple(self.checks),
            tuple(self.endings),
            flat.experiment,
            flat.variables,
        )

    def _role(self, v: Variable, under_der: set[Symbol]) -> str:
        if v.variability is Variability.CONSTANT:
            return "constant"
        if v.variability is Variability.PARAMETER:
            return "parameter"
        if v.symbol in self.tables.discrete:
            return "discrete"
        return "state" if v.symbol in under_der else "algebraic"

    def _refuse_discrete_states(self, under_der: set[Symbol]) -> None:
        for symbol in sorted(under_der & set(self.when_targets)):
            raise model_error(
                "E211",
                f"`{symbol.name}` is assigned in a when-clause and has a derivative",
                self.when_targets[symbol].span,
                hint=f"use reinit({symbol.name}, ...) to change a state at an event",
            )

    def _free_inputs(self) -> None:
        """An input of the model itself that nothing drives keeps its start value."""
        bound = {e.lhs for e in self.equations} | {e.rhs for e in self.equations}
        for v in self.flat.variables:
            leaf = x.ref(v.symbol)
            free = v.variability > Variability.PARAMETER and "." not in v.name and leaf not in bound
            if v.causality is Causality.INPUT and free:
                start = v.start if v.start is not None else default_value(v.symbol.type)
                self.equations.append(Equation(leaf, start, v.span))

    # ------------------------------------------------------------ clauses

    def _clause(self, clause: Clause | Action | IfEquation, guard: Expr) -> None:
        rewrite = self.tables.rewrite
        match clause:
            case Equation():
                lhs = rewrite(clause.lhs, clause.span, clause.origin)
                rhs = rewrite(clause.rhs, clause.span, clause.origin)
                self.equations.append(Equation(lhs, rhs, clause.span, clause.origin))
            case When():
                self._when(clause)
            case IfEquation():
                for equation in self._if(clause, guard):
                    self._clause(equation, guard)
            case Assert():
                # An assertion is looked at, it does not make events.
                condition = rewrite(
                    clause.condition, clause.span, clause.origin, events=False, stepping=False
                )
                check = Check(guard, condition, clause.message, clause.warning, clause.span, clause.origin)
                self.checks.append(check)
            case Terminate():
                self.endings.append(Ending(guard, clause.message, clause.span))
            case Reinit():
                raise AssertionError("reinit outside a when-clause")

    def _if(self, clause: IfEquation, guard: Expr) -> list[Equation]:
        """One equation for the k-th equations of all branches."""
        conditions: list[Expr] = []
        branches: list[list[Equation]] = []
        closed: list[Expr] = []  # conditions of earlier branches
        for branch in clause.branches:
            test = branch.conditions[0] if branch.conditions else x.TRUE
            truth = self.tables.rewrite(test, clause.span, clause.origin)
            here = x.and_(guard, truth, *(x.not_(c) for c in closed))
            closed.append(truth)
            own: list[Equation] = []
            for action in branch.actions:
                if isinstance(action, Equation):
                    own.append(action)
                elif isinstance(action, IfEquation):
                    own += self._if(action, here)
                else:
                    self._clause(action, here)
            conditions.append(test)
            branches.append(own)
        if conditions[-1] is not x.TRUE:
            conditions.append(x.TRUE)
            branches.append([])
        counts = {len(b) for b in branches}
        if len(counts) > 1:
            raise model_error(
                "E209",
                "the branches of this if-equation have different numbers of equations: "
                + ", ".join(str(len(b)) for b in branches),
                clause.span,
                hint="every branch, the else included, must have the same number",
            )
        return [_paired(row, conditions, clause.span) for row in _rows(branches)]

    # ------------------------------------------------------------ when

    def _when(self, clause: When) -> None:
        blocked: list[Expr] = []
        assigned: dict[Symbol, _Assignment] = {}
        for branch in clause.branches:
            conditions = [self.tables.rewrite(c, clause.span, clause.origin) for c in branch.conditions]
            active = activation(conditions, lambda c: self._condition(c, clause))
            fires = x.and_(active, *(x.not_(b) for b in blocked))
            blocked.append(active)
            self._actions(branch.actions, fires, assigned)
        for symbol, assignment in assigned.items():
            value = x.pre(x.ref(symbol))
            for condition, case in reversed(assignment.cases):
                value = x.if_(condition, case, value)
            place = assignment.equation
            self.equations.append(Equation(x.ref(symbol), value, place.span, place.origin))

    def _condition(self, condition: Expr, clause: When) -> Expr:
        if condition.op is Op.REF and condition.data in self.tables.discrete:
            return condition
        self.whens += 1
        c = self.tables.helper(f"$when{self.whens}", Type.BOOLEAN, clause.span)
        self.equations.append(Equation(c, condition, clause.span, clause.origin))
        return c

    def _actions(
        self,
        actions: Iterable[Action | IfEquation],
        fires: Expr,
        assigned: dict[Symbol, _Assignment],
    ) -> None:
        for action in actions:
            span, origin = action.span, action.origin
            match action:
                case Equation():
                    value = self.tables.rewrite(action.rhs, span, origin, stepping=False)
                    entry = assigned.setdefault(action.lhs.data, _Assignment(action))
                    entry.cases.append((fires, value))
                case Reinit():
                    value = self.tables.rewrite(action.value, span, origin, stepping=False)
                    self.jumps.append(Jump(action.state, fires, value, span, origin))
                case Assert():
                    condition = self.tables.rewrite(
                        action.condition, span, origin, events=False, stepping=False
                    )
                    self.checks.append(Check(fires, condition, action.message, action.warning, span, origin))
                case Terminate():
                    self.endings.append(Ending(fires, action.message, span))
                case IfEquation():
                    closed: list[Expr] = []
                    for branch in action.branches:
                        test = branch.conditions[0] if branch.conditions else x.TRUE
                        truth = self.tables.rewrite(test, span, origin, stepping=False)
                        here = x.and_(fires, truth, *(x.not_(c) for c in closed))
                        closed.append(truth)
                        self._actions(branch.actions, here, assigned)

    # ------------------------------------------------------------ initial

    def _initial_equations(self) -> list[Equation]:
        found: list[Equation] = []
        for clause in self.flat.initial_clauses:
            match clause:
                case Equation():
                    found.append(clause)
                case IfEquation():
                    found += self._if(clause, x.INITIAL)
                case Assert():
                    self._clause(clause, x.INITIAL)
                case Terminate():
                    self._clause(clause, x.INITIAL)
                case When():
                    raise model_error("E209", "a when must not stand in an initial section", clause.span)
        return found


def default_value(kind: Type) -> Expr:
    """What a variable starts with when nothing is said."""
    return x.FALSE if kind is Type.BOOLEAN else x.const(0) if kind is Type.INTEGER else x.ZERO


def _when_targets(flat: FlatModel) -> dict[Symbol, Equation]:
    """Variables assigned in when-clauses; one in two clauses is refused."""
    found: dict[Symbol, Equation] = {}

    def collect(actions: Iterable[Action | IfEquation], own: dict[Symbol, Equation]) -> None:
        for action in actions:
            if isinstance(action, Equation):
                own.setdefault(action.lhs.data, action)
            elif isinstance(action, IfEquation):
                for branch in action.branches:
                    collect(branch.actions, own)

    for clause in flat.clauses:
        if not isinstance(clause, When):
            continue
        own: dict[Symbol, Equation] = {}
        for branch in clause.branches:
            collect(branch.actions, own)
        for symbol, equation in own.items():
            if symbol in found:
                raise model_error(
                    "E202",
                    f"`{symbol.name}` is assigned in two when-clauses",
                    equation.span,
                    notes=(Note("the other assignment", found[symbol].span),),
                    hint="join them with elsewhen, which gives one of them priority",
                )
            found[symbol] = equation
    return found


def _rows(branches: list[list[Equation]]) -> list[list[Equation]]:
    """Equations of all branches that belong together: by the variable on the left where that is clear."""
    keys = [[e.lhs for e in b] for b in branches]
    if all(set(k) == set(keys[0]) and len(set(k)) == len(k) for k in keys):
        by_lhs = [{e.lhs: e for e in b} for b in branches]
        return [[b[lhs] for b in by_lhs] for lhs in keys[0]]
    return [list(row) for row in zip(*branches, strict=True)]


def _paired(row: list[Equation], conditions: list[Expr], span: Span) -> Equation:
    first = row[0]
    if all(e.lhs is first.lhs for e in row):
        lhs, sides = first.lhs, [e.rhs for e in row]
    elif all(e.rhs is first.rhs for e in row):
        lhs, sides = first.rhs, [e.lhs for e in row]
    else:
        lhs, sides = x.ZERO, [x.sub(e.lhs, e.rhs) for e in row]
    value = sides[-1]
    for condition, side in reversed(list(zip(conditions[:-1], sides[:-1], strict=True))):
        value = x.if_(condition, side, value)
    return Equation(lhs, value, first.span if len(row) == 1 else span, first.origin)
