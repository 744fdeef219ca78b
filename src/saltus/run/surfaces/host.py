"""The interface of a run for the parts that decide where it continues."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from saltus.ir.sorted.surfaces import OnSurface
from saltus.result.log.records import Records
from saltus.result.trajectories.recording import Recording
from saltus.run.engine.engine import Engine
from saltus.run.schedule.settings import Settings

#: The step, as a fraction of the run, over which the motion of residues and states is determined.
PROBE = 1e-8


class Host(Protocol):
    """The run, as the modules about surfaces and accumulation points see it."""

    engine: Engine
    now: float
    settings: Settings
    recording: Recording
    records: Records

    def arrive(self) -> None:
        """The engine has all values at the present time."""

    def change_to(self, engine: Engine, *, recorded: bool = True) -> None:
        """Another engine, which has all values, takes over from here. They are recorded unless they mean
        nothing before an event has happened."""

    def restart(self) -> None:
        """The integrator begins anew with the values of the engine."""

    def event(
        self,
        kind: str,
        fired: Sequence[tuple[int, float]],
        due: Sequence[int],
        *,
        left: int | None = None,
    ) -> None:
        """One event from left limits that are computed already, and recorded in the row numbered `left` if
        that is given."""

    def outcome(self, fired: Sequence[tuple[int, float]], due: Sequence[int]) -> Engine:
        """The engine to which one event leads, with the values after it; only the present one's numbers have
        to be put back, and nothing is written down."""

    def bound(
        self, surfaces: frozenset[OnSurface], told: Callable[[Engine], None]
    ) -> AbstractContextManager[None]:
        """In this context events lead to modes on these surfaces, whatever the run is on, and small
        contradictions are not tolerated; `told` sets up how an engine is held on its surfaces."""

    def deciding(self) -> Sequence[int]:
        """The relations that modes depend on."""

    @property
    def has_modes(self) -> bool:
        """Whether an event may lead to the program of another mode."""

    def pass_points(self, until: float) -> None:
        """Output points up to a time are done with."""

    def next_time_event(self) -> float:
        """When something happens whatever the states do."""
