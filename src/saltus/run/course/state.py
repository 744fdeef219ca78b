"""What a run is at an instant, as data: the engine at work, the time, and what has been written down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from saltus.core.diagnostics import Diagnostic
from saltus.ir.structure import Structure
from saltus.result.log.records import Records
from saltus.result.trajectories.recording import Recording
from saltus.run.engine.assertions import Assertions
from saltus.run.engine.driver import Driver
from saltus.run.engine.engine import Engine
from saltus.run.integrators.integrator import NativeMachine
from saltus.run.modes.choices import Choices, Programs
from saltus.run.modes.modes import Modes
from saltus.run.past.histories import Histories
from saltus.run.schedule.clocks import Clocks
from saltus.run.schedule.grid import Grid
from saltus.run.schedule.settings import Settings
from saltus.run.steps.keeper import StepKeeper


class RunState:
    """The state of one run. It gets its histories, clocks and grid when the run begins."""

    histories: Histories
    clocks: Clocks
    grid: Grid

    def __init__(
        self, structure: Structure, machine: NativeMachine, settings: Settings, programs: Programs | None
    ) -> None:
        self.settings = settings
        self.now = settings.start_time
        self.engine = Engine(structure, machine, settings.stop_time - settings.start_time)
        self.choices = Choices(self.engine, programs)
        self.modes = Modes(self.choices, settings.tolerance)
        self.recording = Recording(self.engine.part)
        self.records = Records()
        self.assertions = Assertions([], set())
        #: What events have passed through, if the run is asked for it.
        self.steps: StepKeeper | None = None
        #: How often other states were chosen, and modes entered.
        self.choices_made = self.modes_entered = 0

    @property
    def warnings(self) -> list[Diagnostic]:
        """The warnings of the run itself, in their order."""
        return self.assertions.warnings

    @property
    def driver(self) -> Driver:
        """The driver of the present engine, which is equipped by now."""
        driver = self.engine.driver
        assert driver is not None
        return driver

    @property
    def has_modes(self) -> bool:
        """Whether an event may lead to the program of another mode."""
        return bool(self.modes)

    def deciding(self) -> Sequence[int]:
        """The relations that modes depend on."""
        return self.modes.deciding(self.engine)

    def pass_points(self, until: float) -> None:
        """Output points up to a time are done with."""
        self.grid.pass_(until)

    def next_time_event(self) -> float:
        """When something happens whatever the states do."""
        crossings = self.engine.memory.section("crossing_times")
        timed = np.min(crossings, where=crossings > self.now, initial=np.inf)
        return min(self.clocks.next_time, float(timed))
