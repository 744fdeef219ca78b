"""The flat model: scalar variables and equations; hierarchy survives only in names.

It does not contain: classes, components, arrays, connections, loops, algorithms (they have been executed
symbolically), records, or conditions that parameters decide at translation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from saltus.core.source import Span
from saltus.expr.nodes import Expr, Op, Symbol, Type, leaf_symbol, sub
from saltus.expr.traversal import leaves, walk


class Variability(IntEnum):
    """In the order in which values become known."""

    CONSTANT = 0
    PARAMETER = 1
    DISCRETE = 2
    CONTINUOUS = 3


class Causality(Enum):
    LOCAL = ""
    INPUT = "input"
    OUTPUT = "output"


@dataclass(frozen=True, eq=False)
class Variable:
    """A scalar variable with its attributes. `binding` is set for constants and parameters only."""

    symbol: Symbol
    variability: Variability
    span: Span
    causality: Causality = Causality.LOCAL
    binding: Expr | None = None
    start: Expr | None = None
    fixed: bool | None = None  # None: not given
    nominal: Expr | None = None
    minimum: Expr | None = None
    maximum: Expr | None = None
    unit: str = ""
    display_unit: str = ""
    state_select: str = "default"  # never, avoid, default, prefer, always
    enumeration: tuple[str, ...] | None = None  # literal names, if of an enumeration type
    protected: bool = False
    final: bool = False  # may not be set from outside
    structural: bool = False  # its value was used at translation: setting it means translating again
    description: str = ""
    log: tuple[str, ...] | None = None  # what the log says when it has changed; empty: nothing at all

    @property
    def name(self) -> str:
        return self.symbol.name

    @property
    def owner(self) -> str:
        """The component whose variable it is ('' for the model itself)."""
        return self.name.rpartition(".")[0]


@dataclass(frozen=True, eq=False)
class Equation:
    """`lhs = rhs`, scalar. `origin` is the component it belongs to ('' for the model itself).
    `when_assigned`: made of when-statements, so the left side changes at events only although the right side
    may vary. `presence`: the condition under which the equation exists, if not always; a flat model has
    if-equations instead."""

    lhs: Expr
    rhs: Expr
    span: Span
    origin: str = ""
    when_assigned: bool = False
    presence: Expr | None = None

    @cached_property
    def leaves(self) -> tuple[Expr, ...]:
        """The leaves of both sides, each once, in order of first appearance."""
        return tuple(dict.fromkeys((*leaves(self.lhs), *leaves(self.rhs))))

    @cached_property
    def residual(self) -> Expr:
        """What is zero where the equation holds."""
        return sub(self.lhs, self.rhs)


@dataclass(frozen=True, eq=False)
class Assert:
    condition: Expr
    message: Expr
    warning: bool
    span: Span
    origin: str = ""


@dataclass(frozen=True, eq=False)
class Terminate:
    message: Expr
    span: Span
    origin: str = ""


@dataclass(frozen=True, eq=False)
class Reinit:
    state: Symbol
    value: Expr
    span: Span
    origin: str = ""


Action: TypeAlias = Equation | Reinit | Assert | Terminate


@dataclass(frozen=True, eq=False)
class Guarded:
    """Actions under a condition; inside `When` it must become true, inside `IfEquation` be true.
    A condition of None is `else`. Conditions of a when are Boolean expressions, an array of conditions
    `{a, b}` is kept as several: any of them becoming true counts."""

    conditions: tuple[Expr, ...]
    actions: tuple[Action | IfEquation, ...]


@dataclass(frozen=True, eq=False)
class When:
    """The first branch (of when, elsewhen, ...) one of whose conditions becomes true is active.
    Inside, an `Equation` has a reference to a discrete variable as its left side. If the condition is a
    clock, it is the only one, and the equations are any."""

    branches: tuple[Guarded, ...]
    span: Span
    origin: str = ""


@dataclass(frozen=True, eq=False)
class IfEquation:
    """An if-equation whose conditions may change during the run. The last branch has no conditions
    when it is an `else`."""

    branches: tuple[Guarded, ...]
    span: Span
    origin: str = ""


Clause: TypeAlias = Equation | IfEquation | When | Assert | Terminate

#: A clause, or what is inside of one.
Item: TypeAlias = Clause | Action


# ---------------------------------------------------------------- clock partitions (chapter 16)


class BaseClock(Enum):
    """What a base partition ticks by."""

    RATIONAL = "rational interval"
    REAL = "Real interval"
    VARYING = "varying interval"
    EVENT = "event"
    DEFAULT = "default"


@dataclass(frozen=True)
class Rate:
    """When a sub-partition ticks: first at `shift` after the first tick of the base clock, then every
    `factor`, in units of the base: seconds, intervals of a Real interval clock, ticks of an event clock."""

    factor: Fraction
    shift: Fraction


@dataclass(frozen=True, eq=False)
class SubPartition:
    """Equations that are due together. `tick` is the Boolean variable that is true when they are. `method` is
    that of the solver of what is continuous in them ('' without one)."""

    rate: Rate
    tick: Expr
    variables: tuple[str, ...]
    equations: int
    method: str
    discretised: bool


@dataclass(frozen=True, eq=False)
class BasePartition:
    """Sub-partitions with one base clock, which is said by `clock` in the text of the model, at `span`. For
    the default this is the place of one of the equations."""

    kind: BaseClock
    clock: str
    span: Span | None
    subs: tuple[SubPartition, ...]


# ---------------------------------------------------------------- state machines (chapter 17)


@dataclass(frozen=True, eq=False)
class InitialState:
    """The block, by its path, in which a state machine begins."""

    state: str
    span: Span


@dataclass(frozen=True, eq=False)
class Transition:
    """From one block to another, by their paths. The smallest number has priority."""

    source: str
    target: str
    condition: Expr
    immediate: bool
    reset: bool
    synchronize: bool
    priority: int
    span: Span


# ---------------------------------------------------------------- the model


@dataclass(frozen=True)
class Experiment:
    """What the model's `experiment` annotation asks for."""

    start_time: float = 0.0
    stop_time: float = 1.0
    tolerance: float = 1e-6
    interval: float | None = None


