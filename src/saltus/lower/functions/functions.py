"""Calls of user functions: arguments bound, arrays given to scalar inputs taken apart, results taken.

A function is lowered once for each combination of argument shapes (`bodies`), so every array in its body has
a fixed size. Records are taken apart into their fields; functions as arguments are part of what a function is
lowered for. One that cannot be lowered is executed at translation (`execution`), if its arguments are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Enumeration, Expr, Symbol, Type, enumeration_of
from saltus.functions import tangent as _  # noqa: F401  # what is made here can be differentiated
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Element, Layout
from saltus.ir.program import Function, Statement
from saltus.lower.classes.classes import MODEL_KINDS
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import EXTERNAL_OBJECT, member_class
from saltus.lower.functions.bodies import FunctionBuilder, declared_rank, is_record, takes_texts
from saltus.lower.functions.defaults import Arguments, construct_record, function_inputs
from saltus.lower.functions.execution import execute, is_settled, settled
from saltus.lower.functions.external import (
    DONE,
    Changing,
    error_call,
    external_body,
    mathematics,
    message,
    only_prints,
    refuse_to_change,
)
from saltus.lower.functions.function_derivatives import (
    Input,
    declared_derivatives,
    differentiated_function,
    partial_derivative,
)
from saltus.lower.functions.function_inverses import declared_inverses
from saltus.lower.functions.function_locals import Local, LocalFunction, LocalRecord, symbols_of
from saltus.lower.functions.function_rules import check_function, refuse_impure
from saltus.lower.functions.function_units import note_units
from saltus.lower.functions.inlining import inlined_call, is_operator_function
from saltus.lower.functions.knowledge import folded
from saltus.lower.functions.statements import varies
from saltus.lower.instances.enumerations import literals_of
from saltus.lower.names.references import find_function
from saltus.lower.names.subscripts import chosen_at_run_time
from saltus.lower.scope.context import Context, Scope, Table
from saltus.lower.scope.parts import Evaluation
from saltus.lower.scope.values import ArrayValue, RecordValue, Value, member, nothing, scalars_of, shape_of

#: A function may be made for sizes that shrink from call to call (a recursive determinant), but not for ever.
DEEPEST_SPECIALISATION = 40


def call_user_function(context: Context, call: ast.Call, scope: Scope) -> list[Value]:
    """The results of a call: of a function, of one that is an input, or of a record's constructor."""
    given = scope.locals.get(call.function.text)
    if isinstance(given, LocalFunction):
        return _call(context, given.cls, call, scope, given)
    cls = find_function(context, call.function, scope)
    span = scope.at(call)
    if not isinstance(cls, ClassEntry):
        raise model_error("E209", f"`{cls.full_name}` cannot be called", span)
    if isinstance(cls.definition.body, ast.DerBody):
        return _call(context, cls, call, scope)
    layout = context.layouts.of(cls)
    if layout.predefined == EXTERNAL_OBJECT:
        return _call(context, _constructor(cls, span), call, scope)
    if layout.enumeration is not None:
        return [_enumeration_value(context, cls, layout.enumeration, call, scope)]
    if cls.kind == "record":
        return [construct_record(context, cls, layout, call, scope)]
    if cls.kind != "function":
        hint = f"declare a component: `{call.function.text} name(...);`" if cls.kind in MODEL_KINDS else None
        raise model_error("E209", f"`{cls.full_name}` is a {cls.kind}, not a function", span, hint=hint)
    return _call(context, cls, call, scope)


def _call(
    context: Context, cls: ClassEntry, call: ast.Call, scope: Scope, applied: LocalFunction | None = None
) -> list[Value]:
    """The results of a function; of one that a partial application has `applied` to some of its inputs."""
    cls, variables = differentiated_function(cls)
    span = scope.at(call)
    layout = context.layouts.of(cls)
    _refuse_partial(cls, span)
    check_function(context, cls, layout)
    if not only_prints(context.layouts, cls, layout):  # what is not shown does no harm anywhere
        refuse_impure(cls, scope, span)
    inputs = function_inputs(context.layouts, layout)
    arguments = Arguments(context, cls.full_name, inputs, span, Note("declared here", cls.span))
    if applied is not None:
        arguments.given |= applied.values()
        arguments.functions |= applied.functions
    fixed = {*arguments.given, *arguments.functions}
    arguments.bind(call, scope, [e.name for e in inputs if e.name not in fixed])
    if context.functions.work.depth == 0:
        context.functions.at_start = scope.at_start and not context.functions.lowering
    return _called(context, cls, layout, arguments, variables)


