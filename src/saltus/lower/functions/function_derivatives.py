"""Derivatives of functions that the user wrote: the annotation `derivative` (section 12.7.1) and functions
that are partial derivatives of others, `function g = der(f, x)` (section 12.7.2).

A derivative of order n takes the inputs of the function, then for each of its Real inputs (but those that
`zeroDerivative` and `noDerivative` leave out) the first derivatives, the second ones, up to the n-th:

    f(x, b, y)      f1(x, b, y, dx, dy)      f2(x, b, y, dx, dy, ddx, ddy)

The annotation of order n stands at the derivative of order n - 1, so its inputs fall into the original ones
and n - 1 groups of derivatives, from which the n-th group continues.

An annotation that cannot be followed leads to a warning, and the function is differentiated automatically.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod

from saltus.core.diagnostics import Diagnostic, ModelError, model_error
from saltus.expr.differentiate import differentiate
from saltus.expr.nodes import ZERO, Expr, Symbol, Type, ref
from saltus.expr.traversal import substitute
from saltus.ir import ast
from saltus.ir.instance import ClassEntry
from saltus.ir.program import Derivative, Function
from saltus.lower.classes.lookup import resolve_class, resolve_from
from saltus.lower.functions.function_locals import Local, LocalVariable, symbols_of
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.parts import Functions
from saltus.lower.scope.values import ArrayValue, RecordValue, Value


@dataclass(frozen=True, eq=False)
class Input:
    """An input of a function being lowered: its name, its variables, and the value it was lowered for."""

    name: str
    local: Local
    value: Value


@dataclass(frozen=True)
class _Annotation:
    """`derivative(order = order, zeroDerivative = ..., noDerivative = ...) = function`"""

    node: ast.ElementModification
    function: ast.Reference
    order: int = 1
    constant: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)


#: Lowers the function of a class for input values by position.
Specialise = Callable[[ClassEntry, Sequence[Value]], Function]


def declared_derivatives(
    context: Context, cls: ClassEntry, function: Function, inputs: Sequence[Input], specialise: Specialise
) -> tuple[Derivative, ...]:
    """The derivatives that the annotation of a function names."""
    found: list[Derivative] = []
    offsets = cls.definition.annotation
    for annotation in _annotations(context, cls) if offsets is not None else ():
        try:
            found.append(_derivative(cls, annotation, function, inputs, specialise))
        except ModelError as error:
            reason = error.diagnostics[0].message
            name = annotation.function.text
            message = f"`{name}` is not used as the derivative of `{cls.full_name}`: {reason}"
            hint = "the function is differentiated automatically"
            context.reporter.report(Diagnostic("W202", message, cls.at(annotation.node), hint=hint))
    return tuple(found)


def _annotations(context: Context, cls: ClassEntry) -> Iterator[_Annotation]:
    assert cls.definition.annotation is not None
    everything = context.library.reader.annotation(cls.source, cls.definition.annotation)
    for argument in everything.arguments or ():
        if not isinstance(argument, ast.ElementModification) or argument.name != ("derivative",):
            continue
        modification = argument.modification
        if modification is None or not isinstance(modification.value, ast.Reference):
            continue
        order = 1
        constant: list[str] = []
        ignored: list[str] = []
        for entry in modification.arguments or ():
            if not isinstance(entry, ast.ElementModification) or entry.modification is None:
                continue
            given = entry.modification.value
            if entry.name == ("order",) and given is not None:
                order = context.integer(given, Scope(None, cls), "the order of a derivative")
            elif isinstance(given, ast.Reference):
                (constant if entry.name == ("zeroDerivative",) else ignored).append(given.text)
        yield _Annotation(argument, modification.value, order, constant, ignored)


def _derivative(
    cls: ClassEntry,
    annotation: _Annotation,
    function: Function,
    inputs: Sequence[Input],
    specialise: Specialise,
) -> Derivative:
    span = cls.at(annotation.node)
    names = [i.name for i in inputs]
    for name in (*annotation.constant, *annotation.ignored):
        if name not in names:
            raise model_error("E212", f"`{cls.full_name}` has no input `{name}`", span)
    left_out = {*annotation.constant, *annotation.ignored}
    groups = _groups(inputs, left_out, annotation.order)
    if groups is None:
        raise model_error(
            "E212", f"its inputs are not those of a derivative of order {annotation.order - 1}", span
        )
    target = resolve_class(annotation.function, cls, "function")
    if not isinstance(target, ClassEntry):
        raise model_error("E209", f"`{target.full_name}` is not a function", span)
    slopes = [_slope_value(inputs[i].local) for i in groups[-1]]
    derivative = specialise(target, [*(i.value for i in inputs), *(s for s in slopes if s is not None)])
    wanted = [(s.type, s.shape) for s in function.outputs if s.type is Type.REAL]
    if [(s.type, s.shape) for s in derivative.outputs] != wanted:
        raise model_error("E212", "its outputs are not the derivatives of the Real outputs", span)

    starts = [0]
    for i in inputs:
        starts.append(starts[-1] + len(list(symbols_of(i.local))))
    reals = {
        i: [starts[i] + k for k, s in enumerate(symbols_of(inputs[i].local)) if s.type is Type.REAL]
        for i in range(len(inputs))
    }
    flat = [[p for i in group for p in reals[i]] for group in groups]
    if any(len(group) != len(flat[0]) for group in flat):
        raise model_error("E212", "the derivatives among its inputs have other shapes", span)
    chain = tuple(pair for lower, upper in pairwise(flat) for pair in zip(lower, upper, strict=True))
    constant = tuple(p for name in annotation.constant for p in reals[names.index(name)])
    if annotation.order == 1:
        object.__setattr__(derivative, "linear_inputs", len(flat[-1]))
    return Derivative(derivative, tuple(flat[-1]), constant, chain)


def _groups(inputs: Sequence[Input], left_out: set[str], order: int) -> list[list[int]] | None:
    """The inputs that vary, then those that are their first derivatives, and so on up to order - 1; None
    where the inputs cannot be read so. There is at most one way, for the length grows with `count`."""
    for count in range(len(inputs) + 1):
        varying = [
            i
            for i in range(count)
            if inputs[i].name not in left_out and _slope_value(inputs[i].local) is not None
        ]
        if varying and count + (order - 1) * len(varying) == len(inputs):
            firsts = range(count, len(inputs), len(varying))
            return [varying, *(list(range(first, first + len(varying))) for first in firsts)]
    return None


def _slope_value(local: Local) -> Value | None:
    """The derivative of a variable as an argument: of a record only what is Real. None if nothing is."""
    if isinstance(local, LocalVariable):
        if local.symbol.type is not Type.REAL:
            return None
        shape = local.symbol.shape
        return ArrayValue(shape, (ZERO,) * prod(shape)) if shape else ZERO
    if local.shape:
        raise model_error("E212", "arrays of records among its inputs are not supported yet")
    fields = {name: _slope_value(f) for name, f in local.fields.items()}
    kept = {name: v for name, v in fields.items() if v is not None}
    return RecordValue(local.type_name, kept) if kept else None


# ---------------------------------------------------------------- function g = der(f, x)


def differentiated_function(cls: ClassEntry) -> tuple[ClassEntry, tuple[str, ...]]:
    """The function that a class is a partial derivative of, and the inputs it is differentiated by, in order;
    any other class is itself."""
    variables: tuple[str, ...] = ()
    while isinstance(cls.definition.body, ast.DerBody):
        body = cls.definition.body
        target = resolve_from(body.function, cls.parent, cls, "function")
        if not isinstance(target, ClassEntry) or target.kind != "function":
            raise model_error("E209", f"`{target.full_name}` is not a function", cls.at(body))
        cls, variables = target, (*body.variables, *variables)
    return cls, variables


def partial_derivative(
    functions: Functions,
    cls: ClassEntry,
    variables: tuple[str, ...],
    values: dict[str, Value],
    apply: Callable[[dict[str, Value]], list[Value]],
) -> list[Value]:
    """The results of a function, which `apply` gives for its arguments, differentiated by some inputs. These
    are given as new symbols first, and take their values afterwards."""
    places: dict[str, Expr] = {}
    for name in variables:
        value = values.get(name)
        if not isinstance(value, Expr) or value.type not in (Type.REAL, Type.INTEGER):
            what = f"`{cls.full_name}` is differentiated by `{name}`, which is not a scalar Real input of it"
            raise model_error("E212", what, cls.span)
        places[name] = ref(Symbol(name))
    if cls in functions.lowering:
        raise model_error("E204", f"`{cls.full_name}` uses its own derivative", cls.span)
    back = {place: values[name] for name, place in places.items()}
    taken = {place: value for place, value in back.items() if isinstance(value, Expr)}

    def one(e: Expr) -> Expr:
        for name in variables:
            e = differentiate(e, places[name])
        return substitute(e, taken)

    return [_mapped(one, result) for result in apply({**values, **places})]


def _mapped(operation: Callable[[Expr], Expr], value: Value) -> Value:
    if isinstance(value, Expr):
        return operation(value)
    if isinstance(value, ArrayValue):
        items = (_mapped(operation, v) for v in value.items)
        return ArrayValue(value.shape, tuple(v for v in items if not isinstance(v, ArrayValue)))
    return RecordValue(value.type_name, {name: _mapped(operation, v) for name, v in value.fields.items()})