@dataclass(frozen=True, eq=False)
class FlatModel:
    """`initial_clauses` holds the initial equations (and those of initial algorithms)."""

    name: str
    span: Span
    variables: tuple[Variable, ...]
    clauses: tuple[Clause, ...]
    initial_clauses: tuple[Clause, ...]
    experiment: Experiment = field(default_factory=Experiment)
    description: str = ""
    carry_out: Callable[[], None] | None = None  # puts on the disk what functions have written
    partitions: tuple[BasePartition, ...] = ()  # whose clauses have become discrete equations
    machines: tuple[InitialState | Transition, ...] = ()
    regions: tuple[Mapping[str, str], ...] = ()  # of clocked machines: states by their Booleans

    def verify(self) -> None:
        """All symbols are declared once; no array or function-local node is left over."""
        declared = {v.symbol for v in self.variables}
        assert len(declared) == len(self.variables), "a symbol is declared twice"
        seen: set[Expr] = set()
        for e in self.expressions():
            for node in walk(e, seen):
                if node.op in (Op.REF, Op.DER, Op.PRE):
                    symbol = leaf_symbol(node)
                    assert symbol in declared or symbol.name == "time", f"{symbol} is not declared"
                assert node.op is not Op.INDEX, "array access outside a function"
        for v in self.variables:
            assert v.binding is None or v.variability <= Variability.PARAMETER, v.name
            assert not v.symbol.shape, v.name

    def expressions(self) -> Iterator[Expr]:
        for v in self.variables:
            for e in (v.binding, v.start, v.nominal, v.minimum, v.maximum):
                if e is not None:
                    yield e
        for clause in (*self.clauses, *self.initial_clauses):
            yield from clause_expressions(clause)
        for part in self.machines:
            if isinstance(part, Transition):
                yield part.condition


def clause_expressions(clause: Clause | Action | IfEquation) -> Iterator[Expr]:
    """Every expression of a clause, nested ones included."""
    match clause:
        case Equation():
            yield clause.lhs
            yield clause.rhs
        case Assert():
            yield clause.condition
            yield clause.message
        case Terminate():
            yield clause.message
        case Reinit():
            yield clause.value
        case When() | IfEquation():
            for branch in clause.branches:
                yield from branch.conditions
                for action in branch.actions:
                    yield from clause_expressions(action)


def mapped(clause: Item, rewrite: Callable[[Expr], Expr]) -> Item:
    """A clause with other expressions."""
    match clause:
        case Equation():
            lhs, rhs = rewrite(clause.lhs), rewrite(clause.rhs)
            same = lhs is clause.lhs and rhs is clause.rhs
            return clause if same else replace(clause, lhs=lhs, rhs=rhs)
        case Assert():
            return replace(clause, condition=rewrite(clause.condition), message=rewrite(clause.message))
        case Terminate():
            return replace(clause, message=rewrite(clause.message))
        case Reinit():
            return replace(clause, value=rewrite(clause.value))
        case When() | IfEquation():
            return replace(clause, branches=tuple(_branch(b, rewrite) for b in clause.branches))


def _branch(branch: Guarded, rewrite: Callable[[Expr], Expr]) -> Guarded:
    actions: list[Action | IfEquation] = []
    for action in branch.actions:
        new = mapped(action, rewrite)
        assert not isinstance(new, When)
        actions.append(new)
    return Guarded(tuple(rewrite(c) for c in branch.conditions), tuple(actions))


def is_discrete_type(symbol: Symbol) -> bool:
    """Booleans, Integers and Strings change only at events, whatever their declaration says."""
    return symbol.type is not Type.REAL
