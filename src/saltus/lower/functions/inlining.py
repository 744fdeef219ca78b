"""Functions written out at the place of their call: operator functions and `annotation(Inline = true)`.

An overloaded `+` is two additions to the equations, not a call of a function: matching, linear loops and
differentiation see through it. The body is executed symbolically once for each combination of argument
shapes, on symbols for the scalars of its inputs; a call puts the arguments in their place.

What cannot be executed so (`while`, `return`, an assertion, an index that varies) stays a call. So does a
function whose comparisons would meet comparisons in its arguments: those of a function make no events
(section 8.5), those of an argument do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from saltus.core.diagnostics import ModelError
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Symbol, Type, const, enumeration_of
from saltus.expr.traversal import leaves, substitute, walk
from saltus.ir import ast
from saltus.ir.instance import UNANSWERED, ClassEntry, Element, Layout, Library, Question
from saltus.lower.classes.lookup import resolve_class
from saltus.lower.functions.defaults import causality_of, element_modifier
from saltus.lower.functions.function_inverses import declares_inverse
from saltus.lower.functions.walker import Item, StatementWalker, Way
from saltus.lower.instances.attributes import TYPES
from saltus.lower.instances.dimensions import dimension
from saltus.lower.instances.modifiers import Modifier
from saltus.lower.names.iteration import iterations
from saltus.lower.names.subscripts import choose, offsets_of, subscripts_of, varies
from saltus.lower.scope.calls import assertion, condition_of
from saltus.lower.scope.context import Context, ReferenceTarget, Scope, Table
from saltus.lower.scope.parts import Evaluation
from saltus.lower.scope.values import (
    ArrayValue,
    NotScalar,
    RecordValue,
    ShapeMismatch,
    Value,
    ValuesDiffer,
    map_scalars,
    scalar_pairs,
    scalars_of,
)

#: A body with more statements than this, loops written out, stays a function.
MOST_STATEMENTS = 1000

#: Functions that step: outside of functions each step is an event.
_STEPPING = frozenset({"floor", "ceil", "integer", "div", "mod", "rem", "sign"})

_INLINE: Question[bool] = Question("whether it is to be written out")
_INLINE_IN_LOOPS: Question[bool] = Question("whether it is to be written out in loops of connections")


class _StaysCall(Exception):
    """The function cannot be written out."""


@dataclass(frozen=True, eq=False)
class _Written:
    """The outputs of a function over symbols for its inputs. `eventless`: it has comparisons."""

    inputs: dict[str, Value]
    outputs: list[Value]
    eventless: bool


_WRITTEN_OUT: Table[object, _Written | ModelError | None] = Table(
    "functions written out, or why they are not, by class and what is known of the arguments"
)


def inlined_call(
    context: Context, cls: ClassEntry, layout: Layout, inputs: Sequence[Element], values: Mapping[str, Value]
) -> list[Value] | None:
    """The outputs of a call, written out; None if it has to be a call."""
    if not _wanted(context.library, cls) and not _wanted_in_loops(context, cls):
        return None
    written = _written(context, cls, layout, inputs, values)
    if written is None:
        return None
    mapping: dict[Expr, Expr] = {}
    try:
        for name, formal in written.inputs.items():
            for symbol, given in scalar_pairs(formal, values[name]):
                if written.eventless and _makes_events(given):
                    return None
                mapping[symbol] = _converted(given, symbol.type)
    except ValuesDiffer:
        return None  # the call says what is wrong
    memo: dict[Expr, Expr] = {}
    return [map_scalars(lambda e: substitute(e, mapping, memo), output) for output in written.outputs]


# ---------------------------------------------------------------- which functions


def _wanted(library: Library, cls: ClassEntry) -> bool:
    known = _INLINE.known(cls)
    if known is UNANSWERED:
        says = _said(library, cls, ("Inline", "LateInline"))
        # Written out it could not be undone by its inverse (section 12.7.3); the analysis decides later.
        says = says and not declares_inverse(library, cls)
        known = _INLINE.keep(cls, is_operator_function(cls) if says is None else says)
    return known


def _wanted_in_loops(context: Context, cls: ClassEntry) -> bool:
    """`InlineAfterIndexReduction` comes with a derivative by variables that the function itself does not
    depend on: a rotation is differentiated by way of its angular velocity. Where connections close loops,
    positions constrain each other by way of rotations, and states can be chosen only if both depend on
    the same variables. So there the function is differentiated as it stands."""
    if context.connections.facts is None or not context.connections.facts.closes_loops():
        return False
    known = _INLINE_IN_LOOPS.known(cls)
    if known is UNANSWERED:
        says = _said(context.library, cls, ("InlineAfterIndexReduction",))
        known = _INLINE_IN_LOOPS.keep(cls, says is True)
    return known


def is_operator_function(cls: ClassEntry) -> bool:
    """`operator function '+'`, or a function of an `operator`."""
    return cls.definition.operator or (cls.parent is not None and cls.parent.kind == "operator")


def _said(library: Library, cls: ClassEntry, names: tuple[str, ...]) -> bool | None:
    """What the first of these annotations says; None if they say nothing."""
    offsets = cls.definition.annotation
    if offsets is None or "Inline" not in cls.source.text[slice(*offsets)]:
        return None
    for argument in library.reader.annotation(cls.source, offsets).arguments or ():
        if isinstance(argument, ast.ElementModification) and argument.name[0] in names:
            said = argument.modification.value if argument.modification is not None else None
            if isinstance(said, ast.Boolean):
                return said.value
    return None


# ---------------------------------------------------------------- arguments


def _written(
    context: Context, cls: ClassEntry, layout: Layout, inputs: Sequence[Element], values: Mapping[str, Value]
) -> _Written | None:
    """The function for arguments like these. Integers, Booleans and Strings that are given literally take
    part in its execution: they decide sizes, ranges and branches. Parameters do if nothing else helps."""
    known = {e.name: values[e.name] for e in inputs}
    written = _made(context, cls, layout, inputs, known)
    if not isinstance(written, ModelError):
        return written
    if all(d.code != "E208" for d in written.diagnostics):
        return None
    evaluated = {name: _evaluated(context.evaluation, value, cls) for name, value in known.items()}
    again = _made(context, cls, layout, inputs, evaluated)
    return None if isinstance(again, ModelError) else again


def _evaluated(evaluation: Evaluation, value: Value, cls: ClassEntry) -> Value:
    if isinstance(value, Expr) and value.type is Type.INTEGER and evaluation.is_constant(value):
        return const(evaluation.constant(value, cls.span, "an argument that decides a size"))
    return value


def _made(
    context: Context, cls: ClassEntry, layout: Layout, inputs: Sequence[Element], values: dict[str, Value]
) -> _Written | ModelError | None:
    key = (cls, tuple(_signature(values[e.name]) for e in inputs))
    made = _WRITTEN_OUT.of(context)
    if key not in made:
        made[key] = None  # a function that calls itself finds a call
        mark = context.requirements.mark()
        try:
            made[key] = _execute(context, cls, layout, inputs, values)
        except (_StaysCall, ValuesDiffer, ShapeMismatch, NotScalar):
            pass
        except ModelError as error:
            made[key] = error
        finally:
            context.requirements.take_since(mark)
    return made[key]


def _signature(value: Value) -> object:
    if isinstance(value, RecordValue):
        return tuple((name, _signature(v)) for name, v in value.fields.items())
    if isinstance(value, Expr):
        return (value.type, value.data) if _is_literal(value) else value.type
    if all(_is_literal(v) for v in value.items):
        return value.shape, tuple(_signature(v) for v in value.items)
    return value.shape, _signature(value.items[0]) if value.items else None


def _is_literal(value: Value) -> bool:
    return isinstance(value, Expr) and value.op is Op.CONST and value.type is not Type.REAL


def _formal(
    context: Context, name: str, value: Value, type_name: ast.Reference, lexical: ClassEntry
) -> Value:
    """An input: symbols of the declared types in the shape of the argument, literals as they are."""
    cls = resolve_class(type_name, lexical)
    layout = context.layouts.of(cls)
    items = value.items if isinstance(value, ArrayValue) else (value,)
    literal = bool(items) and all(_is_literal(v) for v in items)

    def one(item: Value, path: str) -> Expr | RecordValue:
        if isinstance(item, RecordValue):
            if layout.predefined is not None or item.fields.keys() != layout.elements.keys():
                raise _StaysCall
            fields = {
                n: _formal(context, f"{path}.{n}", item.fields[n], e.clause.type_name, e.lexical)
                for n, e in layout.elements.items()
            }
            return RecordValue(cls.full_name, fields)
        if layout.predefined is None or not isinstance(item, Expr):
            raise _StaysCall
        wanted = TYPES[layout.predefined]
        if not _fits(item.type, wanted) or enumeration_of(item) != layout.enumeration:
            raise _StaysCall
        return _converted(item, wanted) if literal else x.ref(Symbol(path, wanted, (), layout.enumeration))

    if isinstance(value, ArrayValue):
        made = tuple(one(item, f"{name}[{k}]") for k, item in enumerate(value.items, 1))
        return ArrayValue(value.shape, made)
    return one(value, name)


def _fits(given: Type, wanted: Type) -> bool:
    return given is wanted or (wanted is Type.REAL and given is Type.INTEGER)


def _converted(e: Expr, wanted: Type) -> Expr:
    return x.call("real", e) if wanted is Type.REAL and e.type is Type.INTEGER else e


def _makes_events(e: Expr) -> bool:
    return any(n.op in x.RELATIONS or (n.op is Op.CALL and n.data in _STEPPING) for n in walk(e))


# ---------------------------------------------------------------- execution


def _execute(
    context: Context, cls: ClassEntry, layout: Layout, inputs: Sequence[Element], values: dict[str, Value]
) -> _Written:
    if layout.external is not None or cls.definition.partial or cls.definition.purity == "impure":
        raise _StaysCall
    formals: dict[str, Value] = {}
    for element in inputs:
        value = values[element.name]
        formals[element.name] = _formal(
            context, element.name, value, element.clause.type_name, element.lexical
        )
    body = _Body(context, layout, formals)
    outputs = body.run()
    scalars = [e for output in outputs for e in scalars_of(output)]
    if any(leaf.op is Op.REF and leaf.data in body.unset for e in scalars for leaf in leaves(e)):
        raise _StaysCall
    eventless = any(_makes_events(e) for e in scalars)
    if eventless:
        outputs = [map_scalars(x.no_event, output) for output in outputs]
    return _Written(formals, outputs, eventless)


class _Body(StatementWalker[None, dict[str, Value]]):
    """A function's variables while its statements are executed."""

    def __init__(self, context: Context, layout: Layout, inputs: dict[str, Value]) -> None:
        self.context = context
        self.layout = layout
        self.inputs = inputs
        self.values: dict[str, Value] = dict(inputs)
        self.unset: set[Symbol] = set()  # stand for scalars that were not assigned yet
        self.statements = 0

    def run(self) -> list[Value]:
        """The outputs after the whole body."""
        outputs: list[str] = []
        for element in self.layout.elements.values():
            if element.name in self.inputs or element.clause.variability == "constant":
                continue
            modifier = element_modifier(element, dict(self.values), in_function=True)
            self.values[element.name] = self._declared(element, modifier, self._scope(element.lexical))
            if causality_of(self.context.layouts, element) == "output":
                outputs.append(element.name)
        if len(self.layout.sections) > 1 or any(not s.algorithm for s, _ in self.layout.sections):
            raise _StaysCall
        for section, lexical in self.layout.sections:
            self.walk(section.items, Scope(None, lexical, {}, in_function=True, inlined=True))
        return [self.values[name] for name in outputs]

    def _scope(self, lexical: ClassEntry, loop: Mapping[str, Value | ReferenceTarget] | None = None) -> Scope:
        return Scope(None, lexical, {**self.values, **(loop or {})}, in_function=True, inlined=True)

    def _declared(self, element: Element, modifier: Modifier, scope: Scope) -> Value:
        """A variable as its declaration leaves it: its value, or symbols for what is not set."""
        layout = self.context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
        own = (*element.declaration.subscripts, *element.clause.subscripts)
        dimensions = [
            *((s, scope) for s in own),
            *((s, Scope(None, lexical)) for ss, lexical in layout.dimensions for s in ss),
        ]
        if any(isinstance(s, ast.Colon) for s, _ in dimensions):
            if modifier.value is None:
                raise _StaysCall
            return modifier.value.value(self.context)
        shape = tuple(dimension(self.context, s, at, element.name) for s, at in dimensions)
        old = self._unset(element, layout, shape)
        if modifier.value is not None:
            return _stored(old, modifier.value.value(self.context))
        if isinstance(old, RecordValue):
            fields: dict[str, Value] = {}
            for name, part in layout.elements.items():
                inner = element_modifier(part, dict(fields), modifier.part(name), in_function=True)
                fields[name] = self._declared(part, inner, self._scope(part.lexical, fields))
            return RecordValue(old.type_name, fields)
        return old

    def _unset(self, element: Element, layout: Layout, shape: tuple[int, ...]) -> Value:
        count = 1
        for size in shape:
            count *= size
        items = tuple(self._unset_one(element.name, layout) for _ in range(count))
        return ArrayValue(shape, items) if shape else items[0]

    def _unset_one(self, name: str, layout: Layout) -> Expr | RecordValue:
        if layout.predefined is not None:
            symbol = Symbol(f"{name} (not set)", TYPES[layout.predefined], (), layout.enumeration)
            self.unset.add(symbol)
            return x.ref(symbol)
        fields: dict[str, Value] = {}
        for part in layout.elements.values():
            inner = self.context.layouts.of(resolve_class(part.clause.type_name, part.lexical))
            own = (*part.declaration.subscripts, *part.clause.subscripts)
            scope = self._scope(part.lexical, fields)
            dimensions = [
                *((s, scope) for s in own),
                *((s, Scope(None, lexical)) for ss, lexical in inner.dimensions for s in ss),
            ]
            if any(isinstance(s, ast.Colon) for s, _ in dimensions):
                raise _StaysCall
            shape = tuple(dimension(self.context, s, at, part.name) for s, at in dimensions)
            fields[part.name] = self._unset(part, inner, shape)
        return RecordValue(layout.cls.full_name, fields)

    # ------------------------------------------------------------ statements

    def sequence(self, results: list[None]) -> None:
        """What statements do is in the values."""

    def reaches(self, items: Sequence[Item], k: int, scope: Scope) -> bool:
        """A body that becomes too long stays a function."""
        self.statements += 1
        if self.statements > MOST_STATEMENTS:
            raise _StaysCall
        return True

    def refusal(self, error: ModelError) -> Exception:
        """What has no effect here may have one in a function, or is refused there."""
        return _StaysCall()

    def here(self, scope: Scope) -> Scope:
        """The variables at their present values, hidden by those of loops."""
        return self._scope(scope.lexical, scope.locals)

    def assign_value(self, item: ast.Assignment, scope: Scope) -> None:
        """`target := value`"""
        self._assign(item.target, self.context.lower(self.context, item.value, scope), scope)

    def results(self, item: ast.TupleAssignment, scope: Scope) -> list[Value]:
        """What is called gives."""
        return self.context.lower_call(self.context, item.call, scope)

    def assign_results(self, item: ast.TupleAssignment, results: list[Value], scope: Scope) -> None:
        """`(a, b) := f(...)`"""
        for target, result in zip(item.targets, results, strict=False):
            if target is not None:
                self._assign(target, result, scope)

    def for_loop(self, item: ast.ForEquation, scope: Scope) -> None:
        """Every turn is written out."""
        for bound in iterations(self.context, item.iterators, self.here(scope), item.items):
            self.walk(item.items, scope.with_locals(bound))

    def assertion(self, item: ast.CallEquation, scope: Scope) -> None:
        """Nothing, if it holds in any case."""
        if assertion(self.context, item.call, scope)[0] is not x.TRUE:
            raise _StaysCall

    def condition(
        self, condition: ast.Expression, items: Sequence[Item], scope: Scope, excluded: Sequence[Expr]
    ) -> Expr:
        """A condition at the values before the if."""
        return condition_of(self.context, condition, scope)

    def save(self) -> dict[str, Value]:
        """A copy of the present values, which continue to change."""
        return dict(self.values)

    def restore(self, state: dict[str, Value]) -> None:
        """Continues with values that may be needed again."""
        self.values = dict(state)

    def join(self, item: ast.IfEquation, ways: Sequence[Way[None, dict[str, Value]]], scope: Scope) -> None:
        """Each variable is what the branch makes of it that is taken."""
        joined = ways[-1].end
        for way in reversed(ways[:-1]):
            joined = {name: self._joined(way.test, way.end[name], joined[name]) for name in joined}
        self.values = joined

    def _joined(self, test: Expr, value: Value, other: Value) -> Value:
        if value is other:
            return value
        try:
            return choose(test, value, other)
        except ValueError:
            raise _StaysCall from None

    def _assign(self, target: ast.Reference, value: Value, scope: Scope) -> None:
        name, subscripts = target.parts[0]
        if name not in self.values or name in self.inputs:
            raise _StaysCall  # the call says what is wrong
        rest = target.parts[1:]
        self.values[name] = self._replaced(self.values[name], subscripts, rest, value, scope, target)

    def _replaced(
        self,
        old: Value,
        subscripts: Sequence[ast.Expression],
        rest: Sequence[tuple[str, tuple[ast.Expression, ...]]],
        new: Value,
        scope: Scope,
        target: ast.Reference,
    ) -> Value:
        """A value with what a reference names replaced: `old[subscripts].rest := new`."""
        if not subscripts and not rest:
            return _stored(old, new)
        if isinstance(old, RecordValue):
            if subscripts or rest[0][0] not in old.fields:
                raise _StaysCall
            name, inner = rest[0]
            field = self._replaced(old.fields[name], inner, rest[1:], new, scope, target)
            return RecordValue(old.type_name, {**old.fields, name: field})
        if not isinstance(old, ArrayValue):
            raise _StaysCall
        span = scope.at(target)
        chosen = subscripts_of(self.context, subscripts, old.shape, scope, span)
        if varies(chosen):
            raise _StaysCall
        shape, offsets = offsets_of(old.shape, chosen)
        items = list(old.items)
        for offset, part in zip(offsets, _elements(new, shape), strict=True):
            item = self._replaced(items[offset], (), rest, part, scope, target)
            assert not isinstance(item, ArrayValue)
            items[offset] = item
        return ArrayValue(old.shape, tuple(items))


def _elements(value: Value, shape: tuple[int, ...]) -> Iterator[Value]:
    """The parts of a value for the elements of a selection of a shape."""
    if not shape:
        yield value
        return
    if not isinstance(value, ArrayValue) or value.shape[: len(shape)] != shape:
        raise _StaysCall
    yield from value.parts(len(shape))


def _stored(old: Value, new: Value) -> Value:
    """A value as a variable keeps it: of its type, in its shape."""
    if isinstance(old, Expr) and isinstance(new, Expr):
        if not _fits(new.type, old.type) or enumeration_of(new) != enumeration_of(old):
            raise _StaysCall
        return _converted(new, old.type)
    if isinstance(old, ArrayValue) and isinstance(new, ArrayValue) and old.shape == new.shape:
        items = (_stored(o, n) for o, n in zip(old.items, new.items, strict=True))
        return ArrayValue(old.shape, tuple(i for i in items if not isinstance(i, ArrayValue)))
    if isinstance(old, RecordValue) and isinstance(new, RecordValue):
        if old.fields.keys() != new.fields.keys():
            raise _StaysCall
        return RecordValue(old.type_name, {n: _stored(f, new.fields[n]) for n, f in old.fields.items()})
    raise _StaysCall
