"""A result as a run with two programs leaves it, made by hand: an inductor behind an ideal switch.

While the switch is closed, the current `i` is a state. While it is open the current is zero by an equation,
the voltage `u` of the switch is left open, and there is a variable `w` that the other mode has not got.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hand_models import Model, place

from saltus.analyse.analysis import analyse
from saltus.expr.helpers import Helper
from saltus.expr.nodes import TIME, Expr, Op, Symbol, const, der, if_, leaf_symbol
from saltus.ir.flat import Equation, Variability, Variable
from saltus.ir.native.drive import DISCRETE, RESIDUE, SIGN, TRUTH
from saltus.ir.program import Layout
from saltus.ir.sorted.blocks import Explicit
from saltus.ir.sorted.modes import Mode, Open
from saltus.ir.structure import Alias, IndexReduction, Structure
from saltus.result.log.records import INITIAL, EventRecord
from saltus.result.log.records import TIME as TIMED
from saltus.result.result import Result
from saltus.result.trajectories.recording import Part, Recording
from saltus.result.trajectories.rows import Rows


class Inductor:
    """Both programs, and the leaves."""

    def __init__(self) -> None:
        m = Model("Inductor")
        self.i = m.state("i", 0.0, unit="A")
        self.u = m.algebraic("u", unit="V")
        self.j = m.algebraic("load.j", unit="A")
        self.w = m.algebraic("w")
        self.open = m.discrete("open")
        m.equation(self.open, m.relation(Op.GE, TIME - const(1.0), "time >= 1", const(1.0), const(-1.0)))
        m.equation(der(self.i), if_(self.open, const(0.0), const(2.0) - self.u))
        m.equation(self.u, const(0.0))
        m.equation(self.j, -self.i)
        m.equation(self.w, const(0.0))
        model = m.hybrid()
        whole = analyse(model)
        self.closed: Structure = replace(
            whole,
            mode=Mode(((self.open, 0.0),)),
            algebraics=tuple(v for v in whole.algebraics if v.name == "u"),
            blocks=tuple(b for b in whole.blocks if leaf_symbol(b.unknowns[0]).name in ("i", "u", "open")),
            aliases=(Alias(leaf_symbol(self.j), leaf_symbol(self.i), negated=True),),
        )
        multiplier = Symbol("$multiplier", helper=Helper.MULTIPLIER)
        zero = Equation(self.i, const(0.0), place("0 = i"))
        self.opened: Structure = replace(
            self.closed,
            mode=Mode(((self.open, 1.0),)),
            states=(),
            algebraics=(
                *whole.states,
                *whole.algebraics,
                Variable(multiplier, Variability.CONTINUOUS, zero.span),
            ),
            blocks=(
                *(b for b in self.closed.blocks if b.unknowns[0] is self.open),
                Explicit(self.i, const(0.0), zero),
            ),
            reduction=IndexReduction((), whole.states, 2),
            open=Open(
                {leaf_symbol(self.u): Symbol("left(u)"), multiplier: Symbol("left($multiplier)")},
                (),
                (),
            ),
        )


def part(structure: Structure, continuous: list[Expr], discrete: Expr) -> tuple[Part, np.ndarray]:
    leaves = [*continuous, discrete]
    memory = np.zeros(len(leaves))
    sections = {"states": (0, len(continuous)), "discretes": (len(continuous), 1)}
    layout = Layout({e: k for k, e in enumerate(leaves)}, sections, len(leaves))
    return Part(structure, Rows(memory, layout)), memory


def switched_off(weight: float = -4.0, *, half: bool = False) -> Result:
    """The current rises to 2 until time 1, when the switch opens; at time 3 it closes again. Of `half` a run
    there is only what comes before that."""
    model = Inductor()
    closed, here = part(model.closed, [model.i, der(model.i), model.u], model.open)
    opened, there = part(model.opened, [model.w, model.i, model.u], model.open)
    recording = Recording(closed)
    for time, row in ((0.0, (0, 2, 0, 0)), (0.5, (1, 2, 0, 0)), (1.0, (2, 2, 0, 0))):
        here[:] = row
        closed.rows.append(time)
    beginning = np.array([(RESIDUE, 0, -1.0, -1.0), (SIGN, 0, -1.0, -1.0)])
    start = EventRecord(0.0, INITIAL, (), (), 0, 0, (beginning,))
    if half:
        return Result(recording=recording, values={}, records=[start], warnings=[], statistics={})
    recording.turn(opened)
    for time in (1.0, 2.0, 3.0):
        there[:] = 7.0 + time, 0.0, 5.0, 1.0
        opened.rows.append(time)
    recording.turn(closed)
    for time in (3.0, 4.0):
        here[:] = 2.0 * (time - 3.0), 2.0, 0.0, 0.0
        closed.rows.append(time)
    opens = np.array([(TRUTH, 0, 0.0, 1.0), (RESIDUE, 0, 0.0, 0.0), (DISCRETE, 0, 0.0, 1.0)])
    closes = np.array([(DISCRETE, 0, 1.0, 0.0)])
    records = [
        start,
        EventRecord(1.0, TIMED, (0,), (), 2, 3, (opens,), (("i", weight), ("$multiplier", 1.0))),
        EventRecord(3.0, TIMED, (), (), 5, 6, (closes,)),
    ]
    return Result(recording=recording, values={}, records=records, warnings=[], statistics={})
