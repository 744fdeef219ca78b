"""The variables of a function's body, as targets of references: scalars, arrays, records and functions.

A variable is a symbol of the program. What lowering knows about it, at the place where it has come to, is
kept with it: the value, where it is not Real and the same for every call (so that it can be a size or decide
between branches), and the symbol that stands for it. Of an array with a size that the body decides
(`Real y[:]`) there is one symbol for each size.

An array of records is a record of arrays: the symbol of a field has the dimensions of the record before its
own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from saltus.core.diagnostics import ModelError, model_error
from saltus.core.nearest import known_hint
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Op, Symbol, const
from saltus.ir import ast
from saltus.ir.instance import ClassEntry
from saltus.lower.names.references import local_value
from saltus.lower.names.subscripts import Subscript, subscripts_of, whole
from saltus.lower.scope.context import Context, Scope
from saltus.lower.scope.values import ArrayValue, RecordValue, Value, shape_of


@dataclass(eq=False)
class LocalVariable:
    """A scalar or an array. `sizes` are the declared ones, None where the body decides. A text is a String
    that has no place in the program: it is known, or can be part of messages only. (An external function has
    Strings like any other variable.)"""

    symbol: Symbol
    sizes: tuple[int | None, ...] = ()
    known: Value | None = None
    is_text: bool = False
    is_sized_by_call: bool = False  # an input that is declared with `:`
    symbols: dict[tuple[int, ...], Symbol] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether the body decides a size."""
        return None in self.sizes

    def resize(self, shape: tuple[int, ...]) -> None:
        """Takes the symbol for a shape, if the declaration allows it."""
        if not self.is_open or len(shape) != len(self.sizes):
            return
        if any(wanted is not None and wanted != n for wanted, n in zip(self.sizes, shape, strict=True)):
            return
        self.symbols.setdefault(self.symbol.shape, self.symbol)
        name, kind, enumeration = self.symbol.name, self.symbol.type, self.symbol.enumeration
        self.symbol = self.symbols.setdefault(shape, Symbol(name, kind, shape, enumeration))

    def all_symbols(self) -> list[Symbol]:
        """All symbols that have stood for the variable."""
        return list(self.symbols.values()) or [self.symbol]

    def value(self, context: Context, reference: ast.Reference, scope: Scope) -> Value:
        """What a reference reads."""
        if self.known is not None:
            return local_value(context, self.known, reference, scope)
        return self.place(context, reference, scope)

    def place(self, context: Context, reference: ast.Reference, scope: Scope) -> Value:
        """What a reference writes to, as the value that would be read there."""
        return _part(self, [], False, context, reference, scope)


@dataclass(eq=False)
class LocalRecord:
    """A record, or an array of records of a shape: its fields are locals of their own."""

    type_name: str
    fields: dict[str, Local]
    shape: tuple[int, ...] = ()

    def value(self, context: Context, reference: ast.Reference, scope: Scope) -> Value:
        """What a reference reads."""
        return _part(self, [], True, context, reference, scope)

    def place(self, context: Context, reference: ast.Reference, scope: Scope) -> Value:
        """What a reference writes to."""
        return _part(self, [], False, context, reference, scope)


@dataclass(eq=False)
class LocalFunction:
    """A function given as an argument, with the inputs that its partial application has fixed: values, or in
    the body of the function that has it as an input, locals."""

    cls: ClassEntry
    given: dict[str, Value | Local]
    functions: dict[str, LocalFunction] = field(default_factory=dict)

    def values(self) -> dict[str, Value]:
        """What is fixed."""
        return {
            name: whole_of(v, reading=True) if isinstance(v, LocalVariable | LocalRecord) else v
            for name, v in self.given.items()
        }

    def all_values(self) -> Iterator[Value]:
        """What is fixed here and in the functions among it, in order."""
        yield from self.values().values()
        for function in self.functions.values():
            yield from function.all_values()

    def value(self, context: Context, reference: ast.Reference, scope: Scope) -> Value:
        what = f"`{reference.text}` is a function, but a value is needed here"
        raise model_error("E209", what, scope.at(reference))


Local: TypeAlias = LocalVariable | LocalRecord


