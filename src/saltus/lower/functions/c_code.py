"""External functions whose C code comes with the model (`Include`, `Library`, section 12.9.4): what is
compiled for a call of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import prod
from pathlib import Path

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr.nodes import Expr, Symbol, Type
from saltus.functions.external import compiled
from saltus.functions.external.objects import ExternalError
from saltus.ir.instance import ClassEntry, Layout
from saltus.ir.program import Native, Provided
from saltus.lower.annotations.literals import annotation_of
from saltus.lower.classes.classes import class_named
from saltus.lower.classes.resources import located
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.values import ArrayValue, Value, scalars_of, shape_of

#: Libraries whose functions are the simulator's business.
_OWN_LIBRARIES = frozenset(
    {"ModelicaExternalC", "ModelicaStandardTables", "ModelicaMatIO", "ModelicaIO", "zlib"}
)

#: Where the headers of the C functions lie that every simulator has.
_HEADERS = "modelica://Modelica/Resources/C-Sources"


def has_code(context: Context, lexical: ClassEntry, layout: Layout) -> bool:
    """Whether an external function brings C code along."""
    said = _said(context, lexical, layout)
    return bool(said["Include"] or said["Library"]) and _OWN_LIBRARIES.isdisjoint(said["Library"])


def _said(context: Context, lexical: ClassEntry, layout: Layout) -> Mapping[str, tuple[str, ...]]:
    """The texts of an annotation by name: one, or some in braces."""
    clause = layout.external
    entries = annotation_of(lexical, clause.annotation) if clause is not None else {}
    found: dict[str, tuple[str, ...]] = {}
    for name in ("Include", "IncludeDirectory", "Library", "LibraryDirectory"):
        entry = entries.get(name)
        texts: list[str] = []
        if entry is not None and entry.value is not None:
            value = context.lower(context, entry.value, Scope(None, lexical, {}, in_function=True))
            for item in scalars_of(value):
                text = context.evaluation.constant(item, lexical.at(entry), f"the annotation `{name}`")
                texts.append(str(text))
        found[name] = tuple(texts)
    return found


def compiled_call(
    context: Context,
    name: str,
    lexical: ClassEntry,
    layout: Layout,
    arguments: Sequence[Value | Symbol],
    result: Symbol | None,
    span: Span,
) -> tuple[Provided, tuple[Symbol, ...]]:
    """A C function, called with these arguments: values, and symbols where results go. It is given the
    values, in their order; the results are the symbols that come with it."""
    said = _said(context, lexical, layout)
    writer = _Writer(span)
    passed = ", ".join(writer.argument(a) for a in arguments)
    body = writer.body(name, passed, result)
    own = "\n".join(said["Include"])
    if not own:
        own = _prototype(name, arguments, result)
    folders = [*said["IncludeDirectory"], f"modelica://{lexical.full_name.split('.')[0]}/Resources/Include"]
    if class_named(context.library, "Modelica") is not None:
        folders.append(_HEADERS)
    libraries = said["Library"]
    places = [*said["LibraryDirectory"], f"modelica://{lexical.full_name.split('.')[0]}/Resources/Library"]
    try:
        headers = tuple(f for f in (located(context.library, f) for f in folders) if Path(f).is_dir())
        found = [Path(located(context.library, f)) for f in places] if libraries else []
        inside = tuple(str(p) for f in found for p in (f / "linux64", f) if p.is_dir())
        code = compiled.Code(own, body, headers, libraries, inside)
        done = compiled.load(code)
    except (ExternalError, OSError) as error:
        hint = "a C compiler (`cc`, or what SALTUS_CC names) compiles the C code of models"
        raise model_error("E204", f"the C function `{name}`: {error}", span, hint=hint) from None
    native = Native(done.symbol, done.address)
    return Provided(name, partial(done.call, writer.results), compiled=native, said=done.said), tuple(
        writer.targets
    )


def _prototype(name: str, arguments: Sequence[Value | Symbol], result: Symbol | None) -> str:
    """What is said of a C function of a library, by the types of what it is given (section 12.9.1)."""
    kinds = []
    for a in arguments:
        star = "*" if isinstance(a, Symbol) or shape_of(a) else ""
        kinds.append(_kind(_type_of(a)) + star)
    return (
        f"extern {_kind(result.type) if result is not None else 'void'} {name}({', '.join(kinds) or 'void'});"
    )


def _type_of(a: Value | Symbol) -> Type:
    if isinstance(a, Symbol):
        return a.type
    first = next(iter(scalars_of(a)), None)
    return first.type if first is not None else Type.REAL


def _kind(type: Type) -> str:
    names = {Type.REAL: "double", Type.STRING: "const char *", Type.OBJECT: "void *"}
    return names.get(type, "int")


class _Writer:
    """The body of a call: `in` and `out` are rows of numbers."""

    def __init__(self, span: Span) -> None:
        self._span = span
        self._before: list[str] = []
        self._after: list[str] = []
        self._given = 0
        self.results = 0
        self.targets: list[Symbol] = []

    def argument(self, a: Value | Symbol) -> str:
        """What is passed for an argument; numbers that C wants as `int` are copied."""
        if isinstance(a, Symbol):
            return self._target(a)
        if isinstance(a, Expr) and a.type is Type.STRING:  # before a run only: it is an address
            self._given += 1
            return f"(const char *)(uintptr_t)in[{self._given - 1}]"
        count = prod(shape_of(a)) if isinstance(a, ArrayValue) else 1
        first, type = self._given, _type_of(a)
        if type is Type.STRING or not isinstance(a, Expr | ArrayValue):
            raise model_error("E204", "C is given numbers and single texts, no arrays of texts", self._span)
        self._given += count
        if isinstance(a, Expr):
            return {Type.REAL: f"in[{first}]", Type.OBJECT: f"(void *)(uintptr_t)in[{first}]"}.get(
                type, f"(int)in[{first}]"
            )
        if type is Type.REAL:
            return f"(double *)(in + {first})"
        self._before.append(f"  int given{first}[{max(count, 1)}];\n")
        copy = f"for (int k = 0; k < {count}; k++) given{first}[k] = (int)in[{first} + k];"
        self._before.append(f"  {copy}\n")
        return f"given{first}"

    def _target(self, symbol: Symbol) -> str:
        count, first = prod(symbol.shape), self.results
        self.results += count
        self.targets.append(symbol)
        if symbol.type is Type.STRING:
            raise model_error("E204", "C gives numbers: texts as results are not supported", self._span)
        if symbol.type is Type.REAL:
            return f"out + {first}"
        kind = _kind(symbol.type)
        self._before.append(f"  {kind} found{first}[{max(count, 1)}] = {{0}};\n")
        as_number = "(uintptr_t)" if symbol.type is Type.OBJECT else ""
        copy = f"out[{first} + k] = (double){as_number}found{first}[k];"
        self._after.append(f"  for (int k = 0; k < {count}; k++) {copy}\n")
        return f"found{first}"

    def body(self, name: str, passed: str, result: Symbol | None) -> str:
        """All statements; the function's own value is the last of the results."""
        call = f"{name}({passed});\n"
        if result is None:
            return "".join([*self._before, f"  {call}", *self._after])
        if result.type is Type.STRING:
            raise model_error("E204", "C gives numbers: texts as results are not supported", self._span)
        as_number = "(uintptr_t)" if result.type is Type.OBJECT else ""
        value = f"  out[{self.results}] = (double){as_number}{call}"
        self.results += 1
        self.targets.append(result)
        return "".join([*self._before, value, *self._after])
