"""One program at work: its memory, its rows, its event iteration, its integrator and driver.

A run starts with one engine, and gets another for each new choice of states, for each mode with equations of
its own, and for each surface along which it slides. Switching engines only copies numbers
(`saltus.run.engine.transfer`).
"""

from __future__ import annotations

import math
from functools import cached_property

from saltus.ir.native.contract import Counter
from saltus.ir.structure import Structure
from saltus.result.trajectories.recording import Part
from saltus.result.trajectories.rows import Rows
from saltus.run.engine.at_zero import AtZero
from saltus.run.engine.continuous import Continuous
from saltus.run.engine.driver import Driver
from saltus.run.engine.engine_mode import EngineMode
from saltus.run.engine.engine_surfaces import EngineSurfaces
from saltus.run.engine.pivots import Pivots
from saltus.run.engine.transfer import Transfer
from saltus.run.integrators.integrator import NativeMachine
from saltus.run.iteration.events import EventIteration
from saltus.run.memory.checks import Checks
from saltus.run.memory.memory import Memory
from saltus.run.memory.named_values import NamedValues
from saltus.run.memory.relations import Relations

#: A residue that has been inside its zero band for this part of the run rests there; one that moves is
#: through the band, 1e-10 wide, much sooner.
REST_SPAN = 1e-6


class Engine:
    """Everything that belongs to one program, each job in a part of its own: what varies continuously, its
    relations and its checks; its pivots, its surfaces and its mode; the numbers that others hand over."""

    def __init__(self, structure: Structure, machine: NativeMachine, span: float) -> None:
        self.structure = structure
        self.machine = machine
        self.span = span
        self.memory = memory = Memory(structure, machine)
        memory.array[:] = 0.0
        memory.section("zero_since")[:] = -math.inf  # no residue has moved to zero, at time 0 neither
        memory.cells[memory.first("counters") + Counter.REST] = REST_SPAN * span
        self.rows = Rows(memory.array, memory.layout)
        self.part = Part(structure, self.rows)
        #: With the integrator; made when the run comes here.
        self.driver: Driver | None = None
        #: Whether an explicit method would be held up by stability.
        self.stiff = False
        self.checks = Checks(memory)
        self.named = NamedValues(memory)
        self.relations = Relations(memory)
        self.continuous = Continuous(memory)
        self.pivots = Pivots(memory, self.relations, self.continuous)
        self.surfaces = EngineSurfaces(memory, self.relations, self.continuous)
        self.mode = EngineMode(memory, self.relations)
        self.transfer = Transfer(memory, self.named, self.continuous, self.surfaces)
        self.at_zero = AtZero(memory, self.relations, self.continuous, span)

    @cached_property
    def iteration(self) -> EventIteration:
        """The iteration of events, made when parameters have their values."""
        return EventIteration(self.memory)
