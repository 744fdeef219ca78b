"""Runs an example in both ways a user would: from Python, and from the command line with a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from translated_models import translated

EXAMPLES = Path(__file__).parents[2] / "examples"

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Trajectory:
    """What a run gave: rows in the order of time, two of them at each event (left and right limit)."""

    time: Vector
    columns: Mapping[str, Vector]

    def __getitem__(self, name: str) -> Vector:
        return self.columns[name]

    @property
    def right_rows(self) -> NDArray[np.intp]:
        """Indices of the right limits: the second row of each pair with the same time."""
        return np.flatnonzero(np.diff(self.time) == 0) + 1

    @property
    def event_times(self) -> Vector:
        """Times of the events after the start."""
        return np.unique(self.time[self.right_rows])

    def change_rows(self, name: str) -> NDArray[np.intp]:
        """Rows in which a discrete variable has another value than in the row before: right limits, if it
        changes at events only, as it must."""
        rows = np.flatnonzero(np.diff(self.columns[name]) != 0) + 1
        np.testing.assert_array_equal(self.time[rows], self.time[rows - 1])
        return rows

    def changes(self, name: str) -> Vector:
        """Times at which a discrete variable takes another value."""
        return self.time[self.change_rows(name)]


Simulate = Callable[..., Trajectory]


def from_python(file: str, names: tuple[str, ...], options: Mapping[str, object]) -> Trajectory:
    model = translated(str(EXAMPLES / file))
    result = model.simulate(**options)  # type: ignore[arg-type]
    return Trajectory(np.asarray(result.time), {name: np.asarray(result[name]) for name in names})


def from_command_line(
    file: str, names: tuple[str, ...], options: Mapping[str, object], folder: Path
) -> Trajectory:
    from saltus.tools.cli import main

    output = folder / "result.csv"
    argv = ["simulate", str(EXAMPLES / file), "--output", str(output)]
    for option, value in options.items():
        if isinstance(value, Mapping):
            for name, setting in value.items():
                argv += ["--set", f"{name}={setting!r}"]
        else:
            argv += [f"--{option.replace('_', '-')}", repr(value)]
    with pytest.raises(SystemExit) as ending:
        main(argv)
    assert not ending.value.code, f"saltus {' '.join(argv)}: exit status {ending.value.code}"
    return read_csv(output, names)


def read_csv(path: Path, names: tuple[str, ...]) -> Trajectory:
    with path.open(newline="") as file:
        rows = csv.reader(file)
        header = next(rows)
        table = np.array([[float(cell) for cell in row] for row in rows])
    assert header[0] == "time"
    return Trajectory(table[:, 0], {name: table[:, header.index(name)] for name in names})


@pytest.fixture(scope="session")
def finished_runs() -> dict[object, Trajectory]:
    """Runs that several tests look at are made once."""
    return {}


@pytest.fixture(params=["python", "command line"])
def simulate(
    request: pytest.FixtureRequest, tmp_path: Path, finished_runs: dict[object, Trajectory]
) -> Simulate:
    """`simulate(file, names, **options)`: each test that uses it runs both ways."""

    def run(file: str, *names: str, **options: object) -> Trajectory:
        key = (request.param, file, names, repr(options))
        if key not in finished_runs:
            if request.param == "python":
                finished_runs[key] = from_python(file, names, options)
            else:
                finished_runs[key] = from_command_line(file, names, options, tmp_path)
        return finished_runs[key]

    return run
