"""User functions: a call becomes APPLY nodes, the function's body statements of the imperative program.

A function is lowered once for each combination of argument shapes (and of Integer arguments known at
translation), so every array in its body has a fixed size. Records are taken apart into their fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Symbol, Type, const
from saltus.ir import ast
from saltus.ir.program import Function, Statement
from saltus.lower.classes import ClassEntry
from saltus.lower.context import Context, Scope
from saltus.lower.instantiate import check_assignable
from saltus.lower.layout import Element, Layout
from saltus.lower.lookup import nearest, resolve_class
from saltus.lower.references import subscripts_of
from saltus.lower.statements import StatementLowering
from saltus.lower.values import (
    ArrayValue,
    RecordValue,
    Value,
    array_of,
    describe_shape,
    index_tuples,
    shape_of,
)

# ---------------------------------------------------------------- locals of a function


@dataclass(frozen=True, eq=False)
class LocalVariable:
    """A scalar or an array of the function's body."""

    symbol: Symbol

    def value(self, context: Context, reference: ast.Reference, scope: Scope) -> Value:
        span = scope.at(reference)
        if len(reference.parts) > 1:
            raise model_error(
                "E201", f"`{reference.parts[0][0]}` has no part `{reference.parts[1][0]}`", span
            )
        return self.select(context, reference.parts[0][1], scope, span)

    def whole(self) -> Value:
        base = x.ref(self.symbol)
        if not self.symbol.shape:
            return base
        items = tuple(x.index(base, *map(const, i)) for i in index_tuples(self.symbol.shape))
        return ArrayValue(self.symbol.shape, items)

    def select(
        self, context: Context, subscripts: tuple[ast.Expression, ...], scope: Scope, span: Span
    ) -> Value:
        if not subscripts:
            return self.whole()
        base = x.ref(self.symbol)
        chosen = subscripts_of(context, subscripts, self.symbol.shape, scope, span)
        full = [*chosen, *(list(range(1, n + 1)) for n in self.symbol.shape[len(chosen) :])]

        def build(done: list[Expr], rest: list[int | list[int] | Expr]) -> Value:
            if not rest:
                return x.index(base, *done)
            head = rest[0]
            if isinstance(head, list):
                return array_of([build([*done, const(i)], rest[1:]) for i in head])
            return build([*done, const(head) if isinstance(head, int) else head], rest[1:])

        return build([], list(full))


@dataclass(frozen=True, eq=False)
class LocalRecord:
    type_name: str
    fields: dict[str, Local]

    def value(self, context: Context, reference: ast.Reference, scope: Scope) -> Value:
        span = scope.at(reference)
        if reference.parts[0][1]:
            raise model_error("E206", f"`{reference.parts[0][0]}` is a record and takes no subscripts", span)
        if len(reference.parts) == 1:
            return self.whole()
        name = reference.parts[1][0]
        if name not in self.fields:
            near = nearest(name, list(self.fields))
            raise model_error(
                "E201",
                f"there is no `{name}` in `{reference.parts[0][0]}`",
                span,
                hint=f"did you mean `{near}`?" if near else None,
            )
        rest = ast.Reference(reference.start, reference.end, reference.parts[1:])
        return self.fields[name].value(context, rest, scope)

    def whole(self) -> Value:
        return RecordValue(self.type_name, {name: f.whole() for name, f in self.fields.items()})


Local: TypeAlias = LocalVariable | LocalRecord


def variables_of(local: Local) -> list[LocalVariable]:
    """The variables a local consists of, in order."""
    if isinstance(local, LocalVariable):
        return [local]
    return [v for f in local.fields.values() for v in variables_of(f)]


# ---------------------------------------------------------------- calls


