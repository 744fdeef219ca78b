"""Functions executed at translation, with values: whatever a function does, if its arguments are known.

Native code has no Strings, and arrays of fixed sizes only. A function that needs more can still be called
with constants and parameters, as for a size, a table or a file name. Its statements are carried out one by
one: expressions are lowered as everywhere, only that every name stands for a value, so what comes out is one
too.

A limit on the work done makes sure that this ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr.nodes import FALSE, TRUE, Enumeration, Expr, Op, Type, const, enumeration_of
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Element, Layout
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import resolve_class
from saltus.lower.functions.defaults import element_modifier
from saltus.lower.functions.function_locals import LocalFunction, no_target
from saltus.lower.functions.knowledge import zero
from saltus.lower.functions.walker import Item, StatementWalker, Way
from saltus.lower.instances.attributes import TYPES
from saltus.lower.instances.dimensions import dimension
from saltus.lower.instances.enumerations import type_values
from saltus.lower.instances.modifiers import Modifier
from saltus.lower.names.references import no_field
from saltus.lower.names.subscripts import offsets_of, subscripts_of
from saltus.lower.scope.calls import assertion, condition_of
from saltus.lower.scope.context import Context, ReferenceTarget, Scope
from saltus.lower.scope.parts import Evaluation
from saltus.lower.scope.types import check_assignable, typed
from saltus.lower.scope.values import ArrayValue, RecordValue, Value, describe, scalars_of, shape_of

#: How much work may be done for one value: statements, and scalars that they compute.
WORK_LIMIT = 500_000
#: Calls within calls. Each takes some frames of Python, whose own limit is 1000.
DEPTH_LIMIT = 25
#: The longest text.
TEXT_LIMIT = 1_000_000


class _Break(Exception):
    """Leaves the innermost loop."""


class _Return(Exception):
    """Leaves the function."""


def settled(evaluation: Evaluation, value: Value, span: Span, why: str) -> Value:
    """A value as constants."""
    if isinstance(value, Expr):
        if value.op is Op.CONST:
            return value
        known = evaluation.constant(value, span, why)
        return typed(known, enumeration_of(value)) if type(known) is int else const(known)
    if isinstance(value, ArrayValue):
        items = (settled(evaluation, v, span, why) for v in value.items)
        return ArrayValue(value.shape, tuple(v for v in items if not isinstance(v, ArrayValue)))
    fields = {name: settled(evaluation, v, span, why) for name, v in value.fields.items()}
    return RecordValue(value.type_name, fields)


def is_settled(evaluation: Evaluation, value: Value) -> bool:
    """Whether a value is fixed by constants and parameters."""
    return all(v.op is Op.CONST or evaluation.is_constant(v) for v in scalars_of(value))


def execute(
    context: Context,
    cls: ClassEntry,
    layout: Layout,
    values: Mapping[str, Value],
    functions: Mapping[str, LocalFunction],
    span: Span,
) -> list[Value]:
    """The outputs of a function for arguments that are constants."""
    work = context.functions.work
    if work.depth >= DEPTH_LIMIT:
        raise model_error(
            "E208", f"`{cls.full_name}` calls itself more than {DEPTH_LIMIT} times deep at translation", span
        )
    if work.depth == 0:
        work.done = 0
    work.depth += 1
    try:
        return _Execution(context, cls, layout, values, functions, span).run()
    finally:
        work.depth -= 1


class _Pending:
    """A variable that is asked for before its declaration was carried out."""

    def __init__(self, execution: _Execution, name: str) -> None:
        self.execution = execution
        self.name = name

    def value(self, context: Context, reference: ast.Reference, scope: Scope) -> Value:
        self.execution.declare(self.name)
        return context.lower(context, reference, scope)


class _Execution(StatementWalker[None, None]):
    """One call. `names` are the variables with their values, replaced as statements assign to them."""

    def __init__(
        self,
        context: Context,
        cls: ClassEntry,
        layout: Layout,
        values: Mapping[str, Value],
        functions: Mapping[str, LocalFunction],
        span: Span,
    ) -> None:
        self.context = context
        self.cls = cls
        self.sections = layout.sections
        self.span = span
        self.elements = {
            e.name: e
            for e in layout.elements.values()
            if e.clause.variability != "constant" or e.modifications
        }
        self.names: dict[str, Value | ReferenceTarget] = {n: _Pending(self, n) for n in self.elements}
        self.names.update(functions)
        for name, value in values.items():
            self.names[name] = self._typed(self.elements[name], value, span)
        self.inputs = {*values, *functions}
        self.outputs = [
            e.name
            for e in self.elements.values()
            if e.name not in self.inputs and _is_output(context.layouts, e)
        ]
        self._declaring: list[str] = []

    def run(self) -> list[Value]:
        for name in self.elements:
            if isinstance(self.names[name], _Pending):
                self.declare(name)
        for section, lexical in self.sections:
            if not section.algorithm or section.initial or len(self.sections) > 1:
                raise model_error("E209", "a function has one algorithm section only", lexical.at(section))
            try:
                self.walk(section.items, self._scope(lexical))
            except _Return:
                break
        return [
            v for name in self.outputs if isinstance(v := self.names[name], Expr | ArrayValue | RecordValue)
        ]

    def _scope(self, lexical: ClassEntry) -> Scope:
        return Scope(None, lexical, self.names, in_function=True)

    def _value(self, e: ast.Expression, scope: Scope) -> Value:
        value = settled(
            self.context.evaluation, self.context.lower(self.context, e, scope), scope.at(e), "this value"
        )
        self._work(value, scope.at(e))
        return value

    def _work(self, value: Value | None, span: Span) -> None:
        work = self.context.functions.work
        work.done += 1
        for scalar in scalars_of(value) if value is not None else ():
            work.done += 1 + (len(scalar.data) // 64 if scalar.type is Type.STRING else 0)
            if scalar.type is Type.STRING and len(scalar.data) > TEXT_LIMIT:
                raise model_error("E208", f"`{self.cls.full_name}` makes a text that is too long", span)
        if work.done > WORK_LIMIT:
            raise model_error(
                "E208", f"`{self.cls.full_name}` does not end within {WORK_LIMIT} steps at translation", span
            )

    # ------------------------------------------------------------ declarations

    def declare(self, name: str) -> None:
        """Gives a variable its first value: its default, or zeros."""
        if name in self._declaring:
            chain = " -> ".join(f"`{n}`" for n in (*self._declaring, name))
            what = f"variables of `{self.cls.full_name}` depend on each other: {chain}"
            raise model_error("E213", what, self.span)
        self._declaring.append(name)
        try:
            element = self.elements[name]
            modifier = element_modifier(element, self.names, in_function=True)
            self.names[name] = self._first(element, modifier, self._scope(element.lexical))
        finally:
            self._declaring.pop()

    def _first(self, element: Element, modifier: Modifier, scope: Scope) -> Value:
        if modifier.value is not None:
            value = settled(
                self.context.evaluation, modifier.value.value(self.context), element.span, "a default"
            )
            return self._typed(element, value, element.span)
        layout = self.context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
        shape: list[int] = []
        for subscript in (*element.declaration.subscripts, *element.clause.subscripts):
            open_ = isinstance(subscript, ast.Colon)
            shape.append(0 if open_ else dimension(self.context, subscript, scope, element.name))
        for subscripts, lexical in layout.dimensions:
            shape += [dimension(self.context, s, Scope(None, lexical), element.name) for s in subscripts]
        if layout.predefined is None:
            one: Expr | RecordValue = self._record(layout, modifier)
        else:
            one = zero(TYPES[layout.predefined], layout.enumeration)
        return ArrayValue(tuple(shape), (one,) * prod(shape)) if shape else one

    def _record(self, layout: Layout, modifier: Modifier) -> RecordValue:
        if layout.cls.kind != "record":
            what = f"`{layout.cls.full_name}` is a {layout.cls.kind}; a function cannot have one"
            raise model_error("E209", what, self.span)
        fields: dict[str, Value] = {}
        for name, element in layout.elements.items():
            part = element_modifier(element, fields, modifier.part(name), in_function=True)
            fields[name] = self._first(element, part, Scope(None, element.lexical, fields, in_function=True))
        return RecordValue(layout.cls.full_name, fields)

    def _typed(self, element: Element, value: Value, span: Span) -> Value:
        """A value as the variable keeps it."""
        layout = self.context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
        if layout.predefined is None:
            return value
        kind = TYPES[layout.predefined]
        return _converted(value, kind, f"`{element.name}`", span, layout.enumeration)

    # ------------------------------------------------------------ statements

    def sequence(self, results: list[None]) -> None:
        """What statements do is in the variables."""

    def reaches(self, items: Sequence[Item], k: int, scope: Scope) -> bool:
        """Every statement is work."""
        self._work(None, scope.at(items[k]))
        return True

    def assign_value(self, item: ast.Assignment, scope: Scope) -> None:
        """`target := value`"""
        self._assign(item.target, self._value(item.value, scope), scope)

    def results(self, item: ast.TupleAssignment, scope: Scope) -> list[Value]:
        """What is called gives."""
        return self.context.lower_call(self.context, item.call, scope)

    def assign_results(self, item: ast.TupleAssignment, results: list[Value], scope: Scope) -> None:
        """`(a, b) := f(...)`: all values are known before the first is assigned."""
        span = scope.at(item)
        values = [settled(self.context.evaluation, r, span, "this value") for r in results]
        for target, value in zip(item.targets, values, strict=False):
            if target is not None:
                self._assign(target, value, scope)

    def condition(
        self, condition: ast.Expression, items: Sequence[Item], scope: Scope, excluded: Sequence[Expr]
    ) -> Expr:
        """Every condition is decided, so that one branch is carried out."""
        return TRUE if self._holds(condition, scope) else FALSE

    def _holds(self, condition: ast.Expression, scope: Scope) -> bool:
        value = condition_of(self.context, condition, scope)
        return settled(self.context.evaluation, value, scope.at(condition), "this condition") is TRUE

    def save(self) -> None:
        """There is one way only: nothing has to be kept for another."""

    def restore(self, state: None) -> None:
        """There is one way only."""

    def join(self, item: ast.IfEquation, ways: Sequence[Way[None, None]], scope: Scope) -> None:
        """There is one way only."""

    def while_loop(self, item: ast.WhileStatement, scope: Scope) -> None:
        """One turn after the other."""
        try:
            while self._holds(item.condition, scope):
                self._work(None, scope.at(item))
                self.walk(item.items, scope)
        except _Break:
            pass

    def leave_loop(self, item: ast.BreakStatement, scope: Scope) -> None:
        """`break`"""
        raise _Break

    def leave_function(self, item: ast.ReturnStatement, scope: Scope) -> None:
        """`return`"""
        raise _Return

    def for_loop(self, item: ast.ForEquation, scope: Scope) -> None:
        """A loop within a loop for each iterator."""
        self._for(item, item.iterators, scope)

    def _for(self, item: ast.ForEquation, iterators: tuple[ast.Iterator, ...], scope: Scope) -> None:
        if not iterators:
            self.walk(item.items, scope)
            return
        iterator = iterators[0]
        if iterator.range is None:
            what = "a loop variable without a range is not supported yet"
            raise model_error("E204", what, scope.at(iterator))
        values: Sequence[Value] | None = type_values(self.context.layouts, iterator.range, scope)
        if values is None:
            vector = self._value(iterator.range, scope)
            if not isinstance(vector, ArrayValue) or len(vector.shape) != 1:
                raise model_error("E206", "a loop needs a vector to run over", scope.at(iterator.range))
            values = vector.rows()
        hidden = self.names.get(iterator.name)
        try:
            for value in values:
                self.names[iterator.name] = value
                self._for(item, iterators[1:], scope)
        except _Break:
            pass
        finally:
            if hidden is not None:
                self.names[iterator.name] = hidden
            else:
                self.names.pop(iterator.name, None)

    def assertion(self, item: ast.CallEquation, scope: Scope) -> None:
        """Ends the execution if it is violated; warnings are left out."""
        condition, message, warning = assertion(self.context, item.call, scope)
        span, evaluation = scope.at(item.call), self.context.evaluation
        if not warning and evaluation.constant(condition, span, "an assertion") is False:
            said = evaluation.constant(message, span, "the message of an assertion")
            what = f"an assertion in `{self.cls.full_name}` is violated at translation: {said}"
            raise model_error("E208", what, span)

    def call(self, item: ast.CallEquation, scope: Scope) -> None:
        """A function is called for its assertions."""
        for result in self.context.lower_call(self.context, item.call, scope):
            settled(self.context.evaluation, result, scope.at(item.call), "this call")

    # ------------------------------------------------------------ assignments

    def _assign(self, target: ast.Reference, value: Value, scope: Scope) -> None:
        name = target.parts[0][0]
        span = scope.at(target)
        if name in self.inputs:
            what = f"`{name}` is an input of `{self.cls.full_name}` and cannot be assigned"
            raise model_error("E211", what, span, hint="use a protected variable")
        old = self.names.get(name)
        if name not in self.elements or not isinstance(old, Expr | ArrayValue | RecordValue):
            known = [n for n in self.elements if n not in self.inputs]
            raise no_target(target.text, self.cls.full_name, known, span)
        if len(target.parts) == 1 and not target.parts[0][1]:
            self._check_shape(self.elements[name], value, span)
        new = self._updated(old, target.parts, value, target, scope)
        self.names[name] = self._typed(self.elements[name], new, span)

    def _check_shape(self, element: Element, value: Value, span: Span) -> None:
        """A whole array takes another size only where the declaration leaves it open."""
        old = self.names[element.name]
        assert isinstance(old, Expr | ArrayValue | RecordValue)
        declared = (*element.declaration.subscripts, *element.clause.subscripts)
        open_ = [isinstance(s, ast.Colon) for s in declared]
        wanted, given = shape_of(old), shape_of(value)
        fits = len(wanted) == len(given) and all(
            a == b or (k < len(open_) and open_[k])
            for k, (a, b) in enumerate(zip(wanted, given, strict=True))
        )
        if not fits:
            raise model_error("E206", f"{describe(value)} is assigned to {describe(old)}", span)

    def _updated(
        self,
        old: Value,
        parts: tuple[tuple[str, tuple[ast.Expression, ...]], ...],
        value: Value,
        target: ast.Reference,
        scope: Scope,
    ) -> Value:
        """A value with a part of it replaced: `parts` begins with the name of the value itself."""
        (_, subscripts), rest = parts[0], parts[1:]
        span = scope.at(target)
        if not subscripts:
            return value if not rest else self._with_field(old, rest, value, target, scope)
        if not isinstance(old, ArrayValue):
            raise model_error("E206", "a scalar takes no subscripts", span)
        chosen = subscripts_of(self.context, subscripts, old.shape, scope, span)
        shape, offsets = offsets_of(old.shape, chosen)
        items = list(old.items)
        if not rest:
            if shape_of(value) != shape:
                raise model_error("E206", f"{describe(value)} is assigned to a part {list(shape)}", span)
            new = value.items if isinstance(value, ArrayValue) else (value,)
            for offset, item in zip(offsets, new, strict=True):
                items[offset] = _converted_like(item, items[offset], span)
            return ArrayValue(old.shape, tuple(items))
        values = value.rows() if shape and isinstance(value, ArrayValue) else [value]
        if len(values) != len(offsets):
            raise model_error("E206", f"{describe(value)} is assigned to a part {list(shape)}", span)
        for offset, one in zip(offsets, values, strict=True):
            changed = self._with_field(items[offset], rest, one, target, scope)
            assert not isinstance(changed, ArrayValue)
            items[offset] = changed
        return ArrayValue(old.shape, tuple(items))

    def _with_field(
        self,
        old: Value,
        parts: tuple[tuple[str, tuple[ast.Expression, ...]], ...],
        value: Value,
        target: ast.Reference,
        scope: Scope,
    ) -> Value:
        name = parts[0][0]
        if isinstance(old, ArrayValue):  # of records: the field of each
            values = value.rows() if isinstance(value, ArrayValue) else []
            if len(old.shape) != 1 or len(values) != len(old.items):
                what = f"{describe(value)} is assigned to the field of {describe(old)}"
                raise model_error("E206", what, scope.at(target))
            changed = [
                self._with_field(item, parts, one, target, scope)
                for item, one in zip(old.items, values, strict=True)
            ]
            return ArrayValue(old.shape, tuple(c for c in changed if not isinstance(c, ArrayValue)))
        if not isinstance(old, RecordValue) or name not in old.fields:
            raise no_field(name, old, target, scope)
        before = old.fields[name]
        after = self._updated(before, parts, value, target, scope)
        if len(parts) == 1 and not parts[0][1]:
            after = _alike(after, before, scope.at(target))
        return RecordValue(old.type_name, {**old.fields, name: after})


def _is_output(layouts: Layouts, element: Element) -> bool:
    if element.clause.causality:
        return element.clause.causality == "output"
    layout = layouts.of(resolve_class(element.clause.type_name, element.lexical))
    return layout.causality == "output"


def _mapped(value: Value, operation: Callable[[Expr], Expr]) -> Value:
    if isinstance(value, Expr):
        return operation(value)
    if isinstance(value, ArrayValue):
        items = (_mapped(v, operation) for v in value.items)
        return ArrayValue(value.shape, tuple(v for v in items if not isinstance(v, ArrayValue)))
    return value


def _converted(
    value: Value, kind: Type, what: str, span: Span, enumeration: Enumeration | None = None
) -> Value:
    def one(e: Expr) -> Expr:
        check_assignable(kind, e, what, span, enumeration)
        return const(float(e.data)) if kind is Type.REAL and e.type is Type.INTEGER else e

    return _mapped(value, one)


def _converted_like(item: Value, old: Value, span: Span) -> Expr | RecordValue:
    if isinstance(item, Expr) and isinstance(old, Expr):
        new = _converted(item, old.type, "this element", span, enumeration_of(old))
        assert isinstance(new, Expr)
        return new
    if isinstance(item, RecordValue) and isinstance(old, RecordValue):
        return item
    raise model_error("E205", f"{describe(item)} is assigned to {describe(old)}", span)


def _alike(value: Value, old: Value, span: Span) -> Value:
    """A new value for a field, of the type that it had."""
    scalar = next(scalars_of(old), None)
    if isinstance(value, RecordValue) or isinstance(old, RecordValue) or scalar is None:
        return value
    return _converted(value, scalar.type, "this field", span, enumeration_of(scalar))
