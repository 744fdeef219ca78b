"""Overloaded operators of operator records (chapter 14).

`a + b` with an operator record on either side means a call of one of the functions that the records declare
for `+`: the one whose inputs have the types of `a` and `b`; else the one that fits after one of them is
converted by a constructor; else, for arrays, what the rules of arrays make of the elements.

Types are compared by name of the record class, Integer and Real counting as one, and by number of
dimensions. Which function an operator means depends on types only, so it is found once for each combination.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr.nodes import Type, enumeration_of
from saltus.ir import ast
from saltus.ir.instance import UNANSWERED, ClassEntry, Element, Question
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import class_names, member_class, resolve_class
from saltus.lower.classes.record_types import record_of
from saltus.lower.classes.restrictions import check_definition
from saltus.lower.expressions.products import Arithmetic, product
from saltus.lower.functions.bodies import declared_rank
from saltus.lower.functions.defaults import causality_of, function_inputs
from saltus.lower.functions.functions import call_with_values
from saltus.lower.scope.context import Context, Table
from saltus.lower.scope.values import (
    ArrayValue,
    Item,
    RecordValue,
    ShapeMismatch,
    Value,
    describe,
    shape_of,
    zip_values,
)

#: Element-wise only: an array is compared or raised to a power by no rule of arrays.
_OF_SCALARS = frozenset({"^", "==", "<>", "<", "<=", ">", ">="})

_OPERATOR: Question[list[ClassEntry]] = Question("its functions for an operator")


@dataclass(frozen=True)
class _ValueType:
    """The type of a value as far as overloading looks at it. `element` names a predefined type (Real for
    Integer too) or a record class; it is empty for an array without elements, which may be of any."""

    element: str
    rank: int


@dataclass(frozen=True, eq=False)
class _Meaning:
    """The function an operation means, and the constructors its operands are converted by first."""

    function: ClassEntry
    conversions: tuple[ClassEntry | None, ...]


def has_records(value: Value) -> bool:
    """Whether a value is a record or an array of them."""
    if isinstance(value, ArrayValue):
        return isinstance(value.items[0], RecordValue) if value.items else bool(value.record)
    return isinstance(value, RecordValue)


def operator_record(layouts: Layouts, type_name: str) -> ClassEntry | None:
    """The operator record whose overloaded operators apply to a value of a record class."""
    named = layouts.records.get(type_name)
    found = record_of(named) if named is not None else None
    return found if found is not None and found.definition.operator else None


# ---------------------------------------------------------------- operations


def overloaded_unary(context: Context, operator: str, a: Value, span: Span) -> Value:
    """`-a` or `not a` (section 14.5)."""
    plain = operator.lstrip(".")
    if not isinstance(a, ArrayValue) or plain == operator:
        meaning = _meaning(context, plain, (a,), span)
        if meaning is not None:
            return _applied(context, meaning, (a,), span)
    if isinstance(a, ArrayValue):
        items = (overloaded_unary(context, plain, item, span) for item in a.items)
        return ArrayValue(a.shape, tuple(i for i in items if not isinstance(i, ArrayValue)))
    raise _undefined(context.layouts, operator, (a,), span)


def overloaded_binary(context: Context, operator: str, a: Value, b: Value, span: Span) -> Value:
    """`a op b` where one of them is a record, or an array of records (section 14.4)."""
    plain = operator.lstrip(".")
    arrays = isinstance(a, ArrayValue) or isinstance(b, ArrayValue)
    if not arrays or plain == operator:
        meaning = _meaning(context, plain, (a, b), span)
        if meaning is not None:
            return _applied(context, meaning, (a, b), span)
    if not arrays or (plain == operator and plain in _OF_SCALARS):
        raise _undefined(context.layouts, operator, (a, b), span)

    def one(p: Item, q: Item) -> Item:
        return _item(overloaded_binary(context, plain, p, q, span), span)

    if plain == operator:
        if plain in ("+", "-") and shape_of(a) != shape_of(b):
            raise ShapeMismatch(shape_of(a), shape_of(b))
        if plain == "*" and isinstance(a, ArrayValue) and isinstance(b, ArrayValue):
            return _product(context, a, b, span)
        if plain == "/" and isinstance(b, ArrayValue):
            raise _undefined(context.layouts, operator, (a, b), span)
    return zip_values(one, a, b)


def empty_sum(context: Context, array: Value, span: Span) -> Value:
    """The sum of no records: what their class says is zero."""
    return _zero(context, (array,), span)


def overloaded_sum(context: Context, values: Sequence[Value], span: Span) -> Value:
    """The sum of values of an operator record."""
    return _joined(context, "+", list(values), span)


def overloaded_product(context: Context, values: Sequence[Value], span: Span) -> Value:
    return _joined(context, "*", list(values), span)


def _joined(context: Context, operator: str, values: list[Value], span: Span) -> Value:
    """Joined in pairs, so that the expressions are as deep as the logarithm of their number."""
    while len(values) > 1:
        pairs = zip(values[::2], values[1::2], strict=False)
        last = values[-1:] if len(values) % 2 else []
        values = [overloaded_binary(context, operator, a, b, span) for a, b in pairs] + last
    return values[0]


def _product(context: Context, a: ArrayValue, b: ArrayValue, span: Span) -> Value:
    """matrix*vector and matrix*matrix by the operators of the elements. vector*vector and vector*matrix are
    not defined by them: that is right for real numbers, but not for complex ones."""
    if len(a.shape) == 1:
        raise model_error(
            "E205",
            "`*` with a vector of operator records on the left is not defined by the product of the elements",
            span,
            hint="the operator record may define it by a function with vectors as inputs",
        )

    def add(terms: Sequence[Item]) -> Item:
        if terms:
            return _item(_joined(context, "+", list(terms), span), span)
        return _item(_zero(context, (a, b), span), span)

    def multiply(p: Item, q: Item) -> Item:
        return _item(overloaded_binary(context, "*", p, q, span), span)

    return product(a, b, Arithmetic(multiply, add))


def _zero(context: Context, operands: Sequence[Value], span: Span) -> Value:
    """What `'0'` says is the zero of the operands' class."""
    for name in (_type_of(context.layouts, v).element for v in operands):
        record = operator_record(context.layouts, name)
        found = _functions(context.layouts, record, "'0'")
        if len(found) == 1:
            return call_with_values(context, found[0], (), {}, span)[0]
    raise model_error("E206", "an empty sum of records needs the operator '0'", span)