def call_user_function(context: Context, call: ast.Call, scope: Scope) -> list[Value]:
    """The results of a call: of a function, or of a record's constructor."""
    cls = resolve_class(call.function, scope.lexical)
    span = scope.at(call)
    if not isinstance(cls, ClassEntry):
        raise model_error("E209", f"`{cls.full_name}` cannot be called", span)
    layout = context.layouts.of(cls)
    if layout.enumeration is not None and len(call.args) == 1:
        return [context.lower(context, call.args[0], scope)]
    if cls.kind == "record":
        return [_record(context, cls, layout, call, scope)]
    if cls.kind != "function":
        raise model_error("E209", f"`{cls.full_name}` is a {cls.kind}, not a function", span)
    if layout.external is not None:
        raise model_error(
            "E204",
            f"`{cls.full_name}` is an external function; those are not supported yet",
            span,
            notes=(Note("declared here", cls.span),),
        )
    if cls.definition.partial:
        raise model_error("E209", f"the function `{cls.full_name}` is partial and cannot be called", span)
    inputs = [e for e in layout.elements.values() if e.clause.causality == "input"]
    values = _bind(context, cls, inputs, call, scope)
    return _vectorised(context, cls, layout, inputs, values, span)


def _bind(
    context: Context, cls: ClassEntry, inputs: list[Element], call: ast.Call, scope: Scope
) -> dict[str, Value]:
    """Arguments to inputs: by position, by name, by default."""
    span = scope.at(call)
    names = [e.name for e in inputs]
    if len(call.args) > len(inputs):
        raise model_error(
            "E212",
            f"`{cls.full_name}` takes {len(inputs)} argument{'' if len(inputs) == 1 else 's'} "
            f"({', '.join(names)}), but {len(call.args)} are given",
            span,
            notes=(Note("declared here", cls.span),),
        )
    given: dict[str, Value] = {}
    for name, argument in zip(names, call.args, strict=False):
        given[name] = context.lower(context, argument, scope)
    for name, argument in call.named:
        if name not in names:
            near = nearest(name, names)
            hint = f"did you mean `{near}`?" if near else f"its inputs are {', '.join(names)}"
            raise model_error("E212", f"`{cls.full_name}` has no input `{name}`", span, hint=hint)
        if name in given:
            raise model_error("E212", f"the input `{name}` is given twice", span)
        given[name] = context.lower(context, argument, scope)
    for element in inputs:
        if element.name in given:
            continue
        modification = element.declaration.modification
        if modification is None or modification.value is None:
            raise model_error(
                "E212",
                f"the input `{element.name}` of `{cls.full_name}` is not given and has no default",
                span,
                notes=(Note("declared here", element.span),),
            )
        inner = Scope(None, element.lexical, dict(given))
        given[element.name] = context.lower(context, modification.value, inner)
    return {name: given[name] for name in names}


def _vectorised(
    context: Context,
    cls: ClassEntry,
    layout: Layout,
    inputs: list[Element],
    values: dict[str, Value],
    span: Span,
) -> list[Value]:
    """A function of scalars applied to arrays is applied to each element (section 12.4.6)."""
    extra: int | None = None
    for element in inputs:
        value = values[element.name]
        rank = _rank(context, element)
        if rank is not None and len(shape_of(value)) == rank + 1:
            size = shape_of(value)[0]
            if extra is not None and extra != size:
                raise model_error("E206", "the arrays in this call have different sizes", span)
            extra = size
    if extra is None:
        return _apply(context, cls, layout, inputs, values, span)
    rows: list[list[Value]] = []
    for k in range(extra):
        one: dict[str, Value] = {}
        for element in inputs:
            value = values[element.name]
            rank = _rank(context, element)
            if isinstance(value, ArrayValue) and rank is not None and len(value.shape) == rank + 1:
                value = value.rows()[k]
            one[element.name] = value
        rows.append(_apply(context, cls, layout, inputs, one, span))
    return [array_of([row[i] for row in rows]) for i in range(len(rows[0]))] if rows else [array_of([])]


def _rank(context: Context, element: Element) -> int | None:
    """How many dimensions an input is declared with; None for a record."""
    layout = context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
    if layout.predefined is None:
        return None
    inner = sum(len(s) for s, _ in layout.dimensions)
    return len(element.declaration.subscripts) + len(element.clause.subscripts) + inner


