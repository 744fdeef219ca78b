"""What is known about the variables of a function at each place of its body.

A body is lowered for arguments of given shapes, with the Integers, Booleans and Strings that are the same for
every call as numbers and texts. Following them through assignments determines sizes (`n := size(x, 1)`), ends
of recursions and the branches that exist at all. Where paths meet, the values on which they agree are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import TypeAlias

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr.nodes import FALSE, Enumeration, Expr, Op, Symbol, Type, const, enumeration_of
from saltus.ir import ast
from saltus.lower.functions.function_locals import LocalVariable, whole_of
from saltus.lower.functions.walker import Item, blocks
from saltus.lower.scope.parts import Evaluation
from saltus.lower.scope.types import typed
from saltus.lower.scope.values import ArrayValue, RecordValue, Value, scalars_of, shape_of

State: TypeAlias = dict[LocalVariable, tuple[Symbol, Value | None]]

#: Larger arrays are not followed: every assignment to an element makes a new value.
_LARGEST_KNOWN = 1000

#: The types that sizes and conditions are made of; what is Real is left to the run.
FOLLOWED = frozenset({Type.INTEGER, Type.BOOLEAN, Type.STRING})

_ZEROS: dict[Type, Expr] = {
    Type.REAL: const(0.0),
    Type.INTEGER: const(0),
    Type.BOOLEAN: FALSE,
    Type.STRING: const(""),
}


def zero(kind: Type, enumeration: Enumeration | None) -> Expr:
    """What a variable of a function is before it is assigned."""
    return _ZEROS[kind] if enumeration is None else typed(0, enumeration)


class Knowledge:
    """The variables of one function; each has what is known of it with itself."""

    def __init__(self) -> None:
        self.variables: list[LocalVariable] = []

    def save(self) -> State:
        return {v: (v.symbol, v.known) for v in self.variables}

    def restore(self, state: State) -> None:
        for v, (symbol, known) in state.items():
            v.symbol, v.known = symbol, known

    def forget(self, variables: Iterable[LocalVariable]) -> None:
        for v in variables:
            v.known = None

    def join(self, states: Sequence[State], span: Span) -> None:
        """What all ways to a place agree on. An array must have the same size on all."""
        for v in self.variables:
            here = [state[v] for state in states if v in state]
            if not here:
                continue
            symbol, known = here[0]
            if any(other is not symbol for other, _ in here):
                raise model_error(
                    "E204", f"`{symbol.name}` would have a size here that is known during the run only", span
                )
            alike = known is not None and all(_same(known, other) for _, other in here)
            v.symbol, v.known = symbol, known if alike else None


def _same(a: Value, b: Value | None) -> bool:
    if a is b:
        return True
    return b is not None and shape_of(a) == shape_of(b) and list(scalars_of(a)) == list(scalars_of(b))


def folded(evaluation: Evaluation, value: Value, span: Span) -> Value | None:
    """A value of constants; None where it varies, or has no value."""
    if isinstance(value, RecordValue):
        fields = {name: folded(evaluation, v, span) for name, v in value.fields.items()}
        kept = {name: v for name, v in fields.items() if v is not None}
        return RecordValue(value.type_name, kept) if len(kept) == len(fields) else None
    if isinstance(value, ArrayValue):
        items: list[Expr | RecordValue] = []
        for item in value.items:
            one = folded(evaluation, item, span)
            if one is None or isinstance(one, ArrayValue):
                return None
            items.append(one)
        return ArrayValue(value.shape, tuple(items))
    if value.op is Op.CONST:
        return value
    if not evaluation.is_constant(value):
        return None
    try:
        known = evaluation.constant(value, span, "this value")
        return typed(known, enumeration_of(value)) if type(known) is int else const(known)
    except ModelError:
        return None


def assigned(items: Iterable[Item]) -> set[str]:
    """Names that statements assign to, loops and branches included. This is a question about the text and no
    `StatementWalker`: it has no order, no state and no way that is not taken."""
    found: set[str] = set()
    for item in items:
        match item:
            case ast.Assignment():
                found.add(item.target.parts[0][0])
            case ast.TupleAssignment():
                found |= {t.parts[0][0] for t in item.targets if t is not None}
        for inner in blocks(item):
            found |= assigned(inner)
    return found


def note(evaluation: Evaluation, variable: LocalVariable, value: Value, place: Value, span: Span) -> None:
    """Records what is known about a variable after the assignment of a value to a part of it."""
    if variable.symbol.type not in FOLLOWED:
        return
    new, old = folded(evaluation, value, span), variable.known
    variable.known = None
    if isinstance(place, Expr) and place.op is Op.INDEX:
        if isinstance(new, Expr) and isinstance(old, ArrayValue):
            variable.known = _with_element(old, place.args[1:], new)
    elif prod(shape_of(place)) <= _LARGEST_KNOWN and list(scalars_of(place)) == list(
        scalars_of(whole_of(variable))
    ):
        variable.known = new


def _with_element(old: ArrayValue, indices: Sequence[Expr], new: Expr) -> Value | None:
    offset = 0
    for size, index in zip(old.shape, indices, strict=True):
        if index.op is not Op.CONST:
            return None
        offset = offset * size + index.data - 1
    return ArrayValue(old.shape, (*old.items[:offset], new, *old.items[offset + 1 :]))


def start_value(symbol: Symbol) -> Value | None:
    """What a variable is before it is assigned, if that is followed."""
    count = prod(symbol.shape)
    if symbol.type not in FOLLOWED or count > _LARGEST_KNOWN:
        return None
    start = zero(symbol.type, symbol.enumeration)
    return ArrayValue(symbol.shape, (start,) * count) if symbol.shape else start
