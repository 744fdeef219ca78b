"""Syntax to values: operators, conditions, constructors, ranges.

References and calls of user functions have their own files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import LARGEST_INTEGER, Expr, Op, Type, const, enumeration_of
from saltus.ir import ast
from saltus.ir.instance import ArrayNode, Predefined
from saltus.lower.classes.lookup import component_place, find_class, unknown_class
from saltus.lower.classes.record_types import record_of
from saltus.lower.connections.connection_operators import connection_operator
from saltus.lower.expressions.array_builtins import matrix_of, size_of
from saltus.lower.expressions.builtin_call import Place
from saltus.lower.expressions.builtins import (
    BUILTINS,
    NAMED_ARGUMENTS,
    OF_THE_RUN,
    SEVERAL,
    named_arguments,
    reduce_values,
    text_of_call,
)
from saltus.lower.expressions.clocked import constructor_arguments
from saltus.lower.expressions.overloading import construct, has_records, overloaded_binary, overloaded_unary
from saltus.lower.expressions.products import Arithmetic, power, product
from saltus.lower.expressions.state_machines import VALUES as STATE_VALUES
from saltus.lower.expressions.state_machines import state_value
from saltus.lower.expressions.texts import compared_texts
from saltus.lower.functions.function_locals import LocalFunction
from saltus.lower.functions.functions import call_user_function
from saltus.lower.instances.enumerations import literals_of
from saltus.lower.names.iteration import iterations, iterator_values
from saltus.lower.names.references import find_function, find_node, lower_reference
from saltus.lower.names.subscripts import Dynamic, choose
from saltus.lower.scope.calls import condition_of
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.limits import refuse_elements
from saltus.lower.scope.parts import Evaluation
from saltus.lower.scope.types import is_number, quoted_literal_hint, same_type, type_name
from saltus.lower.scope.values import (
    ArrayValue,
    Item,
    NotScalar,
    ShapeMismatch,
    Value,
    array_of,
    describe,
    is_nothing,
    map_items,
    scalar_item,
    shape_of,
    zip_items,
)

_WRITTEN_ARRAYS = (ast.ArrayConstructor, ast.MatrixConstructor)
_RELATIONS = {"<": Op.LT, "<=": Op.LE, ">": Op.GT, ">=": Op.GE, "==": Op.EQ, "<>": Op.NE}


def lower_expression(context: Context, e: ast.Expression, scope: Scope) -> Value:
    """The value an expression means at a place. Every refusal names the innermost place it can."""
    try:
        return _lower(context, e, scope)
    except ShapeMismatch as problem:
        rows = "every row has as many elements as the others" if isinstance(e, _WRITTEN_ARRAYS) else None
        raise model_error("E206", str(problem), scope.at(e), hint=rows) from None
    except NotScalar:
        raise model_error("E205", "a record stands where a number is needed", scope.at(e)) from None
    except RecursionError:
        raise model_error(
            "E204",
            "this expression, or the functions it calls, are nested too deeply",
            scope.at(e),
            hint="give parts of the expression a name",
        ) from None


def lower_scalar(context: Context, e: ast.Expression, scope: Scope) -> Expr:
    value = lower_expression(context, e, scope)
    if isinstance(value, Expr):
        return value
    raise model_error("E206", f"a scalar is needed here, but this is {describe(value)}", scope.at(e))


def _lower(context: Context, e: ast.Expression, scope: Scope) -> Value:
    match e:
        case ast.Number() | ast.String() | ast.Boolean():
            if type(e.value) is int and e.value > LARGEST_INTEGER:
                told = f"the Integer {e.value} is beyond {LARGEST_INTEGER} (2^53 - 1)"
                raise model_error("E413", told, scope.at(e), hint="write it as a Real: with a decimal point")
            return const(e.value)
        case ast.Parenthesis():
            return lower_expression(context, e.inner, scope)
        case ast.Reference():
            return lower_reference(context, e, scope)
        case ast.Unary():
            operand = lower_expression(context, e.operand, scope)
            if has_records(operand):
                return overloaded_unary(context, e.operator, operand, scope.at(e))
            return _unary(e.operator, operand, scope.at(e))
        case ast.Binary():
            return _chain(context, e, scope)
        case ast.IfExpression():
            return _if(context, e, scope)
        case ast.Call():
            result = lower_call(context, e, scope)[0]
            if is_nothing(result):
                raise model_error("E212", f"`{e.function.text}` has no output", scope.at(e))
            return result
        case ast.ArrayConstructor():
            if e.iterators:
                return _comprehension(context, e.elements[0], e.iterators, scope)
            return array_of([lower_expression(context, element, scope) for element in e.elements])
        case ast.MatrixConstructor():
            return matrix_of([[lower_expression(context, c, scope) for c in row] for row in e.rows])
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
            hint = f"an array is written in braces: `{{{scope.at(e).text[1:-1]}}}`"
            raise model_error("E209", "a list in parentheses is not a value here", scope.at(e), hint=hint)
        case ast.PartialApplication():
            what = "a partial application is an argument for an input that is a function"
            raise model_error("E209", what, scope.at(e))


# ---------------------------------------------------------------- calls


def lower_call(context: Context, e: ast.Call, scope: Scope) -> list[Value]:
    """All results of a call; most have one."""
    name = e.function.parts[0][0]
    absolute = e.function.absolute
    operator = connection_operator(e)
    if operator is not None and find_class(name, None if absolute else scope.lexical, scope.lexical) is None:
        return [operator(context, e, scope)]
    simple = len(e.function.parts) == 1 and not absolute
    if simple and name == "pure":
        return _pure(context, e, scope)
    # A user's own function hides a predefined one of the same name; `.sqrt` is that of the top level.
    if len(e.function.parts) == 1 and (name in BUILTINS or name in SEVERAL):
        own = find_class(name, None if absolute else scope.lexical, scope.lexical)
        if own is None or isinstance(own, Predefined):
            return _predefined(context, e, name, scope)
    if simple and name in STATE_VALUES and find_class(name, scope.lexical, scope.lexical) is None:
        return [state_value(context, e, scope)]
    if e.iterators:
        raise model_error("E212", f"`{name}` is not a reduction", scope.at(e))
    if isinstance(scope.locals.get(e.function.text), LocalFunction):
        return call_user_function(context, e, scope)
    of_component = not simple and component_place(name, scope.lexical) is not None
    if not (e.function.absolute or of_component) and find_class(name, scope.lexical, scope.lexical) is None:
        _refuse_variable(context, e, scope)
        if simple:
            known = [*BUILTINS, *SEVERAL, *STATEMENTS]
            raise unknown_class(name, scope.lexical, scope.at(e), "function", also=known)
    constructed = _constructed(context, e, scope)
    return call_user_function(context, e, scope) if constructed is None else [constructed]


def _constructed(context: Context, e: ast.Call, scope: Scope) -> Value | None:
    """The value of an overloaded constructor; None if the call is of anything else."""
    cls = find_function(context, e.function, scope)
    record = record_of(cls) if cls.kind == "record" else None
    if record is None or not record.definition.operator:
        return None
    context.layouts.of(record)
    args = [lower_expression(context, a, scope) for a in e.args]
    named = {name: lower_expression(context, a, scope) for name, a in e.named}
    return construct(context, record, args, named, scope.at(e))


def _pure(context: Context, e: ast.Call, scope: Scope) -> list[Value]:
    """`pure(f(x))`: the impure function f is called where only pure ones may be (section 12.3)."""
    if len(e.args) != 1 or e.named or not isinstance(e.args[0], ast.Call):
        raise model_error("E212", "`pure` takes the call of a function", scope.at(e))
    return lower_call(context, e.args[0], replace(scope, impure=True))


def _refuse_variable(context: Context, e: ast.Call, scope: Scope) -> None:
    """`k(e + x)` and `buf(k - 1)`, where other notations have a product or an element of an array."""
    try:
        value = lower_expression(context, e.function, scope)
    except ModelError:
        if len(e.function.parts) > 1 and component_place(e.function.parts[0][0], scope.lexical) is not None:
            raise  # it names what is missing in the component
        return  # an unknown function
    name = scope.at(e.function).text
    hint = f"a product is written `{name}*(...)`"
    if isinstance(value, ArrayValue):
        subscripts = ", ".join(scope.at(a).text for a in e.args)
        hint = f"subscripts stand in brackets: `{name}[{subscripts}]`"
    raise model_error("E212", f"`{name}` is a variable, not a function", scope.at(e), hint=hint)


#: Names that are called like functions in equations and statements, but have no value.
STATEMENTS = ("assert", "terminate", "reinit", "connect")


def _predefined(context: Context, e: ast.Call, name: str, scope: Scope) -> list[Value]:
    if scope.in_function and name in OF_THE_RUN:
        hint = "a function knows its arguments only: compute it outside, give it to the function as an input"
        raise model_error("E209", f"`{name}` is not allowed in a function", scope.at(e), hint=hint)
    if e.iterators:
        return [_reduction(context, e, name, scope)]
    place = Place(context, e, scope)
    if name in ("size", "ndims") and e.args and not e.named and len(e.args) < (3 if name == "size" else 2):
        shape = _component_shape(context, e.args[0], scope)
        if shape is not None:
            rest = [lower_expression(context, a, scope) for a in e.args[1:]]
            return [const(len(shape)) if name == "ndims" else size_of(shape, rest, place)]
    if name == "String":
        given_values = [lower_expression(context, a, scope) for a in e.args]
        named = {n: lower_expression(context, a, scope) for n, a in e.named}
        return [text_of_call(given_values, named, place)]
    given = list(e.args)
    if e.named:
        names = constructor_arguments(e) if name == "Clock" else NAMED_ARGUMENTS.get(name)
        if names is None:
            raise model_error("E212", f"`{name}` takes no named arguments", scope.at(e))
        given += named_arguments(names, e, place)
    args = [lower_expression(context, a, scope) for a in given]
    return SEVERAL[name](args, place) if name in SEVERAL else [BUILTINS[name](args, place)]


def _component_shape(context: Context, e: ast.Expression, scope: Scope) -> tuple[int, ...] | None:
    """The shape of what a name means, if that is a component: its value is not needed for this, and an
    array of models has none."""
    if not isinstance(e, ast.Reference) or (not e.absolute and e.parts[0][0] in scope.locals):
        return None
    node = find_node(context, e, scope)
    if isinstance(node, Dynamic):
        return tuple(len(s) for s in node.subscripts if isinstance(s, list))
    return node.shape if isinstance(node, ArrayNode) else ()


def _reduction(context: Context, e: ast.Call, name: str, scope: Scope) -> Value:
    if len(e.args) != 1 or e.named:
        raise model_error("E212", f"`{name}(... for ...)` takes one expression", scope.at(e))
    if name == "array":
        return _comprehension(context, e.args[0], e.iterators, scope)
    values = [
        lower_expression(context, e.args[0], scope.with_locals(bound))
        for bound in iterations(context, e.iterators, scope, e.args)
    ]
    return reduce_values(context, name, values, scope.at(e))


def _comprehension(
    context: Context, element: ast.Expression, iterators: tuple[ast.Iterator, ...], scope: Scope
) -> Value:
    """`{e for i in a, j in b}`: the first iterator is the innermost dimension (section 10.4.1)."""

    def build(iterators: tuple[ast.Iterator, ...], inner: Scope) -> Value:
        if not iterators:
            return lower_expression(context, element, inner)
        last = iterators[-1]
        return array_of(
            [
                build(iterators[:-1], inner.with_locals({last.name: value}))
                for value in iterator_values(context, last, inner, (element,))
            ]
        )

    return build(iterators, scope)


# ---------------------------------------------------------------- operators


def _unary(operator: str, a: Value, span: Span) -> Value:
    if operator == "not":
        return map_items(lambda v: x.not_(_boolean(v, "not", span)), a)
    if operator in ("+", ".+"):
        return map_items(lambda v: _number(v, operator, span), a)
    return map_items(lambda v: x.neg(_number(v, operator, span)), a)


def _number(e: Expr, operator: str, span: Span) -> Expr:
    if not is_number(e):
        what = f"`{operator}` needs numbers, but this is {type_name(e)}"
        truth = e.data.name if e.op is Op.REF else "..."
        hint = f"a number for each truth is `if {truth} then 1 else 0`" if e.type is Type.BOOLEAN else None
        raise model_error("E205", what, span, hint=hint)
    return e


def _boolean(e: Expr, operator: str, span: Span) -> Expr:
    if e.type is not Type.BOOLEAN:
        raise model_error("E205", f"`{operator}` needs Booleans, but this is {e.type.value}", span)
    return e


def _binary(context: Context, operator: str, a: Value, b: Value, span: Span) -> Value:
    if isinstance(a, Expr) and isinstance(b, Expr) and operator in _SCALAR and a.type is not Type.STRING:
        return _SCALAR[operator](_number(a, operator, span), _number(b, operator, span))  # most are
    if has_records(a) or has_records(b):
        return overloaded_binary(context, operator, a, b, span)
    if operator in _RELATIONS:
        return _relation(context, operator, a, b, span)
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
        return _matrix_power(context.evaluation, a, b, span)
    operation = _SCALAR[plain]
    return zip_items(lambda p, q: operation(_number(p, operator, span), _number(q, operator, span)), a, b)


_SCALAR: dict[str, Callable[[Expr, Expr], Expr]] = {
    "+": x.add,
    "-": x.sub,
    "*": x.mul,
    "/": x.div,
    "^": x.power,
}


def _chain(context: Context, e: ast.Binary, scope: Scope) -> Value:
    """`a + b + c + ...` without recursion along its left side: such a sum may have thousands of terms."""
    operations: list[ast.Binary] = []
    first: ast.Expression = e
    while isinstance(first, ast.Binary):
        operations.append(first)
        first = first.left
    result = lower_expression(context, first, scope)
    for operation in reversed(operations):
        mark = context.requirements.mark()
        right = lower_expression(context, operation.right, scope)
        if operation.operator in ("and", "or") and isinstance(result, Expr) and result.type is Type.BOOLEAN:
            # The right side matters where the left has not decided: `i > 0 and x[i] > 1`.
            context.requirements.guard_since(mark, result if operation.operator == "and" else x.not_(result))
        span = scope.at(operation)
        try:
            result = _binary(context, operation.operator, result, right, span)
        except ShapeMismatch as problem:
            raise model_error("E206", f"{problem} in `{operation.operator}`", span) from None
        except NotScalar:
            raise model_error("E205", f"`{operation.operator}` is not defined for records", span) from None
    return result


def _relation(context: Context, operator: str, a: Value, b: Value, span: Span) -> Value:
    if not isinstance(a, Expr) or not isinstance(b, Expr):
        raise model_error("E206", f"`{operator}` compares scalars only", span)
    if not same_type(a, b):
        raise model_error(
            "E205",
            f"`{operator}` cannot compare {type_name(a)} with {type_name(b)}",
            span,
            hint=quoted_literal_hint(a, b),
        )
    if a.type is Type.STRING:
        return compared_texts(context, _RELATIONS[operator], a, b, span)
    return x.relation(_RELATIONS[operator], a, b)


def _product(a: Value, b: Value, span: Span) -> Value:
    """Scalar times anything, inner product, matrix times vector, vector times matrix, matrix product."""
    if isinstance(a, ArrayValue) and isinstance(b, ArrayValue):
        return product(a, b, _numbers(span))
    return zip_items(lambda p, q: x.mul(_number(p, "*", span), _number(q, "*", span)), a, b)


def _numbers(span: Span) -> Arithmetic:
    """The arithmetic of numbers, for products of arrays."""

    def multiply(a: Item, b: Item) -> Expr:
        return x.mul(_number(scalar_item(a), "*", span), _number(scalar_item(b), "*", span))

    def add(terms: Sequence[Item]) -> Expr:
        return x.add(*map(scalar_item, terms)) if terms else x.ZERO

    return Arithmetic(multiply, add)


_GREATEST_POWER = 1000  # of a matrix: its elements are sums that are written out


def _matrix_power(evaluation: Evaluation, a: Value, b: Value, span: Span) -> Value:
    square = isinstance(a, ArrayValue) and len(a.shape) == 2 and a.shape[0] == a.shape[1]
    if not square or not isinstance(b, Expr) or b.type is not Type.INTEGER:
        raise model_error(
            "E206", "`^` needs scalars, or a square matrix and an Integer", span, hint="or use `.^`"
        )
    assert isinstance(a, ArrayValue)
    exponent = evaluation.constant(b, span, "the exponent of a matrix")
    assert isinstance(exponent, int)
    if not 0 <= exponent <= _GREATEST_POWER:
        what = "not defined" if exponent < 0 else "too large to be written out"
        raise model_error("E206", f"a matrix to the power of {exponent} is {what}", span)
    if exponent == 0:
        n = a.shape[0]
        return ArrayValue(a.shape, tuple(const(int(i == j)) for i in range(n) for j in range(n)))
    return power(a, exponent, _numbers(span))


def _if(context: Context, e: ast.IfExpression, scope: Scope) -> Value:
    """Branches from first to last, as far as they can be reached: one that a constant condition excludes
    need not have a meaning (it may be a recursive call that would never end)."""
    written: list[tuple[ast.Expression | None, ast.Expression]] = []
    rest: ast.Expression = e
    while isinstance(rest, ast.IfExpression):  # `else if` is as good as `elseif`
        written += rest.branches
        rest = rest.otherwise
    branches: list[tuple[Expr, ast.Expression]] = []
    for condition_ast, value_ast in (*written, (None, rest)):
        condition = x.TRUE if condition_ast is None else condition_of(context, condition_ast, scope)
        if condition is x.FALSE:
            continue
        branches.append((condition, value_ast))
        if condition is x.TRUE:
            break
    return _branches(context, branches, scope, scope.at(e))


def _branches(
    context: Context, branches: list[tuple[Expr, ast.Expression]], scope: Scope, span: Span
) -> Value:
    """Joined from the last to the first. Where one side has no meaning, or the two do not fit together,
    parameters must decide between them."""
    start = context.requirements.mark()
    result: Value | ModelError = _attempt(context, branches[-1][1], scope)
    for condition, value_ast in reversed(branches[:-1]):
        context.requirements.guard_since(start, x.not_(condition))
        mark = context.requirements.mark()
        value = _attempt(context, value_ast, scope)
        context.requirements.guard_since(mark, condition)
        joined = _joined(condition, value, result, span)
        if isinstance(joined, ModelError) and context.evaluation.is_constant(condition):
            joined = value if context.evaluation.constant(condition, span, "this condition") else result
        result = joined
    if isinstance(result, ModelError):
        raise result
    return result


def _attempt(context: Context, e: ast.Expression, scope: Scope) -> Value | ModelError:
    try:
        return lower_expression(context, e, scope)
    except ModelError as error:
        return error


def _joined(
    condition: Expr, value: Value | ModelError, other: Value | ModelError, span: Span
) -> Value | ModelError:
    if isinstance(value, ModelError):
        return value
    if isinstance(other, ModelError):
        return other
    if isinstance(value, Expr) and isinstance(other, Expr) and not same_type(value, other):
        types = f"{type_name(value)} and {type_name(other)}"
        return model_error("E205", f"the branches are of type {types}", span)
    try:
        return choose(condition, value, other)
    except ValueError:
        return model_error("E206", f"the branches differ: {describe(value)} and {describe(other)}", span)


def _range(context: Context, e: ast.Range, scope: Scope) -> Value:
    first = lower_scalar(context, e.first, scope)
    last = lower_scalar(context, e.last, scope)
    step = lower_scalar(context, e.step, scope) if e.step is not None else const(1)
    span = scope.at(e)
    a, s, b = (context.evaluation.constant(v, span, "a range") for v in (first, step, last))
    if isinstance(a, bool) and isinstance(b, bool):
        return array_of([const(v) for v in (False, True) if a <= v <= b])
    if any(isinstance(v, (bool, str)) for v in (a, s, b)):
        raise model_error("E205", "a range needs numbers", span)
    assert not isinstance(a, str) and not isinstance(b, str) and not isinstance(s, str)
    enumeration = enumeration_of(first)
    if enumeration is not None or enumeration_of(last) is not None:
        if not same_type(first, last) or e.step is not None:
            raise model_error("E205", "a range of an enumeration goes from one literal to another", span)
        assert enumeration is not None
        return array_of([v for v in literals_of(enumeration) if a <= v.data <= b])
    if s == 0:
        raise model_error("E206", "the step of a range must not be 0", span)
    turns = (b - a) / s * (1 + 1e-15) + 1e-10
    if not isfinite(turns):
        raise model_error("E206", "this range has no end", span)
    count = int(turns) + 1 if (b - a) / s >= 0 else 0
    refuse_elements(count, "this range", span)
    if isinstance(a, int) and isinstance(s, int) and isinstance(b, int):
        return array_of([const(k) for k in range(a, b + (1 if s > 0 else -1), s)])
    return array_of([const(float(a + k * s)) for k in range(count)])
