"""Modifications with their places: merging (outer wins), selecting parts and array elements, values.

A `Binding` is an expression with the scope it was written in; steps select an element of an array of
components, or a field of a record, out of its value. The expression is lowered once, however many elements
take their part of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from saltus.core.diagnostics import Note, model_error
from saltus.core.source import Span
from saltus.ir import ast
from saltus.lower.context import Context, Scope
from saltus.lower.layout import refuse_argument
from saltus.lower.values import ArrayValue, NotScalar, Value, describe_shape, member, shape_of


@dataclass(eq=False)
class _Shared:
    """The expression of a binding and its value once known."""

    expression: ast.Expression
    scope: Scope
    value: Value | None = None


@dataclass(frozen=True, eq=False)
class Binding:
    """With `each`, the value is the same for every element of the arrays it is not itself an array over."""

    shared: _Shared
    steps: tuple[tuple[int, ...] | str, ...] = ()
    each: bool = False

    @property
    def span(self) -> Span:
        return self.shared.scope.at(self.shared.expression)

    def at(self, indices: tuple[int, ...]) -> Binding:
        return replace(self, steps=(*self.steps, indices))

    def member(self, name: str) -> Binding:
        return replace(self, steps=(*self.steps, name))

    def whole(self, context: Context) -> Value:
        """The value before any step."""
        if self.shared.value is None:
            self.shared.value = context.lower(context, self.shared.expression, self.shared.scope)
        return self.shared.value

    def value(self, context: Context) -> Value:
        result = self.whole(context)
        for step in self._fitting_steps(len(shape_of(result))) if self.each else self.steps:
            if isinstance(step, str):
                try:
                    result = member(result, step)
                except (KeyError, NotScalar):
                    raise model_error("E205", f"this value has no field `{step}`", self.span) from None
                continue
            shape = shape_of(result)
            if not isinstance(result, ArrayValue) or len(shape) < len(step):
                raise model_error(
                    "E206",
                    f"this value is {describe_shape(shape)}, but an array of components is modified",
                    self.span,
                    hint="write `each` before the name if every element shall have this value",
                )
            if any(i > n for i, n in zip(step, shape, strict=False)):
                raise model_error(
                    "E206",
                    f"this value is {describe_shape(shape)} and has no element [{', '.join(map(str, step))}]",
                    self.span,
                )
            result = result.at(step)
        return result

    def _fitting_steps(self, rank: int) -> list[tuple[int, ...] | str]:
        """The innermost steps that the value has dimensions for."""
        kept: list[tuple[int, ...] | str] = []
        for step in reversed(self.steps):
            if isinstance(step, str):
                kept.append(step)
            elif len(step) <= rank:
                kept.append(step)
                rank -= len(step)
            else:
                break
        return kept[::-1]


@dataclass(frozen=True, eq=False)
class Modifier:
    """What is said about one component: its value and what is said about its parts."""

    value: Binding | None = None
    parts: dict[str, Modifier] = field(default_factory=dict)
    final: bool = False
    span: Span | None = None

    def part(self, name: str) -> Modifier:
        """About a member: what is said of it, or else its share of a record's value."""
        own = self.parts.get(name, NOTHING)
        if own.value is None and self.value is not None:
            own = replace(own, value=self.value.member(name))
        return own

    def at(self, indices: tuple[int, ...]) -> Modifier:
        """About one element of an array of components."""
        if self is NOTHING:
            return self
        return replace(
            self,
            value=self.value.at(indices) if self.value is not None else None,
            parts={name: part.at(indices) for name, part in self.parts.items()},
        )

    def for_each(self) -> Modifier:
        """The same, said of each element of an array."""
        return replace(
            self,
            value=replace(self.value, each=True) if self.value is not None else None,
            parts={name: part.for_each() for name, part in self.parts.items()},
        )


NOTHING = Modifier()


def from_modification(modification: ast.Modification | None, scope: Scope) -> Modifier:
    """The modifier a modification of the text means."""
    if modification is None:
        return NOTHING
    if modification.is_break:
        raise model_error("E204", "`break` as a value is not supported yet", scope.at(modification))
    parts: dict[str, Modifier] = {}
    for argument in modification.arguments or ():
        if not isinstance(argument, ast.ElementModification):
            refuse_argument(argument, scope.lexical)
            continue
        name, modifier = from_argument(argument, scope)
        parts[name] = merge(parts[name], modifier) if name in parts else modifier
    value = Binding(_Shared(modification.value, scope)) if modification.value is not None else None
    return Modifier(value, parts, span=scope.at(modification))


def from_argument(argument: ast.ElementModification, scope: Scope) -> tuple[str, Modifier]:
    """`a.b(c = 1)` means a(b(c = 1))."""
    modifier = replace(
        from_modification(argument.modification, scope), final=argument.final, span=scope.at(argument)
    )
    if argument.each:
        modifier = modifier.for_each()
    for name in reversed(argument.name[1:]):
        modifier = Modifier(parts={name: modifier}, span=modifier.span)
    return argument.name[0], modifier


def merge(outer: Modifier, inner: Modifier) -> Modifier:
    """The outer modifier wins, part by part; overriding something final is refused."""
    if inner is NOTHING:
        return outer
    if outer is NOTHING:
        return inner
    if inner.final and (outer.value is not None or outer.parts):
        raise model_error(
            "E207",
            "this modifies something that is declared final",
            outer.span,
            notes=(Note("declared final here", inner.span),),
        )
    parts = dict(inner.parts)
    for name, part in outer.parts.items():
        parts[name] = merge(part, parts[name]) if name in parts else part
    return Modifier(
        outer.value if outer.value is not None else inner.value,
        parts,
        final=outer.final or inner.final,
        span=outer.span or inner.span,
    )
