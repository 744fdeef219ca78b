"""Clocked operators (chapter 16 of the specification): typed and flattened.

Clocks are variables of a type of their own, and what the operators give is kept as it is written: which
equations belong to which clock is found in `saltus.lower.clocks`.
"""

from __future__ import annotations

from saltus.core.diagnostics import model_error
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Type
from saltus.expr.traversal import leaves, walk
from saltus.ir import ast
from saltus.ir.flat import Variability
from saltus.ir.instance import Scalar
from saltus.lower.expressions.builtin_call import Builtin, Place, number, scalar_argument, wrong
from saltus.lower.scope.values import ArrayValue, RecordValue, Value, map_items, scalars_of

#: The forms of `Clock(...)`: names of the arguments, and their types. The second one may be left out.
_CONSTRUCTORS: tuple[tuple[tuple[str, Type], ...], ...] = (
    (("intervalCounter", Type.INTEGER), ("resolution", Type.INTEGER)),
    (("interval", Type.REAL),),
    (("condition", Type.BOOLEAN), ("startInterval", Type.REAL)),
    (("c", Type.CLOCK), ("solverMethod", Type.STRING)),
)

#: Operators between clocks: names of their arguments after the first, with the least value of each.
_CONVERSIONS: dict[str, tuple[tuple[str, int], ...]] = {
    "subSample": (("factor", 0),),
    "superSample": (("factor", 0),),
    "shiftSample": (("shiftCounter", 0), ("resolution", 1)),
    "backSample": (("backCounter", 0), ("resolution", 1)),
}
_NEEDED = {"shiftSample": 2, "backSample": 2}

#: Arguments that may be given by name.
CLOCKED_ARGUMENTS: dict[str, tuple[str, ...]] = {
    "sample": ("", "clock"),
    **{name: ("", *(n for n, _ in more)) for name, more in _CONVERSIONS.items()},
}


def constructor_arguments(call: ast.Call) -> tuple[str, ...]:
    """The names of the arguments of the form of `Clock(...)` that a call with named arguments means."""
    given = {name for name, _ in call.named}
    for form in _CONSTRUCTORS:
        names = tuple(name for name, _ in form)
        if given <= set(names):
            return names
    return ()


# ---------------------------------------------------------------- operators


def _clock(args: list[Value], place: Place) -> Value:
    if not args:
        return x.clocked("Clock", Type.CLOCK)
    first, *others = (scalar_argument(a, place, "Clock") for a in args)
    named = {name for name, _ in place.call.named}
    kind = Type.REAL if "interval" in named and first.type is Type.INTEGER else first.type
    form = next((f for f in _CONSTRUCTORS if f[0][1] is kind), None)
    if form is None or len(others) >= len(form):
        forms = "; ".join(", ".join(name for name, _ in f) for f in _CONSTRUCTORS)
        raise wrong(place, "Clock", f"nothing, or one of: {forms}")
    given = [x.call("real", first) if kind is Type.REAL else first]
    for e, (name, wanted) in zip(others, form[1:], strict=False):
        if e.type is not wanted and (wanted, e.type) != (Type.REAL, Type.INTEGER):
            what = f"`{name}` of `Clock` is of type {wanted.value}, but this is {e.type.value}"
            raise model_error("E205", what, place.span)
        _check_parameter(e, name, place)
        given.append(x.call("real", e) if wanted is Type.REAL else e)
    if kind in (Type.INTEGER, Type.REAL) and given[0].op is not Op.REF:
        _check_parameter(given[0], form[0][0], place)
    if given[0].op is Op.CONST and kind is Type.REAL and not given[0].data > 0:
        raise model_error(
            "E212", f"the interval of a clock must be positive, not {given[0].data}", place.span
        )
    for e, (name, wanted), least in zip(given, form, (0, 1), strict=False):
        if wanted is Type.INTEGER:
            _check_least(e, name, least, place)
    return x.clocked("Clock", Type.CLOCK, *given)


def is_clocked_sample(args: list[Value]) -> bool:
    """Whether `sample(...)` is meant to sample a signal, and not to make events."""
    return len(args) == 1 or (len(args) == 2 and isinstance(args[1], Expr) and args[1].type is Type.CLOCK)


def clocked_sample(args: list[Value], place: Place) -> Value:
    """`sample(u)` and `sample(u, clock)`."""
    _refuse_clocks(args[0], "sample", place)
    clock = [scalar_argument(a, place, "sample") for a in args[1:]]
    return map_items(lambda e: x.clocked("sample", e.type, e, *clock), args[0])


def _previous(args: list[Value], place: Place) -> Value:
    value = _component(args, "previous", place)
    return map_items(lambda e: e if _is_parameter(e, place) else x.clocked("previous", e.type, e), value)