def _item(value: Value, span: Span) -> Item:
    if isinstance(value, ArrayValue):
        raise model_error("E206", f"an operator of elements gives {describe(value)}", span)
    return value


# ---------------------------------------------------------------- constructors and text


def construct(
    context: Context, record: ClassEntry, args: Sequence[Value], named: Mapping[str, Value], span: Span
) -> Value | None:
    """The result of the overloaded constructor (section 14.3); None if there is none."""
    functions = _functions(context.layouts, record, "'constructor'")
    if not functions:
        return None
    return _called(context, f"{record.full_name}.'constructor'", functions, args, named, span)


def overloaded_text(
    context: Context, args: Sequence[Value], named: Mapping[str, Value], span: Span
) -> Value | None:
    """`String(r, ...)` of an operator record; None if it has no `'String'`."""
    name = args[0].type_name if isinstance(args[0], RecordValue) else ""
    record = operator_record(context.layouts, name)
    functions = _functions(context.layouts, record, "'String'")
    return _called(context, f"{name}.'String'", functions, args, named, span) if functions else None


def _called(
    context: Context,
    what: str,
    functions: Sequence[ClassEntry],
    args: Sequence[Value],
    named: Mapping[str, Value],
    span: Span,
) -> Value:
    """A call of the one function that takes arguments of these types, or arrays of them."""
    types = [_type_of(context.layouts, v) for v in args]
    by_name = {n: _type_of(context.layouts, v) for n, v in named.items()}
    for vectorised in (False, True):
        matching = [f for f in functions if _takes(context.layouts, f, types, by_name, vectorised=vectorised)]
        if len(matching) > 1:
            raise _ambiguous(what, matching, span)
        if matching:
            return call_with_values(context, matching[0], args, named, span)[0]
    given = ", ".join([*map(_shown, types), *(f"{n} = {_shown(t)}" for n, t in by_name.items())])
    raise model_error("E212", f"`{what}` has no function for ({given})", span)


# ---------------------------------------------------------------- which function


_MEANINGS: Table[tuple[str, tuple[_ValueType, ...]], _Meaning | None] = Table(
    "what operators mean, by the types of their operands"
)


