"""Equation sections to clauses: loops unrolled, arrays and records written out, conditions that parameters
decide decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Type, const
from saltus.ir import ast
from saltus.ir.flat import (
    Action,
    Assert,
    Clause,
    Equation,
    Guarded,
    IfEquation,
    Reinit,
    Terminate,
    Variability,
    When,
)
from saltus.lower.connections.connection_operators import GRAPH_OPERATORS, graph_operator
from saltus.lower.expressions.expressions import lower_call, lower_expression, lower_scalar
from saltus.lower.expressions.overloading import has_records
from saltus.lower.expressions.state_machines import EQUATIONS as STATE_EQUATIONS
from saltus.lower.expressions.state_machines import state_equation
from saltus.lower.names.iteration import iterations
from saltus.lower.names.references import NoValue
from saltus.lower.scope.calls import assertion, condition_of, text_argument
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.hints import (
    JOINED_CONDITIONS,
    connection_hint,
    reinit_outside_when,
    relation_hint,
    varying_hint,
    with_hint,
)
from saltus.lower.scope.types import check_assignable, quoted_literal_hint, same_type, type_name
from saltus.lower.scope.values import (
    ArrayValue,
    RecordValue,
    Value,
    ValuesDiffer,
    call_of_nothing,
    scalar_pairs,
    scalars_of,
    shape_of,
)


class EquationLowering:
    """Lowers the equations of one instance."""

    def __init__(self, context: Context, origin: str) -> None:
        self.context = context
        self.origin = origin

    def section(self, section: ast.Section, scope: Scope) -> list[Clause]:
        """All clauses of a section; an equation in error does not hide errors in the others."""
        found: list[Clause] = []
        for item in section.items:
            try:
                found += self.clauses(item, scope)
            except ModelError as error:
                self.context.absorb(error, scope.instance)
        return found

    def clauses(self, item: ast.Equation | ast.Statement, scope: Scope) -> list[Clause]:
        """What an equation means, with what must hold for its expressions to have a meaning."""
        mark = self.context.requirements.mark()
        found = self._clauses(item, scope)
        return [*found, *self.context.requirements.take_since(mark)]

    def _clauses(self, item: ast.Equation | ast.Statement, scope: Scope) -> list[Clause]:
        match item:
            case ast.SimpleEquation():
                return list(self._simple(item, scope))
            case ast.Connect():
                return []  # taken in before (`connect_sections`)
            case ast.ForEquation():
                return [
                    c
                    for bound in iterations(self.context, item.iterators, scope, item.items)
                    for inner in item.items
                    for c in self.clauses(inner, scope.with_locals(bound))
                ]
            case ast.IfEquation():
                return self._if(item, scope)
            case ast.WhenEquation():
                return [self._when(item, scope)]
            case ast.CallEquation():
                return self._call(item, scope)
            case _:
                raise model_error("E209", "this is not an equation", scope.at(item))

    # ------------------------------------------------------------ plain equations

    def _simple(self, item: ast.SimpleEquation, scope: Scope) -> list[Equation]:
        span = scope.at(item)
        if isinstance(item.left, ast.Tuple):
            return self._tuple(item.left, item.right, scope, span)
        try:
            left = lower_expression(self.context, item.left, scope)
            right = lower_expression(self.context, item.right, scope)
        except NoValue as error:
            hint = connection_hint(item, scope) if error.kind == "connector" else None
            raise (with_hint(error, hint, ("E209",)) if hint is not None else error) from None
        return self.equate(left, right, span)

    def _tuple(self, left: ast.Tuple, right: ast.Expression, scope: Scope, span: Span) -> list[Equation]:
        """`(a, , b) = f(...)`"""
        if not isinstance(right, ast.Call):
            what = "a list in parentheses equals a function call only"
            hint = "an array is written in braces: `{a, b}`"
            raise model_error("E209", what, span, hint=hint)
        results = lower_call(self.context, right, scope)
        if len(left.elements) > len(results):
            raise model_error(
                "E212", f"{len(left.elements)} results are wanted, the function has {len(results)}", span
            )
        found: list[Equation] = []
        for element, result in zip(left.elements, results, strict=False):
            if element is not None:
                found += self.equate(lower_expression(self.context, element, scope), result, span)
        return found

    def equate(self, left: Value, right: Value, span: Span) -> list[Equation]:
        """Scalar equations of two values."""
        try:
            pairs = list(scalar_pairs(left, right))
            if has_records(left):
                pairs = list(scalar_pairs(self._variable_part(left), self._variable_part(right)))
        except ValuesDiffer as problem:
            raise model_error("E206", f"the sides differ: {problem}", span) from None
        return [self._equation(a, b, span) for a, b in pairs]

    def _variable_part(self, value: Value) -> Value:
        """A value without what its records declare as parameters and constants: those have their values."""
        if isinstance(value, ArrayValue):
            items = (self._variable_part(v) for v in value.items)
            return ArrayValue(value.shape, tuple(i for i in items if not isinstance(i, ArrayValue)))
        record = self.context.layouts.records.get(value.type_name) if isinstance(value, RecordValue) else None
        if record is None or not isinstance(value, RecordValue):
            return value
        elements = self.context.layouts.of(record).elements
        fields = {
            name: self._variable_part(field)
            for name, field in value.fields.items()
            if name not in elements or elements[name].clause.variability not in ("parameter", "constant")
        }
        return RecordValue(value.type_name, fields)

    def _equation(self, a: Expr, b: Expr, span: Span) -> Equation:
        if not same_type(a, b):
            left, right = type_name(a), type_name(b)
            raise model_error(
                "E205",
                f"{left} = {right}: the sides have different types",
                span,
                hint=quoted_literal_hint(a, b),
            )
        if a.type is Type.INTEGER and b.type is Type.REAL and a.op is Op.REF:
            raise model_error(
                "E205",
                f"`{a.data.name}` is an Integer, but the other side is Real",
                span,
                hint="use integer(...) to round down",
            )
        return Equation(a, b, span, self.origin)

    # ------------------------------------------------------------ if

    def _if(self, item: ast.IfEquation, scope: Scope) -> list[Clause]:
        branches: list[Guarded] = []
        for condition, items in item.branches:
            if condition is None:
                test = x.TRUE
            else:
                test = condition_of(self.context, condition, scope)
                if test.op is not Op.CONST and self.context.evaluation.is_constant(test):
                    known = self.context.evaluation.constant(test, scope.at(condition), "this condition")
                    test = x.TRUE if known else x.FALSE
            if test is x.FALSE:
                continue
            if test is x.TRUE and not branches:
                return [c for inner in items for c in self.clauses(inner, scope)]
            conditions = () if test is x.TRUE else (test,)
            branches.append(Guarded(conditions, tuple(self._actions(items, scope, "an if-equation"))))
            if test is x.TRUE:
                break
        return [IfEquation(tuple(branches), scope.at(item), self.origin)] if branches else []

    def _actions(
        self, items: Sequence[ast.Equation | ast.Statement], scope: Scope, where: str
    ) -> list[Action | IfEquation]:
        found: list[Action | IfEquation] = []
        for item in items:
            for clause in self.clauses(item, scope):
                if isinstance(clause, When):
                    what = f"a when-equation must not stand in {where}"
                    raise model_error("E209", what, scope.at(item), hint=JOINED_CONDITIONS)
                found.append(clause)
        return found

    # ------------------------------------------------------------ when

    def _when(self, item: ast.WhenEquation, scope: Scope) -> When:
        scope = replace(scope, impure=True)
        branches: list[Guarded] = []
        for condition, items in item.branches:
            conditions = self._when_condition(condition, scope)
            if conditions and conditions[0].type is Type.CLOCK:
                return self._clocked_when(conditions[0], item, scope)
            actions: list[Action | IfEquation] = []
            inside = replace(scope, at_start=list(conditions) == [x.INITIAL])
            for inner in items:
                actions += self._when_actions(inner, inside)
            branches.append(Guarded(conditions, tuple(actions)))
        return When(tuple(branches), scope.at(item), self.origin)

    def _clocked_when(self, clock: Expr, item: ast.WhenEquation, scope: Scope) -> When:
        """Section 16.6: any equations, on the ticks of a clock."""
        if len(item.branches) > 1:
            what = "a when-clause with a clock has no `elsewhen`"
            raise model_error("E209", what, scope.at(item), hint="write a second when-clause")
        actions = self._actions(item.branches[0][1], scope, "a when-equation")
        return When((Guarded((clock,), tuple(actions)),), scope.at(item), self.origin)

    def _when_actions(self, item: ast.Equation | ast.Statement, scope: Scope) -> list[Action | IfEquation]:
        if isinstance(item, ast.CallEquation) and item.call.function.text == "reinit":
            mark = self.context.requirements.mark()
            return [*self._reinit(item.call, scope), *self.context.requirements.take_since(mark)]
        if isinstance(item, ast.ForEquation):
            return [
                a
                for bound in iterations(self.context, item.iterators, scope, item.items)
                for inner in item.items
                for a in self._when_actions(inner, scope.with_locals(bound))
            ]
        if isinstance(item, ast.IfEquation):
            branches = tuple(
                Guarded(
                    () if condition is None else (condition_of(self.context, condition, scope),),
                    tuple(a for inner in items for a in self._when_actions(inner, scope)),
                )
                for condition, items in item.branches
            )
            return [IfEquation(branches, scope.at(item), self.origin)]
        actions = self._actions([item], scope, "a when-equation")
        for action in actions:
            if isinstance(action, Equation):
                self._check_when_target(action)
        return actions

    def _when_condition(self, condition: ast.Expression, scope: Scope) -> tuple[Expr, ...]:
        value = lower_expression(self.context, condition, scope)
        conditions = tuple(scalars_of(value))
        if isinstance(value, Expr) and value.type is Type.CLOCK:
            return conditions
        if len(shape_of(value)) > 1 or any(c.type is not Type.BOOLEAN for c in conditions):
            sampled = any(c.op is Op.CLOCKED and c.data == "sample" for c in conditions)
            raise model_error(
                "E205",
                "the condition of a when must be Boolean",
                scope.at(condition),
                hint="the event operator is sample(start, interval)"
                if sampled
                else relation_hint(conditions[0].type, scope.at(condition)),
            )
        return conditions

    def _check_when_target(self, equation: Equation) -> None:
        if equation.lhs.op is not Op.REF:
            raise model_error(
                "E209",
                "inside a when, the left side must be a variable",
                equation.span,
                hint="write it as `variable = expression`",
            )
        scalar = self.context.components.scalars.get(equation.lhs.data)
        if scalar is not None and scalar.variability <= Variability.PARAMETER:
            raise model_error(
                "E211",
                f"`{scalar.path}` is a {scalar.variability.name.lower()} and cannot change at an event",
                equation.span,
                notes=(Note("declared here", scalar.span),),
                hint=varying_hint(scalar.variability.name.lower()),
            )

    def _reinit(self, call: ast.Call, scope: Scope) -> list[Reinit]:
        span = scope.at(call)
        if len(call.args) != 2 or call.named:
            raise model_error("E212", "`reinit` takes a state and its new value", span)
        state, new = (lower_expression(self.context, a, scope) for a in call.args)
        try:
            pairs = list(scalar_pairs(state, new))
        except ValuesDiffer as problem:
            raise model_error("E206", f"the state and its new value differ: {problem}", span) from None
        found: list[Reinit] = []
        for target, value in pairs:
            if target.op is not Op.REF:
                hint = "its first argument is the name of a variable that appears in der(...)"
                raise model_error("E209", "`reinit` needs a Real state variable", span, hint=hint)
            if target.type is not Type.REAL:
                raise model_error(
                    "E209",
                    f"`{target.data.name}` is not a state (Real with der), so reinit cannot set it",
                    span,
                    hint=f"a discrete variable is given its value by `{target.data.name} = ...`",
                )
            check_assignable(Type.REAL, value, "the new value", span)
            found.append(Reinit(target.data, value, span, self.origin))
        return found

    # ------------------------------------------------------------ calls

    def _call(self, item: ast.CallEquation, scope: Scope) -> list[Clause]:
        name = item.call.function.text
        span = scope.at(item)
        if name == "assert":
            condition, message, warning = assertion(self.context, item.call, scope)
            return [Assert(condition, message, warning, span, self.origin)]
        if name == "terminate":
            return [Terminate(text_argument(self.context, item.call, scope), span, self.origin)]
        if name in STATE_EQUATIONS:
            state_equation(self.context, item.call, scope)
            return []
        if name == "reinit":
            raise reinit_outside_when(span)
        if graph_operator(item.call) in GRAPH_OPERATORS:
            return []  # taken in with the connect-equations
        done = call_of_nothing(lower_call(self.context, item.call, scope)[0])
        if done is None:
            return []  # only what a function without outputs says by assertions is wanted
        called = x.relation(Op.GE, done, x.ZERO)  # always true; but it is evaluated in every step
        return [Assert(called, const(f"`{name}` failed"), False, span, self.origin)]


def constant_scalar(context: Context, e: ast.Expression, scope: Scope) -> float | int | bool | str:
    """A literal or constant expression, as in an experiment annotation."""
    return context.evaluation.constant(lower_scalar(context, e, scope), scope.at(e), "this value")
