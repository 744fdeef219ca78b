"""What all of lowering shares: scopes, and the context that ties instances and expressions together.

Instances need the values of expressions (sizes, conditions, bindings) and expressions need instances (names).
`Context` breaks the circle: it is given the expression lowering when it is made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from saltus.core.diagnostics import ModelError, Reporter, model_error
from saltus.core.source import Span
from saltus.expr.nodes import Expr
from saltus.ir import ast
from saltus.ir.instance import Change, ClassEntry, Instance, Library
from saltus.lower.classes.layout import Layouts
from saltus.lower.scope.chain import located
from saltus.lower.scope.parts import Components, Connections, Evaluation, Expressions, Functions, Requirements
from saltus.lower.scope.values import Value

Key = TypeVar("Key")
Item = TypeVar("Item")


class ReferenceTarget(Protocol):
    """A name bound by a for-loop or a function: gives the value of a reference that starts with it."""

    def value(self, context: Context, reference: ast.Reference, scope: Scope) -> Value: ...


@dataclass(frozen=True, eq=False)
class Scope:
    """Where an expression stands: the instance whose components it sees (None in a package or function),
    the class whose text it is in, and names bound by loops or by a function."""

    instance: Instance | None
    lexical: ClassEntry
    locals: Mapping[str, Value | ReferenceTarget] = field(default_factory=dict)
    in_function: bool = False
    impure: bool = True  # whether impure functions may be called (section 12.3)
    at_start: bool = False  # whether it is evaluated at the start, and never again
    inlined: bool = False  # of a function that is being written out at the place of its call

    @classmethod
    def of(cls, change: Change, instance: Instance | None) -> Scope:
        """Where an argument of a modification stands that is about an element of this instance."""
        return cls(change.site if change.site is not None else instance, change.lexical)

    def with_locals(self, more: Mapping[str, Value | ReferenceTarget]) -> Scope:
        return replace(self, locals={**self.locals, **more})

    def at(self, node: ast.Node) -> Span:
        return Span(self.lexical.source, node.start, node.end)


@dataclass(eq=False)
class Context:
    """The state of one lowering. Lowering an expression may need any of it; what needs one part takes that
    part (`parts`)."""

    library: Library
    lower: Callable[[Context, ast.Expression, Scope], Value]
    lower_call: Callable[[Context, ast.Call, Scope], list[Value]]
    components: Components = field(default_factory=Components)
    reporter: Reporter = field(default_factory=Reporter)
    layouts: Layouts = field(default_factory=Layouts)
    functions: Functions = field(default_factory=Functions)
    connections: Connections = field(default_factory=Connections)
    requirements: Requirements = field(default_factory=Requirements)
    expressions: Expressions = field(default_factory=Expressions)
    # What rooms above keep: `Table` has it.
    kept: defaultdict[object, dict[Any, Any]] = field(default_factory=partial(defaultdict, dict))

    def __post_init__(self) -> None:
        self.evaluation = Evaluation(self.components.scalars)

    def integer(self, expression: ast.Expression, scope: Scope, why: str) -> int:
        """An Integer known at translation, as for an array size."""
        span = scope.at(expression)
        value = self.lower(self, expression, scope)
        if not isinstance(value, Expr):
            raise model_error("E206", f"{why} must be a scalar Integer", span)
        number = self.evaluation.constant(value, span, why)
        if isinstance(number, bool) or not isinstance(number, int):
            raise model_error("E205", f"{why} must be an Integer, but is {number!r}", span)
        return number

    def boolean(self, expression: ast.Expression, scope: Scope, why: str) -> bool:
        span = scope.at(expression)
        value = self.lower(self, expression, scope)
        known = self.evaluation.constant(value, span, why) if isinstance(value, Expr) else None
        if not isinstance(known, bool):
            raise model_error("E205", f"{why} must be a Boolean", span)
        return known

    def absorb(self, error: ModelError, instance: Instance | None) -> None:
        """Collects an error and continues; records the component in which it happened."""
        self.reporter.absorb(located(error, instance))


class Table(Generic[Key, Item]):
    """What a room of lowering keeps during one lowering: the context holds it, without knowing the types of
    the rooms above its own."""

    def __init__(self, name: str) -> None:
        self.name = name

    def of(self, context: Context) -> dict[Key, Item]:
        """The items that were kept in this lowering so far."""
        return context.kept[self]
