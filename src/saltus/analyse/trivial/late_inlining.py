"""Short functions written out where they are called, before or after index reduction.

A call hides what its results depend on: of

    function position  input Real q[3]; input Real time_; output Real s;  algorithm s := q[1];

the equation phi = position({phi0, w0, a0}, time) looks as if it could be solved for a0. So functions that are
assignments, one after the other, are replaced by the expressions they assign. Most of them are before index
reduction: a derivative that the user wrote (the annotation `derivative`) says no more than what they do,
and may hide that a constraint between speeds is the derivative of one between positions.

Functions with inputs of which the annotation excepts the derivatives (`noDerivative`) stay calls until all
derivatives are made, as InlineAfterIndexReduction says: there the user says what the derivatives are. Where
that leaves constraints in a loop without enough independent columns, they are written out before, too.

So do functions with an inverse (section 12.7.3), unless what they do can be solved for the input as it is
written: an equation that needs an iteration without its inverse needs none with it.

An input that the annotation excepts (`noDerivative`) takes no part in derivatives, until those are used up
that the user wrote. For the number of times that an equation must be differentiated it counts accordingly
(`seeded`, `late_orders`).
"""

from __future__ import annotations

from math import prod

from saltus.expr.linear import solve
from saltus.expr.nodes import ZERO, Expr, Op, Symbol, Type, apply, array, const, ref
from saltus.expr.traversal import leaves, transform, walk
from saltus.ir.flat import Equation
from saltus.ir.program import Assign, CallFunction, Fill, Function

#: A function with more statements than this stays a call; so does one whose results are larger expressions.
MOST_STATEMENTS = 60
MOST_NODES = 600

_KEPT = "_written_out"  # the attribute of a function that says whether it can be
_UNDONE = "_undone_by_inverse"  # and the one that says whether its inverse is needed

_Values = dict[Symbol, tuple[Expr, ...]]  # of scalars one element, of arrays in row-major order


class _NotShort(Exception):
    """The function is not a few assignments."""


def inlined(e: Expr, memo: dict[Expr, Expr] | None = None, *, early: bool = False) -> Expr:
    """The expression with short functions written out; `early`, only those whose derivatives follow from what
    they do."""

    def visit(node: Expr) -> Expr | None:
        if node.op is not Op.ITEM:
            return None
        application = node.args[0]
        function = application.data
        if early and isinstance(function, Function) and function.derivatives and _excepted(function):
            return None
        args = tuple(inlined(a, memo, early=early) for a in application.args)
        results = _results(application.data, args)
        return results[node.data] if results is not None else None

    return transform(e, visit, memo) if e.calls else e


def inlined_equation(q: Equation, memo: dict[Expr, Expr] | None = None, *, early: bool = False) -> Equation:
    """The equation with short functions written out; itself where there is none."""
    if not (q.lhs.calls or q.rhs.calls):
        return q
    lhs, rhs = inlined(q.lhs, memo, early=early), inlined(q.rhs, memo, early=early)
    return q if lhs is q.lhs and rhs is q.rhs else Equation(lhs, rhs, q.span, q.origin)


def has_excepted(q: Equation) -> bool:
    """Whether the equation has a call with inputs that take no part in its derivatives."""
    return bool(late_orders(q.lhs) or late_orders(q.rhs))


def seeded(e: Expr) -> Expr:
    """The expression with 0 for arguments that take no part in the derivatives of a call."""

    def visit(node: Expr) -> Expr | None:
        if node.op is not Op.APPLY or not getattr(node.data, "derivatives", ()):
            return None
        function: Function = node.data
        left_out = _excepted(function)
        args = tuple(
            _nothing(s) if i in left_out else seeded(a)
            for i, (s, a) in enumerate(zip(function.inputs, node.args, strict=True))
        )
        return apply(function, args)

    return transform(e, visit) if e.calls else e


def seeded_equation(q: Equation) -> Equation:
    """The equation with what determines how often it can be differentiated."""
    if not (q.lhs.calls or q.rhs.calls):
        return q
    return Equation(seeded(q.lhs), seeded(q.rhs), q.span, q.origin)


def late_orders(e: Expr) -> dict[Expr, int]:
    """Leaves in arguments that take no part in the derivatives of a call, with the order that they have in
    the equation for its offset: -n, if only the derivative after the n-th brings derivatives of them."""
    found: dict[Expr, int] = {}
    for node in walk(e) if e.calls else ():
        if node.op is not Op.APPLY or not getattr(node.data, "derivatives", ()):
            continue
        order = -_chain(node.data)
        for i in _excepted(node.data):
            for leaf in leaves(node.args[i]):
                found[leaf] = max(order, found.get(leaf, order))
    return found


