"""The predefined functions and operators: each takes the lowered arguments and gives a value."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.differentiate import NotDifferentiable, time_derivative
from saltus.expr.nodes import Expr, Op, Symbol, Type, const
from saltus.expr.traversal import leaves
from saltus.ir import ast
from saltus.ir.flat import Variability
from saltus.lower.expressions.array_builtins import ARRAY_BUILTINS
from saltus.lower.expressions.builtin_call import Builtin, Place, number, scalar_argument, wrong
from saltus.lower.expressions.clocked import (
    CLOCKED_ARGUMENTS,
    CLOCKED_OPERATORS,
    clocked_sample,
    is_clocked_sample,
)
from saltus.lower.expressions.overloading import (
    empty_sum,
    has_records,
    overloaded_product,
    overloaded_sum,
    overloaded_text,
)
from saltus.lower.expressions.semilinear import semi_linear
from saltus.lower.expressions.transport_call import transport_values
from saltus.lower.scope.context import Context
from saltus.lower.scope.parts import SemiLinear
from saltus.lower.scope.types import is_number, same_type, type_name
from saltus.lower.scope.values import (
    ArrayValue,
    ShapeMismatch,
    Value,
    describe,
    elementwise,
    map_items,
    map_scalars,
    scalar_item,
    scalars_of,
    shape_of,
    zip_items,
)

#: The greatest finite Real, as `Modelica.Constants.inf`-like bounds of reductions over nothing.
LARGEST = sys.float_info.max

#: Operators that look at the run, not only at values: a function cannot use them (section 12.2).
OF_THE_RUN = frozenset(
    {"der", "pre", "edge", "change", "sample", "delay", "spatialDistribution", "initial", "terminal"}
    | CLOCKED_OPERATORS.keys()
)

#: Predefined functions whose arguments may be named.
NAMED_ARGUMENTS: dict[str, tuple[str, ...]] = {
    **CLOCKED_ARGUMENTS,
    "homotopy": ("actual", "simplified"),
    "spatialDistribution": ("in0", "in1", "x", "positiveVelocity", "initialPoints", "initialValues"),
}


def named_arguments(names: tuple[str, ...], call: ast.Call, place: Place) -> list[ast.Expression]:
    """The arguments after the positional ones, in the order of their names."""
    named = dict(call.named)
    free = names[len(call.args) :]
    if len(named) < len(call.named) or not named.keys() <= set(free):
        raise wrong(place, call.function.text, ", ".join(filter(None, names)))
    return [named[name] for name in free if name in named]


# ---------------------------------------------------------------- numbers


def _elementwise(name: str) -> Builtin:
    arity = x.BUILTINS[name][0]

    def lower(args: list[Value], place: Place) -> Value:
        if len(args) != arity:
            raise wrong(place, name, f"{arity} argument{'s' if arity > 1 else ''}, not {len(args)}")
        if arity == 1:
            return map_items(lambda a: x.call(name, number(a, place, name)), args[0])
        return zip_items(
            lambda a, b: x.call(name, number(a, place, name), number(b, place, name)), args[0], args[1]
        )

    return lower


def _extreme(name: str) -> Builtin:
    def lower(args: list[Value], place: Place) -> Value:
        if len(args) == 1 and isinstance(args[0], ArrayValue):
            return reduce_values(place.context, name, list(args[0].items), place.span)
        if len(args) == 2:
            return reduce_values(
                place.context, name, [scalar_argument(v, place, name) for v in args], place.span
            )
        raise wrong(place, name, "two numbers or one array")

    return lower


def _fold(name: str) -> Builtin:
    def lower(args: list[Value], place: Place) -> Value:
        if len(args) != 1:
            raise wrong(place, name, "one array")
        items = list(args[0].items) if isinstance(args[0], ArrayValue) else [args[0]]
        if name == "sum" and not items and has_records(args[0]):
            return empty_sum(place.context, args[0], place.span)
        return reduce_values(place.context, name, list(items), place.span)

    return lower


#: What a reduction over nothing gives (section 10.3.4.1).
_OF_NOTHING = {"sum": 0, "product": 1, "min": LARGEST, "max": -LARGEST}


def reduce_values(context: Context, name: str, values: list[Value], span: Span) -> Value:
    """sum, product, min or max over values."""
    if name not in _OF_NOTHING:
        raise model_error("E212", f"`{name}` is not a reduction", span)
    if not values:
        return const(_OF_NOTHING[name])
    if any(map(has_records, values)):
        if name in ("min", "max"):
            raise model_error("E205", f"`{name}` is not defined for records", span)
        return (overloaded_sum if name == "sum" else overloaded_product)(context, values, span)
    for v in values:
        for e in scalars_of(v):
            # Literals of an enumeration and Booleans are ordered, but they are no numbers.
            ordered = e.type is Type.BOOLEAN or x.enumeration_of(e) is not None
            if not is_number(e) and not (ordered and name in ("min", "max")):
                raise model_error("E205", f"`{name}` needs numbers, but this is {type_name(e)}", span)
    if name == "sum" and isinstance(values[0], ArrayValue):
        return _sum_of_arrays(values)
    scalars = [scalar_item(v) for v in values]
    if name == "sum":
        return x.add(*scalars)
    if name == "product":
        return x.mul(*scalars)
    for s in scalars[1:]:
        if not same_type(scalars[0], s):
            raise model_error("E205", f"`{name}` of {type_name(scalars[0])} and {type_name(s)}", span)
    if scalars[0].type is Type.BOOLEAN:  # false < true
        return x.and_(*scalars) if name == "min" else x.or_(*scalars)
    while len(scalars) > 1:  # in pairs, so that the expression is not as deep as the array is long
        pairs = [x.call(name, a, b) for a, b in zip(scalars[::2], scalars[1::2], strict=False)]
        scalars = pairs + (scalars[-1:] if len(scalars) % 2 else [])
    return scalars[0]


def _sum_of_arrays(values: list[Value]) -> Value:
    shape = shape_of(values[0])
    for v in values:
        if shape_of(v) != shape:
            raise ShapeMismatch(shape, shape_of(v))
    columns = zip(*(scalars_of(v) for v in values), strict=True)
    return ArrayValue(shape, tuple(x.add(*column) for column in columns))


# ---------------------------------------------------------------- derivatives, events


def _der(args: list[Value], place: Place) -> Value:
    if len(args) != 1:
        raise wrong(place, "der", "one argument")

    def is_constant(symbol: Symbol) -> bool:
        scalar = place.context.components.scalars.get(symbol)
        return scalar is not None and scalar.variability <= Variability.PARAMETER

    def one(e: Expr) -> Expr:
        for leaf in leaves(e):
            scalar = place.context.components.scalars.get(x.leaf_symbol(leaf))
            if leaf.op is Op.REF and scalar is not None and scalar.variability is Variability.DISCRETE:
                raise model_error(
                    "E211",
                    f"`{scalar.path}` is discrete and has no derivative",
                    place.span,
                    hint="discrete variables change only at events",
                )
        if e.type is not Type.REAL and (e.type in x.NOT_NUMBERS or e.op is Op.CONST):
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
            past = problem.node.op in (Op.DELAY, Op.TRANSPORT)
            raise model_error(
                "E204",
                f"`{problem.node!r}` cannot be differentiated",
                place.span,
                hint="introduce a variable for it, and take the derivative of that" if past else None,
            ) from None

    return map_items(one, args[0])


def _of_variable(name: str, make: Callable[[Expr], Expr]) -> Builtin:
    def lower(args: list[Value], place: Place) -> Value:
        if len(args) != 1:
            raise wrong(place, name, "one variable")

        def one(e: Expr) -> Expr:
            if e.op is Op.REF:
                scalar = place.context.components.scalars.get(e.data)
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
        raise wrong(place, "noEvent", "one expression")
    return map_scalars(x.no_event, args[0])


def _smooth(args: list[Value], place: Place) -> Value:
    if len(args) != 2:
        raise wrong(place, "smooth", "an order and an expression")
    order = place.constant(scalar_argument(args[0], place, "smooth"), "the order in `smooth`")
    if not isinstance(order, int) or isinstance(order, bool) or order < 0:
        raise model_error("E212", "the order in `smooth` must be a non-negative Integer", place.span)
    return map_scalars(lambda e: x.smooth(order, e), args[1])


def _sample(args: list[Value], place: Place) -> Value:
    if is_clocked_sample(args):
        return clocked_sample(args, place)
    if len(args) != 2 or place.call.named:
        raise wrong(place, "sample", "start and interval, or a signal and a clock")
    start, interval = (number(scalar_argument(a, place, "sample"), place, "sample") for a in args)
    return x.sample(start, interval)


def _delay(args: list[Value], place: Place) -> Value:
    if len(args) not in (2, 3):
        raise wrong(place, "delay", "an expression, the delay time and, if that varies, the longest one")
    time, longest = (number(scalar_argument(a, place, "delay"), place, "delay") for a in (args[1], args[-1]))
    if time.op is Op.CONST and not 0.0 <= time.data < math.inf:
        raise model_error("E212", f"a delay time must be positive or zero, not {time.data:g}", place.span)
    if time.op is Op.CONST and longest.op is Op.CONST and longest.data < time.data:
        raise model_error(
            "E212", f"the delay time {time.data:g} is longer than the longest, {longest.data:g}", place.span
        )
    return map_items(lambda e: x.delay(number(e, place, "delay"), time, longest), args[0])


def _nullary(name: str, node: Expr) -> Builtin:
    def lower(args: list[Value], place: Place) -> Value:
        if args:
            raise wrong(place, name, "no arguments")
        return node

    return lower


def _homotopy(args: list[Value], place: Place) -> Value:
    if len(args) != 2:
        raise wrong(place, "homotopy", "the actual and the simplified expression")
    if place.scope.in_function:
        return args[0]
    return zip_items(lambda a, s: x.homotopy(number(a, place, "homotopy"), s), args[0], args[1])


def _semi_linear(args: list[Value], place: Place) -> Value:
    if len(args) != 3:
        raise wrong(place, "semiLinear", "x and two slopes")

    def one(v: Expr, up: Expr, down: Expr) -> Expr:
        for e in (v, up, down):
            number(e, place, "semiLinear")
        made = semi_linear(v, up, down)
        place.context.expressions.semi_linears[made] = SemiLinear(v, up, down)
        return made

    return elementwise(one, args)


# ---------------------------------------------------------------- conversions


#: Options of `String` by position, after the value, for each type of value.
_TEXT_OPTIONS = {
    Type.REAL: ("significantDigits", "minimumLength", "leftJustified"),
    Type.INTEGER: ("minimumLength", "leftJustified"),
    Type.BOOLEAN: ("minimumLength", "leftJustified"),
}

#: Flags, width, precision and conversion. Those of Integers are accepted for Reals, too (deprecated).
_FORMAT = re.compile(r"[-+ #0]*\d*(\.\d*)?[feEgGdioxXuc]")


def text_of_call(args: list[Value], named: dict[str, Value], place: Place) -> Value:
    """`String(v, ...)` in all its forms (section 3.7.1.2); of an operator record, what that defines."""
    if not args:
        raise wrong(place, "String", "a value")
    if has_records(args[0]):
        text = overloaded_text(place.context, args, named, place.span)
        if text is not None:
            return text
        raise model_error("E205", f"`String` is not defined for {describe(args[0])}", place.span)
    value = scalar_argument(args[0], place, "String")
    if value.type is Type.STRING:
        return value
    names = _TEXT_OPTIONS[value.type]
    literals = x.enumeration_of(value)
    if literals:
        value, names = _literal_text(value, literals), _TEXT_OPTIONS[Type.BOOLEAN]
    if len(args) == 2 and "format" not in named and isinstance(args[1], Expr) and args[1].type is Type.STRING:
        named, args = {**named, "format": args[1]}, args[:1]
    given = dict(zip(names, args[1:], strict=False)) | named
    if len(args) - 1 > len(names) or len(given) != len(args) - 1 + len(named):
        raise wrong(place, "String", f"a value and {', '.join(names)}")
    if not given.keys() <= {*names, "format"} or ("format" in given and len(given) > 1):
        raise wrong(place, "String", f"a value and {', '.join(names)}, or a format")
    if not given:
        return value if literals else x.call("String", value)
    form = _format_of(value, {n: scalar_argument(v, place, "String") for n, v in given.items()}, place)
    return x.call("format", value, form)


def _format_of(value: Expr, given: dict[str, Expr], place: Place) -> Expr:
    """The format that the options mean."""
    wanted = {"minimumLength": Type.INTEGER, "significantDigits": Type.INTEGER, "leftJustified": Type.BOOLEAN}
    for name, option in given.items():
        if option.type is not wanted.get(name, Type.STRING):
            raise model_error("E205", f"`{name}` of `String` cannot be {option.type.value}", place.span)
    if "format" in given:
        form = given["format"]
        if form.op is Op.CONST and not _FORMAT.fullmatch(form.data):
            raise model_error("E212", f'"{form.data}" is not a format of `String`', place.span)
        return form
    left, length = given.get("leftJustified", x.TRUE), given.get("minimumLength", const(0))
    pieces = [x.if_(left, const("-"), const("")), _decimal(length)]
    if value.type is Type.REAL:
        pieces += [const("."), _decimal(given.get("significantDigits", const(6))), const("g")]
    else:
        pieces.append(const("d"))
    result = pieces[0]
    for piece in pieces[1:]:
        literal = result.op is piece.op is Op.CONST
        result = const(result.data + piece.data) if literal else x.call("concat", result, piece)
    return result


def _decimal(e: Expr) -> Expr:
    return const(str(e.data)) if e.op is Op.CONST else x.call("String", e)


def _literal_text(e: Expr, literals: tuple[str, ...]) -> Expr:
    """The name of an enumeration literal given by its number."""
    if e.op is Op.CONST:
        return const(literals[e.data - 1])
    text: Expr = const(literals[-1])
    for k in range(len(literals) - 2, -1, -1):
        text = x.if_(x.relation(Op.EQ, e, const(k + 1)), const(literals[k]), text)
    return text


def _to_integer(args: list[Value], place: Place) -> Value:
    """`Integer(e)` gives the number of an enumeration literal, which it is already for all later stages."""
    e = scalar_argument(args[0], place, "Integer") if len(args) == 1 else None
    if e is None or x.enumeration_of(e) is None:
        raise wrong(place, "Integer", "one enumeration value")
    return const(int(e.data)) if e.op is Op.CONST else x.call("integer", e)


def _instance_name(args: list[Value], place: Place) -> Value:
    """Where this text is used: the name of the whole model, then the path of the component (3.7.4.3)."""
    if args:
        raise wrong(place, "getInstanceName", "no argument")
    instance = place.scope.instance
    if instance is None:
        raise model_error("E209", "`getInstanceName` is allowed in models and blocks only", place.span)
    root = instance
    while root.parent is not None:
        root = root.parent
    return const(f"{root.cls.name}.{instance.path}" if instance.path else str(root.cls.name))


#: Those with several results.
SEVERAL: dict[str, Callable[[list[Value], Place], list[Value]]] = {"spatialDistribution": transport_values}

BUILTINS: dict[str, Builtin] = {
    **{
        name: _elementwise(name)
        for name in (
            *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh"),
            *("exp", "log", "log10", "sqrt", "abs", "sign", "div", "mod", "rem"),
            *("floor", "ceil", "integer"),
        )
    },
    **ARRAY_BUILTINS,
    **CLOCKED_OPERATORS,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "sum": _fold("sum"),
    "product": _fold("product"),
    "der": _der,
    "pre": _of_variable("pre", x.pre),
    "edge": _of_variable("edge", x.edge),
    "change": _of_variable("change", x.change),
    "noEvent": _no_event,
    "smooth": _smooth,
    "sample": _sample,
    "delay": _delay,
    "initial": _nullary("initial", x.INITIAL),
    "terminal": _nullary("terminal", x.TERMINAL),
    "homotopy": _homotopy,
    "semiLinear": _semi_linear,
    "String": lambda args, place: text_of_call(args, {}, place),
    "Integer": _to_integer,
    "getInstanceName": _instance_name,
}