def _apply(
    context: Context,
    cls: ClassEntry,
    layout: Layout,
    inputs: list[Element],
    values: dict[str, Value],
    span: Span,
) -> list[Value]:
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
    count = len(list(index_tuples(symbol.shape)))
    items = tuple(x.item(application, position + k, symbol.type) for k in range(count))
    return ArrayValue(symbol.shape, items), position + count


def _record(context: Context, cls: ClassEntry, layout: Layout, call: ast.Call, scope: Scope) -> Value:
    """A record constructor: fields are its inputs; constants and final fields are not."""
    elements = [e for e in layout.elements.values() if e.clause.variability != "constant"]
    values = _bind(context, cls, elements, call, scope)
    for element in elements:
        declared = context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
        value = values[element.name]
        if declared.predefined is not None and isinstance(value, Expr):
            check_assignable(
                TYPES[declared.predefined], value.type, f"the field `{element.name}`", scope.at(call)
            )
    return RecordValue(cls.full_name, values)


# ---------------------------------------------------------------- bodies

TYPES = {"Real": Type.REAL, "Integer": Type.INTEGER, "Boolean": Type.BOOLEAN, "String": Type.STRING}


def _specialised(
    context: Context,
    cls: ClassEntry,
    layout: Layout,
    inputs: list[Element],
    values: dict[str, Value],
    span: Span,
) -> tuple[Function, list[Local]]:
    """The function for these argument shapes, made on first use."""
    sizing = _sizing_inputs(layout)
    constants: dict[str, Expr] = {}
    for element in inputs:
        value = values[element.name]
        if not isinstance(value, Expr) or value.type is not Type.INTEGER:
            continue
        if value.op is Op.CONST:
            constants[element.name] = value
        elif element.name in sizing and context.is_constant(value):
            constants[element.name] = const(context.constant(value, span, f"the input `{element.name}`"))
    key = (cls, tuple(_signature(values[e.name]) for e in inputs), tuple(constants.items()))
    if key in context.functions:
        found: tuple[Function, list[Local]] = context.functions[key]
        return found
    builder = _FunctionBuilder(context, cls, layout, values, constants, span)
    # Entered before its body is lowered: a recursive function calls itself.
    function = Function(cls.full_name, builder.input_symbols, builder.output_symbols, (), ())
    context.functions[key] = (function, builder.outputs)
    try:
        body, symbols = builder.lower()
    except ModelError as error:
        del context.functions[key]
        raise ModelError(
            type(d)(
                d.code, d.message, d.span, (*d.notes, Note(f"in the call of `{cls.full_name}`", span)), d.hint
            )
            for d in error.diagnostics
        ) from None
    object.__setattr__(function, "body", body)
    object.__setattr__(function, "locals", symbols)
    return function, builder.outputs


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