def variables_of(local: Local) -> list[LocalVariable]:
    """The variables a local consists of, in order."""
    if isinstance(local, LocalVariable):
        return [local]
    return [v for f in local.fields.values() for v in variables_of(f)]


def symbols_of(local: Local) -> Iterator[Symbol]:
    """The symbols of the program a local consists of: Strings have none."""
    return (v.symbol for v in variables_of(local) if not v.is_text)


# ---------------------------------------------------------------- references


def _part(
    local: Local, leading: list[Expr], reading: bool, context: Context, reference: ast.Reference, scope: Scope
) -> Value:
    """The part of a local that a reference means; `leading` are the indices of the arrays of records that the
    local is in."""
    span = scope.at(reference)
    shape = local.symbol.shape[len(leading) :] if isinstance(local, LocalVariable) else local.shape
    # Where a branch asks for the size of an argument, or for something that goes with it, others of its
    # statements may have no meaning for this one: they fail if a call ever comes there.
    by_call = isinstance(local, LocalVariable) and local.is_sized_by_call
    late = by_call and context.functions.branches > 0
    chosen = subscripts_of(context, reference.parts[0][1], shape, scope, span, late=late)
    full = [*chosen, *whole(shape[len(chosen) :])]
    if len(reference.parts) == 1:
        return _over(full, leading, lambda indices: _element(local, indices, reading))
    inner = _field(local, reference, span)
    rest = ast.Reference(reference.start, reference.end, reference.parts[1:])
    return _over(full, leading, lambda indices: _part(inner, indices, reading, context, rest, scope))


def no_target(written: str, function: str, known: Sequence[str], span: Span) -> ModelError:
    """The refusal to assign to what is no variable of a function; `known` are those that could be meant."""
    what = f"`{written}` is not an output or local variable of `{function}`"
    return model_error("E201", what, span, hint=known_hint(written, known, f"`{function}`"))


def _field(local: Local, reference: ast.Reference, span: Span) -> Local:
    (outer, _), (name, _) = reference.parts[:2]
    if isinstance(local, LocalVariable):
        itself = f"use `{outer}` itself: it is one value"
        raise model_error("E201", f"`{outer}` has no part `{name}`", span, hint=itself)
    if name not in local.fields:
        hint = known_hint(name, local.fields, f"`{outer}`")
        raise model_error("E201", f"there is no `{name}` in `{outer}`", span, hint=hint)
    return local.fields[name]


def _over(
    subscripts: Sequence[Subscript], leading: list[Expr], inner: Callable[[list[Expr]], Value]
) -> Value:
    """`inner` for every combination of indices, as an array with a dimension for each vector of them."""
    if not subscripts:
        return inner(leading)
    first, rest = subscripts[0], subscripts[1:]
    if isinstance(first, Expr):
        return _over(rest, [*leading, first], inner)
    if isinstance(first, int):
        return _over(rest, [*leading, const(first)], inner)
    parts = [_over(rest, [*leading, k if isinstance(k, Expr) else const(k)], inner) for k in first]
    # The shape of what there is none of is that of any.
    shape = shape_of(parts[0] if parts else _over(rest, [*leading, const(1)], inner))
    items = tuple(i for p in parts for i in (p.items if isinstance(p, ArrayValue) else (p,)))
    return ArrayValue((len(parts), *shape), items)


def _element(local: Local, indices: Sequence[Expr], reading: bool) -> Value:
    """One element; `indices` are all that the local has."""
    if isinstance(local, LocalRecord):
        fields = {name: whole_of(f, indices, reading) for name, f in local.fields.items()}
        return RecordValue(local.type_name, fields)
    known = local.known if reading and all(i.op is Op.CONST for i in indices) else None
    if isinstance(known, ArrayValue) and known.items:
        return known.at([i.data for i in indices])
    if isinstance(known, Expr):
        return known
    base = x.ref(local.symbol)
    return x.index(base, *indices) if indices else base


def whole_of(local: Local, leading: Sequence[Expr] = (), reading: bool = False) -> Value:
    """All of a local, or of the one in an element of an array of records."""
    shape = local.symbol.shape[len(leading) :] if isinstance(local, LocalVariable) else local.shape
    return _over([list(range(1, n + 1)) for n in shape], list(leading), lambda i: _element(local, i, reading))
