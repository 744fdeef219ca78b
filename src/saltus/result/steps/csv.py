"""Steps as comma-separated values: number, time and kind, then the columns of the result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from saltus.result.trajectories.csv import Column, chosen_names, column_of, header_of, lines, write_lines
from saltus.result.trajectories.trajectories import Trajectories


class Numbered(Protocol):
    """What is asked of steps."""

    @property
    def k(self) -> NDArray[np.intp]: ...

    @property
    def kind(self) -> NDArray[np.str_]: ...

    def column(self, name: str, /) -> NDArray[np.float64]: ...


def write_steps(
    steps: Numbered, result: Trajectories, path: str | Path, names: Sequence[str] | None = None
) -> None:
    """Writes `k`, `time`, `kind` and what is named (default: all variables, parameters and constants). If
    that has a `k` or `kind` of its own, those of the steps are `step.k` and `step.kind`."""
    chosen = chosen_names(result, names)
    own = (name if name not in chosen else f"step.{name}" for name in ("k", "time", "kind"))
    columns = [
        Column(steps.k.astype(np.float64), whole=True),
        Column(steps.column("time")),
        Column(None, words=steps.kind.tolist()),
        *(column_of(result, name, steps.column) for name in chosen),
    ]
    write_lines(path, header_of((*own, *chosen)), lines(columns))
