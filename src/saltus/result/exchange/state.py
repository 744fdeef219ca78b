"""The state of a run at one time: what another run needs to continue from there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np

from saltus.core.option import usage_error
from saltus.expr.helpers import derivative_name
from saltus.expr.nodes import Type
from saltus.ir.structure import Structure
from saltus.result.exchange.curves import Curves, Value, curves_of
from saltus.result.exchange.formats import read_result
from saltus.result.trajectories.trajectories import Trajectories


@dataclass(frozen=True, eq=False)
class State(Mapping[str, Value]):
    """Values of states and discrete variables by name, at a time. `determined` are parameters that initial
    equations have determined: they keep their values. `tied` are the Reals that follow from the states here:
    one of them may be a state of the mode in which a run begins."""

    time: float
    values_by_name: Mapping[str, Value]
    determined: Mapping[str, float] = field(default_factory=dict)
    tied: Mapping[str, Value] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        return self.values_by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} = {value}" for name, value in self.items())
        return f"<State at time {self.time:g}: {shown}>"


#: What a run can start from: a state, the end of a run or of curves, a result file.
Beginning: TypeAlias = State | Trajectories | Curves | str | Path


def state_at(result: Trajectories, time: float | None = None, *, left: bool = False) -> State:
    """The state at a time (None: at the end); at an event that after it, or with `left` that before it.
    Between rows states are on the polynomials of third degree that have their values and derivatives."""
    if not len(result.time):
        raise usage_error("the run has no rows")
    time = float(result.time[-1]) if time is None else float(time)
    part, _ = result.recording.locate(_row(result, time, left=left))
    found = _taken(curves_of(result), part.structure, time, left=left)
    for v in part.structure.known_states:
        if v.name in found:
            found[v.name] = _on_polynomial(result, v.name, time, float(found[v.name]), left=left)
    free = {v.name for v in result.structure.model.parameters if v.fixed is False}
    known = {name: value for name, value in result.unvarying.items() if name in free}
    others = {n: x for n, x in curves_of(result).at(time, left=left).items() if n not in found}
    tied = {
        name: _on_polynomial(result, name, time, value, left=left)
        for name, value in others.items()
        if isinstance(value, float)
    }
    return State(time, found, known, tied)


def state_from(given: Beginning, structure: Structure) -> State:
    """The state that a run of the model with this structure is to begin in."""
    if isinstance(given, State):
        return given
    if isinstance(given, Trajectories):
        return state_at(given)
    curves = given if isinstance(given, Curves) else read_result(given)
    if not len(curves.time):
        raise usage_error(f"{curves.model} has no rows to go on from")
    time = float(curves.time[-1])
    found = _taken(curves, structure, time)
    missing = [v.name for v in structure.known_states if not v.symbol.is_hidden and v.name not in found]
    if missing:
        hint = "write all variables to the file, or give a State"
        raise usage_error(f"{curves.model} has no values of the state `{missing[0]}`", hint=hint)
    free = {v.name for v in structure.model.parameters if v.fixed is False}
    known = {name: value for name, value in curves.parameters.items() if name in free}
    others = {n: x for n, x in curves.at(time).items() if n not in found and isinstance(x, float)}
    return State(time, found, known, others)


def _row(result: Trajectories, time: float, *, left: bool) -> int:
    row = int(np.searchsorted(result.time, time, "left" if left else "right")) - (0 if left else 1)
    return min(max(row, 0), len(result.time) - 1)


def _taken(curves: Curves, structure: Structure, time: float, *, left: bool = False) -> dict[str, Value]:
    """The values of states and discrete variables."""
    kept = [
        v for v in (*structure.known_states, *structure.model.discretes) if v.symbol.type is not Type.STRING
    ]
    names = [v.name for v in kept if not v.symbol.is_hidden and v.name in curves.arrays]
    return curves.choose(names).at(time, left=left) if names else {}


def _on_polynomial(result: Trajectories, name: str, time: float, linear: float, *, left: bool) -> float:
    """A value between two rows, from the values and derivatives there."""
    rows: Sequence[int] = (_row(result, time, left=False), _row(result, time, left=False) + 1)
    if rows[1] >= len(result.time) or result.time[rows[0]] == time or (left and result.time[rows[1]] == time):
        return linear
    try:
        slopes = result[derivative_name(name)][list(rows)]
    except KeyError:
        return linear
    t, x = result.time[list(rows)], result[name][list(rows)]
    h = t[1] - t[0]
    if h <= 0 or not (np.isfinite(slopes).all() and np.isfinite(x).all()):
        return linear
    s = (time - t[0]) / h
    return float(
        x[0] * (1 + 2 * s) * (1 - s) ** 2
        + x[1] * s**2 * (3 - 2 * s)
        + h * (slopes[0] * s * (1 - s) ** 2 - slopes[1] * s**2 * (1 - s))
    )