def _meaning(context: Context, operator: str, operands: tuple[Value, ...], span: Span) -> _Meaning | None:
    types = tuple(_type_of(context.layouts, v) for v in operands)
    key = (operator, types)
    meanings = _MEANINGS.of(context)
    if key not in meanings:
        meanings[key] = _found(context.layouts, operator, types, span)
    return meanings[key]


def _found(layouts: Layouts, operator: str, types: tuple[_ValueType, ...], span: Span) -> _Meaning | None:
    records = [operator_record(layouts, t.element) for t in types]
    own = [_functions(layouts, r, f"'{operator}'") for r in records]
    direct = [f for f in dict.fromkeys(f for fs in own for f in fs) if _takes(layouts, f, types)]
    if len(direct) > 1:
        raise _ambiguous(operator, direct, span)
    if direct:
        return _Meaning(direct[0], (None,) * len(types))
    if len(types) == 1:
        return None
    converted: list[_Meaning] = []
    for side, functions in enumerate(own):
        other = 1 - side
        for f in functions:
            constructor = _conversion(layouts, f, side, types)
            if constructor is not None:
                conversions = (constructor, None) if other == 0 else (None, constructor)
                converted.append(_Meaning(f, conversions))
    converted = list({(m.function, m.conversions): m for m in converted}.values())
    if len(converted) > 1:
        raise _ambiguous(operator, [m.function for m in converted], span)
    return converted[0] if converted else None


def _conversion(
    layouts: Layouts, function: ClassEntry, side: int, types: tuple[_ValueType, ...]
) -> ClassEntry | None:
    """The constructor that makes of the other operand what a function takes, if this operand fits."""
    inputs = _inputs(layouts, function)
    if len(inputs) < 2:
        return None
    wanted = [_declared_type(layouts, e) for e in inputs[:2]]
    other = 1 - side
    target = wanted[other]
    if not _same(wanted[side], types[side]) or types[other].rank or target.rank:
        return None
    record = operator_record(layouts, target.element)
    if record is None or target.element == types[other].element:
        return None
    full = (wanted[0], wanted[1])
    if not _takes(layouts, function, full):
        return None
    fitting = [f for f in _functions(layouts, record, "'constructor'") if _takes(layouts, f, (types[other],))]
    return fitting[0] if len(fitting) == 1 else None


def _functions(layouts: Layouts, record: ClassEntry | None, name: str) -> list[ClassEntry]:
    """The functions that a record declares for an operator: `operator function '+'`, or those inside of
    `operator '+'`."""
    if record is None:
        return []
    known = _OPERATOR.known(record, name)
    if known is UNANSWERED:
        found = member_class(record, name)
        functions = _declared(found) if found is not None else []
        for function in functions:
            _check_declaration(layouts, record, name, function)
        known = _OPERATOR.keep(record, functions, name)
    return known


def _declared(operator: ClassEntry) -> list[ClassEntry]:
    if not operator.definition.encapsulated:
        what = f"`{operator.full_name}` must be encapsulated"
        raise model_error("E209", what, operator.span, hint="write `encapsulated operator`")
    if operator.kind != "operator":
        return [operator]
    check_definition(operator)
    inner = [member_class(operator, n) for n in dict.fromkeys(class_names(operator))]
    return [f for f in inner if f is not None and f.kind == "function"]


def _check_declaration(layouts: Layouts, record: ClassEntry, name: str, function: ClassEntry) -> None:
    """Section 14.1: one output; of a constructor and of `'0'` it is the record, of `'String'` a String; all
    others but constructors and `'0'` have an input of the record."""
    elements = layouts.of(function).elements.values()
    outputs = [_declared_type(layouts, e) for e in elements if causality_of(layouts, e) == "output"]
    if len(outputs) != 1:
        what = f"`{function.full_name}` has {len(outputs)} outputs; an operator has one"
        raise model_error("E212", what, function.span)
    wanted = {"'constructor'": record.full_name, "'0'": record.full_name, "'String'": "String"}
    if name in wanted and outputs[0] != _ValueType(wanted[name], 0):
        what = f"the output of `{function.full_name}` must be of type `{wanted[name]}`"
        raise model_error("E205", f"{what}, not `{_shown(outputs[0])}`", function.span)
    inputs = [_declared_type(layouts, e).element for e in _inputs(layouts, function)]
    if name not in ("'constructor'", "'0'") and record.full_name not in inputs:
        what = f"`{function.full_name}` has no input of its record `{record.full_name}`"
        raise model_error("E212", what, function.span)


