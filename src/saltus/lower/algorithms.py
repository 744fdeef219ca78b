"""Algorithm sections of models, executed symbolically: each assigned variable gets one equation.

Loops are unrolled (their ranges are known at translation), branches are joined by if-expressions, and a variable
that is read before it is assigned has its `pre` value if it is discrete and its `start` value otherwise
(section 11.1.2). Expressions are interned, so what several results share is stored and computed once; relations
stay visible, so events come out right. A `while` whose end is not known at translation belongs in a function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Symbol, Type, const
from saltus.ir import ast
from saltus.ir.flat import Assert, Clause, Equation, Guarded, IfEquation, Terminate, Variability, Variable
from saltus.ir.instance import ArrayNode, Node, Scalar
from saltus.lower.calls import assertion, condition_of, text_argument
from saltus.lower.conditions import activation
from saltus.lower.context import Context, Scope
from saltus.lower.expressions import iterations, lower_call, lower_expression
from saltus.lower.instantiate import check_assignable
from saltus.lower.references import Dynamic, find_node, node_value
from saltus.lower.values import (
    ArrayValue,
    RecordValue,
    Value,
    describe_shape,
    index_tuples,
    scalars_of,
    shape_of,
)

UNROLL_LIMIT = 100_000


@dataclass(eq=False)
class Execution:
    """What executing an algorithm section gives."""

    clauses: list[Clause] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)  # Booleans of when-conditions
    when_assigned: set[Symbol] = field(default_factory=set)


def execute(context: Context, section: ast.Section, scope: Scope, origin: str) -> Execution:
    """Runs a section from top to bottom."""
    machine = _Machine(context, origin, scope.at(section))
    machine.run(section.items, scope, x.TRUE)
    return machine.finish()


class _Machine:
    def __init__(self, context: Context, origin: str, span: Span) -> None:
        self.context = context
        self.origin = origin
        self.span = span
        self.values: dict[Expr, Expr] = {}  # REF of an assigned variable -> its present value
        self.places: dict[Expr, Span] = {}
        self.result = Execution()
        self.steps = 0

    # ------------------------------------------------------------ statements

    def run(self, items: Sequence[ast.Equation | ast.Statement], scope: Scope, path: Expr) -> None:
        """Executes statements; `path` is the condition under which they are reached (for assertions)."""
        for item in items:
            self.steps += 1
            if self.steps > UNROLL_LIMIT:
                raise model_error(
                    "E204",
                    "this algorithm is too long to be unrolled",
                    self.span,
                    hint="move the loop to a function",
                )
            match item:
                case ast.Assignment():
                    value = self._now(lower_expression(self.context, item.value, scope))
                    self._assign(item.target, value, scope)
                case ast.TupleAssignment():
                    results = [self._now(v) for v in lower_call(self.context, item.call, scope)]
                    if len(item.targets) > len(results):
                        raise model_error(
                            "E212",
                            f"{len(item.targets)} results are wanted, the function has {len(results)}",
                            scope.at(item),
                        )
                    for target, value in zip(item.targets, results, strict=False):
                        if target is not None:
                            self._assign(target, value, scope)
                case ast.IfEquation():
                    self._if(item, scope, path)
                case ast.ForEquation():
                    for bound in iterations(self.context, item.iterators, scope):
                        self.run(item.items, scope.with_locals(bound), path)
                case ast.WhenEquation():
                    self._when(item, scope, path)
                case ast.CallEquation():
                    self._call(item, scope, path)
                case ast.WhileStatement():
                    raise model_error(
                        "E204",
                        "`while` in an algorithm of a model is not supported",
                        scope.at(item.condition),
                        hint="move the loop to a function and call it",
                    )
                case _:
                    raise model_error(
                        "E204",
                        "`break` and `return` in an algorithm of a model are not supported",
                        scope.at(item),
                        hint="move the loop to a function and call it",
                    )

    def _now(self, value: Value) -> Value:
        """A value read at this point: assigned variables have their present values."""
        memo: dict[Expr, Expr] = {}

        def replace(v: Value) -> Value:
            if isinstance(v, Expr):
                return x.substitute(v, self.values, memo)
            if isinstance(v, ArrayValue):
                items = [replace(i) for i in v.items]
                return ArrayValue(v.shape, tuple(i for i in items if not isinstance(i, ArrayValue)))
            return RecordValue(v.type_name, {name: replace(f) for name, f in v.fields.items()})

        return replace(value)

    def _assign(self, target: ast.Reference, value: Value, scope: Scope) -> None:
        span = scope.at(target)
        if target.parts[0][0] in scope.locals:
            raise model_error("E211", f"the loop variable `{target.text}` cannot be assigned", span)
        node = find_node(self.context, target, scope)
        if isinstance(node, Dynamic):
            self._assign_dynamic(node, value, span, scope)
            return
        targets = list(_scalars(self.context, node, span, scope))
        values = list(scalars_of(value))
        here = _shape(node)
        if not isinstance(value, RecordValue) and here is not None and here != shape_of(value):
            raise model_error(
                "E206", f"{describe_shape(shape_of(value))} is assigned to {describe_shape(here)}", span
            )
        if len(targets) != len(values):
            raise model_error("E206", f"{len(values)} values are assigned to {len(targets)} variables", span)
        for symbol, v in zip(targets, values, strict=True):
            self._set(symbol, v, span)

    def _assign_dynamic(self, node: Dynamic, value: Value, span: Span, scope: Scope) -> None:
        """`a[i] := v` with i varying: every element keeps its value or takes the new one."""
        if not isinstance(value, Expr) or len(node.subscripts) != len(node.array.shape):
            raise model_error("E204", "assigning a slice at a varying index is not supported yet", span)
        for item, indices in zip(node.array.items, index_tuples(node.array.shape), strict=True):
            tests: list[Expr] = []
            for subscript, index in zip(node.subscripts, indices, strict=True):
                if isinstance(subscript, Expr):
                    chosen = self._now(subscript)
                    assert isinstance(chosen, Expr)
                    tests.append(x.relation(Op.EQ, chosen, const(index)))
                elif subscript != index:
                    tests.append(x.FALSE)
            here = x.and_(*tests)
            for symbol in _scalars(self.context, item, span, scope):
                old = x.ref(symbol)
                self._set(symbol, x.if_(here, value, self.values.get(old, old)), span)

    def _set(self, symbol: Symbol, value: Expr, span: Span) -> None:
        scalar = self.context.scalars[symbol]
        if scalar.variability <= Variability.PARAMETER:
            raise model_error(
                "E211", f"`{symbol.name}` is a {scalar.variability.name.lower()} and cannot be assigned", span
            )
        check_assignable(symbol.type, value.type, f"`{symbol.name}`", span)
        leaf = x.ref(symbol)
        self.values[leaf] = value
        self.places.setdefault(leaf, span)

    # ------------------------------------------------------------ control

    def _if(self, item: ast.IfEquation, scope: Scope, path: Expr) -> None:
        before = dict(self.values)
        outcomes: list[tuple[Expr, dict[Expr, Expr]]] = []
        open_path = path
        for condition, items in item.branches:
            if condition is None:
                test = x.TRUE
            else:
                test = self._condition(condition, scope, before)
                if test.op is not Op.CONST and self._is_structural(test, items):
                    known = self.context.constant(test, scope.at(condition), "this condition")
                    test = x.TRUE if known else x.FALSE
            if test is x.FALSE:
                continue
            self.values = dict(before)
            self.run(items, scope, x.and_(open_path, test))
            outcomes.append((test, self.values))
            open_path = x.and_(open_path, x.not_(test))
            if test is x.TRUE:
                break
        else:
            outcomes.append((x.TRUE, before))
        self.values = self._joined(outcomes)

    def _condition(self, condition: ast.Expression, scope: Scope, values: dict[Expr, Expr]) -> Expr:
        """A condition, with the variables at their values before the if."""
        self.values = dict(values)
        test = self._now(condition_of(self.context, condition, scope))
        assert isinstance(test, Expr)
        return test

    def _is_structural(self, test: Expr, items: Sequence[ast.Equation | ast.Statement]) -> bool:
        """A branch with a when-statement may only be removed at translation."""
        return any(isinstance(i, ast.WhenEquation) for i in items) and self.context.is_constant(test)

    def _joined(self, outcomes: list[tuple[Expr, dict[Expr, Expr]]]) -> dict[Expr, Expr]:
        names = {leaf: None for _, values in outcomes for leaf in values}
        joined: dict[Expr, Expr] = {}
        for leaf in names:
            result = outcomes[-1][1].get(leaf, leaf)
            for test, values in reversed(outcomes[:-1]):
                result = x.if_(test, values.get(leaf, leaf), result)
            joined[leaf] = result
        return joined

    def _when(self, item: ast.WhenEquation, scope: Scope, path: Expr) -> None:
        if path is not x.TRUE:
            raise model_error("E209", "a when-statement must not stand inside an if", scope.at(item))
        before = dict(self.values)
        outcomes: list[tuple[Expr, dict[Expr, Expr]]] = []
        blocked: list[Expr] = []
        for condition, items in item.branches:
            self.values = dict(before)
            lowered = self._now(lower_expression(self.context, condition, scope))
            for c in scalars_of(lowered):
                if c.type is not Type.BOOLEAN:
                    raise model_error("E205", "the condition of a when must be Boolean", scope.at(condition))
            span = scope.at(condition)
            active = activation(scalars_of(lowered), lambda c, span=span: self._variable(c, span))  # type: ignore[misc]
            fires = x.and_(active, *(x.not_(b) for b in blocked))
            blocked.append(active)
            known = dict(self.values)
            self.run(items, scope, x.and_(path, fires))
            for leaf, value in self.values.items():
                if known.get(leaf) is not value:
                    self.result.when_assigned.add(leaf.data)
            outcomes.append((fires, self.values))
        self.values = self._joined([*outcomes, (x.TRUE, before)])

    def _variable(self, condition: Expr, span: Span) -> Expr:
        """A Boolean variable that holds a when-condition."""
        if condition.op is Op.REF:
            return condition
        number = len(self.result.variables) + 1
        symbol = Symbol(f"$when.{self.origin or 'model'}.{span.line}.{span.column}.{number}", Type.BOOLEAN)
        self.result.variables.append(Variable(symbol, Variability.DISCRETE, span, protected=True))
        self.result.clauses.append(Equation(x.ref(symbol), condition, span, self.origin))
        return x.ref(symbol)

    def _call(self, item: ast.CallEquation, scope: Scope, path: Expr) -> None:
        name = item.call.function.text
        span = scope.at(item)
        if name == "assert":
            condition, message, warning = assertion(self.context, item.call, scope)
            now = self._now(condition)
            assert isinstance(now, Expr)
            clause = Assert(x.or_(x.not_(path), now), message, warning, span, self.origin)
            self.result.clauses.append(clause)
        elif name == "terminate":
            ending = Terminate(text_argument(self.context, item.call, scope), span, self.origin)
            self.result.clauses.append(IfEquation((Guarded((path,), (ending,)),), span, self.origin))
        elif name == "reinit":
            raise model_error("E209", "`reinit` is allowed in when-equations only", span)
        else:
            lower_call(self.context, item.call, scope)  # checked, then dropped: a function has no effect

    # ------------------------------------------------------------ results

    def finish(self) -> Execution:
        entry: dict[Expr, Expr] = {leaf: self._entry(leaf) for leaf in self.values}
        memo: dict[Expr, Expr] = {}
        assigned: list[Clause] = []
        for leaf, value in self.values.items():
            final = x.substitute(value, entry, memo)
            assigned.append(Equation(leaf, final, self.places.get(leaf, self.span), self.origin))
        # Conditions and assertions saw the values of their moment; what was not yet assigned is as at entry.
        others = [_substituted(c, entry, memo) for c in self.result.clauses]
        self.result.clauses = [*assigned, *others]
        return self.result

    def _entry(self, leaf: Expr) -> Expr:
        scalar = self.context.scalars[leaf.data]
        if scalar.variability is Variability.DISCRETE or leaf.data in self.result.when_assigned:
            return x.pre(leaf)
        start = scalar.attribute("start")
        return start if start is not None else x.ZERO


def _substituted(clause: Clause, entry: dict[Expr, Expr], memo: dict[Expr, Expr]) -> Clause:
    match clause:
        case Equation():
            return Equation(clause.lhs, x.substitute(clause.rhs, entry, memo), clause.span, clause.origin)
        case Assert():
            condition = x.substitute(clause.condition, entry, memo)
            return Assert(condition, clause.message, clause.warning, clause.span, clause.origin)
        case IfEquation():
            branches = tuple(
                Guarded(tuple(x.substitute(c, entry, memo) for c in b.conditions), b.actions)
                for b in clause.branches
            )
            return IfEquation(branches, clause.span, clause.origin)
        case _:
            return clause


def _scalars(context: Context, node: Node, span: Span, scope: Scope) -> list[Symbol]:
    """The symbols of what is assigned."""
    if isinstance(node, Scalar) and node.variability <= Variability.PARAMETER:
        raise model_error(
            "E211",
            f"`{node.path}` is a {node.variability.name.lower()} and cannot be assigned",
            span,
            notes=(Note("declared here", node.span),),
        )
    return [x.leaf_symbol(v) for v in scalars_of(node_value(context, node, span, scope))]


def _shape(node: Node) -> tuple[int, ...] | None:
    if isinstance(node, Scalar):
        return ()
    return node.shape if isinstance(node, ArrayNode) and isinstance(node.items[:1], tuple) else None
