"""The result of a run: every variable by name, over time, and what happened on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.result.events.events import EventTable
from saltus.result.events.impulses import Impulses
from saltus.result.exchange.curves import Curves, curves_of
from saltus.result.exchange.formats import write_result
from saltus.result.exchange.state import State, state_at
from saltus.result.exchange.where import IN_ROWS
from saltus.result.log.step_times import StepTimes
from saltus.result.modes.modes import Modes
from saltus.result.provenance import Provenance
from saltus.result.steps.passed import Passed
from saltus.result.steps.steps import Steps
from saltus.result.trajectories.csv import write_csv
from saltus.result.trajectories.trajectories import Trajectories


class Result(Trajectories):
    """Trajectories and events of one run. `result["body.v"]` is an array along `result.time`.

    `warnings` are diagnostics; `statistics` counts steps, evaluations, events and seconds; `interrupted` is
    true if the run was stopped from the keyboard. Booleans are 0 and 1, enumerations are counted from 1.
    `structure` is that of the start; where states were chosen again, or the mode has changed, `recording` has
    the others, and `programs` also those that were passed through at an instant. `general` has the equations
    with all their branches, whether or not the run could use them. `steps` are numbered, with the modes
    between the two limits of events, if the run was asked for them. `sizes` are those by which bands and
    tolerances were measured, where no nominal value says it; None in a run that went on from a checkpoint.
    """

    #: What draws a result, by the names of its methods: `saltus.show`, which needs this module. The model,
    #: from which results come, knows both.
    drawers: ClassVar[dict[str, Callable[..., Any]]] = {}

    #: What events have passed through, if the run was asked for its steps.
    passed: Passed | None = None

    #: Of machines in the model: the Booleans of states, with what they are called, by what they stand in.
    regions: Mapping[str, Mapping[str, str]] = MappingProxyType({})

    #: What the model was, where a model has made the result.
    provenance: Provenance | None = None

    #: How long each step has taken, if the run was to measure them.
    step_times: StepTimes | None = None

    # ------------------------------------------------------------ events

    @cached_property
    def events(self) -> EventTable:
        """What happened at each event, decoded when looked at."""
        return EventTable(self)

    @cached_property
    def modes(self) -> Modes:
        """Which branches of the equations were in force, from when to when."""
        return Modes(self)

    @cached_property
    def impulses(self) -> Impulses:
        """Variables that were infinite for an instant, each with its integral over it."""
        return Impulses(self)

    @cached_property
    def steps(self) -> Steps:
        """The rows of the run and the modes that its events have passed through, by number. The run must have
        been asked to keep them."""
        if self.passed is None:
            hint = "simulate(steps=True)"
            raise UsageError(Diagnostic("E501", "the run has kept no steps", hint=hint))
        return Steps(self, self.passed)

    def undetermined(self, name: str) -> NDArray[np.bool_]:
        """Where the equations leave a variable open, along `time`: the value there is one of many, the one
        of least change, and nothing that is determined depends on it. (`mode.open` names them all.)"""
        found = super().undetermined(name)
        if all(program.signature is None for program in self.programs):
            return found
        source = self.representative(name)
        for stay in self.modes:
            if stay.start < stay.stop and source in stay.mode.open:
                # From the right limits at its start to the left limits at its end.
                first = int(np.searchsorted(self.time, stay.start, "right")) - 1
                last = int(np.searchsorted(self.time, stay.stop, "left"))
                found[first : last + 1] = True
        return found

    # ------------------------------------------------------------ elsewhere

    def curves(self, patterns: Sequence[str] | None = None) -> Curves:
        """The variables and parameters by themselves, or those that fit one of the patterns: to be kept,
        compared, or looked at between the rows."""
        return curves_of(self, patterns)

    def at(self, time: float, *, left: bool = False) -> dict[str, Any]:
        """The values of all variables at one time, Booleans, Integers and enumerations by their types. At an
        event they are those after it, or with `left` those before it."""
        return self.curves(self.names).at(time, left=left) if self.names else {}

    def resample(self, times: float | Sequence[float] | NDArray[np.float64], *, left: bool = False) -> Curves:
        """The variables at regular intervals, in seconds, or at the times given."""
        return self.curves().resample(times, left=left)

    @property
    def whole(self) -> Result:
        """The rows that have all variables: all of them, unless the run has stored some variables only."""
        return self

    def state_at(self, time: float | None = None, *, left: bool = False) -> State:
        """What another run needs to continue from a time (None: from the end): `simulate(start_from=...)`."""
        return state_at(self, time, left=left)

    def save(
        self,
        path: str | Path,
        patterns: Sequence[str] | None = None,
        *,
        parameters: str = IN_ROWS,
        suffix: str | None = None,
    ) -> None:
        """Writes all variables and parameters, or those that fit one of the patterns, to a file: .csv, .mat
        as Modelica tools write it, .nc (NetCDF), .h5 (HDF5) or .parquet; `suffix` is for a name that has
        none. `saltus.read_result` reads it. A table of comma-separated values has parameters in all "rows",
        "once", in the first row, or "none" of them."""
        write_result(self, path, patterns, parameters, suffix)

    def to_csv(self, path: str | Path, names: Sequence[str] | None = None) -> None:
        """Writes `time` and the variables (all, or those named) as comma-separated values."""
        write_csv(self, path, names)

    def to_pandas(self, names: Sequence[str] | None = None, *, unique: bool = False) -> Any:
        """A pandas DataFrame with time as its index, Booleans and Integers with their types, enumerations as
        categories. `unique` leaves the left limits of events out, so that every time is there once."""
        whole = self.curves()
        values = {name: self[name] for name in (self.names if names is None else names)}
        return replace(whole, arrays=values).to_pandas(unique=unique)

    def plot(self, *names: str, **options: Any) -> Any:
        """Plots variables over time; see `saltus.show.plots.plot.plot`."""
        return self.drawers["plot"](self, list(names) or None, **options)

    def plot_modes(self, *names: str, **options: Any) -> Any:
        """Plots Booleans, Integers and enumerations as bars; see `saltus.show.plots.modes.plot_modes`."""
        return self.drawers["plot_modes"](self, list(names) or None, **options)

    def report(self, path: str | Path, *names: str) -> None:
        """Writes a page for a browser: curves with zoom and cursor, events with their causes, modes, the
        model's text, parameters, structure, times and warnings (docs/report.md). The curves shown initially
        are those that are named, or the most informative ones. It needs `saltus[report]`."""
        self.drawers["report"](self, path, list(names) or None)

    def _repr_html_(self) -> str:
        """What a notebook shows; see `saltus.show.cards.results`."""
        shown: str = self.drawers["card"](self)
        return shown

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} to {self.time[-1]:g}" if len(self) else "nothing"
        size = f"{len(self)} rows, {len(self.names)} variables, {self.events.counted}"
        return f"<Result of {self.model}: {span}, {size}>"
