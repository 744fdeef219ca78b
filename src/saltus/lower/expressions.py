"""Syntax to values: operators, conditions, constructors, ranges. References and calls have their own files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Type, const
from saltus.ir import ast
from saltus.lower.builtins import BUILTINS, UNSUPPORTED, reduce_values
from saltus.lower.context import Context, Scope
from saltus.lower.functions import call_user_function
from saltus.lower.lookup import find_class
from saltus.lower.references import choose, lower_reference
from saltus.lower.values import (
    ArrayValue,
    NotScalar,
    RecordValue,
    ShapeMismatch,
    Value,
    array_of,
    describe_shape,
    map_items,
    scalar_item,
    shape_of,
    zip_items,
)

_RELATIONS = {"<": Op.LT, "<=": Op.LE, ">": Op.GT, ">=": Op.GE, "==": Op.EQ, "<>": Op.NE}


def lower_expression(context: Context, e: ast.Expression, scope: Scope) -> Value:
    """The value an expression means at a place. Every refusal names the innermost place it can."""
    try:
        return _lower(context, e, scope)
    except ShapeMismatch as problem:
        raise model_error("E206", str(problem), scope.at(e)) from None
    except NotScalar:
        raise model_error("E205", "a record stands where a number is needed", scope.at(e)) from None


def lower_scalar(context: Context, e: ast.Expression, scope: Scope) -> Expr:
    value = lower_expression(context, e, scope)
    if isinstance(value, Expr):
        return value
    raise model_error("E206", f"a scalar is needed here, but this is {describe(value)}", scope.at(e))


def describe(value: Value) -> str:
    if isinstance(value, RecordValue):
        return f"a record `{value.type_name}`"
    return describe_shape(shape_of(value))


def _lower(context: Context, e: ast.Expression, scope: Scope) -> Value:
    match e:
        case ast.Number() | ast.String() | ast.Boolean():
            return const(e.value)
        case ast.Parenthesis():
            return lower_expression(context, e.inner, scope)
        case ast.Reference():
            return lower_reference(context, e, scope)
        case ast.Unary():
            return _unary(e.operator, lower_expression(context, e.operand, scope), scope.at(e))
        case ast.Binary():
            a = lower_expression(context, e.left, scope)
            b = lower_expression(context, e.right, scope)
            try:
                return _binary(e.operator, a, b, scope.at(e))
            except ShapeMismatch as problem:
                raise model_error("E206", f"{problem} in `{e.operator}`", scope.at(e)) from None
        case ast.IfExpression():
            return _if(context, e, scope)
        case ast.Call():
            return lower_call(context, e, scope)[0]
        case ast.ArrayConstructor():
            if e.iterators:
                return _comprehension(context, e, scope)
            return array_of([lower_expression(context, element, scope) for element in e.elements])
        case ast.MatrixConstructor():
            return _matrix([[lower_expression(context, c, scope) for c in row] for row in e.rows])
        case ast.Range():
            return _range(context, e, scope)
        case ast.End():
            local = scope.locals.get("end")
            if isinstance(local, Expr):
                return local
            raise model_error("E209", "`end` is allowed in subscripts only", scope.at(e))
        case ast.Colon():
            raise model_error("E209", "`:` is allowed in subscripts only", scope.at(e))
        case ast.Tuple():
            raise model_error("E209", "a list in parentheses is not a value here", scope.at(e))
        case ast.PartialApplication():
            raise model_error("E204", "functions as arguments are not supported yet", scope.at(e))


# ---------------------------------------------------------------- calls


def lower_call(context: Context, e: ast.Call, scope: Scope) -> list[Value]:
    """All results of a call; most have one."""
    name = e.function.parts[0][0]
    simple = len(e.function.parts) == 1 and not e.function.absolute
    # A user's own function hides a predefined one of the same name.
    if (
        simple
        and (name in BUILTINS or name in UNSUPPORTED)
        and (find_class(name, scope.lexical, scope.lexical) is None or name in ("Integer", "String", "Real"))
    ):
        if name in UNSUPPORTED:
            raise model_error("E204", f"`{name}(...)` is not supported yet", scope.at(e))
        if e.iterators:
            return [_reduction(context, e, name, scope)]
        if e.named and name not in ("String", "homotopy"):
            raise model_error("E212", f"`{name}` takes no named arguments", scope.at(e))
        args = [lower_expression(context, a, scope) for a in e.args]
        args += [lower_expression(context, a, scope) for key, a in e.named if name == "homotopy"]
        return [BUILTINS[name](args, _Place(context, e, scope))]
    if simple and name == "Connections":
        raise model_error("E204", "overconstrained connections are not supported yet", scope.at(e))
    if e.iterators:
        raise model_error("E212", f"`{name}` is not a reduction", scope.at(e))
    return call_user_function(context, e, scope)


class _Place:
    """What a predefined function may want to know about its call."""

    def __init__(self, context: Context, call: ast.Call, scope: Scope) -> None:
        self.context = context
        self.call = call
        self.scope = scope

    @property
    def span(self) -> Span:
        return self.scope.at(self.call)

    def constant(self, e: Expr, why: str) -> Any:
        return self.context.constant(e, self.span, why)


def iterations(
    context: Context, iterators: tuple[ast.Iterator, ...], scope: Scope
) -> Iterator[dict[str, Value | Any]]:
    """The bindings of loop variables, the last iterator fastest; ranges are known at translation."""
    if not iterators:
        yield {}
        return
    first, rest = iterators[0], iterators[1:]
    for value in iterator_values(context, first, scope):
        inner = scope.with_locals({first.name: value})
        for more in iterations(context, rest, inner):
            yield {first.name: value, **more}


def iterator_values(context: Context, iterator: ast.Iterator, scope: Scope) -> list[Value]:
    if iterator.range is None:
        raise model_error("E204", "a loop variable without a range is not supported yet", scope.at(iterator))
    if isinstance(iterator.range, ast.Reference):
        count = _type_range(context, iterator.range, scope)
        if count is not None:
            return count
    value = lower_expression(context, iterator.range, scope)
    if not isinstance(value, ArrayValue):
        raise model_error("E206", "a loop needs a vector to run over", scope.at(iterator.range))
    return value.rows()


def _type_range(context: Context, reference: ast.Reference, scope: Scope) -> list[Value] | None:
    """`for c in Colour`, `for b in Boolean`."""
    if len(reference.parts) == 1 and reference.parts[0][0] == "Boolean":
        return [x.FALSE, x.TRUE]
    if scope.instance is not None and reference.parts[0][0] in scope.instance.layout.elements:
        return None
    if reference.parts[0][0] in scope.locals:
        return None
    found = find_class(reference.parts[0][0], scope.lexical, scope.lexical)
    if found is None or len(reference.parts) > 1:
        return None
    literals = context.layouts.of(found).enumeration
    return None if literals is None else [const(k + 1) for k in range(len(literals))]


def _reduction(context: Context, e: ast.Call, name: str, scope: Scope) -> Value:
    values = [
        lower_expression(context, e.args[0], scope.with_locals(bound))
        for bound in iterations(context, e.iterators, scope)
    ]
    return reduce_values(name, values, scope.at(e))


def _comprehension(context: Context, e: ast.ArrayConstructor, scope: Scope) -> Value:
    """`{e for i in a, j in b}`: the first iterator is the innermost dimension (section 10.4.1)."""

    def build(iterators: tuple[ast.Iterator, ...], inner: Scope) -> Value:
        if not iterators:
            return lower_expression(context, e.elements[0], inner)
        last = iterators[-1]
        return array_of(
            [
                build(iterators[:-1], inner.with_locals({last.name: value}))
                for value in iterator_values(context, last, inner)
            ]
        )

    return build(e.iterators, scope)


# ---------------------------------------------------------------- operators


def _unary(operator: str, a: Value, span: Span) -> Value:
    if operator == "not":
        return map_items(lambda v: x.not_(_boolean(v, "not", span)), a)
    if operator in ("+", ".+"):
        return map_items(lambda v: _number(v, operator, span), a)
    return map_items(lambda v: x.neg(_number(v, operator, span)), a)


def _number(e: Expr, operator: str, span: Span) -> Expr:
    if e.type in (Type.BOOLEAN, Type.STRING):
        raise model_error("E205", f"`{operator}` needs numbers, but this is {e.type.value}", span)
    return e


def _boolean(e: Expr, operator: str, span: Span) -> Expr:
    if e.type is not Type.BOOLEAN:
        raise model_error("E205", f"`{operator}` needs Booleans, but this is {e.type.value}", span)
    return e


def _binary(operator: str, a: Value, b: Value, span: Span) -> Value:
    if operator in _RELATIONS:
        return _relation(operator, a, b, span)
    if operator in ("and", "or"):
        join = x.and_ if operator == "and" else x.or_
        return zip_items(lambda p, q: join(_boolean(p, operator, span), _boolean(q, operator, span)), a, b)
    if operator == "+" and isinstance(a, Expr) and isinstance(b, Expr) and a.type is b.type is Type.STRING:
        if x.is_const(a) and x.is_const(b):
            return const(a.data + b.data)
        return x.call("concat", a, b)
    plain = operator.lstrip(".")
    if operator in ("+", "-") and shape_of(a) != shape_of(b):
        raise ShapeMismatch(shape_of(a), shape_of(b))
    if operator == "*":
        return _product(a, b, span)
    if operator == "/" and isinstance(b, ArrayValue):
        raise model_error("E206", "an array can be divided by a scalar only", span, hint="or use `./`")
    if operator == "^" and not (isinstance(a, Expr) and isinstance(b, Expr)):
        return _matrix_power(a, b, span)
    operation = _SCALAR[plain]
    return zip_items(lambda p, q: operation(_number(p, operator, span), _number(q, operator, span)), a, b)


_SCALAR: dict[str, Callable[[Expr, Expr], Expr]] = {
    "+": x.add,
    "-": x.sub,
    "*": x.mul,
    "/": x.div,
    "^": x.power,
}


def _relation(operator: str, a: Value, b: Value, span: Span) -> Value:
    if not isinstance(a, Expr) or not isinstance(b, Expr):
        raise model_error("E206", f"`{operator}` compares scalars only", span)
    numeric = {Type.REAL, Type.INTEGER}
    if a.type is not b.type and not {a.type, b.type} <= numeric:
        raise model_error("E205", f"`{operator}` cannot compare {a.type.value} with {b.type.value}", span)
    if a.type is Type.STRING and not (x.is_const(a) and x.is_const(b)):
        raise model_error("E204", "comparing Strings that are not constant is not supported yet", span)
    return x.relation(_RELATIONS[operator], a, b)


def _product(a: Value, b: Value, span: Span) -> Value:
    """Scalar times anything, inner product, matrix times vector, vector times matrix, matrix product."""
    if isinstance(a, Expr) or isinstance(b, Expr):
        return zip_items(lambda p, q: x.mul(_number(p, "*", span), _number(q, "*", span)), a, b)
    if not isinstance(a, ArrayValue) or not isinstance(b, ArrayValue):
        raise NotScalar
    rank = (len(a.shape), len(b.shape))
    if rank not in ((1, 1), (2, 1), (1, 2), (2, 2)) or a.shape[-1] != b.shape[0]:
        raise ShapeMismatch(a.shape, b.shape)

    def dot(p: list[Value], q: list[Value]) -> Expr:
        return x.add(
            x.ZERO if not p else x.mul(_number(scalar_item(p[0]), "*", span), scalar_item(q[0])),
            *(x.mul(scalar_item(u), scalar_item(v)) for u, v in zip(p[1:], q[1:], strict=True)),
        )

    def columns(m: ArrayValue) -> list[list[Value]]:
        rows = [r.rows() for r in m.rows() if isinstance(r, ArrayValue)]
        return [[row[k] for row in rows] for k in range(m.shape[1])]

    if rank == (1, 1):
        return dot(a.rows(), b.rows())
    if rank == (2, 1):
        return array_of([dot(r.rows(), b.rows()) for r in a.rows() if isinstance(r, ArrayValue)])
    if rank == (1, 2):
        return array_of([dot(a.rows(), c) for c in columns(b)])
    return array_of(
        [array_of([dot(r.rows(), c) for c in columns(b)]) for r in a.rows() if isinstance(r, ArrayValue)]
    )


def _matrix_power(a: Value, b: Value, span: Span) -> Value:
    square = isinstance(a, ArrayValue) and len(a.shape) == 2 and a.shape[0] == a.shape[1]
    if not square or not isinstance(b, Expr) or b.op is not Op.CONST or not isinstance(b.data, int):
        raise model_error(
            "E206", "`^` needs scalars, or a square matrix and an Integer", span, hint="or use `.^`"
        )
    assert isinstance(a, ArrayValue)
    n = a.shape[0]
    result: Value = ArrayValue(
        a.shape, tuple(x.ONE if i == j else x.ZERO for i in range(n) for j in range(n))
    )
    for _ in range(b.data):
        result = _product(result, a, span)
    return result


def _if(context: Context, e: ast.IfExpression, scope: Scope) -> Value:
    result: Value | None = None
    failure: ModelError | None = None
    try:
        result = lower_expression(context, e.otherwise, scope)
    except ModelError as error:
        failure = error  # fine if a condition known now never comes here
    for condition_ast, value_ast in reversed(e.branches):
        condition = lower_scalar(context, condition_ast, scope)
        if condition.type is not Type.BOOLEAN:
            raise model_error(
                "E205",
                f"a condition must be Boolean, but this is {condition.type.value}",
                scope.at(condition_ast),
            )
        known: bool | None = None
        try:
            value = lower_expression(context, value_ast, scope)
            if condition.op is Op.CONST:
                known = bool(condition.data)
            elif result is None:
                known = _decide(context, condition, scope.at(condition_ast), failure)
        except ModelError as error:
            known = _decide(context, condition, scope.at(condition_ast), error)
            if known:
                failure, result = error, None
            continue
        if known is not None:
            if known:
                result, failure = value, None
            continue
        assert result is not None
        try:
            _check_branches(value, result, scope.at(e))
            result = choose(condition, value, result)
        except ValueError:
            if not context.is_constant(condition):
                raise model_error(
                    "E206",
                    f"the branches differ: {describe(value)} and {describe(result)}",
                    scope.at(e),
                ) from None
            if context.constant(condition, scope.at(condition_ast), "this condition"):
                result = value
    if result is None:
        assert failure is not None
        raise failure
    return result


def _decide(context: Context, condition: Expr, span: Span, failure: ModelError | None) -> bool:
    """A condition that must be known now because one branch has no meaning."""
    if not context.is_constant(condition):
        assert failure is not None
        raise failure
    return bool(context.constant(condition, span, "this condition"))


def _check_branches(a: Value, b: Value, span: Span) -> None:
    if isinstance(a, Expr) and isinstance(b, Expr) and a.type is not b.type:
        numeric = {Type.REAL, Type.INTEGER}
        if not {a.type, b.type} <= numeric:
            raise model_error("E205", f"the branches are of type {a.type.value} and {b.type.value}", span)


def _matrix(rows: list[list[Value]]) -> Value:
    """`[a, b; c, d]`: blocks side by side, then one above the other."""

    def as_matrix(v: Value) -> list[list[Any]]:
        if isinstance(v, ArrayValue):
            if len(v.shape) == 1:
                return [[item] for item in v.items]
            return [list(r.items) for r in v.rows() if isinstance(r, ArrayValue)]
        return [[v]]

    lines: list[list[Any]] = []
    for row in rows:
        blocks = [as_matrix(v) for v in row]
        height = len(blocks[0])
        for block in blocks:
            if len(block) != height:
                raise ShapeMismatch((height,), (len(block),))
        lines += [[item for block in blocks for item in block[k]] for k in range(height)]
    return array_of([array_of(line) for line in lines])


def _range(context: Context, e: ast.Range, scope: Scope) -> Value:
    first = lower_scalar(context, e.first, scope)
    last = lower_scalar(context, e.last, scope)
    step = lower_scalar(context, e.step, scope) if e.step is not None else const(1)
    span = scope.at(e)
    a, s, b = (context.constant(v, span, "a range") for v in (first, step, last))
    if isinstance(a, bool) and isinstance(b, bool):
        return array_of([const(v) for v in (False, True) if a <= v <= b])
    if any(isinstance(v, (bool, str)) for v in (a, s, b)):
        raise model_error("E205", "a range needs numbers", span)
    assert not isinstance(a, str) and not isinstance(b, str) and not isinstance(s, str)
    if s == 0:
        raise model_error("E206", "the step of a range must not be 0", span)
    if isinstance(a, int) and isinstance(s, int) and isinstance(b, int):
        return array_of([const(k) for k in range(a, b + (1 if s > 0 else -1), s)])
    count = int((b - a) / s * (1 + 1e-15) + 1e-10) + 1 if (b - a) / s >= 0 else 0
    return array_of([const(float(a + k * s)) for k in range(count)])
