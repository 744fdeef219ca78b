"""Calls of user functions: arguments bound, arrays given to scalar inputs taken apart, results taken.

A function is lowered once for each combination of argument shapes (`bodies`), so every array in its body has
a fixed size. Records are taken apart into their fields.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Type, const
from saltus.ir import ast
from saltus.ir.program import Function
from saltus.lower.bodies import FunctionBuilder, causality_of, declared_rank
from saltus.lower.classes import ClassEntry
from saltus.lower.context import Context, Scope
from saltus.lower.defaults import Arguments, construct_record
from saltus.lower.function_derivatives import (
    Input,
    declared_derivatives,
    differentiated_function,
    partial_derivative,
)
from saltus.lower.function_locals import Local, LocalRecord
from saltus.lower.inlining import inlined_call
from saltus.lower.layout import Element, Layout
from saltus.lower.lookup import resolve_class
from saltus.lower.values import ArrayValue, RecordValue, Value, shape_of

#: A function may be made for sizes that shrink from call to call (a recursive determinant), but not for ever.
DEEPEST_SPECIALISATION = 40


def call_user_function(context: Context, call: ast.Call, scope: Scope) -> list[Value]:
    """The results of a call: of a function, or of a record's constructor."""
    cls = resolve_class(call.function, scope.lexical, "function")
    span = scope.at(call)
    if not isinstance(cls, ClassEntry):
        raise model_error("E209", f"`{cls.full_name}` cannot be called", span)
    cls, variables = differentiated_function(cls)
    layout = context.layouts.of(cls)
    if layout.enumeration is not None:
        return [_enumeration_value(context, cls, layout.enumeration, call, scope)]
    if cls.kind == "record":
        return [construct_record(context, cls, layout, call, scope)]
    if cls.kind != "function":
        raise model_error("E209", f"`{cls.full_name}` is a {cls.kind}, not a function", span)
    _refuse_uncallable(cls, layout, span)
    inputs = _inputs(context, layout)
    arguments = Arguments(context, cls.full_name, inputs, span, Note("declared here", cls.span))
    arguments.bind(call, scope, [e.name for e in inputs])
    return _called(context, cls, layout, arguments, variables)


def call_with_values(
    context: Context, cls: ClassEntry, args: Sequence[Value], named: Mapping[str, Value], span: Span
) -> list[Value]:
    """The results of a function for arguments that are values already, as operators give them."""
    layout = context.layouts.of(cls)
    _refuse_uncallable(cls, layout, span)
    inputs = _inputs(context, layout)
    arguments = Arguments(context, cls.full_name, inputs, span, Note("declared here", cls.span))
    arguments.give(args, named.items(), [e.name for e in inputs])
    return _called(context, cls, layout, arguments, ())


def _called(
    context: Context, cls: ClassEntry, layout: Layout, arguments: Arguments, variables: tuple[str, ...]
) -> list[Value]:
    """The results for bound arguments; with `variables`, the partial derivatives with respect to them."""
    inputs, span = list(arguments.elements.values()), arguments.span

    def apply(values: dict[str, Value]) -> list[Value]:
        return _apply(context, cls, layout, inputs, values, span)

    def derive(values: dict[str, Value]) -> list[Value]:
        return partial_derivative(context, cls, variables, values, apply)

    return _vectorised(context, inputs, arguments.values(), derive if variables else apply, span)


def _refuse_uncallable(cls: ClassEntry, layout: Layout, span: Span) -> None:
    if layout.external is not None:
        raise model_error(
            "E204",
            f"`{cls.full_name}` is an external function; those are not supported yet",
            span,
            notes=(Note("declared here", cls.span),),
        )
    if cls.definition.partial:
        raise model_error("E209", f"the function `{cls.full_name}` is partial and cannot be called", span)


def _inputs(context: Context, layout: Layout) -> list[Element]:
    return [e for e in layout.elements.values() if causality_of(context, e) == "input"]


