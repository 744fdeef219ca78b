"""The variables of a function's body, as targets of references: scalars, arrays and records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from saltus.core.diagnostics import model_error
from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.nodes import Expr, Symbol, const
from saltus.ir import ast
from saltus.lower.context import Context, Scope
from saltus.lower.lookup import nearest
from saltus.lower.subscripts import subscripts_of
from saltus.lower.values import ArrayValue, RecordValue, Value, array_of, index_tuples


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
    """A record of the function's body: its fields are locals of their own."""

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
            near = nearest(name, self.fields)
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
