"""Clauses of the flat model to equations, jumps, checks and endings of the hybrid DAE.

When-clauses become discrete equations, if-equations become equations between if-expressions or equations that
exist in some modes only (`branches`); what is left after this is sorted together (paper 000, "Instantaneous
equations").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from saltus.core.diagnostics import Diagnostic, ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.expr.show import show
from saltus.expr.traversal import leaves, walk
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
    clause_expressions,
    is_discrete_type,
)
from saltus.ir.hybrid import Check, Ending, HybridModel, Jump
from saltus.lower.clocks.clocks import without_clocks
from saltus.lower.hybrid.branches import Presences, extension, uneven, without_else
from saltus.lower.hybrid.events import EventTables
from saltus.lower.scope.hints import when_at_start
from saltus.lower.sections.branches import are_alike, counts_differ, paired
from saltus.lower.sections.conditions import activation


def to_hybrid(flat: FlatModel) -> HybridModel:
    """The hybrid DAE of a flat model."""
    try:
        flat = without_clocks(flat)
        model = _Conversion(flat).convert()
        unknowns = len(model.states) + len(model.algebraics) + len(model.discretes)
        split = uneven(flat.clauses) if len(model.equations) < unknowns else ()
        return _Conversion(flat, split).convert() if split else model
    except RecursionError:
        raise model_error(
            "E204", f"conditions within conditions of `{flat.name}` are nested too deeply", flat.span
        ) from None


@dataclass(eq=False)
class _Assignment:
    """What a when-clause does to one variable: values by the condition under which they hold."""

    equation: Equation
    cases: list[tuple[Expr, Expr]] = field(default_factory=list)


class _Conversion:
    """`split`: if-equations whose equations exist one by one, although the branches are alike."""

    def __init__(self, flat: FlatModel, split: Collection[IfEquation] = ()) -> None:
        self.flat = flat
        self.split = split
        self.when_targets = _when_targets(flat)
        self.left_sides = Counter(c.lhs for c in flat.clauses if isinstance(c, Equation))
        discrete = {
            v.symbol
            for v in flat.variables
            if v.variability is Variability.DISCRETE
            or (is_discrete_type(v.symbol) and v.variability > Variability.PARAMETER)
        }
        discrete |= set(self.when_targets)
        discrete -= self._computed_between_events(discrete)
        self.tables = EventTables(flat, discrete)
        self.presences = Presences(self.tables)
        self.extensions: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self.equations: list[Equation] = []
        self.jumps: list[Jump] = []
        self.checks: list[Check] = []
        self.endings: list[Ending] = []
        self.whens = 0

    def _computed_between_events(self, discrete: set[Symbol]) -> set[Symbol]:
        """Integers and Booleans that a function computes beside Reals, from arguments that vary: the phase of
        a medium beside its density, the interval of a table beside the value in it. They belong to the other
        results, so they are computed whenever these are. They make no events."""
        variables = {v.symbol: v for v in self.flat.variables}

        def varies(leaf: Expr) -> bool:
            if leaf is x.TIME or leaf.op is Op.DER:
                return True
            variable = variables.get(x.leaf_symbol(leaf)) if leaf.op is Op.REF else None
            continuous = variable is not None and variable.variability is Variability.CONTINUOUS
            return continuous and leaf.data not in discrete

        return {
            c.lhs.data
            for c in self.flat.clauses
            if isinstance(c, Equation)
            and not c.when_assigned
            and c.lhs.op is Op.REF
            and c.lhs.data in discrete
            and c.lhs.data not in self.when_targets
            and self.left_sides[c.lhs] == 1
            and c.rhs.op is Op.ITEM
            and any(output.type is Type.REAL for output in c.rhs.args[0].data.outputs)
            and any(map(varies, leaves(c.rhs)))
        }

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
        found = {leaf for e in flat.expressions() for leaf in leaves(e)}
        under_der = {x.leaf_symbol(leaf) for leaf in found if leaf.op is Op.DER}
        self._refuse_left_limits({leaf for leaf in found if leaf.op is Op.PRE})
        self._refuse_discrete_states(under_der)
        self._refuse_jumps_of_others(under_der)
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
            (*self.checks, *tables.checks),
            tuple(self.endings),
            flat.experiment,
            flat.variables,
            tuple(tables.delays.values()),
            tuple(tables.transports.values()),
            extensions=tuple(self.extensions),
            warnings=tuple(self.warnings),
            carry_out=flat.carry_out,
            partitions=flat.partitions,
            regions=flat.regions,
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
                origin=symbol.name,
            )

    def _refuse_jumps_of_others(self, under_der: set[Symbol]) -> None:
        """Only a state can be set anew: anything else follows from the equations (section 8.3.6)."""
        for jump in self.jumps:
            if jump.state not in under_der:
                raise model_error(
                    "E209",
                    f"`{jump.state.name}` has no derivative, so reinit cannot set it",
                    jump.span,
                    hint="reinit changes variables that appear in der(...)",
                    origin=jump.origin,
                )

    def _refuse_left_limits(self, limits: set[Expr]) -> None:
        """`pre` of a variable that varies between events is allowed in when-clauses only (section 3.7.5)."""
        wrong = {leaf for leaf in limits if self.tables.is_continuous(x.leaf_symbol(leaf))}
        for clause in self.flat.clauses if wrong else ():
            if isinstance(clause, When) or (isinstance(clause, Equation) and clause.when_assigned):
                continue
            for e in clause_expressions(clause):
                for leaf in leaves(e):
                    if leaf in wrong:
                        name = x.leaf_symbol(leaf).name
                        raise model_error(
                            "E211",
                            f"`{name}` varies between events: pre({name}) is allowed in when-clauses only",
                            clause.span,
                            hint=f"an earlier value is `delay({name}, ...)`; a when-clause can keep one",
                            origin=clause.origin,
                        )

    def _free_inputs(self) -> None:
        """An input of the model that no equation gives a value keeps its start value."""
        for v in self.flat.variables:
            leaf = x.ref(v.symbol)
            determined = leaf in self.left_sides or v.symbol in self.when_targets
            if v.causality is Causality.INPUT and v.variability > Variability.PARAMETER and not determined:
                start = v.start if v.start is not None else _default_value(v.symbol.type)
                self.equations.append(Equation(leaf, start, v.span))

    # ------------------------------------------------------------ clauses

    def _clause(self, clause: Clause | Action | IfEquation, guard: Expr) -> None:
        rewrite = self.tables.rewrite
        match clause:
            case Equation():
                lhs = rewrite(clause.lhs, clause.span, clause.origin)
                rhs = rewrite(clause.rhs, clause.span, clause.origin)
                if not clause.when_assigned:
                    self._refuse_varying(lhs, rhs, clause.span)
                self.equations.append(replace(clause, lhs=lhs, rhs=rhs, when_assigned=False))
            case When():
                self._when(clause)
            case IfEquation():
                for equation in self._if(clause, guard):
                    self._clause(equation, guard)
            case Assert():
                self._assert(clause, guard)
            case Terminate():
                self.endings.append(Ending(guard, clause.message, clause.span, clause.origin))
            case Reinit():
                raise AssertionError("reinit outside a when-clause")

    def _assert(self, clause: Assert, guard: Expr) -> None:
        """Relations of an assertion make events, so that it fails when it is violated and not at the next
        output point. An exact comparison of Reals is evaluated literally, and so is an assertion of the
        initial section: it is evaluated once, and nothing crosses zero there."""
        exact = any(node.op in (Op.EQ, Op.NE) for node in walk(clause.condition))
        exact = exact or any(part is x.INITIAL for part in (guard, *guard.args))
        condition = self.tables.rewrite(
            clause.condition, clause.span, clause.origin, events=not exact, stepping=False
        )
        self.checks.append(
            Check(guard, condition, clause.message, clause.warning, clause.span, clause.origin)
        )

    def _refuse_varying(self, variable: Expr, value: Expr, span: Span) -> None:
        """A discrete variable must not be equal to something that changes between events: it would be seen
        to change only when some other event happens (section 4.5.1). An equation that determines something
        else, with a variable determined elsewhere on its left, is fine."""
        if variable.op is not Op.REF or variable.data not in self.tables.discrete:
            return
        if variable.data in self.when_targets or self.left_sides[variable] > 1:
            return
        if value.op is Op.REF and value is not x.TIME and value.type is Type.REAL:
            return  # an alias: which of the two is discrete is known after sorting
        if self.tables.varies(value):
            name = variable.data.name
            without = any(node.op is Op.NOEVENT for node in walk(value))
            raise model_error(
                "E211",
                f"`{name}` changes at events only, but `{show(value)}` varies between them",
                span,
                hint=f"assign `{name}` in a when-clause" + (", or leave out noEvent" if without else ""),
                origin=name,
            )

    def _if(self, clause: IfEquation, guard: Expr, *, starting: bool = False) -> list[Equation]:
        """One equation for the k-th equations of all branches; or all of them, each with its presence."""
        conditions: list[Expr] = []
        truths: list[Expr] = []
        branches: list[list[Equation]] = []
        for branch in clause.branches:
            test = branch.conditions[0] if branch.conditions else x.TRUE
            truth = self.tables.rewrite(test, clause.span, clause.origin)
            here = x.and_(guard, truth, *(x.not_(c) for c in truths))
            truths.append(truth)
            own: list[Equation] = []
            for action in branch.actions:
                if isinstance(action, Equation):
                    own.append(action)
                elif isinstance(action, IfEquation):
                    own += self._if(action, here, starting=starting)
                else:
                    self._clause(action, here)
            conditions.append(test)
            branches.append(own)
        ends = conditions[-1] is x.TRUE
        if not ends:
            conditions.append(x.TRUE)
            truths.append(x.TRUE)
            branches.append([])
        if are_alike(branches) and clause not in self.split:
            return paired(branches, conditions, clause.span)
        if starting:
            raise model_error(
                "E209",
                counts_differ(branches),
                clause.span,
                hint="in an initial section every branch, including the else, must have the same number",
                origin=clause.origin,
            )
        self.extensions.append(extension(clause, branches))
        if not ends:
            self.warnings.append(without_else(clause, self.flat.clauses))
        return self.presences.split(branches, truths, clause)

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
        if self.tables.varies(condition):
            raise model_error(
                "E211",
                f"`{show(condition)}` generates no event, so this when-clause would not see it become true",
                clause.span,
                hint="compare without noEvent, smooth or a function",
                origin=clause.origin,
            )
        self.whens += 1
        name = Helper.WHEN.numbered(self.whens)
        c = self.tables.helper(Helper.WHEN, name, Type.BOOLEAN, clause.span)
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
                    self._assert(action, fires)
                case Terminate():
                    self.endings.append(Ending(fires, action.message, span, origin))
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
                    found += self._if(clause, x.INITIAL, starting=True)
                case Assert():
                    self._clause(clause, x.INITIAL)
                case Terminate():
                    self._clause(clause, x.INITIAL)
                case When():
                    raise when_at_start(clause.span)
        return found


def _default_value(kind: Type) -> Expr:
    """What a variable starts with when nothing is said."""
    return x.FALSE if kind is Type.BOOLEAN else x.const(0) if kind is Type.INTEGER else x.ZERO


def _when_targets(flat: FlatModel) -> dict[Symbol, Equation]:
    """Variables assigned in when-clauses; one in two clauses, or twice in one branch, is refused."""
    assigned: dict[Symbol, Equation] = {}
    jumped: dict[Symbol, Reinit] = {}
    for clause in flat.clauses:
        if not isinstance(clause, When):
            continue
        here: dict[Symbol, Equation] = {}
        jumps: dict[Symbol, Reinit] = {}
        for branch in clause.branches:
            equations, reinits = _targets(branch.actions)
            here |= equations
            jumps |= reinits
        for symbol, equation in here.items():
            if symbol in assigned:
                raise _twice(f"`{symbol.name}` is assigned in two when-clauses", equation, assigned[symbol])
        for symbol, jump in jumps.items():
            if symbol in jumped:
                raise _twice(f"`{symbol.name}` is reinitialised in two when-clauses", jump, jumped[symbol])
        assigned |= here
        jumped |= jumps
    return assigned


def _targets(
    actions: Iterable[Action | IfEquation],
) -> tuple[dict[Symbol, Equation], dict[Symbol, Reinit]]:
    """What the actions of one branch assign and reinitialise; the branches of an if may do the same."""
    assigned: dict[Symbol, Equation] = {}
    jumped: dict[Symbol, Reinit] = {}
    for action in actions:
        equations: dict[Symbol, Equation] = {}
        reinits: dict[Symbol, Reinit] = {}
        if isinstance(action, Equation):
            equations[action.lhs.data] = action
        elif isinstance(action, Reinit):
            reinits[action.state] = action
        elif isinstance(action, IfEquation):
            for branch in action.branches:
                inner = _targets(branch.actions)
                equations |= inner[0]
                reinits |= inner[1]
        for symbol, equation in equations.items():
            if symbol in assigned:
                raise _twice(f"`{symbol.name}` is assigned twice", equation, assigned[symbol])
        for symbol, jump in reinits.items():
            if symbol in jumped:
                raise _twice(f"`{symbol.name}` is reinitialised twice", jump, jumped[symbol])
        assigned |= equations
        jumped |= reinits
    return assigned, jumped


def _twice(message: str, second: Equation | Reinit, first: Equation | Reinit) -> ModelError:
    return model_error(
        "E202",
        message,
        second.span,
        notes=(Note("the other one", first.span),),
        hint="join them with elsewhen, which gives one of them priority",
        origin=second.origin,
    )