def _enumeration_value(
    context: Context, cls: ClassEntry, literals: tuple[str, ...], call: ast.Call, scope: Scope
) -> Value:
    """`Colour(2)`: the second literal."""
    span = scope.at(call)
    value = context.lower(context, call.args[0], scope) if len(call.args) == 1 and not call.named else None
    if not isinstance(value, Expr) or value.type is not Type.INTEGER:
        raise model_error("E212", f"`{cls.full_name}` takes one Integer", span)
    if context.is_constant(value):
        number = context.constant(value, span, "the number of a literal")
        if not isinstance(number, int) or not 1 <= number <= len(literals):
            raise model_error("E206", f"`{cls.full_name}` has no literal number {number}", span)
    return value


def _vectorised(
    context: Context,
    inputs: list[Element],
    values: dict[str, Value],
    apply: Callable[[dict[str, Value]], list[Value]],
    span: Span,
) -> list[Value]:
    """A function applied to arrays with more dimensions than its inputs is applied to each element
    (section 12.4.6)."""
    ranks = {e.name: declared_rank(context, e) for e in inputs}
    leading = {n: shape_of(v)[: len(shape_of(v)) - ranks[n]] for n, v in values.items()}
    shapes = {shape for shape in leading.values() if shape}
    if not shapes:
        return apply(values)
    if len(shapes) > 1:
        raise model_error("E206", "the arrays in this call have different sizes", span)
    (shape,) = shapes
    calls: list[list[Value]] = []
    for k in range(prod(shape)):
        one: dict[str, Value] = {}
        for name, value in values.items():
            if leading[name] and isinstance(value, ArrayValue):
                inner = value.shape[len(shape) :]
                part = value.items[k * prod(inner) : (k + 1) * prod(inner)]
                one[name] = ArrayValue(inner, part) if inner else part[0]
            else:
                one[name] = value
        calls.append(apply(one))
    if not calls:
        return [ArrayValue(shape, ())]
    results: list[Value] = []
    for parts in zip(*calls, strict=True):
        items = [i for p in parts for i in (p.items if isinstance(p, ArrayValue) else (p,))]
        results.append(ArrayValue((*shape, *shape_of(parts[0])), tuple(items)))
    return results


def _apply(
    context: Context,
    cls: ClassEntry,
    layout: Layout,
    inputs: list[Element],
    values: dict[str, Value],
    span: Span,
) -> list[Value]:
    inlined = inlined_call(context, cls, layout, inputs, values)
    if inlined is not None:
        return inlined
    function, results = _specialised(context, cls, layout, inputs, values, span)
    application = x.apply(function, (a for e in inputs for a in _arguments(values[e.name])))
    position = 0
    outputs: list[Value] = []
    for local in results:
        value, position = _result(application, local, position)
        outputs.append(value)
    return outputs


def _arguments(value: Value) -> list[Expr]:
    if isinstance(value, Expr):
        return [value]
    if isinstance(value, ArrayValue):
        return [x.array(value.shape, (v for v in value.items if isinstance(v, Expr)))]
    return [a for f in value.fields.values() for a in _arguments(f)]


def _result(application: Expr, local: Local, position: int) -> tuple[Value, int]:
    if isinstance(local, LocalRecord):
        fields: dict[str, Value] = {}
        for name, field in local.fields.items():
            fields[name], position = _result(application, field, position)
        return RecordValue(local.type_name, fields), position
    symbol = local.symbol
    if not symbol.shape:
        return x.item(application, position, symbol.type), position + 1
    count = prod(symbol.shape)
    items = tuple(x.item(application, position + k, symbol.type) for k in range(count))
    return ArrayValue(symbol.shape, items), position + count


