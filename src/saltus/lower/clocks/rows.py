"""The clauses of a flat model as rows of a graph: of which variables each of them speaks, by which operators.

Arguments of operators that convert between clocks are made variables first (section 16.7.1 of the
specification), so that every conversion leads from a variable to a row. Then a row is

    incident    with the variables that have its clock, whatever it is
    `Sampled`   from a variable without a clock, and `Held` from one with a clock
    `Converted` from a variable of the same base clock that may have another rate
    `Timed`     by a clock that is written in it
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from saltus.core.source import Span
from saltus.expr import nodes as x
from saltus.expr.helpers import Helper
from saltus.expr.nodes import Expr, Op, Symbol, Type
from saltus.expr.show import show
from saltus.expr.traversal import leaves, substitute, transform, walk
from saltus.ir.flat import (
    Equation,
    FlatModel,
    Item,
    Reinit,
    Variability,
    Variable,
    When,
    clause_expressions,
    mapped,
)
from saltus.lower.clocks.constants import Constants
from saltus.lower.sections.algorithms import ENTRY

#: Operators between clocks of one base.
CONVERSIONS = frozenset({"subSample", "superSample", "shiftSample", "backSample", "noClock"})

#: Those whose first argument becomes a variable if it is none. (`hold` and `backSample` demand one.)
_NAMED = frozenset({"sample", "subSample", "superSample", "shiftSample", "noClock"})

#: Operators of events, which a partition has only if it is discretised.
_OF_EVENTS = frozenset({Op.PRE, Op.EDGE, Op.CHANGE, Op.SAMPLE, Op.DELAY, Op.TRANSPORT})


@dataclass(frozen=True, eq=False)
class Row:
    """A clause, or an action of a clocked when-clause, with what is in it. `clock` is that of the clause."""

    clause: Item
    clock: Expr | None = None
    when: When | None = None
    incident: tuple[Symbol, ...] = ()
    sampled: tuple[Expr, ...] = ()  # whole operators, as are the following
    held: tuple[Expr, ...] = ()
    converted: tuple[Expr, ...] = ()
    clocked: tuple[Expr, ...] = ()  # other operators that need a clock: previous, interval, firstTick
    derivatives: tuple[Symbol, ...] = ()
    events: tuple[Expr, ...] = ()
    uses_time: bool = False

    @property
    def span(self) -> Span:
        return self.clause.span


@dataclass(eq=False)
class Rows:
    """All rows, and variables that were made for arguments."""

    flat: FlatModel
    constants: Constants
    rows: list[Row] = field(default_factory=list)
    helpers: list[Variable] = field(default_factory=list)
    _named: dict[Expr, Expr] = field(default_factory=dict)
    _memo: dict[Expr, Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.variables = {v.symbol: v for v in self.flat.variables}
        for clause in self.flat.clauses:
            if isinstance(clause, When) and clause.branches[0].conditions[0].type is Type.CLOCK:
                (branch,) = clause.branches
                (clock,) = branch.conditions
                named = self._with_names(clock, clause.span, clause.origin)
                for action in branch.actions:
                    self._add(action, named, clause)
            else:
                self._add(clause, None, None)

    def text(self, e: Expr) -> str:
        """An expression as it was written, for a message."""
        names = {name: argument for argument, name in self._named.items()}
        for _ in range(len(names)):  # arguments inside of arguments
            new = substitute(e, names)
            if new is e:
                break
            e = new
        return show(e, 60)

    def is_known(self, e: Expr) -> bool:
        """Whether it is made of constants and parameters only."""
        return all(
            leaf.op is Op.REF and leaf is not x.TIME and self._is_parameter(leaf.data) for leaf in leaves(e)
        ) and not any(node.op is Op.CLOCKED for node in walk(e))

    def _is_parameter(self, symbol: Symbol) -> bool:
        variable = self.variables.get(symbol)
        return variable is not None and variable.variability <= Variability.PARAMETER

    # ------------------------------------------------------------ names for arguments

    def _add(self, clause: Item, clock: Expr | None, when: When | None) -> None:
        named = mapped(clause, lambda e: self._with_names(e, clause.span, clause.origin))
        self.rows.append(self._row(named, clock, when))

    def _with_names(self, e: Expr, span: Span, origin: str) -> Expr:
        """The expression with variables for what operators between clocks are given."""

        def visit(node: Expr) -> Expr | None:
            if node.op is Op.IF and node.type is Type.CLOCK:
                chosen = self.constants.value(node.args[0], span, "the condition of a choice between clocks")
                return self._with_names(node.args[1 if chosen else 2], span, origin)
            if node.op is not Op.CLOCKED or not node.args:
                return None
            args = [self._with_names(a, span, origin) for a in node.args]
            first = args[0]
            condition = node.data == "Clock" and first.type is Type.BOOLEAN
            if condition or (node.data in _NAMED and first.type is not Type.CLOCK):
                args[0] = self._name(first, span, origin)
            return x.clocked(node.data, node.type, *args)

        return transform(e, visit, self._memo)

    def _name(self, e: Expr, span: Span, origin: str) -> Expr:
        if e.op is Op.REF or self.is_known(e):
            return e
        found = self._named.get(e)
        if found is None:
            symbol = Symbol(Helper.SAMPLED.numbered(len(self._named) + 1), e.type, helper=Helper.SAMPLED)
            variability = Variability.CONTINUOUS if e.type is Type.REAL else Variability.DISCRETE
            variable = Variable(symbol, variability, span, protected=True)
            self.helpers.append(variable)
            self.variables[symbol] = variable
            found = self._named[e] = x.ref(symbol)
            self.rows.append(self._row(Equation(found, e, span, origin), None, None))
        return found

    # ------------------------------------------------------------ what is in a row

    def _row(self, clause: Item, clock: Expr | None, when: When | None) -> Row:
        found: dict[str, dict[Expr, None]] = {
            name: {} for name in ("sampled", "held", "converted", "clocked", "events")
        }
        incident: dict[Symbol, None] = {}
        derivatives: dict[Symbol, None] = {}
        uses_time = False
        stack = list(clause_expressions(clause))
        seen: set[Expr] = set()
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            if node is x.TIME:
                uses_time = True
            elif node.op in (Op.REF, Op.DER, Op.PRE):
                symbol = x.leaf_symbol(node)
                if not self._is_parameter(symbol) and symbol.name != "time":
                    incident[symbol] = None
                    if node.op is Op.DER:
                        derivatives[symbol] = None
                if node.op is Op.PRE:
                    found["events"][node] = None
            elif node.op is Op.CLOCKED:
                stack += self._operator(node, found)
            else:
                if node.op in _OF_EVENTS or node is x.INITIAL or node is x.TERMINAL:
                    found["events"][node] = None
                stack += node.args
        if isinstance(clause, When | Reinit):
            found["events"][x.INITIAL] = None
        if isinstance(clause, Reinit):
            incident[clause.state] = None
        return Row(
            clause,
            clock,
            when,
            tuple(incident),
            **{name: tuple(own) for name, own in found.items()},
            derivatives=tuple(derivatives),
            uses_time=uses_time,
        )

    def _operator(self, node: Expr, found: Mapping[str, dict[Expr, None]]) -> Iterable[Expr]:
        """Notes an operator; gives the arguments that have the clock of the row."""
        first = node.args[0] if node.args else None
        if node.type is Type.CLOCK:
            return ()  # an expression of clocks is treated as a whole
        known = first is not None and self.is_known(first)
        match node.data:
            case "sample":
                found["sampled"][node] = None
                return ()
            case "hold":
                if not known:
                    found["held"][node] = None
                return ()
            case name if name in CONVERSIONS:
                found["clocked" if known else "converted"][node] = None
                return ()
            case name if name == ENTRY:
                return node.args[:1]
            case _:
                if first is None or not known or node.data != "previous":
                    found["clocked"][node] = None
                return node.args