def _hold(args: list[Value], place: Place) -> Value:
    value = _component(args, "hold", place)
    return map_items(lambda e: x.clocked("hold", e.type, e), value)


def _component(args: list[Value], name: str, place: Place) -> Value:
    """The one argument: variables or parameters, no expression (section 16.2.3)."""
    if len(args) != 1:
        raise wrong(place, name, "one variable")
    _refuse_clocks(args[0], name, place)
    _refuse_expressions(args[0], name, place)
    return args[0]


def _refuse_expressions(value: Value, name: str, place: Place) -> None:
    """What has a start value is a variable, or a parameter."""
    for e in scalars_of(value):
        if e.op is not Op.REF and not _is_parameter(e, place):
            raise model_error(
                "E209",
                f"`{name}` needs a variable, not an expression",
                place.span,
                hint="give the expression a name by an equation",
            )


def _conversion(name: str) -> Builtin:
    arguments = _CONVERSIONS[name]

    def lower(args: list[Value], place: Place) -> Value:
        if not max(1, _NEEDED.get(name, 1)) <= len(args) <= 1 + len(arguments):
            raise wrong(place, name, "a clocked expression or a clock, " + ", ".join(n for n, _ in arguments))
        more: list[Expr] = []
        for value, (argument, least) in zip(args[1:], arguments, strict=False):
            e = scalar_argument(value, place, name)
            if e.type is not Type.INTEGER:
                what = f"`{argument}` of `{name}` is an Integer, but this is {e.type.value}"
                raise model_error("E205", what, place.span)
            _check_parameter(e, argument, place)
            _check_least(e, argument, least, place)
            more.append(e)
        if name == "backSample" and not any(e.type is Type.CLOCK for e in scalars_of(args[0])):
            _refuse_expressions(args[0], name, place)
        return map_items(lambda e: x.clocked(name, e.type, e, *more), args[0])

    return lower


def _no_clock(args: list[Value], place: Place) -> Value:
    if len(args) != 1:
        raise wrong(place, "noClock", "one clocked expression")
    _refuse_clocks(args[0], "noClock", place)
    return map_items(lambda e: x.clocked("noClock", e.type, e), args[0])


def _of_the_tick(name: str, kind: Type) -> Builtin:
    """`interval(u)` and `firstTick(u)`; without an argument the clock is inferred."""

    def lower(args: list[Value], place: Place) -> Value:
        if len(args) > 1 or (args and isinstance(args[0], RecordValue)):
            raise wrong(place, name, "one variable, or nothing")
        # The clock of an array is that of each of its elements.
        items = args[0].items[:1] if args and isinstance(args[0], ArrayValue) else args
        return x.clocked(name, kind, *(e for e in items if isinstance(e, Expr)))

    return lower


CLOCKED_OPERATORS: dict[str, Builtin] = {
    "Clock": _clock,
    "previous": _previous,
    "hold": _hold,
    "noClock": _no_clock,
    **{name: _conversion(name) for name in _CONVERSIONS},
    "interval": _of_the_tick("interval", Type.REAL),
    "firstTick": _of_the_tick("firstTick", Type.BOOLEAN),
}


# ---------------------------------------------------------------- checks of arguments


def _refuse_clocks(value: Value, name: str, place: Place) -> None:
    if any(e.type is Type.CLOCK for e in scalars_of(value)):
        raise model_error("E205", f"`{name}` needs a signal, but this is a Clock", place.span)


def _is_parameter(e: Expr, place: Place) -> bool:
    found = [place.context.components.scalars.get(x.leaf_symbol(leaf)) for leaf in leaves(e)]
    known = all(s is not None and s.variability <= Variability.PARAMETER for s in found)
    return known and not any(node.op in (Op.CLOCKED, Op.DER) for node in walk(e))


def _check_parameter(e: Expr, what: str, place: Place) -> None:
    if not _is_parameter(e, place):
        raise model_error(
            "E211",
            f"`{what}` must not vary during the run",
            place.span,
            hint="clocks are related to each other at translation: use a parameter",
        )


def _check_least(e: Expr, what: str, least: int, place: Place) -> None:
    number(e, place, what)
    if e.op is Op.CONST and e.data < least:
        raise model_error("E212", f"`{what}` must be at least {least}, not {e.data}", place.span)


def check_clock_variable(scalar: Scalar) -> None:
    """A clock is no parameter and no flow (section 16.3)."""
    if scalar.variability <= Variability.PARAMETER or scalar.flow:
        prefix = "flow" if scalar.flow else scalar.variability.name.lower()
        raise model_error("E209", f"`{scalar.path}` is a Clock and cannot be `{prefix}`", scalar.span)