def _specialised(
    context: Context,
    cls: ClassEntry,
    layout: Layout,
    inputs: list[Element],
    values: dict[str, Value],
    span: Span,
) -> tuple[Function, list[Local]]:
    """The function for these argument shapes, made on first use: for the numbers its declared sizes need;
    if that is not enough to lower its body, for all Integers that are known."""
    sizing = _sizing_inputs(layout)
    known: dict[str, Expr] = {}
    for element in inputs:
        value = values[element.name]
        if isinstance(value, Expr) and value.type is Type.INTEGER and context.is_constant(value):
            known[element.name] = value
    needed = {n: _number(context, v, n, span) for n, v in known.items() if n in sizing}
    try:
        return _made(context, cls, layout, inputs, values, needed, span)
    except ModelError as error:
        if len(needed) == len(known) or all(d.code != "E208" for d in error.diagnostics):
            raise
    everything = {n: _number(context, v, n, span) for n, v in known.items()}
    return _made(context, cls, layout, inputs, values, everything, span)


def _number(context: Context, value: Expr, name: str, span: Span) -> Expr:
    return value if value.op is Op.CONST else const(context.constant(value, span, f"the input `{name}`"))


def _made(
    context: Context,
    cls: ClassEntry,
    layout: Layout,
    inputs: list[Element],
    values: dict[str, Value],
    constants: dict[str, Expr],
    span: Span,
) -> tuple[Function, list[Local]]:
    key = (cls, tuple(_signature(values[e.name]) for e in inputs), tuple(constants.items()))
    if key in context.functions:
        found: tuple[Function, list[Local]] = context.functions[key]
        return found
    if context.lowering_functions.count(cls) >= DEEPEST_SPECIALISATION:
        raise model_error(
            "E204",
            f"`{cls.full_name}` calls itself with ever other sizes",
            span,
            hint="let the recursion end by a condition on these sizes",
        )
    context.lowering_functions.append(cls)
    try:
        builder = FunctionBuilder(context, cls, layout, values, constants, span)
        # Entered before its body is lowered: a recursive function calls itself.
        function = Function(cls.full_name, builder.input_symbols, builder.output_symbols, (), ())
        context.functions[key] = (function, builder.outputs)
        body, symbols = builder.lower()
    except ModelError as error:
        context.functions.pop(key, None)
        note = Note(f"in the call of `{cls.full_name}`", span)
        raise ModelError(replace(d, notes=(*d.notes[:3], note)) for d in error.diagnostics) from None
    finally:
        context.lowering_functions.pop()
    object.__setattr__(function, "body", body)
    object.__setattr__(function, "locals", symbols)
    given = [Input(e.name, builder.locals[e.name], values[e.name]) for e in inputs]

    def derivative(target: ClassEntry, given: Sequence[Value]) -> Function:
        return _derivative(context, target, given, span)

    derivatives = declared_derivatives(context, cls, function, given, derivative)
    object.__setattr__(function, "derivatives", derivatives)
    return function, builder.outputs


def _derivative(context: Context, cls: ClassEntry, given: Sequence[Value], span: Span) -> Function:
    """The function that an annotation names, for the given inputs."""
    layout = context.layouts.of(cls)
    _refuse_uncallable(cls, layout, span)
    inputs = _inputs(context, layout)
    if cls.kind != "function" or len(inputs) != len(given):
        raise model_error("E212", f"it has {len(inputs)} inputs in place of {len(given)}", cls.span)
    values = {e.name: value for e, value in zip(inputs, given, strict=True)}
    return _specialised(context, cls, layout, inputs, values, span)[0]


def _signature(value: Value) -> tuple[object, ...]:
    if isinstance(value, RecordValue):
        return tuple((name, _signature(v)) for name, v in value.fields.items())
    return shape_of(value)


def _sizing_inputs(layout: Layout) -> set[str]:
    """Names that occur in array sizes of the function."""
    found: set[str] = set()
    stack: list[object] = [
        s for e in layout.elements.values() for s in (*e.declaration.subscripts, *e.clause.subscripts)
    ]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Reference):
            found.add(node.parts[0][0])
        elif isinstance(node, ast.Node):
            stack += vars(node).values()
        elif isinstance(node, tuple):
            stack += node
    return found
