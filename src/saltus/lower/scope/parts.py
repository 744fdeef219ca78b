"""The parts of the context: what lowering has found out so far, divided by who uses it.

A function that needs one of them takes it, and not the whole context.

    Components    the tree of components that is being made
    Evaluation    values at translation
    Functions     user functions that are being lowered
    Connections   what expressions ask about connections, and what flows carry
    Requirements  what must hold during the run for expressions to have a meaning
    Expressions   what later steps have to know of expressions
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from saltus.core.diagnostics import ModelError, Note, model_error
from saltus.core.source import Span
from saltus.expr.evaluate import NotEvaluable, Value, evaluate
from saltus.expr.nodes import Expr, Op, Symbol, const, leaf_symbol, not_, or_
from saltus.expr.traversal import walk
from saltus.functions.external.surroundings import Surroundings
from saltus.functions.interpret import call_function
from saltus.ir.flat import Assert, Variability
from saltus.ir.instance import ClassEntry, Instance, Node, Scalar


@dataclass(eq=False)
class Components:
    """The tree of components under construction.

    overrides  values of parameters that the user gives, by path
    scalars    all scalar variables
    packages   packages seen as instances, for their constants
    types      the classes of overdetermined variables of connectors
    making     components being made, outermost first
    failed     components that were refused, with reasons reported
    count      how many there are that are no scalar variables
    """

    overrides: Mapping[str, Value] = field(default_factory=dict)
    scalars: dict[Symbol, Scalar] = field(default_factory=dict)
    packages: dict[ClassEntry, Instance] = field(default_factory=dict)
    types: dict[Node, ClassEntry] = field(default_factory=dict)
    making: list[tuple[Instance, str]] = field(default_factory=list)
    failed: set[tuple[Instance, str]] = field(default_factory=set)
    count: int = 0


#: What has a value only during a run (or, an index, in the body of a function).
_OF_THE_RUN = frozenset(
    {Op.DER, Op.PRE, Op.SAMPLE, Op.DELAY, Op.TRANSPORT, Op.CLOCKED}
    | {Op.INITIAL, Op.TERMINAL, Op.EDGE, Op.CHANGE, Op.INDEX}
)


class Evaluation:
    """Values of expressions at translation, from those of constants and parameters."""

    def __init__(self, scalars: Mapping[Symbol, Scalar]) -> None:
        self._scalars = scalars
        self._values: dict[Symbol, Value] = {}
        self._evaluating: list[Symbol] = []

    def constant(self, e: Expr, span: Span, why: str) -> Value:
        """The value of an expression at translation. Parameters it uses become structural."""
        if e.op is Op.CONST:
            literal: Value = e.data
            return literal
        try:
            value: Value = evaluate(e, lambda leaf: self._leaf(leaf, span, why), apply=call_function)
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
        except OverflowError as problem:
            raise model_error("E413", f"{why} cannot be computed: {problem}", span) from None
        except ValueError as problem:
            raise model_error("E208", f"{why} cannot be computed: {problem}", span) from None

    def is_constant(self, e: Expr) -> bool:
        """True if the value is fixed by constants and parameters with values."""
        for node in walk(e):
            if node.op in _OF_THE_RUN:
                return False
            if node.op is Op.REF:
                scalar = self._scalars.get(node.data)
                if scalar is None or scalar.variability > Variability.PARAMETER:
                    return False
                if scalar.attribute("value") is None:
                    return False
        return True

    def _leaf(self, leaf: Expr, span: Span, why: str) -> Value:
        symbol = leaf_symbol(leaf)
        if symbol in self._values:
            return self._values[symbol]
        scalar = self._scalars.get(symbol)
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


@dataclass
class Work:
    """What the execution of functions at translation has cost: so that it ends."""

    done: int = 0
    depth: int = 0


@dataclass(eq=False)
class Functions:
    """User functions while they are lowered or executed.

    lowering  those whose bodies are being lowered, outermost first
    checked   those whose declarations were found to be as a function may have them
    faults    how many assertions there are in functions so far: each has a status of its own
    branches  how many branches the statements that are being lowered are in, which may never be reached
    provided  the package of external functions that are provided in Modelica, once asked for
    units     units of variables of functions, where units are to be checked
    work      what the execution of functions at translation has cost
    surroundings  files and folders as functions see them at translation
    at_start  whether the call that is being lowered is one of the start, and of no other time
    watched   whether its body is lowered to see whether it changes something
    """

    lowering: list[ClassEntry] = field(default_factory=list)
    checked: set[ClassEntry] = field(default_factory=set)
    faults: int = 0
    branches: int = 0
    provided: ClassEntry | None = None
    units: dict[Symbol, str] | None = None
    work: Work = field(default_factory=Work)
    surroundings: Surroundings = field(default_factory=Surroundings)
    at_start: bool = False
    watched: bool = False


class ConnectionFacts(Protocol):
    """What expressions may ask about the connections of a model."""

    def cardinality(self, node: Node) -> int: ...

    def is_root(self, node: Node, span: Span) -> bool: ...

    def is_rooted(self, node: Node, span: Span) -> bool: ...

    def closes_loops(self) -> bool: ...


@dataclass(eq=False)
class Connections:
    """What is known of connections and of what flows carry.

    facts           answers about connections, once all connect-equations are known
    stream_holders  the connector that each stream variable is in
    in_streams      the variable that stands for inStream(...) of each stream variable
    actual_streams  the flow that decides about each expression that actualStream made
    """

    facts: ConnectionFacts | None = None
    stream_holders: dict[Symbol, Instance] = field(default_factory=dict)
    in_streams: dict[Symbol, Symbol] = field(default_factory=dict)
    actual_streams: dict[Expr, Expr] = field(default_factory=dict)


class Requirements:
    """What must hold during the run for the expressions lowered since last asked for to have a meaning.
    The caller takes a mark before lowering, and passes on what was added since."""

    def __init__(self) -> None:
        self._asserted: list[Assert] = []

    def mark(self) -> int:
        """A place in time: how many requirements there are."""
        return len(self._asserted)

    def add(self, condition: Expr, message: str, span: Span, origin: str) -> None:
        """The condition must hold for the expression being lowered."""
        self._asserted.append(Assert(condition, const(message), False, span, origin))

    def take_since(self, mark: int) -> list[Assert]:
        """The requirements added since a mark; the caller passes them on."""
        taken = self._asserted[mark:]
        del self._asserted[mark:]
        return taken

    def guard_since(self, mark: int, condition: Expr) -> None:
        """Requirements added since a mark matter only where the condition holds."""
        for k in range(mark, len(self._asserted)):
            r = self._asserted[k]
            self._asserted[k] = replace(r, condition=or_(not_(condition), r.condition))


@dataclass(frozen=True)
class SemiLinear:
    """The arguments of `semiLinear(x, up, down)`."""

    x: Expr
    up: Expr
    down: Expr


@dataclass(eq=False)
class Expressions:
    """What later steps have to know of the expressions that were lowered.

    semi_linears  expressions made by semiLinear(...)
    open_texts    whether Strings are compared that only the equations of the whole model determine
    iterations    how many passes through loops were written out
    """

    semi_linears: dict[Expr, SemiLinear] = field(default_factory=dict)
    open_texts: bool = False
    iterations: int = 0
