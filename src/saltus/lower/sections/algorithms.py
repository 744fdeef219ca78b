"""Algorithm sections of models, executed symbolically: each assigned variable gets one equation.

Loops are unrolled (their ranges are known at translation), branches are joined by if-expressions, and a
variable that is read before it is assigned has its `pre` value if it is discrete and its `start` value
otherwise (section 11.1.2). Expressions are interned, so what several results share is stored and computed
once; relations stay visible, so events come out right. A `while` whose end is not known at translation
belongs in a function. A `break` makes what follows in its loop conditional.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Op, Symbol, Type, const
from saltus.ir import ast
from saltus.ir.flat import Assert, Clause, Equation, Guarded, IfEquation, Terminate, Variability, Variable
from saltus.ir.instance import ArrayNode, Scalar
from saltus.lower.expressions.expressions import lower_call, lower_expression
from saltus.lower.names.iteration import iterations
from saltus.lower.names.references import find_node, node_value, refuse_conditional
from saltus.lower.names.subscripts import Dynamic, Index, Subscript, index_choices, is_index
from saltus.lower.scope.calls import assertion, condition_of, text_argument
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.hints import (
    JOINED_CONDITIONS,
    reinit_outside_when,
    relation_hint,
    varying_hint,
    when_at_start,
)
from saltus.lower.scope.types import check_assignable
from saltus.lower.scope.values import (
    ArrayValue,
    RecordValue,
    Value,
    ValuesDiffer,
    call_of_nothing,
    describe,
    describe_shape,
    scalar_pairs,
    scalars_of,
    shape_of,
)
from saltus.lower.sections.conditions import activation

UNROLL_LIMIT = 100_000

#: Whether a `break` has left the innermost loop: known, or an expression as any other value.
_LEFT = x.ref(Symbol("$left", Type.BOOLEAN))


@dataclass(eq=False)
class Execution:
    """What executing an algorithm section gives."""

    clauses: list[Clause] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)  # Booleans of when-conditions
    when_assigned: set[Symbol] = field(default_factory=set)


def execute(context: Context, section: ast.Section, scope: Scope, origin: str) -> Execution:
    """Runs a section from top to bottom."""
    machine = _Machine(context, origin, scope.at(section), section.initial)
    machine.run(section.items, scope, x.TRUE)
    return machine.finish()


class _Machine:
    def __init__(self, context: Context, origin: str, span: Span, initial: bool) -> None:
        self.context = context
        self.origin = origin
        self.span = span
        self.initial = initial
        self.values: dict[Expr, Expr] = {}  # REF of an assigned variable -> its present value
        self.places: dict[Expr, Span] = {}
        self.result = Execution()
        self.steps = 0

    # ------------------------------------------------------------ statements

    def run(self, items: Sequence[ast.Equation | ast.Statement], scope: Scope, path: Expr) -> None:
        """Executes statements; `path` is the condition under which they are reached (for assertions)."""
        for k, item in enumerate(items):
            left = self.values.get(_LEFT, x.FALSE)
            if left is not x.FALSE:
                if left is not x.TRUE:
                    self._unless(left, lambda p, rest=items[k:]: self.run(rest, scope, p), path)  # type: ignore[misc]
                return
            self._count()
            match item:
                case ast.Assignment():
                    value = self._lowered(item.value, scope, path)
                    self._assign(item.target, value, scope, path)
                case ast.TupleAssignment():
                    mark = self.context.requirements.mark()
                    results = [self._now(v) for v in lower_call(self.context, item.call, scope)]
                    self._require_since(mark, path)
                    if len(item.targets) > len(results):
                        raise model_error(
                            "E212",
                            f"{len(item.targets)} results are wanted, the function has {len(results)}",
                            scope.at(item),
                        )
                    for target, value in zip(item.targets, results, strict=False):
                        if target is not None:
                            self._assign(target, value, scope, path)
                case ast.IfEquation():
                    self._if(item, scope, path)
                case ast.ForEquation():
                    bindings = iterations(self.context, item.iterators, scope, item.items)
                    self._loop(((item.items, scope.with_locals(b)) for b in bindings), path)
                case ast.WhenEquation():
                    self._when(item, scope, path)
                case ast.CallEquation():
                    self._call(item, scope, path)
                case ast.WhileStatement():
                    self._while(item, scope, path)
                case ast.BreakStatement() if _LEFT in self.values:
                    self.values[_LEFT] = x.TRUE
                case _:
                    what = "`break` outside a loop" if isinstance(item, ast.BreakStatement) else "`return`"
                    what += " has no meaning in an algorithm of a model"
                    raise model_error("E209", what, scope.at(item), hint="remove it")

    def _unless(self, left: Expr, do: Callable[[Expr], None], path: Expr) -> None:
        """Does something where a loop has not been left."""
        before = dict(self.values)
        self.values[_LEFT] = x.FALSE
        do(x.and_(path, x.not_(left)))
        left_now = x.or_(left, self.values[_LEFT])
        self.values = self._joined([(left, before), (x.TRUE, self.values)])
        self.values[_LEFT] = left_now

    def _loop(
        self, turns: Iterable[tuple[Sequence[ast.Equation | ast.Statement], Scope]], path: Expr
    ) -> None:
        """Turn after turn, until a `break` leaves the loop: whether it did is a value like others."""
        outer = self.values.get(_LEFT)
        self.values[_LEFT] = x.FALSE
        for items, scope in turns:
            left = self.values[_LEFT]
            if left is x.TRUE:
                break
            if left is x.FALSE:
                self.run(items, scope, path)
                continue
            self._unless(left, lambda p, i=items, s=scope: self.run(i, s, p), path)  # type: ignore[misc]
        del self.values[_LEFT]
        if outer is not None:
            self.values[_LEFT] = outer

    def _lowered(self, e: ast.Expression, scope: Scope, path: Expr) -> Value:
        """The value of an expression at this point; what it requires is required where `path` leads here."""
        mark = self.context.requirements.mark()
        value = self._now(lower_expression(self.context, e, scope))
        self._require_since(mark, path)
        return value

    def _require_since(self, mark: int, path: Expr) -> None:
        for needed in self.context.requirements.take_since(mark):
            condition = self._now(needed.condition)
            assert isinstance(condition, Expr)
            self.result.clauses.append(replace(needed, condition=x.or_(x.not_(path), condition)))

    def _now(self, value: Value) -> Value:
        """A value read at this point: assigned variables have their present values."""
        memo: dict[Expr, Expr] = {}

        def visit(node: Expr) -> Expr | None:
            if node.op in (Op.EDGE, Op.CHANGE) and node.args[0] in self.values:
                # Their argument must stay a variable: written out, its present and its pre value.
                (variable,) = node.args
                present = self.values[variable]
                if node.op is Op.EDGE:
                    return x.and_(present, x.not_(x.pre(variable)))
                return x.relation(Op.NE, present, x.pre(variable))
            return self.values.get(node)

        def rewritten(v: Value) -> Value:
            if isinstance(v, Expr):
                return x.transform(v, visit, memo)
            if isinstance(v, ArrayValue):
                items = [rewritten(i) for i in v.items]
                return ArrayValue(v.shape, tuple(i for i in items if not isinstance(i, ArrayValue)))
            return RecordValue(v.type_name, {name: rewritten(f) for name, f in v.fields.items()})

        return rewritten(value)

    def _assign(self, target: ast.Reference, value: Value, scope: Scope, path: Expr) -> None:
        span = scope.at(target)
        if target.parts[0][0] in scope.locals:
            what = f"the loop variable `{target.text}` cannot be assigned"
            raise model_error("E211", what, span, hint="use a variable of your own")
        node = find_node(self.context, target, scope)
        refuse_conditional(target, scope)
        if isinstance(node, Dynamic):
            self._assign_dynamic(node, value, span, scope, path)
            return
        place = node_value(self.context, node, span, scope)
        try:
            pairs = list(scalar_pairs(place, value))
        except ValuesDiffer:
            raise model_error("E206", f"{describe(value)} is assigned to {describe(place)}", span) from None
        for variable, v in pairs:
            self._set(variable, v, span, target.text)

    def _assign_dynamic(self, node: Dynamic, value: Value, span: Span, scope: Scope, path: Expr) -> None:
        """`a[i] := v` with i varying: every element keeps its value or takes the new one."""
        array = node.array
        subscripts = [self._index_now(s) for s in node.subscripts]
        for size, subscript in zip(array.shape, subscripts, strict=True):
            for index in subscript if isinstance(subscript, list) else (subscript,):
                if isinstance(index, Expr) and index.type is Type.INTEGER:
                    inside = x.and_(x.relation(Op.GE, index, const(1)), x.relation(Op.LE, index, const(size)))
                    message = const(f"a subscript of `{array.path}` is outside 1:{size}")
                    condition = x.or_(x.not_(path), inside)
                    self.result.clauses.append(Assert(condition, message, False, span, self.origin))
        shape = tuple(len(s) for s in subscripts if isinstance(s, list))
        if shape_of(value)[: len(shape)] != shape:
            raise model_error("E206", f"{describe(value)} is assigned to {describe_shape(shape)}", span)
        parts = value.parts(len(shape)) if isinstance(value, ArrayValue) and shape else (value,)
        for part, indices in zip(parts, index_choices(subscripts), strict=True):
            self._assign_element(array, indices, part, span, scope)

    def _index_now(self, subscript: Subscript) -> Subscript:
        if isinstance(subscript, list):
            return [self._one_index_now(s) for s in subscript]
        return self._one_index_now(subscript)

    def _one_index_now(self, index: Index) -> Index:
        if isinstance(index, int):
            return index
        now = self._now(index)
        assert isinstance(now, Expr)
        return now

    def _assign_element(
        self, array: ArrayNode, indices: Sequence[Index], value: Value, span: Span, scope: Scope
    ) -> None:
        """Writes to the element with these indices, whichever that is during the run."""
        possible = [
            range(1, size + 1) if isinstance(index, Expr) else (index,)
            for size, index in zip(array.shape, indices, strict=True)
        ]
        for position in product(*possible):
            tests = [is_index(i, k) for i, k in zip(indices, position, strict=True) if isinstance(i, Expr)]
            here = x.and_(*tests)
            offset = 0
            for size, k in zip(array.shape, position, strict=True):
                offset = offset * size + k - 1
            old = node_value(self.context, array.items[offset], span, scope)
            try:
                pairs = list(scalar_pairs(old, value))
            except ValuesDiffer:
                what = f"{describe(value)} is assigned to {describe(old)}"
                raise model_error("E206", what, span) from None
            for variable, new in pairs:
                kept = self.values.get(variable, variable)
                self._set(variable, x.if_(here, new, kept), span, array.path)

    def _set(self, variable: Expr, value: Expr, span: Span, name: str) -> None:
        if variable.op is not Op.REF:
            what = f"`{name}` is a constant and cannot be assigned"
            raise model_error("E211", what, span, hint=varying_hint("constant"))
        scalar = self.context.components.scalars[variable.data]
        if scalar.variability <= Variability.PARAMETER and not self._is_free(scalar):
            raise model_error(
                "E211",
                f"`{scalar.path}` is a {scalar.variability.name.lower()} and cannot be assigned",
                span,
                notes=(Note("declared here", scalar.span),),
                hint=varying_hint(scalar.variability.name.lower()),
            )
        check_assignable(variable.type, value, f"`{scalar.path}`", span, variable.data.enumeration)
        self.values[variable] = value
        self.places.setdefault(variable, span)

    def _is_free(self, scalar: Scalar) -> bool:
        """A parameter with fixed = false is what initial sections compute."""
        fixed = scalar.attribute("fixed") if self.initial else None
        return (
            fixed is not None
            and scalar.variability is Variability.PARAMETER
            and self.context.evaluation.constant(fixed, scalar.span, "`fixed`") is False
        )

    # ------------------------------------------------------------ control

    def _if(self, item: ast.IfEquation, scope: Scope, path: Expr) -> None:
        before = dict(self.values)
        outcomes: list[tuple[Expr, dict[Expr, Expr]]] = []
        open_path = path
        for condition, items in item.branches:
            if condition is None:
                test = x.TRUE
            else:
                test = self._condition(condition, scope, before, open_path)
                if test.op is not Op.CONST and self._is_structural(test, items):
                    known = self.context.evaluation.constant(test, scope.at(condition), "this condition")
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

    def _condition(
        self, condition: ast.Expression, scope: Scope, values: dict[Expr, Expr], path: Expr
    ) -> Expr:
        """A condition, with the variables at their values before the if."""
        self.values = dict(values)
        mark = self.context.requirements.mark()
        test = self._now(condition_of(self.context, condition, scope))
        self._require_since(mark, path)
        assert isinstance(test, Expr)
        return test

    def _while(self, item: ast.WhileStatement, scope: Scope, path: Expr) -> None:
        """A loop whose condition is known at every turn: it is unrolled."""

        def turns() -> Iterator[tuple[Sequence[ast.Equation | ast.Statement], Scope]]:
            while True:
                test = self._condition(item.condition, scope, self.values, path)
                if test.op is not Op.CONST:
                    raise model_error(
                        "E204",
                        "`while` with a condition that varies is not supported in an algorithm of a model",
                        scope.at(item.condition),
                        hint="move the loop to a function and call it",
                    )
                if test is x.FALSE:
                    return
                self._count()
                yield item.items, scope

        self._loop(turns(), path)

    def _count(self) -> None:
        self.steps += 1
        if self.steps > UNROLL_LIMIT:
            raise model_error(
                "E204",
                "this algorithm is too long to be unrolled",
                self.span,
                hint="move the loop to a function",
            )

    def _is_structural(self, test: Expr, items: Sequence[ast.Equation | ast.Statement]) -> bool:
        """A branch with a when-statement may only be removed at translation."""
        return any(isinstance(i, ast.WhenEquation) for i in items) and self.context.evaluation.is_constant(
            test
        )

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
        scope = replace(scope, impure=True)
        if path is not x.TRUE:
            raise model_error(
                "E209",
                "a when-statement must not stand inside an if, while or when",
                scope.at(item),
                hint=JOINED_CONDITIONS,
            )
        if self.initial:
            raise when_at_start(scope.at(item))
        before = dict(self.values)
        outcomes: list[tuple[Expr, dict[Expr, Expr]]] = []
        blocked: list[Expr] = []
        for condition, items in item.branches:
            self.values = dict(before)
            lowered = self._lowered(condition, scope, x.TRUE)
            for c in scalars_of(lowered):
                if c.type is Type.CLOCK:
                    what = "a when-clause with a clock cannot stand in an algorithm"
                    raise model_error("E209", what, scope.at(condition))
                if c.type is not Type.BOOLEAN:
                    hint = relation_hint(c.type, scope.at(condition))
                    what = "the condition of a when must be Boolean"
                    raise model_error("E205", what, scope.at(condition), hint=hint)
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
        place = f"{self.origin or 'model'}.{span.line}.{span.column}.{number}"
        symbol = Symbol(Helper.WHEN.belonging_to(place), Type.BOOLEAN, helper=Helper.WHEN)
        self.result.variables.append(Variable(symbol, Variability.DISCRETE, span, protected=True))
        self.result.clauses.append(Equation(x.ref(symbol), condition, span, self.origin))
        return x.ref(symbol)

    def _call(self, item: ast.CallEquation, scope: Scope, path: Expr) -> None:
        name = item.call.function.text
        span = scope.at(item)
        mark = self.context.requirements.mark()
        if name == "assert":
            condition, message, warning = assertion(self.context, item.call, scope)
            now, text = self._now(condition), self._now(message)
            self._require_since(mark, path)
            assert isinstance(now, Expr) and isinstance(text, Expr)
            clause = Assert(x.or_(x.not_(path), now), text, warning, span, self.origin)
            self.result.clauses.append(clause)
        elif name == "terminate":
            ending = Terminate(text_argument(self.context, item.call, scope), span, self.origin)
            self.result.clauses.append(IfEquation((Guarded((path,), (ending,)),), span, self.origin))
        elif name == "reinit":
            raise reinit_outside_when(span)
        else:
            done = call_of_nothing(lower_call(self.context, item.call, scope)[0])
            if done is None:  # only what a function without outputs says by assertions is wanted
                self.context.requirements.take_since(mark)
                return
            self._require_since(mark, path)
            now = self._now(x.relation(Op.GE, done, x.ZERO))
            assert isinstance(now, Expr)
            failed = const(f"`{name}` failed")
            self.result.clauses.append(Assert(x.or_(x.not_(path), now), failed, False, span, self.origin))

    # ------------------------------------------------------------ results

    def finish(self) -> Execution:
        entry: dict[Expr, Expr] = {leaf: self._entry(leaf) for leaf in self.values}
        memo: dict[Expr, Expr] = {}
        assigned: list[Clause] = []
        for leaf, value in self.values.items():
            final = x.substitute(value, entry, memo)
            held = leaf.data in self.result.when_assigned
            assigned.append(Equation(leaf, final, self.places.get(leaf, self.span), self.origin, held))
        # Conditions and assertions saw the values of their moment; what was not yet assigned is as at entry.
        others = [_substituted(c, entry, memo) for c in self.result.clauses]
        self.result.clauses = [*assigned, *others]
        return self.result

    def _entry(self, leaf: Expr) -> Expr:
        scalar = self.context.components.scalars[leaf.data]
        if scalar.variability is Variability.DISCRETE or leaf.data in self.result.when_assigned:
            return x.pre(leaf)
        if scalar.variability is Variability.PARAMETER:
            return leaf
        start = scalar.attribute("start")
        return start if start is not None else x.ZERO


def _substituted(clause: Clause, entry: dict[Expr, Expr], memo: dict[Expr, Expr]) -> Clause:
    match clause:
        case Equation():
            return Equation(clause.lhs, x.substitute(clause.rhs, entry, memo), clause.span, clause.origin)
        case Assert():
            condition = x.substitute(clause.condition, entry, memo)
            return replace(clause, condition=condition, message=x.substitute(clause.message, entry, memo))
        case IfEquation():
            branches = tuple(
                Guarded(tuple(x.substitute(c, entry, memo) for c in b.conditions), b.actions)
                for b in clause.branches
            )
            return IfEquation(branches, clause.span, clause.origin)
        case _:
            return clause
