"""What all of lowering shares: scopes, and the context that ties instances and expressions together.

Instances need the values of expressions (sizes, conditions, bindings) and expressions need instances (names).
`Context` breaks the circle: it is given the expression lowering when it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar, cast

from saltus.core.diagnostics import ModelError, Note, Reporter, model_error
from saltus.core.source import Span
from saltus.expr.evaluate import NotEvaluable, evaluate
from saltus.expr.nodes import Expr, Op, Symbol, const, leaf_symbol, not_, or_, walk
from saltus.functions.interpret import call_function
from saltus.ir import ast
from saltus.ir.flat import Assert, Variability
from saltus.ir.instance import Change, ClassEntry, Instance, Library, Node, Scalar
from saltus.lower.classes.layout import Layouts
from saltus.lower.scope.chain import located
from saltus.lower.scope.values import Value

Key = TypeVar("Key")
Item = TypeVar("Item")


class ReferenceTarget(Protocol):
    """A name bound by a for-loop or a function: gives the value of a reference that starts with it."""

    def value(self, context: Context, reference: ast.Reference, scope: Scope) -> Value: ...


@dataclass(frozen=True)
class SemiLinear:
    """The arguments of `semiLinear(x, up, down)`."""

    x: Expr
    up: Expr
    down: Expr


class ConnectionFacts(Protocol):
    """What expressions may ask about the connections of a model."""

    def cardinality(self, node: Node) -> int: ...

    def is_root(self, node: Node, span: Span) -> bool: ...

    def is_rooted(self, node: Node, span: Span) -> bool: ...

    def closes_loops(self) -> bool: ...


#: What has a value only during a run (or, an index, in the body of a function).
_OF_THE_RUN = frozenset(
    {Op.DER, Op.PRE, Op.SAMPLE, Op.DELAY, Op.TRANSPORT, Op.CLOCKED}
    | {Op.INITIAL, Op.TERMINAL, Op.EDGE, Op.CHANGE, Op.INDEX}
)


@dataclass(frozen=True, eq=False)
class Scope:
    """Where an expression stands: the instance whose components it sees (None in a package or function),
    the class whose text it is in, and names bound by loops or by a function."""

    instance: Instance | None
    lexical: ClassEntry
    locals: Mapping[str, Value | ReferenceTarget] = field(default_factory=dict)
    in_function: bool = False
    impure: bool = True  # whether impure functions may be called (section 12.3)
    inlined: bool = False  # of a function that is being written out at the place of its call

    @classmethod
    def of(cls, change: Change, instance: Instance | None) -> Scope:
        """Where an argument of a modification stands that is about an element of this instance."""
        return cls(change.site if change.site is not None else instance, change.lexical)

    def with_locals(self, more: Mapping[str, Value | ReferenceTarget]) -> Scope:
        return replace(self, locals={**self.locals, **more})

    def at(self, node: ast.Node) -> Span:
        return Span(self.lexical.source, node.start, node.end)


@dataclass
class Work:
    """What the execution of functions at translation has cost: so that it ends."""

    done: int = 0
    depth: int = 0


@dataclass(eq=False)
class Context:
    """The state of one lowering."""

    library: Library
    lower: Callable[[Context, ast.Expression, Scope], Value]
    lower_call: Callable[[Context, ast.Call, Scope], list[Value]]
    overrides: Mapping[str, float | int | bool | str] = field(default_factory=dict)
    reporter: Reporter = field(default_factory=Reporter)
    layouts: Layouts = field(default_factory=Layouts)
    scalars: dict[Symbol, Scalar] = field(default_factory=dict)
    packages: dict[ClassEntry, Instance] = field(default_factory=dict)
    function_faults: int = 0  # assertions of functions so far: each has a status of its own
    provided: ClassEntry | None = None  # the package of external functions that are provided, once asked for
    lowering_functions: list[ClassEntry] = field(default_factory=list)  # whose bodies are being lowered
    work: Work = field(default_factory=Work)
    checked_functions: set[ClassEntry] = field(default_factory=set)
    failed: set[tuple[Instance, str]] = field(default_factory=set)  # components refused, with reasons told
    making: list[tuple[Instance, str]] = field(default_factory=list)  # components being made, outermost first
    requirements: list[Assert] = field(default_factory=list)  # of expressions lowered since last asked for
    components: int = 0  # that are no scalar variables
    iterations: int = 0  # passes through loops that were written out
    units: dict[Symbol, str] | None = None  # of variables of functions, where units are to be checked
    types: dict[Node, ClassEntry] = field(default_factory=dict)  # of variables of connectors
    stream_holders: dict[Symbol, Instance] = field(default_factory=dict)  # whose stream variables they are
    in_streams: dict[Symbol, Symbol] = field(default_factory=dict)  # what stands for inStream(...) of each
    actual_streams: dict[Expr, Expr] = field(default_factory=dict)  # what actualStream made, and the flow
    semi_linears: dict[Expr, SemiLinear] = field(default_factory=dict)  # expressions made by semiLinear(...)
    connections: ConnectionFacts | None = None  # once all connect-equations are known
    open_texts: bool = False  # Strings are compared that only the equations of the whole model tell
    kept: dict[object, object] = field(default_factory=dict)  # what rooms above keep: `Table` has it
    _values: dict[Symbol, float | int | bool | str] = field(default_factory=dict)
    _evaluating: list[Symbol] = field(default_factory=list)

    def constant(self, e: Expr, span: Span, why: str) -> float | int | bool | str:
        """The value of an expression at translation. Parameters it uses become structural."""
        if e.op is Op.CONST:
            literal: float | int | bool | str = e.data
            return literal
        try:
            value: float | int | bool | str = evaluate(
                e, lambda leaf: self._leaf(leaf, span, why), apply=call_function
            )
            return value
        except ModelError as error:  # from the body of a function, where no place is known
            raise ModelError(d if d.span else replace(d, span=span) for d in error.diagnostics) from None
        except NotEvaluable as problem:
            raise model_error(
                "E208",
                f"{why} must be known at translation, but uses `{problem.node!r}`",
                span,
            ) from None
        except ZeroDivisionError:
            raise model_error("E208", f"{why} divides by zero", span) from None
        except (ValueError, OverflowError) as problem:
            raise model_error("E208", f"{why} cannot be computed: {problem}", span) from None

    def is_constant(self, e: Expr) -> bool:
        """True if the value is fixed by constants and parameters with values."""
        for node in walk(e):
            if node.op in _OF_THE_RUN:
                return False
            if node.op is Op.REF:
                scalar = self.scalars.get(node.data)
                if scalar is None or scalar.variability > Variability.PARAMETER:
                    return False
                if scalar.attribute("value") is None:
                    return False
        return True

    def _leaf(self, leaf: Expr, span: Span, why: str) -> float | int | bool | str:
        symbol = leaf_symbol(leaf)
        if symbol in self._values:
            return self._values[symbol]
        scalar = self.scalars.get(symbol)
        if scalar is None or leaf.op is not Op.REF or scalar.variability > Variability.PARAMETER:
            raise model_error(
                "E208",
                f"{why} must be known at translation, but `{symbol.name}` varies during the run",
                span,
                hint="only constants and parameters may be used here",
            )
        if symbol in self._evaluating:
            chain = [*self._evaluating[self._evaluating.index(symbol) :], symbol]
            raise model_error(
                "E304",
                "parameters depend on each other: " + " -> ".join(f"`{s.name}`" for s in chain),
                scalar.span,
            )
        scalar.structural = scalar.variability is Variability.PARAMETER
        self._evaluating.append(symbol)
        try:
            binding = scalar.attribute("value") or scalar.attribute("start")
            if binding is None:
                raise model_error(
                    "E208",
                    f"{why} needs the value of `{symbol.name}`, which has none",
                    span,
                    notes=(Note(f"`{symbol.name}` is declared here", scalar.span),),
                    hint=f"give `{symbol.name}` a value in its declaration or by a modifier",
                )
            value = self.constant(binding, scalar.span, f"the value of `{symbol.name}`")
        finally:
            self._evaluating.pop()
        self._values[symbol] = value
        return value

    def integer(self, expression: ast.Expression, scope: Scope, why: str) -> int:
        """An Integer known at translation, as for an array size."""
        span = scope.at(expression)
        value = self.lower(self, expression, scope)
        if not isinstance(value, Expr):
            raise model_error("E206", f"{why} must be a scalar Integer", span)
        number = self.constant(value, span, why)
        if isinstance(number, bool) or not isinstance(number, int):
            raise model_error("E205", f"{why} must be an Integer, but is {number!r}", span)
        return number

    def boolean(self, expression: ast.Expression, scope: Scope, why: str) -> bool:
        span = scope.at(expression)
        value = self.lower(self, expression, scope)
        known = self.constant(value, span, why) if isinstance(value, Expr) else None
        if not isinstance(known, bool):
            raise model_error("E205", f"{why} must be a Boolean", span)
        return known

    def require(self, condition: Expr, message: str, span: Span, origin: str) -> None:
        """What must hold during the run for the expression being lowered to have a meaning."""
        self.requirements.append(Assert(condition, const(message), False, span, origin))

    def requirements_since(self, mark: int) -> list[Assert]:
        """The requirements added after there were `mark` of them; whoever takes them passes them on."""
        taken = self.requirements[mark:]
        del self.requirements[mark:]
        return taken

    def guard_requirements(self, mark: int, condition: Expr) -> None:
        """Requirements added after there were `mark` of them matter only where the condition holds."""
        for k in range(mark, len(self.requirements)):
            r = self.requirements[k]
            self.requirements[k] = replace(r, condition=or_(not_(condition), r.condition))

    def absorb(self, error: ModelError, instance: Instance | None) -> None:
        """Keeps an error and goes on; says in which component it happened."""
        self.reporter.absorb(located(error, instance))


class Table(Generic[Key, Item]):
    """What a room of lowering keeps during one lowering: the context holds it, without knowing the types of
    the rooms above its own."""

    def __init__(self, name: str) -> None:
        self.name = name

    def of(self, context: Context) -> dict[Key, Item]:
        """The items that were kept in this lowering so far."""
        return cast(dict[Key, Item], context.kept.setdefault(self, {}))  # nobody else puts one there