class _FunctionBuilder:
    """Declares a function's variables, then lowers its algorithm."""

    def __init__(
        self,
        context: Context,
        cls: ClassEntry,
        layout: Layout,
        values: dict[str, Value],
        constants: dict[str, Expr],
        span: Span,
    ) -> None:
        self.context = context
        self.cls = cls
        self.layout = layout
        self.locals: dict[str, Local] = {}
        self.constants = constants
        self.inputs: list[Local] = []
        self.outputs: list[Local] = []
        self.others: list[Local] = []
        for element in layout.elements.values():
            kind = element.clause.causality
            if kind == "input":
                local = self._like(element.name, values[element.name], element, span)
                self.inputs.append(local)
            elif element.clause.variability == "constant":
                continue  # found through the class, like a package constant
            else:
                local = self._declare(element, element.name)
                (self.outputs if kind == "output" else self.others).append(local)
            self.locals[element.name] = local
        if not self.outputs:
            raise model_error("E212", f"`{cls.full_name}` has no output", span)

    @property
    def input_symbols(self) -> tuple[Symbol, ...]:
        return tuple(v.symbol for local in self.inputs for v in variables_of(local))

    @property
    def output_symbols(self) -> tuple[Symbol, ...]:
        return tuple(v.symbol for local in self.outputs for v in variables_of(local))

    def _like(self, name: str, value: Value, element: Element, span: Span) -> Local:
        """An input gets the shape of its argument; its declared type and rank are checked."""
        cls = resolve_class(element.clause.type_name, element.lexical)
        layout = self.context.layouts.of(cls)
        if layout.predefined is None:
            if not isinstance(value, RecordValue):
                raise model_error("E205", f"the input `{name}` must be a record `{cls.full_name}`", span)
            fields: dict[str, Local] = {}
            for part in layout.elements.values():
                if part.name not in value.fields:
                    raise model_error("E205", f"the record for `{name}` has no field `{part.name}`", span)
                fields[part.name] = self._like(f"{name}.{part.name}", value.fields[part.name], part, span)
            return LocalRecord(cls.full_name, fields)
        rank = _rank(self.context, element)
        if isinstance(value, RecordValue) or len(shape_of(value)) != rank:
            given = "a record" if isinstance(value, RecordValue) else describe_shape(shape_of(value))
            raise model_error(
                "E206",
                f"the input `{name}` of `{self.cls.full_name}` has {rank} dimensions, but {given} is given",
                span,
            )
        wanted = TYPES[layout.predefined]
        items = [value] if isinstance(value, Expr) else [v for v in value.items if isinstance(v, Expr)]
        for item in items[:1]:
            check_assignable(wanted, item.type, f"the input `{name}`", span)
        if wanted is Type.STRING:
            raise model_error("E204", "String arguments of functions are not supported yet", span)
        return LocalVariable(Symbol(name, wanted, shape_of(value)))

    def _declare(self, element: Element, name: str) -> Local:
        cls = resolve_class(element.clause.type_name, element.lexical)
        layout = self.context.layouts.of(cls)
        dimensions = [*element.declaration.subscripts, *element.clause.subscripts]
        scope = self.scope(element.lexical, sizes=True)
        shape: list[int] = []
        for subscript in dimensions:
            if isinstance(subscript, ast.Colon):
                raise model_error(
                    "E204", f"`{name}` of a size decided in the function is not supported yet", element.span
                )
            shape.append(self.context.integer(subscript, scope, f"the size of `{name}`"))
        for subscripts, lexical in layout.dimensions:
            for subscript in subscripts:
                shape.append(self.context.integer(subscript, Scope(None, lexical), f"the size of `{name}`"))
        if layout.predefined is None:
            if shape:
                raise model_error(
                    "E204", "arrays of records in functions are not supported yet", element.span
                )
            fields = {e.name: self._declare(e, f"{name}.{e.name}") for e in layout.elements.values()}
            return LocalRecord(cls.full_name, fields)
        if TYPES[layout.predefined] is Type.STRING:
            raise model_error("E204", "String variables in functions are not supported yet", element.span)
        return LocalVariable(Symbol(name, TYPES[layout.predefined], tuple(shape)))

    def scope(self, lexical: ClassEntry, sizes: bool = False) -> Scope:
        """With `sizes`, Integer inputs known now are constants, for sizes and the bounds of loops."""
        bound: dict[str, Value | Local] = dict(self.locals)
        if sizes:
            bound.update(self.constants)
        return Scope(None, lexical, bound, in_function=True)

    def lower(self) -> tuple[tuple[Statement, ...], tuple[Symbol, ...]]:
        lowering = StatementLowering(self.context, self.cls.full_name)
        statements: list[Statement] = []
        for element in self.layout.elements.values():
            modification = element.declaration.modification
            if element.clause.causality == "input" or element.clause.variability == "constant":
                continue
            if modification is not None and modification.value is not None:
                target = ast.Reference(
                    element.declaration.start, element.declaration.end, ((element.name, ()),)
                )
                scope = self.scope(element.lexical)
                statements += lowering.assign(target, modification.value, scope)
        for section, lexical in self.layout.sections:
            if not section.algorithm or section.initial:
                raise model_error("E209", "a function has one algorithm section only", lexical.at(section))
            statements += lowering.statements(section.items, self.scope(lexical, sizes=True))
        others = [v.symbol for local in self.others for v in variables_of(local)]
        return tuple(statements), (*others, *lowering.temporaries)
