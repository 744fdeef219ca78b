"""Small structures, built by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from saltus.core.source import Source, Span
from saltus.emit.build import build
from saltus.emit.machine import Machine
from saltus.expr.nodes import ONE, Expr, Op, Symbol, Type, ref
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.hybrid import Check, Clock, Ending, HybridModel, Jump, Relation
from saltus.ir.program import Program
from saltus.ir.sorted.blocks import Block, Explicit, Linear, Nonlinear
from saltus.ir.structure import Presumption, Structure

SPAN = Span(Source("test.mo", "model M end M;"), 0, 5)


class Model:
    """A structure in the making; names are those of the variables."""

    def __init__(self) -> None:
        self.parameters: list[Variable] = []
        self.dependent: list[Explicit] = []
        self.states: list[Variable] = []
        self.algebraics: list[Variable] = []
        self.discretes: list[Variable] = []
        self.blocks: list[Block] = []
        self.initial: list[Block] = []
        self.presumptions: list[Presumption] = []
        self.relations: list[Relation] = []
        self.clocks: list[Clock] = []
        self.jumps: list[Jump] = []
        self.checks: list[Check] = []
        self.endings: list[Ending] = []

    def _variable(self, into: list[Variable], name: str, variability: Variability, type: Type) -> Expr:
        symbol = Symbol(name, type)
        into.append(Variable(symbol, variability, SPAN))
        return ref(symbol)

    def parameter(self, name: str, type: Type = Type.REAL) -> Expr:
        return self._variable(self.parameters, name, Variability.PARAMETER, type)

    def state(self, name: str) -> Expr:
        return self._variable(self.states, name, Variability.CONTINUOUS, Type.REAL)

    def algebraic(self, name: str) -> Expr:
        return self._variable(self.algebraics, name, Variability.CONTINUOUS, Type.REAL)

    def discrete(self, name: str, type: Type = Type.BOOLEAN) -> Expr:
        return self._variable(self.discretes, name, Variability.DISCRETE, type)

    def relation(self, op: Op, residue: Expr, nominal: Expr = ONE, **time_event: Expr) -> Expr:
        symbol = Symbol(f"relation{len(self.relations)}", Type.BOOLEAN)
        self.relations.append(Relation(symbol, op, residue, nominal, "", SPAN, **time_event))
        return ref(symbol)

    def clock(self, start: Expr, interval: Expr) -> Expr:
        symbol = Symbol(f"clock{len(self.clocks)}", Type.BOOLEAN)
        self.clocks.append(Clock(symbol, start, interval, SPAN))
        return ref(symbol)

    def explicit(self, unknown: Expr, value: Expr) -> None:
        self.blocks.append(Explicit(unknown, value, equation(unknown, value)))

    def linear(
        self, unknowns: Sequence[Expr], matrix: Sequence[tuple[int, int, Expr]], right: Sequence[Expr]
    ) -> Linear:
        equations = tuple(equation(x, b) for x, b in zip(unknowns, right, strict=True))
        block = Linear(tuple(unknowns), equations, tuple(matrix), tuple(right))
        self.blocks.append(block)
        return block

    def nonlinear(
        self,
        unknowns: Sequence[Expr],
        residuals: Sequence[Expr],
        jacobian: Sequence[tuple[int, int, Expr]] | None,
        nominals: Sequence[Expr] | None = None,
    ) -> Nonlinear:
        equations = tuple(equation(r, ONE) for r in residuals)
        block = Nonlinear(
            tuple(unknowns),
            equations,
            tuple(residuals),
            None if jacobian is None else tuple(jacobian),
            tuple(nominals) if nominals is not None else (ONE,) * len(unknowns),
        )
        self.blocks.append(block)
        return block

    def structure(self) -> Structure:
        model = HybridModel(
            "M",
            SPAN,
            (),
            tuple(self.parameters),
            tuple(self.states),
            tuple(self.algebraics),
            tuple(self.discretes),
            (),
            (),
            tuple(self.relations),
            tuple(self.clocks),
            tuple(self.jumps),
            tuple(self.checks),
            tuple(self.endings),
        )
        return Structure(
            model,
            (),
            tuple(self.dependent),
            tuple(self.states),
            tuple(self.algebraics),
            tuple(self.discretes),
            tuple(self.blocks),
            tuple(self.initial),
            presumptions=tuple(self.presumptions),
        )

    def program(self) -> Program:
        program = build(self.structure())
        program.verify()
        return program


def equation(lhs: Expr, rhs: Expr) -> Equation:
    return Equation(lhs, rhs, SPAN)


class Runner:
    """A machine addressed by leaves."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.slots: Mapping[Expr, int] = machine.program.layout.slots

    def __getitem__(self, leaf: Expr) -> float:
        return float(self.machine.memory[self.slots[leaf]])

    def __setitem__(self, leaf: Expr, value: float) -> None:
        self.machine.memory[self.slots[leaf]] = value

    def section(self, name: str) -> list[float]:
        return list(map(float, self.machine.memory[self.machine.program.layout.section(name)]))

    def run(self, routine: str) -> int:
        """Runs a routine; the tests set parameters at any time, so that the invariants come first."""
        self.machine.routines["invariants"]()
        return self.machine.routines[routine]()
