"""The predefined functions and operators: each takes the lowered arguments and gives a value."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Protocol

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.differentiate import NotDifferentiable, time_derivative
from saltus.expr.nodes import Expr, Op, Symbol, Type, const
from saltus.ir.flat import Variability
from saltus.lower.context import Context
from saltus.lower.values import ArrayValue, Value, array_of, map_items, scalar_item, shape_of, zip_items


class Place(Protocol):
    """The call: for its place in the text, and for what must be known at translation."""

    @property
    def context(self) -> Context: ...

    @property
    def span(self) -> Span: ...

    def constant(self, e: Expr, why: str) -> Any: ...


Builtin = Callable[[list[Value], Place], Value]

#: Operators of the language that a later version brings; refused by name.
UNSUPPORTED = frozenset(
    [
        "delay",
        "spatialDistribution",
        "cardinality",
        "inStream",
        "actualStream",
        "getInstanceName",
        "Clock",
        "previous",
        "hold",
        "subSample",
        "superSample",
        "shiftSample",
        "backSample",
        "noClock",
        "interval",
        "firstTick",
        "promote",
    ]
)


def _wrong(place: Place, name: str, wanted: str) -> ModelError:
    return model_error("E212", f"`{name}` takes {wanted}", place.span)


def _scalar(value: Value, place: Place, name: str) -> Expr:
    if isinstance(value, Expr):
        return value
    raise model_error("E206", f"`{name}` needs a scalar here", place.span)


def _number(e: Expr, place: Place, name: str) -> Expr:
    if e.type in (Type.BOOLEAN, Type.STRING):
        raise model_error("E205", f"`{name}` needs a number, but this is {e.type.value}", place.span)
    return e


# ---------------------------------------------------------------- numbers


def _elementwise(name: str) -> Builtin:
    arity = x.BUILTINS[name][0]

    def lower(args: list[Value], place: Place) -> Value:
        if len(args) != arity:
            raise _wrong(place, name, f"{arity} argument{'s' if arity > 1 else ''}, not {len(args)}")
        if arity == 1:
            return map_items(lambda a: x.call(name, _number(a, place, name)), args[0])
        return zip_items(
            lambda a, b: x.call(name, _number(a, place, name), _number(b, place, name)), args[0], args[1]
        )

    return lower


def _extreme(name: str) -> Builtin:
    def lower(args: list[Value], place: Place) -> Value:
        if len(args) == 1 and isinstance(args[0], ArrayValue):
            return reduce_values(name, list(args[0].items), place.span)
        if len(args) == 2:
            a, b = (_number(_scalar(v, place, name), place, name) for v in args)
            return x.call(name, a, b)
        raise _wrong(place, name, "two numbers or one array")

    return lower


def _fold(name: str) -> Builtin:
    def lower(args: list[Value], place: Place) -> Value:
        if len(args) != 1:
            raise _wrong(place, name, "one array")
        items = list(args[0].items) if isinstance(args[0], ArrayValue) else [args[0]]
        return reduce_values(name, list(items), place.span)

    return lower


def reduce_values(name: str, values: list[Value], span: Span) -> Value:
    """sum, product, min or max over values."""
    if name == "sum":
        if values and isinstance(values[0], ArrayValue):
            total = values[0]
            for v in values[1:]:
                total = zip_items(x.add, total, v)  # type: ignore[assignment]  # shapes agree, so an array
            return total
        return x.add(*(scalar_item(v) for v in values)) if values else x.ZERO
    scalars = [scalar_item(v) for v in values]
    if name == "product":
        return x.mul(*scalars) if scalars else x.ONE
    if name not in ("min", "max"):
        raise model_error("E212", f"`{name}` is not a reduction", span)
    if not scalars:
        raise model_error("E206", f"`{name}` of an empty array", span)
    result = scalars[0]
    for s in scalars[1:]:
        result = x.call(name, result, s)
    return result


# ---------------------------------------------------------------- arrays


def _size(args: list[Value], place: Place) -> Value:
    if not args or len(args) > 2:
        raise _wrong(place, "size", "an array and the number of a dimension")
    shape = shape_of(args[0])
    if len(args) == 1:
        return array_of([const(n) for n in shape])
    k = place.constant(_scalar(args[1], place, "size"), "the dimension in `size`")
    if not 1 <= k <= len(shape):
        raise model_error("E206", f"there is no dimension {k}: the argument has {len(shape)}", place.span)
    return const(shape[k - 1])


def _sizes(args: list[Value], place: Place, name: str) -> tuple[int, ...]:
    sizes = tuple(place.constant(_scalar(a, place, name), f"a size in `{name}`") for a in args)
    if any(not isinstance(n, int) or isinstance(n, bool) or n < 0 for n in sizes):
        raise model_error("E206", f"sizes in `{name}` must be non-negative Integers", place.span)
    return sizes


def _filled(value: Expr, shape: tuple[int, ...]) -> Value:
    return ArrayValue(shape, (value,) * prod(shape)) if shape else value


def _fill(args: list[Value], place: Place) -> Value:
    if len(args) < 2:
        raise _wrong(place, "fill", "a value and at least one size")
    shape = _sizes(args[1:], place, "fill")
    value = args[0]
    if isinstance(value, ArrayValue):
        return ArrayValue((*shape, *value.shape), value.items * prod(shape))
    return _filled(_scalar(value, place, "fill"), shape)


def _identity(args: list[Value], place: Place) -> Value:
    (n,) = _sizes(args, place, "identity") if len(args) == 1 else (0,)
    return ArrayValue((n, n), tuple(const(int(i == j)) for i in range(n) for j in range(n)))


def _diagonal(args: list[Value], place: Place) -> Value:
    if len(args) != 1 or not isinstance(args[0], ArrayValue) or len(args[0].shape) != 1:
        raise _wrong(place, "diagonal", "one vector")
    v = args[0].items
    n = len(v)
    return ArrayValue((n, n), tuple(v[i] if i == j else x.ZERO for i in range(n) for j in range(n)))


def _linspace(args: list[Value], place: Place) -> Value:
    if len(args) != 3:
        raise _wrong(place, "linspace", "first, last and count")
    a, b = (_scalar(v, place, "linspace") for v in args[:2])
    (n,) = _sizes(args[2:], place, "linspace")
    if n < 2:
        raise model_error("E206", "`linspace` needs at least 2 points", place.span)
    return array_of([x.add(a, x.mul(const(k / (n - 1)), x.sub(b, a))) for k in range(n)])


def _transpose(args: list[Value], place: Place) -> Value:
    if len(args) != 1 or not isinstance(args[0], ArrayValue) or len(args[0].shape) != 2:
        raise _wrong(place, "transpose", "one matrix")
    rows, columns = args[0].shape
    items = args[0].items
    return ArrayValue(
        (columns, rows), tuple(items[i * columns + j] for j in range(columns) for i in range(rows))
    )


def _cat(args: list[Value], place: Place) -> Value:
    if len(args) < 2 or not all(isinstance(a, ArrayValue) for a in args[1:]):
        raise _wrong(place, "cat", "a dimension and arrays")
    k = place.constant(_scalar(args[0], place, "cat"), "the dimension in `cat`")
    arrays = [a for a in args[1:] if isinstance(a, ArrayValue)]

    def join(parts: list[ArrayValue], depth: int) -> Value:
        if depth == 1:
            return array_of([row for part in parts for row in part.rows()])
        groups = zip(*(part.rows() for part in parts), strict=True)
        return array_of(
            [join([p for p in group if isinstance(p, ArrayValue)], depth - 1) for group in groups]
        )

    try:
        return join(arrays, k)
    except ValueError:
        raise model_error("E206", "the arrays in `cat` do not fit together", place.span) from None


def _vector(args: list[Value], place: Place) -> Value:
    if len(args) != 1:
        raise _wrong(place, "vector", "one array")
    items = args[0].items if isinstance(args[0], ArrayValue) else (_scalar(args[0], place, "vector"),)
    return ArrayValue((len(items),), items)


def _matrix(args: list[Value], place: Place) -> Value:
    v = args[0] if len(args) == 1 else None
    if isinstance(v, Expr):
        return ArrayValue((1, 1), (v,))
    if isinstance(v, ArrayValue) and len(v.shape) <= 2:
        return v if len(v.shape) == 2 else ArrayValue((*v.shape, 1), v.items)
    raise _wrong(place, "matrix", "a scalar, vector or matrix")


def _as_scalar(args: list[Value], place: Place) -> Value:
    v = args[0] if len(args) == 1 else None
    if isinstance(v, ArrayValue) and len(v.items) == 1:
        return v.items[0]
    if isinstance(v, Expr):
        return v
    raise _wrong(place, "scalar", "an array with one element")


def _cross(args: list[Value], place: Place) -> Value:
    if len(args) != 2 or any(shape_of(a) != (3,) for a in args):
        raise _wrong(place, "cross", "two vectors of size 3")
    a, b = ([scalar_item(i) for i in v.items] for v in args if isinstance(v, ArrayValue))
    pairs = ((1, 2), (2, 0), (0, 1))
    return array_of([x.sub(x.mul(a[i], b[j]), x.mul(a[j], b[i])) for i, j in pairs])


def _outer_product(args: list[Value], place: Place) -> Value:
    if len(args) != 2 or any(len(shape_of(a)) != 1 for a in args):
        raise _wrong(place, "outerProduct", "two vectors")
    a, b = ([scalar_item(i) for i in v.items] for v in args if isinstance(v, ArrayValue))
    return array_of([array_of([x.mul(p, q) for q in b]) for p in a])


def _ndims(args: list[Value], place: Place) -> Value:
    if len(args) != 1:
        raise _wrong(place, "ndims", "one array")
    return const(len(shape_of(args[0])))


# ---------------------------------------------------------------- derivatives, events


def _der(args: list[Value], place: Place) -> Value:
    if len(args) != 1:
        raise _wrong(place, "der", "one argument")

    def is_constant(symbol: Symbol) -> bool:
        scalar = place.context.scalars.get(symbol)
        return scalar is not None and scalar.variability <= Variability.PARAMETER

    def one(e: Expr) -> Expr:
        for leaf in x.leaves(e):
            scalar = place.context.scalars.get(x.leaf_symbol(leaf))
            if leaf.op is Op.REF and scalar is not None and scalar.variability is Variability.DISCRETE:
                raise model_error(
                    "E211",
                    f"`{scalar.path}` is discrete and has no derivative",
                    place.span,
                    hint="discrete variables change only at events",
                )
        if e.type in (Type.BOOLEAN, Type.STRING):
            raise model_error("E205", f"`der` needs a Real, but this is {e.type.value}", place.span)
        if e.op is Op.DER:
            raise model_error(
                "E204",
                "der(der(...)) is not supported yet",
                place.span,
                hint="introduce a variable for the first derivative",
            )
        try:
            return time_derivative(e, is_constant)
        except NotDifferentiable as problem:
            raise model_error("E204", f"`{problem.node!r}` cannot be differentiated", place.span) from None

    return map_items(one, args[0])


def _of_variable(name: str, make: Callable[[Expr], Expr]) -> Builtin:
    def lower(args: list[Value], place: Place) -> Value:
        if len(args) != 1:
            raise _wrong(place, name, "one variable")

        def one(e: Expr) -> Expr:
            if e.op is Op.REF:
                scalar = place.context.scalars.get(e.data)
                if scalar is not None and scalar.variability <= Variability.PARAMETER:
                    return e if name == "pre" else x.FALSE
            if e.op not in (Op.REF, Op.CONST):
                raise model_error("E209", f"`{name}` needs a variable, not an expression", place.span)
            if name == "edge" and e.type is not Type.BOOLEAN:
                raise model_error("E205", f"`edge` needs a Boolean, but this is {e.type.value}", place.span)
            return make(e)

        return map_items(one, args[0])

    return lower


def _no_event(args: list[Value], place: Place) -> Value:
    if len(args) != 1:
        raise _wrong(place, "noEvent", "one expression")
    return map_items(x.no_event, args[0])


def _smooth(args: list[Value], place: Place) -> Value:
    if len(args) != 2:
        raise _wrong(place, "smooth", "an order and an expression")
    order = place.constant(_scalar(args[0], place, "smooth"), "the order in `smooth`")
    return map_items(lambda e: x.smooth(int(order), e), args[1])


def _sample(args: list[Value], place: Place) -> Value:
    if len(args) != 2:
        raise model_error(
            "E204" if len(args) == 1 else "E212",
            "clocked `sample` is not supported yet"
            if len(args) == 1
            else "`sample` takes start and interval",
            place.span,
        )
    start, interval = (_number(_scalar(a, place, "sample"), place, "sample") for a in args)
    return x.sample(start, interval)


def _nullary(name: str, node: Expr) -> Builtin:
    def lower(args: list[Value], place: Place) -> Value:
        if args:
            raise _wrong(place, name, "no arguments")
        return node

    return lower


def _homotopy(args: list[Value], place: Place) -> Value:
    if len(args) != 2:
        raise _wrong(place, "homotopy", "the actual and the simplified expression")
    return args[0]


def _semi_linear(args: list[Value], place: Place) -> Value:
    if len(args) != 3:
        raise _wrong(place, "semiLinear", "x and two slopes")
    v, up, down = (_number(_scalar(a, place, "semiLinear"), place, "semiLinear") for a in args)
    return x.smooth(0, x.if_(x.relation(Op.GE, v, x.ZERO), x.mul(up, v), x.mul(down, v)))


# ---------------------------------------------------------------- conversions


def _string(args: list[Value], place: Place) -> Value:
    if not args:
        raise _wrong(place, "String", "a value")
    e = _scalar(args[0], place, "String")
    return e if e.type is Type.STRING else x.call("String", e)


def _to_integer(args: list[Value], place: Place) -> Value:
    """`Integer(e)` gives the number of an enumeration literal, which it already is."""
    e = _scalar(args[0], place, "Integer") if len(args) == 1 else None
    if e is None or e.type is not Type.INTEGER:
        raise _wrong(place, "Integer", "one enumeration value")
    return e


BUILTINS: dict[str, Builtin] = {
    **{
        name: _elementwise(name)
        for name in (
            *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh"),
            *("exp", "log", "log10", "sqrt", "abs", "sign", "div", "mod", "rem"),
            *("floor", "ceil", "integer"),
        )
    },
    "min": _extreme("min"),
    "max": _extreme("max"),
    "sum": _fold("sum"),
    "product": _fold("product"),
    "size": _size,
    "ndims": _ndims,
    "zeros": lambda args, place: _filled(x.ZERO, _sizes(args, place, "zeros")),
    "ones": lambda args, place: _filled(x.ONE, _sizes(args, place, "ones")),
    "fill": _fill,
    "identity": _identity,
    "diagonal": _diagonal,
    "linspace": _linspace,
    "transpose": _transpose,
    "cat": _cat,
    "vector": _vector,
    "matrix": _matrix,
    "scalar": _as_scalar,
    "cross": _cross,
    "outerProduct": _outer_product,
    "der": _der,
    "pre": _of_variable("pre", x.pre),
    "edge": _of_variable("edge", x.edge),
    "change": _of_variable("change", x.change),
    "noEvent": _no_event,
    "smooth": _smooth,
    "sample": _sample,
    "initial": _nullary("initial", x.INITIAL),
    "terminal": _nullary("terminal", x.TERMINAL),
    "homotopy": _homotopy,
    "semiLinear": _semi_linear,
    "String": _string,
    "Integer": _to_integer,
}