def _takes(
    layouts: Layouts,
    function: ClassEntry,
    types: Sequence[_ValueType],
    named: Mapping[str, _ValueType] | None = None,
    *,
    vectorised: bool = False,
) -> bool:
    """Whether a call with arguments of these types is a valid match (section 14.2)."""
    inputs = _inputs(layouts, function)
    if len(types) > len(inputs):
        return False
    given = {e.name: t for e, t in zip(inputs, types, strict=False)}
    for name, kind in (named or {}).items():
        if name in given or name not in {e.name for e in inputs}:
            return False
        given[name] = kind
    for element in inputs:
        if element.name not in given:
            if not _has_default(element):
                return False
        elif not _same(_declared_type(layouts, element), given[element.name], vectorised=vectorised):
            return False
    return True


def _same(wanted: _ValueType, given: _ValueType, *, vectorised: bool = False) -> bool:
    ranks = given.rank >= wanted.rank if vectorised else given.rank == wanted.rank
    return ranks and given.element in (wanted.element, "")


def _inputs(layouts: Layouts, function: ClassEntry) -> list[Element]:
    return function_inputs(layouts, layouts.of(function))


def _has_default(element: Element) -> bool:
    said = [element.declaration.modification]
    for change in element.modifications:
        if isinstance(change.argument, ast.ElementModification):
            said.append(change.argument.modification)
    return any(m is not None and m.value is not None for m in said)


# ---------------------------------------------------------------- types

_NAMES = {Type.REAL: "Real", Type.INTEGER: "Real", Type.BOOLEAN: "Boolean", Type.STRING: "String"}


def _type_of(layouts: Layouts, value: Value) -> _ValueType:
    rank = len(shape_of(value))
    if isinstance(value, ArrayValue):
        if not value.items:
            return _ValueType(_record_name(layouts, value.record), rank)
        value = value.items[0]
    if isinstance(value, RecordValue):
        return _ValueType(_record_name(layouts, value.type_name), rank)
    enumeration = enumeration_of(value)
    return _ValueType(_NAMES[value.type] if enumeration is None else enumeration.name, rank)


def _record_name(layouts: Layouts, type_name: str) -> str:
    """The name of the record that a record class stands for."""
    named = layouts.records.get(type_name)
    record = record_of(named) if named is not None else None
    return record.full_name if record is not None else type_name


def _declared_type(layouts: Layouts, element: Element) -> _ValueType:
    cls = resolve_class(element.clause.type_name, element.lexical)
    layout = layouts.of(cls)
    rank = declared_rank(layouts, element)
    if layout.enumeration is not None:
        return _ValueType(layout.enumeration.name, rank)
    if layout.predefined is not None:
        return _ValueType("Real" if layout.predefined == "Integer" else layout.predefined, rank)
    return _ValueType(_record_name(layouts, cls.full_name), rank)


def _shown(kind: _ValueType) -> str:
    return kind.element + (f"[{', '.join([':'] * kind.rank)}]" if kind.rank else "")


# ---------------------------------------------------------------- applying, refusing


def _applied(context: Context, meaning: _Meaning, operands: tuple[Value, ...], span: Span) -> Value:
    given = [
        value if constructor is None else call_with_values(context, constructor, (value,), {}, span)[0]
        for value, constructor in zip(operands, meaning.conversions, strict=True)
    ]
    return call_with_values(context, meaning.function, given, {}, span)[0]


def _undefined(layouts: Layouts, operator: str, operands: tuple[Value, ...], span: Span) -> ModelError:
    types = [_type_of(layouts, v) for v in operands]
    shown = " and ".join(f"`{_shown(t)}`" for t in types)
    plain = [t.element for t in types if layouts.records.get(t.element) is not None]
    hint = None
    if not any(operator_record(layouts, name) is not None for name in plain):
        hint = "operators are defined for fields; only an `operator record` can define them for the whole"
    return model_error("E205", f"`{operator}` is not defined for {shown}", span, hint=hint)


def _ambiguous(what: str, functions: Sequence[ClassEntry], span: Span) -> ModelError:
    notes = tuple(Note(f"`{f.full_name}` is one", f.span) for f in functions[:3])
    return model_error("E212", f"`{what}` could mean several functions here", span, notes=notes)
