"""Bodies of user functions: declarations to symbols of fixed shapes, the algorithm to statements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.source import Span
from saltus.expr.nodes import Expr, Symbol, Type, const, leaves
from saltus.ir import ast
from saltus.ir.program import Statement
from saltus.lower.classes import ClassEntry
from saltus.lower.context import Context, Scope
from saltus.lower.defaults import element_modifier
from saltus.lower.function_locals import Local, LocalRecord, LocalVariable, variables_of
from saltus.lower.instantiate import TYPES, check_assignable, dimension
from saltus.lower.layout import Element, Layout
from saltus.lower.lookup import resolve_class
from saltus.lower.statements import StatementLowering
from saltus.lower.values import RecordValue, Value, describe_shape, scalars_of, shape_of


def declared_rank(context: Context, element: Element) -> int:
    """How many dimensions an input is declared with."""
    layout = context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
    inner = sum(len(s) for s, _ in layout.dimensions)
    return len(element.declaration.subscripts) + len(element.clause.subscripts) + inner


def causality_of(context: Context, element: Element) -> str:
    """input, output or neither: by its own prefix or by that of its type (`type In = input Real`)."""
    if element.clause.causality:
        return element.clause.causality
    return context.layouts.of(resolve_class(element.clause.type_name, element.lexical)).causality


class FunctionBuilder:
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
        self.span = span
        self.locals: dict[str, Local] = {}
        self.constants = dict(constants)  # Integers known now, for sizes and ranges
        self.inputs: list[Local] = []
        self.outputs: list[Local] = []
        self.others: list[Local] = []
        elements = [e for e in layout.elements.values() if e.clause.variability != "constant"]
        for element in elements:
            if causality_of(context, element) == "input":
                local = self._like(element.name, values[element.name], element)
                self.inputs.append(local)
                self.locals[element.name] = local
        self._check_sizes(elements)
        self._find_constants(elements)
        for element in elements:
            causality = causality_of(context, element)
            if causality != "input":
                local = self._declare(element, element.name)
                (self.outputs if causality == "output" else self.others).append(local)
                self.locals[element.name] = local
        if not self.outputs:
            raise model_error("E212", f"`{cls.full_name}` has no output", span)

    @property
    def input_symbols(self) -> tuple[Symbol, ...]:
        return tuple(v.symbol for local in self.inputs for v in variables_of(local))

    @property
    def output_symbols(self) -> tuple[Symbol, ...]:
        return tuple(v.symbol for local in self.outputs for v in variables_of(local))

    # ------------------------------------------------------------ declarations

    def _like(self, name: str, value: Value, element: Element) -> Local:
        """An input gets the shape of its argument; its declared type and rank are checked."""
        cls = resolve_class(element.clause.type_name, element.lexical)
        layout = self.context.layouts.of(cls)
        if layout.predefined is None:
            if shape_of(value):
                raise model_error(
                    "E204", f"arrays of records as arguments (`{name}`) are not supported yet", self.span
                )
            if not isinstance(value, RecordValue):
                raise model_error("E205", f"the input `{name}` must be a record `{cls.full_name}`", self.span)
            if value.fields.keys() != layout.elements.keys():
                raise model_error(
                    "E205",
                    f"the input `{name}` is a record `{cls.full_name}`, but `{value.type_name}` is given",
                    self.span,
                )
            fields = {
                n: self._like(f"{name}.{n}", value.fields[n], part) for n, part in layout.elements.items()
            }
            # Arguments are passed in the order of the value's fields.
            return LocalRecord(cls.full_name, {n: fields[n] for n in value.fields})
        rank = declared_rank(self.context, element)
        if isinstance(value, RecordValue) or len(shape_of(value)) != rank:
            given = "a record" if isinstance(value, RecordValue) else describe_shape(shape_of(value))
            raise model_error(
                "E206",
                f"the input `{name}` of `{self.cls.full_name}` has {rank} dimensions, but {given} is given",
                self.span,
            )
        wanted = TYPES[layout.predefined]
        for item in scalars_of(value):
            check_assignable(wanted, item.type, f"the input `{name}`", self.span)
        if wanted is Type.STRING and self.layout.external is None:
            raise model_error("E204", "String arguments of functions are not supported yet", self.span)
        return LocalVariable(Symbol(name, wanted, shape_of(value)))

    def _check_sizes(self, elements: list[Element]) -> None:
        """`input Real x[3]` takes three elements. A size that is not known now is not checked."""
        for element in elements:
            local = self.locals.get(element.name)
            if not isinstance(local, LocalVariable):
                continue
            declared = [*element.declaration.subscripts, *element.clause.subscripts]
            for k, (subscript, size) in enumerate(zip(declared, local.symbol.shape, strict=False)):
                if isinstance(subscript, ast.Colon):
                    continue
                try:
                    wanted = dimension(self.context, subscript, self.scope(element.lexical), element.name)
                except ModelError:
                    continue
                if wanted != size:
                    raise model_error(
                        "E206",
                        f"dimension {k + 1} of the input `{element.name}` of `{self.cls.full_name}` "
                        f"has {wanted} elements, but {size} are given",
                        self.span,
                    )

    def _find_constants(self, elements: list[Element]) -> None:
        """Local Integers with a known value that no statement changes, such as `n = size(x, 1)`."""
        assigned = set(_assigned([s for section, _ in self.layout.sections for s in section.items]))
        open_ = {
            e.name: e
            for e in elements
            if causality_of(self.context, e) == ""
            and e.name not in assigned
            and not e.declaration.subscripts
            and e.declaration.modification is not None
            and e.declaration.modification.value is not None
            and resolve_class(e.clause.type_name, e.lexical).full_name == "Integer"
        }
        progress = True
        while progress:  # a constant may use one that is declared later
            progress = False
            for name, element in list(open_.items()):
                modifier = element_modifier(element, self._names(), in_function=True)
                assert modifier.value is not None
                try:
                    value = modifier.value.value(self.context)
                except ModelError:
                    continue  # not yet; if never, its own statement says why
                if isinstance(value, Expr) and value.type is Type.INTEGER and not leaves(value):
                    self.constants[name] = const(self.context.constant(value, self.span, f"`{name}`"))
                    del open_[name]
                    progress = True

    def _declare(self, element: Element, name: str) -> Local:
        cls = resolve_class(element.clause.type_name, element.lexical)
        layout = self.context.layouts.of(cls)
        own = (*element.declaration.subscripts, *element.clause.subscripts)
        dimensions = [
            *((s, self.scope(element.lexical)) for s in own),
            *((s, Scope(None, lexical)) for subscripts, lexical in layout.dimensions for s in subscripts),
        ]
        shape: list[int] = []
        for subscript, scope in dimensions:
            if isinstance(subscript, ast.Colon):
                raise model_error(
                    "E204", f"`{name}` of a size decided in the function is not supported yet", element.span
                )
            shape.append(dimension(self.context, subscript, scope, name))
        if layout.predefined is None:
            if cls.kind != "record":
                what = f"`{cls.full_name}` is a {cls.kind}"
                raise model_error("E209", f"{what}; a function cannot have one", element.span)
            if shape:
                what = "arrays of records in functions"
                raise model_error("E204", f"{what} are not supported yet", element.span)
            fields = {e.name: self._declare(e, f"{name}.{e.name}") for e in layout.elements.values()}
            return LocalRecord(cls.full_name, fields)
        if TYPES[layout.predefined] is Type.STRING:
            raise model_error("E204", "String variables in functions are not supported yet", element.span)
        return LocalVariable(Symbol(name, TYPES[layout.predefined], tuple(shape)))

    def _input_names(self) -> set[str]:
        return {e.name for e in self.layout.elements.values() if causality_of(self.context, e) == "input"}

    def _names(self) -> dict[str, Value | Local]:
        return {**self.locals, **self.constants}

    def scope(self, lexical: ClassEntry) -> Scope:
        """What the function's own text sees: its variables, those known now as numbers."""
        return Scope(None, lexical, self._names(), in_function=True)

    # ------------------------------------------------------------ body

    def lower(self) -> tuple[tuple[Statement, ...], tuple[Symbol, ...]]:
        """The statements of the body and the symbols of its variables other than inputs and outputs."""
        lowering = StatementLowering(self.context, self.cls.full_name, self._input_names())
        statements: list[Statement] = []
        for element in self.layout.elements.values():
            if element.name in self._input_names() or element.clause.variability == "constant":
                continue
            modifier = element_modifier(element, self._names(), in_function=True)
            if modifier.value is not None:
                scope = self.scope(element.lexical)
                place = self.locals[element.name].whole()
                value = modifier.value.value(self.context)
                statements += lowering.store(place, value, scope.at(element.declaration))
            else:
                statements += self._field_defaults(lowering, element)
        sections = self.layout.sections
        for section, lexical in sections:
            if not section.algorithm or section.initial or len(sections) > 1:
                raise model_error("E209", "a function has one algorithm section only", lexical.at(section))
            statements += lowering.statements(section.items, self.scope(lexical))
        others = [v.symbol for local in self.others for v in variables_of(local)]
        return tuple(statements), (*others, *lowering.temporaries)

    def _field_defaults(self, lowering: StatementLowering, element: Element) -> Iterator[Statement]:
        """A record variable starts with what its class says about its fields."""
        local = self.locals[element.name]
        if not isinstance(local, LocalRecord):
            return
        layout = self.context.layouts.of(resolve_class(element.clause.type_name, element.lexical))
        outer = element_modifier(element, self._names(), in_function=True)
        for name, field in local.fields.items():
            inner = layout.elements[name]
            modifier = element_modifier(inner, dict(local.fields), outer.part(name), in_function=True)
            if modifier.value is not None:
                yield from lowering.store(field.whole(), modifier.value.value(self.context), inner.span)


def _assigned(items: Iterable[ast.Equation | ast.Statement]) -> Iterator[str]:
    """Names that statements assign to, loops and branches included."""
    for item in items:
        match item:
            case ast.Assignment():
                yield item.target.parts[0][0]
            case ast.TupleAssignment():
                yield from (t.parts[0][0] for t in item.targets if t is not None)
            case ast.IfEquation() | ast.WhenEquation():
                for _, inner in item.branches:
                    yield from _assigned(inner)
            case ast.ForEquation() | ast.WhileStatement():
                yield from _assigned(item.items)
            case _:
                pass