def call_with_values(
    context: Context, cls: ClassEntry, args: Sequence[Value], named: Mapping[str, Value], span: Span
) -> list[Value]:
    """The results of a function for arguments that are values already, as operators give them."""
    layout = context.layouts.of(cls)
    _refuse_partial(cls, span)
    inputs = function_inputs(context.layouts, layout)
    arguments = Arguments(context, cls.full_name, inputs, span, Note("declared here", cls.span))
    arguments.give(args, named, [e.name for e in inputs])
    return _called(context, cls, layout, arguments, ())


def _called(
    context: Context, cls: ClassEntry, layout: Layout, arguments: Arguments, variables: tuple[str, ...]
) -> list[Value]:
    """The results for bound arguments; with `variables`, the partial derivatives with respect to them."""
    inputs, span = list(arguments.elements.values()), arguments.span
    functions = arguments.functions
    plain = [e for e in inputs if e.name not in functions]

    def apply(values: dict[str, Value]) -> list[Value]:
        return _apply(context, _Callee(cls, layout, plain), values, functions, span)

    def derive(values: dict[str, Value]) -> list[Value]:
        return partial_derivative(context.functions, cls, variables, values, apply)

    values = {e.name: arguments.of(e.name) for e in plain}
    return _vectorised(context.layouts, plain, values, derive if variables else apply, span)


def _constructor(cls: ClassEntry, span: Span) -> ClassEntry:
    """The function that makes an external object (section 12.9.7)."""
    found = member_class(cls, "constructor")
    if found is None:
        raise model_error("E209", f"the external object `{cls.full_name}` has no constructor", span)
    return found


def _refuse_partial(cls: ClassEntry, span: Span) -> None:
    if cls.definition.partial:
        raise model_error("E209", f"the function `{cls.full_name}` is partial and cannot be called", span)


def _enumeration_value(
    context: Context, cls: ClassEntry, enumeration: Enumeration, call: ast.Call, scope: Scope
) -> Value:
    """`Colour(2)`: the second literal, that is, an element of the vector of all of them."""
    span = scope.at(call)
    value = context.lower(context, call.args[0], scope) if len(call.args) == 1 and not call.named else None
    if not isinstance(value, Expr) or value.type is not Type.INTEGER or enumeration_of(value) is not None:
        raise model_error("E212", f"`{cls.full_name}` takes one Integer", span)
    literals = literals_of(enumeration)
    if not context.evaluation.is_constant(value):
        every = ArrayValue((len(literals),), tuple(literals))
        return chosen_at_run_time(context.requirements, every, [value], scope, span)
    number = context.evaluation.constant(value, span, "the number of a literal")
    if not isinstance(number, int) or not 1 <= number <= len(literals):
        raise model_error("E206", f"`{cls.full_name}` has no literal number {number}", span)
    return literals[number - 1]


def _vectorised(
    layouts: Layouts,
    inputs: list[Element],
    values: dict[str, Value],
    apply: Callable[[dict[str, Value]], list[Value]],
    span: Span,
) -> list[Value]:
    """A function applied to arrays with more dimensions than its inputs is applied to each element
    (section 12.4.6)."""
    ranks = {e.name: declared_rank(layouts, e) for e in inputs}
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
    for parts in list(zip(*calls, strict=True))[:1]:  # section 12.4.6: of one result
        items = [i for p in parts for i in (p.items if isinstance(p, ArrayValue) else (p,))]
        results.append(ArrayValue((*shape, *shape_of(parts[0])), tuple(items)))
    return results


@dataclass(frozen=True)
class _Callee:
    """A function, with its inputs other than functions."""

    cls: ClassEntry
    layout: Layout
    inputs: list[Element]


