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
from saltus.ir.instance import UNANSWERED, Change, Instance, Question, Unanswered
from saltus.lower.scope.context import Context, Scope, Table
from saltus.lower.scope.values import ArrayValue, NotScalar, Value, describe, describe_shape, member, shape_of

_HAS_VALUES: Question[bool] = Question("whether an argument in its text has expressions")


@dataclass(eq=False)
class _Shared:
    """The expression of a binding and its value once known."""

    expression: ast.Expression
    scope: Scope
    value: Value | None = None


@dataclass(frozen=True, eq=False)
class Selection:
    """One element (indices from 1) of an array of components of a shape."""

    indices: tuple[int, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Binding:
    """With `each`, the value is the same for every element of the arrays it is not itself an array over."""

    shared: _Shared
    steps: tuple[Selection | str, ...] = ()
    each: bool = False

    @property
    def span(self) -> Span:
        return self.shared.scope.at(self.shared.expression)

    def at(self, selection: Selection) -> Binding:
        return Binding(self.shared, (*self.steps, selection), self.each)

    def member(self, name: str) -> Binding:
        return replace(self, steps=(*self.steps, name))

    def whole(self, context: Context) -> Value:
        """The value before any step."""
        if self.shared.value is None:
            self.shared.value = context.lower(context, self.shared.expression, self.shared.scope)
        return self.shared.value

    def value(self, context: Context, own: int = 0) -> Value:
        """The value with all steps taken. With `each`, what it is for may have dimensions of its `own`, which
        are none of the arrays around it: `Comp c[3](each p = [0, 1; 1, 1.1])` where `p[:, 2]` is declared."""
        result = self.whole(context)
        for step in self._fitting_steps(len(shape_of(result)), own) if self.each else self.steps:
            if isinstance(step, str):
                try:
                    result = member(result, step)
                except (KeyError, NotScalar):
                    raise model_error("E205", f"this value has no field `{step}`", self.span) from None
                continue
            self._check(result, step.shape)
            assert isinstance(result, ArrayValue)
            result = result.at(step.indices)
        return result

    def check_shape(self, context: Context, shape: tuple[int, ...]) -> None:
        """Refuses a value whose sizes are not those of the array it is for."""
        if not self.each:
            self._check(self.value(context), shape)

    def _check(self, value: Value, wanted: tuple[int, ...]) -> None:
        given = shape_of(value)
        if given[: len(wanted)] == wanted:
            return
        hint = None
        if len(given) < len(wanted):
            hint = "write `each` before the name if every element should have this value, or use fill(...)"
        raise model_error(
            "E206",
            f"this value is {describe(value)}, but it is for {describe_shape(wanted)}",
            self.span,
            hint=hint,
        )

    def _fitting_steps(self, rank: int, own: int) -> list[Selection | str]:
        """The innermost of the surrounding arrays for which the value has dimensions; then its own parts. The
        last dimensions of the value may be those of what it is for; if that is a part, they are the
        part's."""
        inner = next((k for k, step in enumerate(self.steps) if isinstance(step, str)), len(self.steps))
        if inner == len(self.steps):
            rank -= own
        kept: list[Selection | str] = []
        for step in reversed(self.steps[:inner]):
            if isinstance(step, str) or len(step.shape) > rank:
                break
            kept.append(step)
            rank -= len(step.shape)
        return [*reversed(kept), *self.steps[inner:]]


@dataclass(frozen=True, eq=False)
class Modifier:
    """What is said about one element: its value and what is said about its parts.

    removed        `= break`: the value that the inner text gives does not count (section 7.2.7)
    redeclaration  the declaration that takes the place of the component's own
    said           the arguments themselves, innermost first: about a class they are part of its environment
    """

    value: Binding | None = None
    parts: dict[str, Modifier] = field(default_factory=dict)
    final: bool = False
    span: Span | None = None
    weak: bool = False  # a value for the whole record, given further outside, comes before this one
    redeclaration: Change | None = None
    removed: bool = False
    said: tuple[Change, ...] = ()

    def part(self, name: str) -> Modifier:
        """About a member: what is said of it, or else its share of a record's value."""
        own = self.parts.get(name, NOTHING)
        if self.value is not None and (own.value is None or own.weak):
            own = replace(own, value=self.value.member(name), weak=False)
        return own

    def weakened(self) -> Modifier:
        """This modifier, made to give way to a value for the whole record."""
        if self.weak and not self.parts:
            return self
        parts = {name: part.weakened() for name, part in self.parts.items()}
        return replace(self, parts=parts, weak=True)

    def at(self, indices: tuple[int, ...], shape: tuple[int, ...]) -> Modifier:
        """About one element of an array of components of a shape."""
        return self._at(Selection(indices, shape))

    def _at(self, selection: Selection) -> Modifier:
        if self.value is None and not self.parts:
            return self
        return replace(
            self,
            value=self.value.at(selection) if self.value is not None else None,
            parts={name: part._at(selection) for name, part in self.parts.items()},
        )

    def for_each(self) -> Modifier:
        """This modifier, said of each element of an array."""
        return replace(
            self,
            value=replace(self.value, each=True) if self.value is not None else None,
            parts={name: part.for_each() for name, part in self.parts.items()},
        )


NOTHING = Modifier()

_SAID_ABOUT: Table[Instance, Modifier] = Table("what is said about the components of an instance")


def said_about(context: Context, instance: Instance) -> Modifier:
    """What is said about the components of an instance from outside, and about its attributes."""
    found: Modifier = context.kept[_SAID_ABOUT].get(instance, NOTHING)  # asked for every component
    return found


def say_about(context: Context, instance: Instance, modifier: Modifier) -> None:
    """Keeps what is said about the components of an instance until they are made."""
    _SAID_ABOUT.of(context)[instance] = modifier


def from_modification(modification: ast.Modification | None, scope: Scope) -> Modifier:
    """The modifier a modification of the text means."""
    if modification is None:
        return NOTHING
    parts: dict[str, Modifier] = {}
    for argument in modification.arguments or ():
        if isinstance(argument, ast.InheritanceBreak):
            raise model_error("E204", "`break` in a modification is not supported yet", scope.at(argument))
        name, modifier = from_argument(argument, scope)
        parts[name] = _joined(parts[name], modifier, name) if name in parts else modifier
    value = Binding(_Shared(modification.value, scope)) if modification.value is not None else None
    return Modifier(value, parts, span=scope.at(modification), removed=modification.is_break)


def from_argument(
    argument: ast.ElementModification | ast.ElementRedeclaration, scope: Scope
) -> tuple[str, Modifier]:
    """`a.b(c = 1)` means a(b(c = 1))."""
    change = Change(argument, scope.lexical, scope.instance if _has_values(argument, scope) else None)
    path: tuple[str, ...] = ()
    if isinstance(argument, ast.ElementRedeclaration):
        modifier = _redeclaration(argument, change, scope)
    else:
        path = argument.name[1:]
        inner = from_modification(argument.modification, scope)
        modifier = Modifier(
            inner.value,
            inner.parts,
            argument.final,
            scope.at(argument),
            removed=inner.removed,
            said=() if path else (change,),
        )
    if argument.each:
        modifier = modifier.for_each()
    for name in reversed(path):
        modifier = Modifier(parts={name: modifier}, span=modifier.span)
    return change.name, modifier if modifier.said else replace(modifier, said=(change,))


def is_plain(argument: ast.Argument) -> bool:
    """Whether an argument says nothing but literals, which mean the same everywhere."""
    if not isinstance(argument, ast.ElementModification):
        return False
    said = argument.modification
    if said is None:
        return True
    value = said.value.operand if isinstance(said.value, ast.Unary) else said.value
    literal = value is None or isinstance(value, ast.Number | ast.String | ast.Boolean)
    return literal and not said.is_break and all(is_plain(a) for a in said.arguments or ())


def _redeclaration(argument: ast.ElementRedeclaration, change: Change, scope: Scope) -> Modifier:
    span = scope.at(argument)
    if isinstance(argument.element, ast.ClassDefinition):
        return Modifier(final=argument.final, span=span, redeclaration=change)
    declaration = argument.element.declarations[0]
    own = from_modification(declaration.modification, scope)
    return replace(own, final=argument.final, span=span, redeclaration=change)


def _has_values(argument: ast.Argument, scope: Scope) -> bool:
    """Whether an argument has expressions: their meaning depends on the instance they are written for. If
    not, equal components share the classes it makes."""
    known: bool | Unanswered = scope.lexical.answers.get((_HAS_VALUES, id(argument)), UNANSWERED)  # type: ignore[assignment]
    if known is UNANSWERED:
        known = _HAS_VALUES.keep(scope.lexical, _mentions_values(argument), id(argument))
    return known


def _mentions_values(node: object) -> bool:
    match node:
        case ast.ElementModification(modification=inner) | ast.ShortBody(modification=inner):
            return _mentions_values(inner) or bool(getattr(node, "subscripts", ()))
        case ast.Modification():
            return node.value is not None or any(_mentions_values(a) for a in node.arguments or ())
        case ast.ElementRedeclaration(element=ast.ClassDefinition(body=body)):
            return _mentions_values(body)
        case None | ast.InheritanceBreak():
            return False
    return True


def _joined(first: Modifier, second: Modifier, name: str) -> Modifier:
    """Two arguments about one name, such as `a.x = 1, a.y = 2`: what one says the other must not."""
    values = [m for m in (first, second) if m.value is not None or m.removed]
    if len(values) > 1 or (first.redeclaration and second.redeclaration):
        raise model_error(
            "E207",
            f"`{name}` is modified twice",
            second.span,
            notes=(Note("first here", first.span),),
            hint="remove one of them",
        )
    parts = dict(first.parts)
    for inner, part in second.parts.items():
        parts[inner] = _joined(parts[inner], part, f"{name}.{inner}") if inner in parts else part
    value = first.value if first.value is not None else second.value
    return Modifier(
        value,
        parts,
        first.final or second.final,
        first.span,
        redeclaration=first.redeclaration or second.redeclaration,
        removed=first.removed or second.removed,
        said=(*first.said, *second.said),
    )


def merge(outer: Modifier, inner: Modifier) -> Modifier:
    """The outer modifier wins, part by part; overriding something final is refused."""
    if inner is NOTHING:
        return outer
    if outer is NOTHING:
        return inner
    if inner.final and (outer.value is not None or outer.parts or outer.redeclaration or outer.removed):
        raise model_error(
            "E207",
            "this modifies an element that is declared final",
            outer.span or (outer.value.span if outer.value is not None else inner.span),
            notes=(Note("declared final here", inner.span),),
        )
    if outer.redeclaration is not None:
        return outer  # what was said about the element it replaces does not hold for it
    weak = outer.value is not None
    parts = {n: p.weakened() for n, p in inner.parts.items()} if weak else dict(inner.parts)
    for name, part in outer.parts.items():
        parts[name] = merge(part, parts[name]) if name in parts else part
    return Modifier(
        outer.value if outer.value is not None or outer.removed else inner.value,
        parts,
        final=outer.final or inner.final,
        span=outer.span or inner.span,
        redeclaration=inner.redeclaration,
        removed=outer.removed or (inner.removed and outer.value is None),
        said=(*inner.said, *outer.said),
    )