def _chain(function: Function) -> int:
    """How many derivatives in a row the user wrote in which these arguments take no part."""
    count, seen = 0, {function}
    while function.derivatives and _excepted(function):
        count, function = count + 1, function.derivatives[0].function
        if function in seen:
            break
        seen.add(function)
    return count


def _excepted(function: Function) -> set[int]:
    """Real inputs that the derivative the user wrote is not given the derivatives of (`noDerivative`)."""
    first = function.derivatives[0]
    given = {*first.seeds, *first.constant}
    return {i for i, s in enumerate(function.inputs) if s.type is Type.REAL and i not in given}


def _nothing(symbol: Symbol) -> Expr:
    return array(symbol.shape, (ZERO,) * prod(symbol.shape)) if symbol.shape else ZERO


def _results(function: object, args: tuple[Expr, ...]) -> tuple[Expr, ...] | None:
    """The flattened outputs of a call, written out; None where it stays a call."""
    if not isinstance(function, Function) or vars(function).get(_KEPT) is False:
        return None
    try:
        if function.inverses and _needs_inverse(function):
            return None
        return _written_out(function, args)
    except _NotShort:
        object.__setattr__(function, _KEPT, False)
        return None


def _needs_inverse(function: Function) -> bool:
    """Whether an equation with the function, written out, has no formula for an input that has an inverse."""
    if _UNDONE not in vars(function):
        inputs = tuple(_formal(symbol) for symbol in function.inputs)
        (result,) = _written_out(function, inputs)
        place = ref(Symbol("$result"))
        needs = any(solve(place, result, inputs[i.position]) is None for i in function.inverses)
        object.__setattr__(function, _UNDONE, needs)
    found: bool = vars(function)[_UNDONE]
    return found


def _formal(symbol: Symbol) -> Expr:
    """An argument that could be anything."""
    if not symbol.shape:
        return ref(symbol)
    return array(symbol.shape, (ref(Symbol(symbol.name, symbol.type)) for _ in range(prod(symbol.shape))))


def _written_out(
    function: Function, args: tuple[Expr, ...], callers: tuple[Function, ...] = ()
) -> tuple[Expr, ...]:
    if function.external or not function.body or len(function.body) > MOST_STATEMENTS:
        raise _NotShort
    if any(function is caller for caller in callers):  # a recursion is a matter of the run
        raise _NotShort
    values: _Values = {}
    for symbol, argument in zip(function.inputs, args, strict=True):
        if symbol.shape and argument.op is not Op.ARRAY:
            raise _NotShort
        values[symbol] = argument.args if symbol.shape else (argument,)
    for symbol in (*function.outputs, *function.locals):
        values[symbol] = (_start(symbol),) * prod(symbol.shape)
    for statement in function.body:
        match statement:
            case Assign():
                value = _now(statement.value, values)
                if statement.local.shape:
                    elements = list(values[statement.local])
                    elements[_offset(statement.local, statement.indices, values)] = value
                    values[statement.local] = tuple(elements)
                else:
                    values[statement.local] = (value,)
            case Fill():
                values[statement.local] = (_now(statement.value, values),) * prod(statement.local.shape)
            case CallFunction():
                _call(statement, values, (*callers, function))
            case _:
                raise _NotShort
    results = tuple(e for symbol in function.outputs for e in values[symbol])
    inside = {a for argument in args for a in (argument, *argument.args)}
    if sum(1 for e in results for node in walk(e) if node not in inside) > MOST_NODES + len(inside):
        raise _NotShort
    return results


def _call(statement: CallFunction, values: _Values, callers: tuple[Function, ...]) -> None:
    results = _written_out(statement.function, tuple(_now(a, values) for a in statement.args), callers)
    position = 0
    for target, output in zip(statement.targets, statement.function.outputs, strict=True):
        count = prod(output.shape)
        if target is not None:
            values[target] = results[position : position + count]
        position += count


def _start(symbol: Symbol) -> Expr:
    return {Type.BOOLEAN: const(False), Type.INTEGER: const(0)}.get(symbol.type, ZERO)


def _now(e: Expr, values: _Values) -> Expr:
    """An expression of a body with the values its variables have at this point."""

    def visit(node: Expr) -> Expr | None:
        if node.op is Op.REF and node.data in values:
            elements = values[node.data]
            return array(node.data.shape, elements) if node.data.shape else elements[0]
        if node.op is Op.INDEX and node.args[0].data in values:
            symbol = node.args[0].data
            return values[symbol][_offset(symbol, node.args[1:], values)]
        return None

    return transform(e, visit)


def _offset(symbol: Symbol, indices: tuple[Expr, ...], values: _Values) -> int:
    offset = 0
    for size, index in zip(symbol.shape, indices, strict=True):
        known = _now(index, values)
        if known.op is not Op.CONST or not 1 <= known.data <= size:
            raise _NotShort
        offset = offset * size + known.data - 1
    return offset