def _apply(
    context: Context,
    callee: _Callee,
    values: dict[str, Value],
    functions: dict[str, LocalFunction],
    span: Span,
) -> list[Value]:
    """The results for arguments that have the shapes of the inputs: written out, by a call in the program, or
    where that cannot be, and the arguments are known, by execution now."""
    external = callee.layout.external is not None
    at_start = context.functions.at_start
    if external:
        known = mathematics(context, callee.cls, callee.layout, values)
        if known is not None:
            return [known]
        failing = error_call(context, callee.cls, callee.layout, values, span)
        if context.functions.watched and context.functions.work.depth == 0:
            refuse_to_change(context.layouts, callee.cls, callee.layout)
        said = failing
        if failing is None and not (at_start and _is_settled(context, values, functions)):
            said = message(context, callee.cls, callee.layout, span)
        if said is not None:
            return [nothing(said)] if said.type is not Type.BOOLEAN else [said]
    # Where units are checked a call is wanted: its inputs and outputs have units of their own.
    if not functions and (context.functions.units is None or is_operator_function(callee.cls)):
        inlined = inlined_call(context, callee.cls, callee.layout, callee.inputs, values)
        if inlined is not None:
            return inlined
    watched = context.functions.watched
    try:
        context.functions.watched = watched or (at_start and _is_settled(context, values, functions))
        function, results = _specialised(context, callee, values, functions, span)
    except Changing:
        if watched:
            raise
        context.functions.at_start, context.functions.watched = True, False
        return _executed(context, callee, values, functions, span)
    except ModelError as error:
        if external or not varies(error):
            raise
        if _is_settled(context, values, functions):
            context.functions.at_start = at_start  # calls in its body, which was looked at, are no such
            context.functions.watched = False
            return _executed(context, callee, values, functions, span)
        hint = f"with constants and parameters `{callee.cls.full_name}` could be called at translation"
        raise ModelError(d if d.hint else replace(d, hint=hint) for d in error.diagnostics) from None
    finally:
        context.functions.watched = watched
    captured = [v for f in functions.values() for v in f.all_values()]
    plain = [
        values[e.name]
        for e in callee.inputs
        # An array of no records has no place in the program, nor have the arrays in them.
        if not (0 in shape_of(values[e.name]) and is_record(context.layouts, e))
    ]
    texts = takes_texts(callee.layout)
    given = [a for value in (*plain, *captured) for a in _arguments(value, texts)]
    application = x.apply(function, given)
    position = 0
    outputs: list[Value] = []
    for local in results:
        value, position = _result(application, local, position)
        outputs.append(value)
    if external and _is_before_a_run(function):
        if not all(is_settled(context.evaluation, v) for v in values.values()):
            # In the body of a function this leads to its execution at translation.
            what = f"`{callee.cls.full_name}` can be called before a run only, but its arguments vary then"
            raise model_error("E208", what, span)
        why = f"a result of `{callee.cls.full_name}`"
        done = [settled(context.evaluation, v, span, why) for v in outputs or [x.item(application, 0)]]
        return done if outputs else [nothing(DONE)]
    return outputs or [nothing(x.item(application, 0))]


def _is_settled(context: Context, values: dict[str, Value], functions: dict[str, LocalFunction]) -> bool:
    captured = [v for f in functions.values() for v in f.all_values()]
    return all(is_settled(context.evaluation, v) for v in (*values.values(), *captured))


def _is_before_a_run(function: Function) -> bool:
    """Whether a function has Strings, which are not in the program, among its inputs or outputs; but makes no
    object, which a run does."""
    kinds = {s.type for s in (*function.inputs, *function.outputs)}
    return Type.STRING in kinds and Type.OBJECT not in kinds


def _executed(
    context: Context,
    callee: _Callee,
    values: dict[str, Value],
    functions: dict[str, LocalFunction],
    span: Span,
) -> list[Value]:
    def known(value: Value) -> Value:
        return settled(context.evaluation, value, span, f"an argument of `{callee.cls.full_name}`")

    def known_function(f: LocalFunction) -> LocalFunction:
        inner = {name: known_function(g) for name, g in f.functions.items()}
        return LocalFunction(f.cls, {name: known(v) for name, v in f.values().items()}, inner)

    given = {name: known(v) for name, v in values.items()}
    try:
        outputs = execute(
            context,
            callee.cls,
            callee.layout,
            given,
            {name: known_function(f) for name, f in functions.items()},
            span,
        )
        return outputs or [nothing(x.ZERO)]
    except ModelError as error:
        raise _called_at(error, callee.cls, span) from None


def _called_at(error: ModelError, cls: ClassEntry, span: Span) -> ModelError:
    note = Note(f"in the call of `{cls.full_name}`", span)
    return ModelError(replace(d, notes=(*d.notes[:3], note)) for d in error.diagnostics)


def _arguments(value: Value, texts: bool) -> list[Expr]:
    """A value as arguments of a call in the program: records by fields, without Strings unless `texts` are
    wanted."""
    if isinstance(value, Expr):
        return [value] if texts or value.type is not Type.STRING else []
    if isinstance(value, RecordValue):
        return [a for f in value.fields.values() for a in _arguments(f, texts)]
    if any(isinstance(v, RecordValue) for v in value.items):
        assert isinstance(value.items[0], RecordValue)
        return [a for name in value.items[0].fields for a in _arguments(member(value, name), texts)]
    items = [v for v in value.items if isinstance(v, Expr)]
    if items and items[0].type is Type.STRING and not texts:
        return []
    return [x.array(value.shape, items)]


