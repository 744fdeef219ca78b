"""Bodies of user functions: declarations to symbols, the algorithm to statements.

The variables of a function may use each other in their sizes and default values, in any order (section 12.4.4
of the specification): each is declared, and later given its default, when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from math import prod

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr.nodes import Symbol, Type
from saltus.ir import ast
from saltus.ir.instance import ClassEntry, Element, Layout
from saltus.ir.program import Statement
from saltus.lower.classes.layout import Layouts
from saltus.lower.classes.lookup import resolve_class
from saltus.lower.functions.defaults import causality_of, element_modifier
from saltus.lower.functions.function_locals import (
    Local,
    LocalFunction,
    LocalRecord,
    LocalVariable,
    symbols_of,
    variables_of,
)
from saltus.lower.functions.knowledge import FOLLOWED, folded, start_value
from saltus.lower.functions.statements import StatementLowering
from saltus.lower.instances.attributes import TYPES
from saltus.lower.instances.dimensions import dimension
from saltus.lower.instances.modifiers import NOTHING, Modifier
from saltus.lower.scope.context import Context, ReferenceTarget, Scope
from saltus.lower.scope.limits import refuse_elements
from saltus.lower.scope.types import check_assignable
from saltus.lower.scope.values import (
    ArrayValue,
    RecordValue,
    Value,
    describe_shape,
    member,
    scalars_of,
    shape_of,
)


def declared_rank(layouts: Layouts, element: Element) -> int:
    """How many dimensions an input is declared with."""
    layout = layouts.of(resolve_class(element.clause.type_name, element.lexical))
    inner = sum(len(s) for s, _ in layout.dimensions)
    return len(element.declaration.subscripts) + len(element.clause.subscripts) + inner


def takes_texts(layout: Layout) -> bool:
    """Whether Strings are inputs and outputs like others: of functions in C, which are called before a run.
    For those in FORTRAN, whose texts are letters that choose something, they are part of the function."""
    return layout.external is not None and not (layout.external.language or "C").upper().startswith("FORTRAN")


def is_record(layouts: Layouts, element: Element) -> bool:
    """Whether a variable is declared as a record, or an array of them."""
    cls = resolve_class(element.clause.type_name, element.lexical)
    return cls.kind == "record" and layouts.of(cls).predefined is None


class _Pending:
    """A variable as the declarations of others see it: made ready when it is first asked for."""

    def __init__(self, builder: FunctionBuilder, name: str) -> None:
        self.builder = builder
        self.name = name

    def value(self, context: Context, reference: ast.Reference, scope: Scope) -> Value:
        return self.builder.ready(self.name).value(context, reference, scope)


class FunctionBuilder:
    """Declares a function's variables, then lowers its algorithm. `values` are what the function is lowered
    for: of the inputs in `known`, and of Strings, they are the same for every call."""

    def __init__(
        self,
        context: Context,
        cls: ClassEntry,
        layout: Layout,
        values: Mapping[str, Value],
        functions: Mapping[str, LocalFunction],
        known: Mapping[str, Value],
        span: Span,
    ) -> None:
        self.context = context
        self.cls = cls
        self.layout = layout
        self.span = span
        self.inputs: list[Local] = []
        self.outputs: list[Local] = []
        self.others: list[Local] = []
        self.locals: dict[str, Local] = {}
        self.functions: dict[str, LocalFunction] = {}
        elements = [e for e in layout.elements.values() if _is_variable(e)]
        self._elements = {e.name: e for e in elements}
        self._names: dict[str, ReferenceTarget | Value] = {e.name: _Pending(self, e.name) for e in elements}
        self._making: list[str] = []
        self._lowering: StatementLowering | None = None  # while defaults are given
        self._statements: list[Statement] = []
        self._given: set[str] = set()  # whose defaults have been
        self._input_names = [e.name for e in elements if causality_of(context.layouts, e) == "input"]
        for name in self._input_names:
            if name not in functions:
                local = self._like(name, values[name], self._elements[name])
                self.locals[name] = self._names[name] = local
                self.inputs.append(local)
        for name, function in functions.items():  # after the others, as their arguments are
            self.functions[name] = self._names[name] = self._function(name, function)
        for name, value in known.items():
            local = self.locals[name]
            assert isinstance(local, LocalVariable)
            local.known = value
        self._check_sizes()
        for name in self._elements:
            if name in self._input_names:
                continue
            local = self.ready(name)
            is_output = causality_of(context.layouts, self._elements[name]) == "output"
            (self.outputs if is_output else self.others).append(local)

    @property
    def input_symbols(self) -> tuple[Symbol, ...]:
        return tuple(s for local in self.inputs for s in symbols_of(local))

    @property
    def output_symbols(self) -> tuple[Symbol, ...]:
        return tuple(s for local in self.outputs for s in symbols_of(local))

    @property
    def is_decided(self) -> bool:
        """Whether the outputs are what they are before the body is lowered."""
        return not any(v.is_open or v.is_text for local in self.outputs for v in variables_of(local))

    # ------------------------------------------------------------ inputs

    def _like(self, name: str, value: Value, element: Element, outer: tuple[int, ...] = ()) -> Local:
        """An input gets the shape of its argument; its declared type and rank are checked."""
        layout = self.context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
        rank = declared_rank(self.context.layouts, element)
        shape = shape_of(value)
        if len(shape) != len(outer) + rank:
            raise model_error(
                "E206",
                f"the input `{name}` of `{self.cls.full_name}` has {rank} dimensions, "
                f"but {describe_shape(shape[len(outer) :])} is given",
                self.span,
            )
        if layout.predefined is None:
            return self._record_like(name, value, layout, shape)
        wanted = TYPES[layout.predefined]
        if isinstance(value, RecordValue) or any(isinstance(i, RecordValue) for i in _items(value)):
            raise model_error(
                "E205", f"the input `{name}` is of type {wanted.value}, not a record", self.span
            )
        for item in scalars_of(value):
            check_assignable(wanted, item, f"the input `{name}`", self.span, layout.enumeration)
        known = folded(self.context.evaluation, value, self.span) if self._is_text(wanted) else None
        written = (*element.declaration.subscripts, *element.clause.subscripts)
        by_call = any(isinstance(s, ast.Colon) for s in written)
        symbol = Symbol(name, wanted, shape, layout.enumeration)
        return LocalVariable(symbol, shape, known, self._is_text(wanted), by_call)

    def _is_text(self, kind: Type) -> bool:
        return kind is Type.STRING and not takes_texts(self.layout)

    def _record_like(self, name: str, value: Value, layout: Layout, shape: tuple[int, ...]) -> LocalRecord:
        items = _items(value)
        wanted = layout.cls.full_name
        for item in items:
            if not isinstance(item, RecordValue):
                raise model_error("E205", f"the input `{name}` must be a record `{wanted}`", self.span)
            if item.fields.keys() != layout.elements.keys():
                raise model_error(
                    "E205",
                    f"the input `{name}` is a record `{wanted}`, but `{item.type_name}` is given",
                    self.span,
                )
        if not items:
            nobody = self._record(name, layout, shape, ())
            for v in variables_of(nobody):
                v.is_text, v.known = True, ArrayValue(v.symbol.shape, ())
            return nobody
        assert isinstance(items[0], RecordValue)
        if not all(_alike(item, items[0]) for item in items[1:]):
            what = f"the records of `{name}` have arrays of different sizes"
            raise model_error("E204", what, self.span)
        # Arguments are passed in the order of the value's fields.
        fields = {
            n: self._like(f"{name}.{n}", member(value, n), layout.elements[n], shape) for n in items[0].fields
        }
        return LocalRecord(wanted, fields, shape)

    def _function(self, name: str, given: LocalFunction) -> LocalFunction:
        """A function as an input: what its partial application fixed are further inputs."""
        fixed: dict[str, Value | Local] = {}
        elements = self.context.layouts.of(given.cls).elements
        for inner, value in given.values().items():
            local = self._like(f"{name}.{inner}", value, elements[inner])
            self.inputs.append(local)
            fixed[inner] = local
        functions = {inner: self._function(f"{name}.{inner}", f) for inner, f in given.functions.items()}
        return LocalFunction(given.cls, fixed, functions)

    def _check_sizes(self) -> None:
        """`input Real x[3]` takes three elements. A size that is not known now is not checked."""
        for name, local in list(self.locals.items()):  # a size may ask for a variable not made yet
            if not isinstance(local, LocalVariable):
                continue
            element = self._elements[name]
            declared = [*element.declaration.subscripts, *element.clause.subscripts]
            for k, (subscript, size) in enumerate(zip(declared, local.symbol.shape, strict=False)):
                if isinstance(subscript, ast.Colon):
                    continue
                try:
                    wanted = dimension(self.context, subscript, self.scope(element.lexical), name)
                except ModelError:
                    continue
                if wanted != size:
                    raise model_error(
                        "E206",
                        f"dimension {k + 1} of the input `{name}` of `{self.cls.full_name}` "
                        f"has {wanted} elements, but {size} are given",
                        self.span,
                    )

    # ------------------------------------------------------------ other variables

    def ready(self, name: str) -> Local:
        """A variable declared, and once defaults are given, with its default."""
        if name in self.functions:
            raise model_error("E209", f"`{name}` is a function, but a value is needed here", self.span)
        if name in self._making:
            chain = " -> ".join(f"`{n}`" for n in (*self._making, name))
            raise model_error(
                "E213", f"variables of `{self.cls.full_name}` depend on each other: {chain}", self.span
            )
        self._making.append(name)
        try:
            if name not in self.locals:
                self.locals[name] = self._declare(self._elements[name])
            defaulted = name in self._given or name in self._input_names  # inputs are given by the call
            if self._lowering is not None and not defaulted:
                self._give_default(self._elements[name], self._lowering)
                self._given.add(name)
        finally:
            self._making.pop()
        return self.locals[name]

    def _declare(self, element: Element) -> Local:
        layout = self.context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
        sizes = self._sizes(element, layout, self.scope(element.lexical))
        modifier = element_modifier(element, self._names, in_function=True)
        value: Value | None = None
        if modifier.value is not None and (None in sizes or layout.predefined != "Real"):
            # The value decides about a size, or is a number that sizes may use.
            with suppress(ModelError):  # it is said where the value is given
                value = modifier.value.value(self.context)
        shape = _sized(sizes, value)
        refuse_elements(prod(shape), f"`{element.name}`", element.span)
        if layout.predefined is None:
            if layout.cls.kind != "record":
                what = f"`{layout.cls.full_name}` is a {layout.cls.kind}"
                raise model_error("E209", f"{what}; a function cannot have one", element.span)
            return self._record(element.name, layout, shape, (), modifier)
        symbol = Symbol(element.name, TYPES[layout.predefined], shape, layout.enumeration)
        return LocalVariable(symbol, sizes, self._known(symbol, value), self._is_text(symbol.type))

    def _sizes(self, element: Element, layout: Layout, scope: Scope) -> tuple[int | None, ...]:
        own = (*element.declaration.subscripts, *element.clause.subscripts)
        dimensions = [
            *((s, scope) for s in own),
            *((s, Scope(None, lexical)) for subscripts, lexical in layout.dimensions for s in subscripts),
        ]
        return tuple(
            None if isinstance(s, ast.Colon) else dimension(self.context, s, at, element.name)
            for s, at in dimensions
        )

    def _record(
        self,
        name: str,
        layout: Layout,
        shape: tuple[int, ...],
        outer: tuple[int, ...],
        modifier: Modifier = NOTHING,
    ) -> LocalRecord:
        """A record, or an array of them; `outer` are the dimensions of the arrays of records around it."""
        leading = (*outer, *shape)
        fields: dict[str, Local] = {}
        names = {n: _FieldOf(fields, n) for n in layout.elements}
        for element in layout.elements.values():
            path = f"{name}.{element.name}"
            inner = self.context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
            part = element_modifier(element, names, modifier.part(element.name), in_function=True)
            value: Value | None = None
            if part.value is not None and not leading:
                with suppress(ModelError):  # it is said where the value is given
                    value = part.value.value(self.context)
            sizes = self._sizes(element, inner, Scope(None, element.lexical, names, in_function=True))
            sized = _sized(sizes, value)
            if inner.predefined is None:
                fields[element.name] = self._record(path, inner, sized, leading, part)
                continue
            symbol = Symbol(path, TYPES[inner.predefined], (*leading, *sized), inner.enumeration)
            known, text = self._known(symbol, value), self._is_text(symbol.type)
            fields[element.name] = LocalVariable(symbol, (*leading, *sizes), known, text)
        return LocalRecord(layout.cls.full_name, fields, shape)

    def _known(self, symbol: Symbol, value: Value | None) -> Value | None:
        """What is known of a variable that has this default."""
        if symbol.type not in FOLLOWED or (symbol.type is Type.STRING and not self._is_text(symbol.type)):
            return None
        return folded(self.context.evaluation, value, self.span) if value is not None else start_value(symbol)

    def scope(self, lexical: ClassEntry) -> Scope:
        """What the function's own text sees."""
        return Scope(None, lexical, self._names, in_function=True)

    # ------------------------------------------------------------ body

    def lower(self) -> tuple[tuple[Statement, ...], tuple[Symbol, ...]]:
        """The statements of the body and the symbols of its variables other than inputs and outputs."""
        lowering = StatementLowering(self.context, self.cls.full_name, self._input_names)
        variables = [v for local in (*self.outputs, *self.others) for v in variables_of(local)]
        lowering.knowledge.variables = variables
        self._lowering = lowering
        for name in self._elements:
            if name not in self._input_names:
                self.ready(name)
        self._names.update(self.locals)
        statements = self._statements
        for section, lexical in self.layout.sections:
            if not section.algorithm or section.initial or len(self.layout.sections) > 1:
                raise model_error("E209", "a function has one algorithm section only", lexical.at(section))
            statements += lowering.walk(section.items, self.scope(lexical))
        if lowering.returns:
            ends = [lowering.knowledge.save()] if lowering.reachable else []
            lowering.knowledge.join([*ends, *lowering.returns], self.span)
        for v in (v for local in self.outputs for v in variables_of(local)):
            if v.is_text and v.known is None:
                what = f"the text of `{v.symbol.name}` is decided during the run"
                raise model_error("E204", what, self.span)
        results = set(self.output_symbols)
        symbols = [s for v in variables if not v.is_text for s in v.all_symbols()] + lowering.temporaries
        return tuple(statements), tuple(s for s in symbols if s not in results)

    def _give_default(self, element: Element, lowering: StatementLowering) -> None:
        """The statements that give a variable its default value; a record starts with what its class says."""
        modifier = element_modifier(element, self._names, in_function=True)
        local = self.locals[element.name]
        if modifier.value is not None:
            value = modifier.value.value(self.context)
            self._statements += lowering.store_whole(local, value, element.span)
        elif isinstance(local, LocalRecord) and not local.shape:
            layout = self.context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
            for name, field in local.fields.items():
                inner = layout.elements[name]
                part = element_modifier(inner, dict(local.fields), modifier.part(name), in_function=True)
                if part.value is not None:
                    value = part.value.value(self.context)
                    self._statements += lowering.store_whole(field, value, inner.span)


