"""What a run can be asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import TypeAlias

from saltus.core.diagnostics import Diagnostic, UsageError
from saltus.ir.flat import Experiment

Override: TypeAlias = float | int | bool | str

#: Integration methods: CVODE's two, IDA on the implicit form, an explicit one-step method, and that one as
#: long as nothing is stiff.
METHODS = ("bdf", "adams", "ida", "rk45", "auto")

#: Those that begin with the explicit one-step method.
EXPLICIT = ("rk45", "auto")

#: The linear algebra that the integrator can be told to use.
LINEAR_SOLVERS = ("auto", "dense", "sparse")

#: What may be done at the accumulation point of infinitely many events (`saltus.run.surfaces.zeno`).
ZENO = ("stop", "rest", "continue")

#: Output points of a run whose interval nobody has chosen.
DEFAULT_POINTS = 500


@dataclass(frozen=True)
class Settings:
    """Start, end, tolerance and output interval of a run, and parameter values that differ from the model's.

    The tolerance is relative; the absolute tolerance of each state is the tolerance times its nominal
    value (1 if it has none). `interval` None means 500 intervals. `max_step` None leaves the step
    to the integrator. With an `event_resolution`, residues are looked at that often at least. `method` is one
    of `METHODS`, `linear_solver` one of `LINEAR_SOLVERS`, `zeno` one of `ZENO`.
    """

    start_time: float = 0.0
    stop_time: float = 1.0
    tolerance: float = 1e-6
    interval: float | None = None
    overrides: Mapping[str, Override] = field(default_factory=dict)
    max_step: float | None = None
    event_resolution: float | None = None
    method: str = "bdf"
    linear_solver: str = "auto"
    zeno: str = "stop"

    @classmethod
    def of(cls, experiment: Experiment, **changes: object) -> Settings:
        """The model's experiment annotation, with changes; a change to None keeps what is there."""
        base = cls(experiment.start_time, experiment.stop_time, experiment.tolerance, experiment.interval)
        given = {name: value for name, value in changes.items() if value is not None}
        return replace(base, **given)  # type: ignore[arg-type]

    def verify(self) -> None:
        """Refuses what cannot be run."""

        def refuse(message: str) -> UsageError:
            return UsageError(Diagnostic("E501", message))

        optional = ("interval", "max_step", "event_resolution")
        for name in ("start_time", "stop_time", "tolerance", *optional):
            value = getattr(self, name)
            if value is None and name in optional:
                continue
            if not isinstance(value, Real) or not math.isfinite(value):
                raise refuse(f"{name.replace('_', ' ')} must be a finite number, not {value!r}")
        if self.stop_time < self.start_time:
            raise refuse(f"stop time {self.stop_time:g} is before start time {self.start_time:g}")
        if not 0.0 < self.tolerance < 1.0:
            raise refuse(f"tolerance must be between 0 and 1, not {self.tolerance:g}")
        needed = self.stop_time > self.start_time  # a run that ends where it starts has one point
        if self.interval is not None and not (self.interval > 0.0 or (self.interval == 0.0 and not needed)):
            raise refuse(f"output interval must be positive, not {self.interval:g}")
        if self.max_step is not None and not self.max_step > 0.0:
            raise refuse(f"largest step must be positive, not {self.max_step:g}")
        if self.event_resolution is not None and not self.event_resolution > 0.0:
            raise refuse(f"event resolution must be positive, not {self.event_resolution:g}")
        if self.method not in METHODS:
            choice = ", ".join(METHODS)
            raise refuse(f"there is no integration method {self.method!r}; choose one of {choice}")
        if self.linear_solver not in LINEAR_SOLVERS:
            choice = ", ".join(LINEAR_SOLVERS)
            raise refuse(f"there is no linear solver {self.linear_solver!r}; choose one of {choice}")
        if self.zeno not in ZENO:
            raise refuse(f"zeno must be one of {', '.join(ZENO)}, not {self.zeno!r}")

    @property
    def output_interval(self) -> float:
        """The interval, chosen or by default; 0 if start and stop are the same."""
        if self.interval is not None:
            return self.interval
        return (self.stop_time - self.start_time) / DEFAULT_POINTS
