"""Algorithms of functions: statements of the language to statements of the imperative program."""

from __future__ import annotations

from collections.abc import Sequence

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Symbol, Type, const
from saltus.ir import ast
from saltus.ir.program import (
    FUNCTION_FAILED,
    Assign,
    Break,
    CallFunction,
    Fail,
    Fill,
    For,
    Function,
    If,
    Return,
    Statement,
    While,
)
from saltus.lower.context import Context, Scope
from saltus.lower.instantiate import check_assignable
from saltus.lower.values import (
    ArrayValue,
    RecordValue,
    Value,
    describe_shape,
    index_tuples,
    scalars_of,
    shape_of,
)


class StatementLowering:
    """Lowers the statements of one function; collects the temporaries it invents."""

    def __init__(self, context: Context, function: str) -> None:
        self.context = context
        self.function = function
        self.temporaries: list[Symbol] = []

    def statements(self, items: Sequence[ast.Equation | ast.Statement], scope: Scope) -> list[Statement]:
        return [s for item in items for s in self._statement(item, scope)]

    def _statement(self, item: ast.Equation | ast.Statement, scope: Scope) -> list[Statement]:
        match item:
            case ast.Assignment():
                return self.assign(item.target, item.value, scope)
            case ast.TupleAssignment():
                return self._tuple(item, scope)
            case ast.IfEquation():
                return self._if(item, scope)
            case ast.ForEquation():
                return self._for(item.iterators, item.items, scope)
            case ast.WhileStatement():
                condition = self._condition(item.condition, scope)
                return [While(condition, tuple(self.statements(item.items, scope)))]
            case ast.BreakStatement():
                return [Break()]
            case ast.ReturnStatement():
                return [Return()]
            case ast.CallEquation():
                return self._call(item.call, scope)
            case _:
                raise model_error("E209", "this statement is not allowed in a function", scope.at(item))

    # ------------------------------------------------------------ assignments

    def assign(self, target: ast.Reference, value: ast.Expression, scope: Scope) -> list[Statement]:
        place = self._place(target, scope)
        lowered = self.context.lower(self.context, value, scope)
        return self._store(place, lowered, scope.at(target))

    def _place(self, target: ast.Reference, scope: Scope) -> Value:
        """What an assignment writes to, as the value that would be read there."""
        local = scope.locals.get(target.parts[0][0])
        if local is None or isinstance(local, (Expr, ArrayValue, RecordValue)):
            raise model_error(
                "E201",
                f"`{target.text}` is not an output or local variable of `{self.function}`",
                scope.at(target),
            )
        return local.value(self.context, target, scope)

    def _store(self, place: Value, value: Value, span: Span) -> list[Statement]:
        if isinstance(place, RecordValue):
            if not isinstance(value, RecordValue) or value.fields.keys() != place.fields.keys():
                raise model_error("E205", f"a record `{place.type_name}` is needed here", span)
            return [
                s for name in place.fields for s in self._store(place.fields[name], value.fields[name], span)
            ]
        if isinstance(place, Expr) and isinstance(value, Expr):
            check_assignable(place.type, value.type, "this variable", span)
            return [_write(place, value)]
        if isinstance(value, RecordValue) or shape_of(place) != shape_of(value):
            given = "a record" if isinstance(value, RecordValue) else describe_shape(shape_of(value))
            raise model_error("E206", f"{given} is assigned to {describe_shape(shape_of(place))}", span)
        assert isinstance(place, ArrayValue) and isinstance(value, ArrayValue)
        return self._store_array(place, value, span)

    def _store_array(self, place: ArrayValue, value: ArrayValue, span: Span) -> list[Statement]:
        targets = [t for t in place.items if isinstance(t, Expr)]
        values = [v for v in value.items if isinstance(v, Expr)]
        if not targets:
            return []
        check_assignable(targets[0].type, values[0].type, "this variable", span)
        symbol = targets[0].args[0].data
        if len(set(values)) == 1 and values[0].op is Op.CONST and place.shape == symbol.shape:
            return [Fill(symbol, values[0])]
        # x := {x[2], x[1]} reads what it overwrites: such values go through temporaries.
        if any(symbol in {x.leaf_symbol(leaf) for leaf in x.leaves(v)} for v in values):
            temporary = self._temporary(values[0].type, (len(values),))
            base = x.ref(temporary)
            first: list[Statement] = [Assign(temporary, v, (const(k + 1),)) for k, v in enumerate(values)]
            return first + [_write(t, x.index(base, const(k + 1))) for k, t in enumerate(targets)]
        return [_write(t, v) for t, v in zip(targets, values, strict=True)]

    def _temporary(self, kind: Type, shape: tuple[int, ...] = ()) -> Symbol:
        symbol = Symbol(f"$t{len(self.temporaries) + 1}", kind, shape)
        self.temporaries.append(symbol)
        return symbol

    def _tuple(self, item: ast.TupleAssignment, scope: Scope) -> list[Statement]:
        """`(a, b) := f(...)`: one call into temporaries, then the assignments."""
        results = self.context.lower_call(self.context, item.call, scope)
        if len(item.targets) > len(results):
            raise model_error(
                "E212",
                f"{len(item.targets)} results are wanted, the function has {len(results)}",
                scope.at(item),
            )
        first = next(scalars_of(results[0]))
        assert first.op is Op.ITEM
        application = first.args[0]
        function: Function = application.data
        copies = tuple(self._temporary(o.type, o.shape) for o in function.outputs)
        statements: list[Statement] = [CallFunction(copies, function, application.args)]
        position = 0
        by_item: dict[int, Expr] = {}
        for copy in copies:
            if not copy.shape:
                by_item[position] = x.ref(copy)
                position += 1
                continue
            for indices in index_tuples(copy.shape):
                by_item[position] = x.index(x.ref(copy), *map(const, indices))
                position += 1
        for target, result in zip(item.targets, results, strict=False):
            if target is not None:
                place = self._place(target, scope)
                statements += self._store(place, _renamed(result, by_item), scope.at(target))
        return statements

    # ------------------------------------------------------------ control

    def _condition(self, expression: ast.Expression, scope: Scope) -> Expr:
        value = self.context.lower(self.context, expression, scope)
        if not isinstance(value, Expr) or value.type is not Type.BOOLEAN:
            raise model_error("E205", "a condition must be a scalar Boolean", scope.at(expression))
        return value

    def _if(self, item: ast.IfEquation, scope: Scope) -> list[Statement]:
        branches: list[tuple[Expr, tuple[Statement, ...]]] = []
        for condition, items in item.branches:
            test = x.TRUE if condition is None else self._condition(condition, scope)
            if test is x.FALSE:
                continue
            body = tuple(self.statements(items, scope))
            if test is x.TRUE:
                return [If(tuple(branches), body)] if branches else list(body)
            branches.append((test, body))
        return [If(tuple(branches))] if branches else []

    def _for(
        self, iterators: tuple[ast.Iterator, ...], items: Sequence[ast.Equation | ast.Statement], scope: Scope
    ) -> list[Statement]:
        if not iterators:
            return self.statements(items, scope)
        iterator, rest = iterators[0], iterators[1:]
        index = Symbol(iterator.name, Type.INTEGER)
        if isinstance(iterator.range, ast.Range):
            bounds = [
                const(1) if e is None else self.context.lower(self.context, e, scope)
                for e in (iterator.range.first, iterator.range.step, iterator.range.last)
            ]
            scalars = [b for b in bounds if isinstance(b, Expr)]
            if len(scalars) == 3 and all(b.type is Type.INTEGER for b in scalars):
                inner = scope.with_locals({iterator.name: x.ref(index)})
                body = tuple(self._for(rest, items, inner))
                first, step, last = scalars
                return [For(index, first, step, last, body)]
        return self._for_vector(iterator, rest, items, scope)

    def _for_vector(
        self,
        iterator: ast.Iterator,
        rest: tuple[ast.Iterator, ...],
        items: Sequence[ast.Equation | ast.Statement],
        scope: Scope,
    ) -> list[Statement]:
        """A loop over the elements of a vector: over its indices, the vector kept in a temporary."""
        if iterator.range is None:
            raise model_error(
                "E204", "a loop variable without a range is not supported yet", scope.at(iterator)
            )
        values = list(scalars_of(self.context.lower(self.context, iterator.range, scope)))
        if not values:
            return []
        vector = self._temporary(values[0].type, (len(values),))
        statements: list[Statement] = [Assign(vector, v, (const(k + 1),)) for k, v in enumerate(values)]
        position = Symbol(f"$i{len(self.temporaries)}", Type.INTEGER)
        inner = scope.with_locals({iterator.name: x.index(x.ref(vector), x.ref(position))})
        body = tuple(self._for(rest, items, inner))
        return [*statements, For(position, const(1), const(1), const(len(values)), body)]

    def _call(self, call: ast.Call, scope: Scope) -> list[Statement]:
        name = call.function.text
        if name == "assert":
            condition = self._condition(call.args[0], scope)
            return [If(((x.not_(condition), (Fail(FUNCTION_FAILED),)),))]
        raise model_error(
            "E204", f"`{name}(...)` as a statement of a function is not supported yet", scope.at(call)
        )


def _write(place: Expr, value: Expr) -> Statement:
    if place.op is Op.INDEX:
        return Assign(place.args[0].data, value, place.args[1:])
    return Assign(place.data, value)


def _renamed(value: Value, by_item: dict[int, Expr]) -> Value:
    """Results of a call, read from the temporaries it was put into."""
    if isinstance(value, Expr):
        return by_item[value.data]
    if isinstance(value, ArrayValue):
        return ArrayValue(value.shape, tuple(by_item[v.data] for v in value.items if isinstance(v, Expr)))
    return RecordValue(value.type_name, {name: _renamed(v, by_item) for name, v in value.fields.items()})
