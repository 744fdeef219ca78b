"""The hybrid DAE: every discontinuity has a name.

Real relations outside `noEvent` have become Boolean symbols (`Relation.symbol`) whose truth changes only
at events. `when` clauses have become discrete equations: a variable assigned in when-clauses is
`x = if edge(c) then e else pre(x)`, with each condition a Boolean variable of its own, and edge(c) written
`c and not pre(c)`. `sample(...)` has become the Boolean symbol of a `Clock`. `delay(...)` has become a
variable that asks the history of a `Delay`, `spatialDistribution(...)` two that ask the content of a
`Transport`.

It does not contain: EDGE, CHANGE, SAMPLE, DELAY, TRANSPORT nodes; relations between continuous-time Reals
outside NOEVENT; if-equations; when-clauses. What is left of an if-equation whose branches have different
numbers of equations are equations with a `presence`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from saltus.core.diagnostics import Diagnostic, Note
from saltus.core.source import Span
from saltus.expr.helpers import Helper
from saltus.expr.nodes import RELATIONS, Expr, Op, Symbol, Type, leaf_symbol, neg, pre, ref
from saltus.expr.show import show
from saltus.expr.traversal import leaves, walk
from saltus.ir.balance import Balance
from saltus.ir.flat import BasePartition, Equation, Experiment, Variable
from saltus.ir.inline import Formula

#: What floor and its relatives are compared with, in words.
NEXT_WHOLE = "next whole number"

#: What a flat model may contain, but a hybrid one does not.
_REPLACED = frozenset({Op.EDGE, Op.CHANGE, Op.SAMPLE, Op.DELAY, Op.TRANSPORT, Op.INDEX})


def is_step(symbol: Symbol) -> bool:
    """Whether floor or one of its relatives has become this variable (`saltus.lower.hybrid.events`). It needs
    its own value before an event only to determine between which whole numbers it was."""
    return symbol.helper is Helper.STEP


@dataclass(frozen=True, eq=False)
class Relation:
    """`residue op 0`, remembered as the Boolean `symbol` between events (paper 000).

    `slope` and `offset` are set when the residue is `slope * time + offset` with both constant between
    events: then the crossing is a scheduled time event at -offset / slope and no root is sought.
    """

    symbol: Symbol
    op: Op  # LT, LE, GT or GE
    residue: Expr
    nominal: Expr | None  # size of the residue, for the width of the zero band; None: unknown
    text: str  # as the user wrote it, with full names
    span: Span
    origin: str = ""
    slope: Expr | None = None
    offset: Expr | None = None
    says: str = ""  # in the log, where it is none that the user wrote: what it means that it became true
    named: Expr | None = None  # the residue with the names that the user wrote, if aliases took their place

    @property
    def in_words(self) -> Expr:
        """The residue as the log shows it: `Diode.i`, not its alias `-U0.A.i`."""
        return self.residue if self.named is None else self.named

    @property
    def is_time_event(self) -> bool:
        return self.slope is not None

    @property
    def has_moving_zero(self) -> bool:
        """Whether the residue contains values before an event: when these change, it jumps."""
        return any(leaf.op is Op.PRE for leaf in leaves(self.residue))

    @property
    def is_of_step(self) -> bool:
        """Whether the residue is zero where floor or one of its relatives steps."""
        return any(leaf.op is Op.PRE and is_step(leaf_symbol(leaf)) for leaf in leaves(self.residue))


@dataclass(frozen=True, eq=False)
class Clock:
    """A periodic time event: `symbol` is true at the events at start + k * interval, k >= 0. With `ticks`,
    a shift and a factor, it begins with the run: at the start of that + (shift + k * factor) * interval."""

    symbol: Symbol
    start: Expr
    interval: Expr
    span: Span
    origin: str = ""
    ticks: tuple[Fraction, Fraction] | None = None

    @property
    def in_words(self) -> str:
        """The text as it would be written in Modelica."""
        if self.ticks is None:
            return f"sample({show(self.start)}, {show(self.interval)})"
        shift, factor = self.ticks
        if self.interval.op is Op.CONST:
            shift, factor = (Fraction(self.interval.data) * f for f in (shift, factor))
            text = f"Clock({factor.numerator}, {factor.denominator})"
        else:
            text = f"Clock({show(self.interval)})" + (f" every {factor}" if factor != 1 else "")
        return text + (f" shifted by {shift}" if shift else "")


@dataclass(frozen=True, eq=False)
class Delay:
    """`delay(expression, time, longest)`. The past of `input` is remembered in a history (`ir.history`),
    which the symbol `history` stands for: known, like time, and a variable of none of the lists. `segment` is
    the discrete variable that says which segment of the past is asked; it steps at the events at which jumps
    and kinks of the input come out.

    `longest` is None where `time` is a parameter expression: then all is asked for exactly that long ago.
    """

    history: Symbol
    input: Expr
    segment: Symbol
    time: Expr
    longest: Expr | None
    text: str  # as the user wrote it, with full names
    span: Span
    origin: str = ""


@dataclass(frozen=True, eq=False)
class Transport:
    """`spatialDistribution(in0, in1, x, ...)`. `history` stands for the content (`ir.transport`) as that of a
    delay does for its past; `segments` are the discrete variables that say which segment of it is at 0 and
    which at 1. `points` and `values` are parameter expressions: the content at the start."""

    history: Symbol
    position: Expr
    inflows: tuple[Expr, Expr]
    segments: tuple[Symbol, Symbol]
    points: tuple[Expr, ...]
    values: tuple[Expr, ...]
    text: str
    span: Span
    origin: str = ""

    @property
    def remembered(self) -> tuple[Expr, ...]:
        """The expressions whose values go into its history at every instant."""
        return (self.position, *self.inflows)


@dataclass(frozen=True, eq=False)
class Jump:
    """`reinit(state, value)` when `condition` (an edge, written out) holds at an event."""

    state: Symbol
    condition: Expr
    value: Expr
    span: Span
    origin: str = ""


@dataclass(frozen=True, eq=False)
class Check:
    """An assertion: `condition` must hold whenever `guard` does. `code` is that of the message: another one
    where the compiler made the assertion; `notes` go with it. `equations` are those that contradict each
    other where it is violated, if it is about that."""

    guard: Expr
    condition: Expr
    message: Expr
    warning: bool
    span: Span
    origin: str = ""
    code: str = "E406"
    notes: tuple[Note, ...] = ()
    equations: tuple[Equation, ...] = ()


@dataclass(frozen=True, eq=False)
class Ending:
    """`terminate(message)` when `condition` holds at an event."""

    condition: Expr
    message: Expr
    span: Span
    origin: str = ""


@dataclass(frozen=True, eq=False)
class Inlined:
    """A variable that a method of inline integration determines (`saltus.ir.inline`): it is no state any
    more. The `carrier` is the state that carries from step to step what the formula needs. What is `held`
    stays as it is while an event is done, as a state does; others fix the causality of a switch, and must be
    free."""

    symbol: Symbol
    carrier: Symbol
    held: bool
    briefly: bool = False  # by a step of an instant (`saltus.ir.inline`), since it may have to jump
    late: bool = False  # at the start, the carrier has the value that the variable begins with


@dataclass(frozen=True, eq=False)
class Inlining:
    """What a `formula` of inline integration has made of a model. `length` is the parameter for the length of
    steps, `ahead` the discrete variable that is the weight of derivatives in the formulas of what is held: 0
    while it is."""

    formula: Formula
    variables: tuple[Inlined, ...]
    length: Symbol
    ahead: Symbol | None  # None where carriers are discrete variables, beside an integrator


@dataclass(frozen=True, eq=False)
class HybridModel:
    """Variables by role. Relation and clock symbols are variables of none of the lists.

    `absent`: continuous variables that do not exist in the mode that this is the model of. Nothing contains
    them, except that when-clauses may contain their values before (`pre`). `extensions`: warnings about what
    goes beyond Modelica, which `--pedantic` shows; `warnings`: those that are always shown. `balance`: by
    which a run finds sizes; None where there is nothing to find, or the analysis has not been there yet."""

    name: str
    span: Span
    constants: tuple[Variable, ...]  # with bindings, values known at translation
    parameters: tuple[Variable, ...]  # with bindings, or free for initial equations (fixed = false)
    states: tuple[Variable, ...]  # Reals under der(), before any reduction
    algebraics: tuple[Variable, ...]  # other continuous Reals
    discretes: tuple[Variable, ...]  # Booleans, Integers, discrete Reals, when-conditions
    equations: tuple[Equation, ...]  # continuous and discrete ones together
    initial_equations: tuple[Equation, ...]
    relations: tuple[Relation, ...] = ()
    clocks: tuple[Clock, ...] = ()
    jumps: tuple[Jump, ...] = ()
    checks: tuple[Check, ...] = ()
    endings: tuple[Ending, ...] = ()
    experiment: Experiment = field(default_factory=Experiment)
    order: tuple[Variable, ...] = ()  # all model variables in declaration order, for the result
    delays: tuple[Delay, ...] = ()
    transports: tuple[Transport, ...] = ()
    absent: tuple[Variable, ...] = ()
    extensions: tuple[Diagnostic, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    balance: Balance | None = None
    inlining: Inlining | None = None
    carry_out: Callable[[], None] | None = None  # puts on the disk what functions have written
    partitions: tuple[BasePartition, ...] = ()  # of clocks; their equations are among the others
    regions: tuple[Mapping[str, str], ...] = ()  # of clocked machines: states by their Booleans

    def variables(self) -> Iterator[Variable]:
        yield from self.constants
        yield from self.parameters
        yield from self.states
        yield from self.algebraics
        yield from self.discretes

    def expressions(self) -> Iterator[Expr]:
        for v in self.variables():
            for e in (v.binding, v.start, v.nominal):
                if e is not None:
                    yield e
        for q in (*self.equations, *self.initial_equations):
            yield q.lhs
            yield q.rhs
            if q.presence is not None:
                yield q.presence
        for r in self.relations:
            yield r.residue
        for c in self.clocks:
            yield c.start
            yield c.interval
        for d in self.delays:
            yield d.input
            yield d.time
            if d.longest is not None:
                yield d.longest
        for p in self.transports:
            yield from (*p.remembered, *p.points, *p.values)
        for j in self.jumps:
            yield j.condition
            yield j.value
        for k in self.checks:
            yield k.guard
            yield k.condition
        for n in self.endings:
            yield n.condition

    def mode_guards(self) -> tuple[Expr, ...]:
        """What changes at events only, as leaves that modes may fix: relations, discrete variables, and what
        these were before."""
        return self._mode_guards

    @cached_property
    def _mode_guards(self) -> tuple[Expr, ...]:
        own = (v for v in self.discretes if v.symbol.helper is not Helper.AHEAD)  # which branches on nothing
        discretes = [ref(v.symbol) for v in own if v.symbol.type is not Type.STRING]
        return (*(ref(r.symbol) for r in self.relations), *discretes, *map(pre, discretes))

    def surface(self, index: int) -> dict[int, int]:
        """The relations that change their truth on the same surface as the relation `index`, by index:
        `s > 0`, `s < 0`, `0 < s`. The number is 1 where the residue is that of the first of them, and -1
        where it is its negative."""
        found: dict[int, int] = {}
        if not self.relations[index].is_time_event:
            residue = self.relations[index].residue
            same, opposite = _terms(residue), _terms(neg(residue))
            for k, r in enumerate(self.relations):
                terms = _terms(r.residue)
                if not r.is_time_event and terms in (same, opposite):
                    found[k] = 1 if terms == same else -1
        leading = next(iter(found.values()), 1)
        return {k: sign * leading for k, sign in found.items()}

    def verify(self) -> None:
        known = {v.symbol for v in self.variables()}
        known |= {r.symbol for r in self.relations} | {c.symbol for c in self.clocks}
        known |= {v.symbol for v in self.absent}
        known |= {d.history for d in self.delays} | {t.history for t in self.transports}
        continuous = {v.symbol for v in (*self.states, *self.algebraics)}
        seen: set[Expr] = set()  # equations share their parts
        for e in self.expressions():
            for node in walk(e, seen):
                assert node.op not in _REPLACED, node.op
                if node.op in (Op.REF, Op.DER, Op.PRE):
                    symbol = leaf_symbol(node)
                    assert symbol in known or symbol.name == "time", f"{symbol} is unknown"
                if node.op is Op.DER:
                    assert leaf_symbol(node) in continuous
        for r in self.relations:
            assert r.op in RELATIONS and r.op not in (Op.EQ, Op.NE)


def _terms(e: Expr) -> frozenset[Expr]:
    """The terms of a sum, in no order."""
    return frozenset(e.args) if e.op is Op.ADD else frozenset((e,))
