"""Algorithm sections of models, executed symbolically: each assigned variable gets one equation.

Loops are unrolled (their ranges are known at translation), branches are joined by if-expressions, and a
variable that is read before it is assigned has its `pre` value if it is discrete and its `start` value
otherwise (section 11.1.2). Expressions are interned, so what several results share is stored and computed
once; relations stay visible, so events come out right. A `while` whose end is not known at translation
belongs in a function. A `break` makes what follows in its loop conditional.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Op, Symbol, Type, const
from saltus.expr.traversal import substitute, transform
from saltus.ir import ast
from saltus.ir.flat import (
    Assert,
    Clause,
    Equation,
    Guarded,
    IfEquation,
    Reinit,
    Terminate,
    Variability,
    Variable,
    mapped,
)
from saltus.ir.instance import ArrayNode, Scalar
from saltus.lower.expressions.expressions import lower_call, lower_expression
from saltus.lower.functions.walker import Item, StatementWalker, Way
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
    asks_entries: bool = False  # for the value of a variable at its beginning (`ENTRY`)


def execute(context: Context, section: ast.Section, scope: Scope, origin: str) -> Execution:
    """Runs a section from top to bottom."""
    machine = _Machine(context, origin, scope.at(section), section.initial)
    machine.walk(section.items, scope)
    return machine.finish()


#: The operator of what a variable is at the beginning of an algorithm: of the variable, and of its value
#: there unless it has a clock. With one it is what it was at the tick before.
ENTRY = "entry"


@dataclass(frozen=True, eq=False)
class _State:
    """The values of assigned variables at a place, and the condition under which it is reached."""

    values: dict[Expr, Expr]
    path: Expr


class _Machine(StatementWalker[None, _State]):
    """Carries out the statements of one section; `path` is the condition under which the present one is
    reached (for assertions)."""

    def __init__(self, context: Context, origin: str, span: Span, initial: bool) -> None:
        self.context = context
        self.origin = origin
        self.span = span
        self.initial = initial
        self.values: dict[Expr, Expr] = {}  # REF of an assigned variable -> its present value
        self.places: dict[Expr, Span] = {}
        self.result = Execution()
        self.steps = 0
        self.path = x.TRUE

    # ------------------------------------------------------------ statements

    def sequence(self, results: list[None]) -> None:
        """What statements do is in the values and clauses."""

    def reaches(self, items: Sequence[Item], k: int, scope: Scope) -> bool:
        """Where a `break` may have left the loop, the rest of the items is carried out on that condition."""
        left = self.values.get(_LEFT, x.FALSE)
        if left is not x.FALSE:
            if left is not x.TRUE:
                self._unless(left, items[k:], scope)
            return False
        self._count()
        return True

    def assign_value(self, item: ast.Assignment, scope: Scope) -> None:
        """`target := value`"""
        self._assign(item.target, self._lowered(item.value, scope), scope)

    def results(self, item: ast.TupleAssignment, scope: Scope) -> list[Value]:
        """What is called gives at this point."""
        mark = self.context.requirements.mark()
        results = [self._now(v) for v in lower_call(self.context, item.call, scope)]
        self._require_since(mark)
        return results

    def assign_results(self, item: ast.TupleAssignment, results: list[Value], scope: Scope) -> None:
        """`(a, b) := f(...)`"""
        for target, value in zip(item.targets, results, strict=False):
            if target is not None:
                self._assign(target, value, scope)

    def for_loop(self, item: ast.ForEquation, scope: Scope) -> None:
        """Every turn is written out."""
        bindings = iterations(self.context, item.iterators, scope, item.items)
        self._loop((item.items, scope.with_locals(b)) for b in bindings)

    def leave_loop(self, item: ast.BreakStatement, scope: Scope) -> None:
        """`break`"""
        if _LEFT not in self.values:
            raise _meaningless("`break` outside a loop", scope.at(item))
        self.values[_LEFT] = x.TRUE

    def unknown(self, item: Item, scope: Scope) -> None:
        """`return`: there is nothing to return from."""
        raise _meaningless("`return`", scope.at(item))

    def _unless(self, left: Expr, items: Sequence[Item], scope: Scope) -> None:
        """Carries statements out where a loop has not been left."""
        before, path = dict(self.values), self.path
        self.values[_LEFT] = x.FALSE
        self.path = x.and_(path, x.not_(left))
        self.walk(items, scope)
        self.path = path
        left_now = x.or_(left, self.values[_LEFT])
        self.values = self._joined([(left, before), (x.TRUE, self.values)])
        self.values[_LEFT] = left_now

    def _loop(self, turns: Iterable[tuple[Sequence[Item], Scope]]) -> None:
        """Turn after turn, until a `break` leaves the loop: whether it did is a value like others."""
        outer = self.values.get(_LEFT)
        self.values[_LEFT] = x.FALSE
        for items, scope in turns:
            left = self.values[_LEFT]
            if left is x.TRUE:
                break
            if left is x.FALSE:
                self.walk(items, scope)
            else:
                self._unless(left, items, scope)
        del self.values[_LEFT]
        if outer is not None:
            self.values[_LEFT] = outer

    def _lowered(self, e: ast.Expression, scope: Scope) -> Value:
        """The value of an expression at this point. What it requires is required where the path leads."""
        mark = self.context.requirements.mark()
        value = self._now(lower_expression(self.context, e, scope))
        self._require_since(mark)
        return value

    def _require_since(self, mark: int) -> None:
        for needed in self.context.requirements.take_since(mark):
            condition = self._now(needed.condition)
            assert isinstance(condition, Expr)
            self.result.clauses.append(replace(needed, condition=x.or_(x.not_(self.path), condition)))

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
                return transform(v, visit, memo)
            if isinstance(v, ArrayValue):
                items = [rewritten(i) for i in v.items]
                return ArrayValue(v.shape, tuple(i for i in items if not isinstance(i, ArrayValue)))
            return RecordValue(v.type_name, {name: rewritten(f) for name, f in v.fields.items()})

        return rewritten(value)

    def _assign(self, target: ast.Reference, value: Value, scope: Scope) -> None:
        span = scope.at(target)
        if target.parts[0][0] in scope.locals:
            what = f"the loop variable `{target.text}` cannot be assigned"
            raise model_error("E211", what, span, hint="use a variable of your own")
        node = find_node(self.context, target, scope)
        refuse_conditional(target, scope)
        if isinstance(node, Dynamic):
            self._assign_dynamic(node, value, span, scope)
            return
        place = node_value(self.context, node, span, scope)
        try:
            pairs = list(scalar_pairs(place, value))
        except ValuesDiffer:
            raise model_error("E206", f"{describe(value)} is assigned to {describe(place)}", span) from None
        for variable, v in pairs:
            self._set(variable, v, span, target.text)

    def _assign_dynamic(self, node: Dynamic, value: Value, span: Span, scope: Scope) -> None:
        """`a[i] := v` with i varying: every element keeps its value or takes the new one."""
        array = node.array
        subscripts = [self._index_now(s) for s in node.subscripts]
        for size, subscript in zip(array.shape, subscripts, strict=True):
            for index in subscript if isinstance(subscript, list) else (subscript,):
                if isinstance(index, Expr) and index.type is Type.INTEGER:
                    inside = x.and_(x.relation(Op.GE, index, const(1)), x.relation(Op.LE, index, const(size)))
                    message = const(f"a subscript of `{array.path}` is outside 1:{size}")
                    condition = x.or_(x.not_(self.path), inside)
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

    def condition(
        self, condition: ast.Expression, items: Sequence[Item], scope: Scope, excluded: Sequence[Expr]
    ) -> Expr:
        """A condition, with the variables at their values before the if."""
        path = self.path
        self.path = _excluding(path, excluded)
        test = self._condition(condition, scope)
        self.path = path
        if test.op is not Op.CONST and self._is_structural(test, items):
            known = self.context.evaluation.constant(test, scope.at(condition), "this condition")
            return x.TRUE if known else x.FALSE
        return test

    def _condition(self, condition: ast.Expression, scope: Scope) -> Expr:
        mark = self.context.requirements.mark()
        test = self._now(condition_of(self.context, condition, scope))
        self._require_since(mark)
        assert isinstance(test, Expr)
        return test

    def enter(self, test: Expr, excluded: Sequence[Expr]) -> None:
        """The branch is reached where its condition holds and none before it."""
        self.path = x.and_(_excluding(self.path, excluded), test)

    def save(self) -> _State:
        """A copy of the present values, which continue to change, and the path."""
        return _State(dict(self.values), self.path)

    def restore(self, state: _State) -> None:
        """Continues with values that may be needed again."""
        self.values, self.path = dict(state.values), state.path

    def join(self, item: ast.IfEquation, ways: Sequence[Way[None, _State]], scope: Scope) -> None:
        """Each variable is what the branch makes of it that is taken."""
        self.values = self._joined([(way.test, way.end.values) for way in ways])

    def while_loop(self, item: ast.WhileStatement, scope: Scope) -> None:
        """A loop whose condition is known at every turn: it is unrolled."""

        def turns() -> Iterator[tuple[Sequence[Item], Scope]]:
            while True:
                test = self._condition(item.condition, scope)
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

        self._loop(turns())

    def _count(self) -> None:
        self.steps += 1
        if self.steps > UNROLL_LIMIT:
            raise model_error(
                "E204",
                "this algorithm is too long to be unrolled",
                self.span,
                hint="move the loop to a function",
            )

    def _is_structural(self, test: Expr, items: Sequence[Item]) -> bool:
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

    def when(self, item: ast.WhenEquation, scope: Scope) -> None:
        """Assignments that are made when a condition becomes true."""
        path = self.path
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
            lowered = self._lowered(condition, scope)
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
            self.path = x.and_(path, fires)
            self.walk(items, replace(scope, at_start=list(scalars_of(lowered)) == [x.INITIAL]))
            self.path = path
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

    def assertion(self, item: ast.CallEquation, scope: Scope) -> None:
        """An assertion must hold where the path leads to it."""
        mark = self.context.requirements.mark()
        condition, message, warning = assertion(self.context, item.call, scope)
        now, text = self._now(condition), self._now(message)
        self._require_since(mark)
        assert isinstance(now, Expr) and isinstance(text, Expr)
        clause = Assert(x.or_(x.not_(self.path), now), text, warning, scope.at(item), self.origin)
        self.result.clauses.append(clause)

    def terminate(self, item: ast.CallEquation, scope: Scope) -> None:
        """The run ends where the path leads to it."""
        span = scope.at(item)
        ending = Terminate(text_argument(self.context, item.call, scope), span, self.origin)
        self.result.clauses.append(IfEquation((Guarded((self.path,), (ending,)),), span, self.origin))

    def reinit(self, item: ast.CallEquation, scope: Scope) -> None:
        """Refused: a `reinit` stands in equations only."""
        raise reinit_outside_when(scope.at(item))

    def call(self, item: ast.CallEquation, scope: Scope) -> None:
        """A function without outputs is called for its assertions; of any other nothing is wanted."""
        mark = self.context.requirements.mark()
        done = call_of_nothing(lower_call(self.context, item.call, scope)[0])
        if done is None:
            self.context.requirements.take_since(mark)
            return
        self._require_since(mark)
        now = self._now(x.relation(Op.GE, done, x.ZERO))
        assert isinstance(now, Expr)
        failed = const(f"`{item.call.function.text}` failed")
        condition = x.or_(x.not_(self.path), now)
        self.result.clauses.append(Assert(condition, failed, False, scope.at(item), self.origin))

    # ------------------------------------------------------------ results

    def finish(self) -> Execution:
        entry: dict[Expr, Expr] = {leaf: self._entry(leaf) for leaf in self.values}
        memo: dict[Expr, Expr] = {}
        assigned: list[Clause] = []
        for leaf, value in self.values.items():
            final = substitute(value, entry, memo)
            in_when = leaf.data in self.result.when_assigned
            assigned.append(Equation(leaf, final, self.places.get(leaf, self.span), self.origin, in_when))
        # Conditions and assertions saw the values of their moment; what was not yet assigned is as at entry.
        others = [_substituted(c, entry, memo) for c in self.result.clauses]
        self.result.asks_entries = any(memo.get(leaf) is own for leaf, own in entry.items())
        self.result.clauses = [*assigned, *others]
        return self.result

    def _entry(self, leaf: Expr) -> Expr:
        scalar = self.context.components.scalars[leaf.data]
        if scalar.variability is Variability.PARAMETER:
            return leaf
        value = scalar.attribute("start") or x.ZERO
        if scalar.variability is Variability.DISCRETE or leaf.data in self.result.when_assigned:
            value = x.pre(leaf)
        return x.clocked(ENTRY, leaf.type, leaf, value)


def _excluding(path: Expr, excluded: Sequence[Expr]) -> Expr:
    """The path where none of the conditions excluded holds."""
    for test in excluded:
        path = x.and_(path, x.not_(test))
    return path


def _meaningless(what: str, span: Span) -> ModelError:
    return model_error("E209", f"{what} has no meaning in an algorithm of a model", span, hint="remove it")


def _substituted(clause: Clause, entry: dict[Expr, Expr], memo: dict[Expr, Expr]) -> Clause:
    match clause:
        case Equation():
            return Equation(clause.lhs, substitute(clause.rhs, entry, memo), clause.span, clause.origin)
        case Assert():
            condition = substitute(clause.condition, entry, memo)
            return replace(clause, condition=condition, message=substitute(clause.message, entry, memo))
        case IfEquation():
            branches = tuple(
                Guarded(tuple(substitute(c, entry, memo) for c in b.conditions), b.actions)
                for b in clause.branches
            )
            return IfEquation(branches, clause.span, clause.origin)
        case _:
            return clause


def with_entries(clauses: Iterable[Clause]) -> list[Clause]:
    """Clauses of a model without clocks: what variables are at the beginning of an algorithm is known."""
    memo: dict[Expr, Expr] = {}

    def visit(node: Expr) -> Expr | None:
        return node.args[1] if node.op is Op.CLOCKED and node.data == ENTRY else None

    found: list[Clause] = []
    for clause in clauses:
        new = mapped(clause, lambda e: transform(e, visit, memo))
        assert not isinstance(new, Reinit)
        found.append(new)
    return found