class _FieldOf:
    """Another field of a record, as the sizes of its fields see it."""

    def __init__(self, fields: dict[str, Local], name: str) -> None:
        self.fields = fields
        self.name = name

    def value(self, context: Context, reference: ast.Reference, scope: Scope) -> Value:
        if self.name not in self.fields:
            raise model_error(
                "E204", f"the size depends on the later field `{self.name}`", scope.at(reference)
            )
        return self.fields[self.name].value(context, reference, scope)


def _is_variable(element: Element) -> bool:
    """Whether an element is a variable: constants, unless modified, are found like those of packages."""
    return element.clause.variability != "constant" or bool(element.modifications)


def _alike(a: Value, b: Value) -> bool:
    """Whether two values have the same shapes."""
    if isinstance(a, RecordValue) and isinstance(b, RecordValue):
        return all(_alike(v, b.fields[name]) for name, v in a.fields.items())
    return shape_of(a) == shape_of(b)


def _sized(sizes: tuple[int | None, ...], value: Value | None) -> tuple[int, ...]:
    """Sizes with those that a value decides; without one there is nothing yet."""
    given = shape_of(value) if value is not None else ()
    return tuple((given[k] if k < len(given) else 0) if n is None else n for k, n in enumerate(sizes))


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, ArrayValue) else (value,)