def _result(
    application: Expr, local: Local, position: int, element: int = 0, elements: int = 1
) -> tuple[Value, int]:
    """A result of a call, and where the next begins. For locals in an array of records, the one of the given
    `element` is taken."""
    if isinstance(local, LocalRecord):
        count = prod(local.shape)
        start = position
        items: list[Expr | RecordValue] = []
        for k in range(count):
            fields: dict[str, Value] = {}
            position = start
            for name, field in local.fields.items():
                fields[name], position = _result(
                    application, field, position, element * count + k, elements * count
                )
            items.append(RecordValue(local.type_name, fields))
        if not count:
            position += sum(prod(s.shape) for s in symbols_of(local))
        return (ArrayValue(local.shape, tuple(items)) if local.shape else items[0]), position
    symbol = local.symbol
    total = prod(symbol.shape)
    if local.is_text:
        assert local.known is not None
        texts = list(scalars_of(local.known))[element * (total // elements) :][: total // elements]
        shape = symbol.shape[_leading(symbol.shape, elements) :]
        return (ArrayValue(shape, tuple(texts)) if shape else texts[0]), position
    count = total // elements
    first = position + element * count
    values = tuple(x.item(application, first + k, symbol.type) for k in range(count))
    shape = symbol.shape[_leading(symbol.shape, elements) :]
    return (ArrayValue(shape, values) if shape else values[0]), position + total


def _leading(shape: tuple[int, ...], elements: int) -> int:
    """How many dimensions belong to arrays of records with this total number of elements."""
    count, k = 1, 0
    while count < elements:
        count *= shape[k]
        k += 1
    return k


def _specialised(
    context: Context,
    callee: _Callee,
    values: dict[str, Value],
    functions: dict[str, LocalFunction],
    span: Span,
) -> tuple[Function, list[Local]]:
    """The function for these argument shapes, made on first use: for the numbers its declared sizes need;
    if that is not enough to lower its body, for all that is known and not Real."""
    executing = context.functions.work.depth > 0
    external = callee.layout.external is not None
    texts = any(v.type is Type.STRING for value in values.values() for v in scalars_of(value))
    if texts and executing and not external:
        # Texts change from call to call there, and a function would be made for each of them.
        raise model_error("E208", f"`{callee.cls.full_name}` is executed", span)
    sizing = _sizing_inputs(callee.layout)
    known = [
        e.name
        for e in callee.inputs
        if _may_decide(values[e.name], texts=external) and is_settled(context.evaluation, values[e.name])
    ]
    if external and not takes_texts(callee.layout):  # truths choose the letters of routines in FORTRAN
        sizing = sizing | {n for n in known if _are_truths(values[n])}
    needed = {n: _number(context.evaluation, values[n], n, span) for n in known if n in sizing}
    try:
        return _made(context, callee, values, functions, needed, span)
    except ModelError as error:
        if external or executing or len(needed) == len(known) or not varies(error):
            raise
    everything = {n: _number(context.evaluation, values[n], n, span) for n in known}
    return _made(context, callee, values, functions, everything, span)


def _may_decide(value: Value, *, texts: bool = False) -> bool:
    """Integers and Booleans may be sizes or decide about what there is; so may the name of a file."""
    if isinstance(value, RecordValue):
        return False
    kinds = {v.type for v in scalars_of(value)}
    return bool(kinds) and kinds <= {Type.INTEGER, Type.BOOLEAN, *([Type.STRING] if texts else [])}


def _are_truths(value: Value) -> bool:
    return all(v.type is Type.BOOLEAN for v in scalars_of(value))


def _number(evaluation: Evaluation, value: Value, name: str, span: Span) -> Value:
    return settled(evaluation, value, span, f"the input `{name}`")


_LOWERED: Table[object, tuple[Function, list[Local]] | ModelError] = Table(
    "functions with their outputs, or why there is none, by class and what is known of the arguments"
)


def _made(
    context: Context,
    callee: _Callee,
    values: dict[str, Value],
    functions: dict[str, LocalFunction],
    constants: dict[str, Value],
    span: Span,
) -> tuple[Function, list[Local]]:
    cls = callee.cls
    external, follows_texts = callee.layout.external is not None, not takes_texts(callee.layout)
    key = (
        cls,
        tuple(_signature(context, values[e.name], span, follows_texts) for e in callee.inputs),
        tuple((name, tuple(scalars_of(v))) for name, v in constants.items()),
        tuple((name, _function_signature(context, f, span)) for name, f in functions.items()),
    )
    lowered = _LOWERED.of(context)
    known = lowered.get(key)
    if isinstance(known, ModelError):
        raise known
    if known is not None:
        return known
    if context.functions.lowering.count(cls) >= DEEPEST_SPECIALISATION:
        raise model_error(
            "E204",
            f"`{cls.full_name}` calls itself with ever-changing sizes",
            span,
            hint="let the recursion end by a condition on these sizes",
        )
    context.functions.lowering.append(cls)
    try:
        builder = FunctionBuilder(context, cls, callee.layout, values, functions, constants, span)
        if builder.is_decided:
            # Entered before its body is lowered: a recursive function calls itself.
            function = Function(cls.full_name, builder.input_symbols, _outputs(builder), (), ())
            lowered[key] = (function, builder.outputs)
            body, symbols = builder.lower() if not external else _external(builder, span)
        else:
            what = f"`{cls.full_name}` calls itself to find the size of its own result"
            lowered[key] = model_error("E204", what, span)
            body, symbols = builder.lower() if not external else _external(builder, span)
            function = Function(cls.full_name, builder.input_symbols, _outputs(builder), (), ())
            lowered[key] = (function, builder.outputs)
    except Changing:
        lowered.pop(key, None)
        raise
    except ModelError as error:
        lowered[key] = refusal = _called_at(error, cls, span)
        raise refusal from None
    finally:
        context.functions.lowering.pop()
    note_units(context, callee.layout, builder.locals)
    object.__setattr__(function, "body", body)
    object.__setattr__(function, "locals", symbols)
    given = [Input(e.name, builder.locals[e.name], values[e.name]) for e in callee.inputs]

    def specialise(target: ClassEntry, given: Sequence[Value]) -> Function:
        return _for_values(context, target, given, functions, span)

    derivatives = declared_derivatives(context, cls, function, given, specialise)
    object.__setattr__(function, "derivatives", derivatives)
    object.__setattr__(function, "inverses", declared_inverses(context, cls, function, given, specialise))
    return function, builder.outputs


def _outputs(builder: FunctionBuilder) -> tuple[Symbol, ...]:
    """The outputs in the program: a function without any has one that says that it was called."""
    return builder.output_symbols or (Symbol("$done"),)


def _external(builder: FunctionBuilder, span: Span) -> tuple[tuple[Statement, ...], tuple[Symbol, ...]]:
    def specialise(cls: ClassEntry, given: Sequence[Value]) -> Function:
        return _for_values(builder.context, cls, given, {}, span)

    return external_body(builder, specialise, span)


def _for_values(
    context: Context,
    cls: ClassEntry,
    given: Sequence[Value],
    functions: dict[str, LocalFunction],
    span: Span,
) -> Function:
    """The function of a class for the given inputs, by position."""
    layout = context.layouts.of(cls)
    _refuse_partial(cls, span)
    inputs = [e for e in function_inputs(context.layouts, layout) if e.name not in functions]
    if cls.kind != "function" or len(inputs) != len(given):
        raise model_error("E212", f"it has {len(inputs)} inputs in place of {len(given)}", cls.span)
    values = {e.name: value for e, value in zip(inputs, given, strict=True)}
    return _specialised(context, _Callee(cls, layout, inputs), values, functions, span)[0]


def _signature(context: Context, value: Value, span: Span, texts: bool = True) -> tuple[object, ...]:
    """What a function is made for: shapes, and the `texts` of Strings."""
    if isinstance(value, RecordValue):
        return tuple((name, _signature(context, v, span, texts)) for name, v in value.fields.items())
    if isinstance(value, ArrayValue) and value.items and isinstance(value.items[0], RecordValue):
        fields = (member(value, name) for name in value.items[0].fields)
        return value.shape, tuple(_signature(context, f, span, texts) for f in fields)
    if texts and any(v.type is Type.STRING for v in scalars_of(value)):
        known = folded(context.evaluation, value, span)
        return shape_of(value), None if known is None else tuple(scalars_of(known))
    return shape_of(value)


def _function_signature(context: Context, function: LocalFunction, span: Span) -> tuple[object, ...]:
    return (
        function.cls,
        tuple((name, _signature(context, v, span)) for name, v in function.values().items()),
        tuple((name, _function_signature(context, f, span)) for name, f in function.functions.items()),
    )


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
