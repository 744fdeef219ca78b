"""What a family draws: a model, and what is true of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from tools.differential.solvers.piecewise_linear import System, Vector
from tools.differential.solvers.stepping import SLOW, Solution, Solver, Unsure

#: Output points of a run, at which it is compared.
POINTS = 40


@dataclass(frozen=True)
class Truth:
    """Values at the output points, each with what they may be wrong by (infinite where nothing is known).

    `ended` is the time at which the model contradicts itself: a source is shorted. `at_start` says that the
    start values do. `unsure` is the reason why there is no truth at all."""

    values: Mapping[str, Vector] = field(default_factory=dict)
    margins: Mapping[str, Vector] = field(default_factory=dict)
    ended: float | None = None
    at_start: bool = False
    unsure: str = ""
    events: int = 0


@dataclass(frozen=True)
class Case:
    """One model to be run. `structure` says in a few words what it is, `settings` are further ones of the
    run; `loosest` is the largest tolerance with which events are the right ones."""

    structure: str
    text: str
    stop: float
    truth: Callable[[], Truth]
    settings: Mapping[str, str] = field(default_factory=dict)
    loosest: float = 1e-5

    @property
    def times(self) -> Vector:
        return np.linspace(0.0, self.stop, POINTS + 1)[1:]


#: What ideal elements leak in the truth, so that it is unique in every mode.
LEAK = 1e-8


def piecewise_linear_truth(
    leaking: Callable[[float], System],
    stop: float,
    names: Mapping[str, Mapping[str, float]],
    window: float = 1e-4,
) -> Truth:
    """The truth of a piecewise linear system: `names` are variables of the model as sums of its unknowns.

    It is solved twice, with other steps, another leak and a slight disturbance. What may happen `window` of
    the run earlier or later is not compared."""
    system = leaking(LEAK)
    times = np.linspace(0.0, stop, POINTS + 1)[1:]
    beside = [np.minimum(times + part * window * stop, stop) for part in (-1, -0.6, -0.2, 0, 0.3, 0.7, 1)]
    asked = np.unique(np.concatenate(beside))
    try:
        one = Solver(system, stop / 500, 1e-5 * stop).solve(asked)
        two = Solver(leaking(0.5 * LEAK).disturbed(1e-7), stop / 800, 0.4e-5 * stop, 0.6 * SLOW).solve(asked)
    except (Unsure, np.linalg.LinAlgError) as reason:
        return Truth(unsure=str(reason))
    at = np.searchsorted(asked, times)
    # What moves smoothly moves a little in a window; where several events are in it, anything is uncertain.
    events = np.array(one.events)
    crowded = np.array([np.sum(np.abs(events - t) <= window * stop) > 1 for t in times])
    values, margins = {}, {}
    index = {name: k for k, name in enumerate(system.names)}
    for name, terms in names.items():
        weights = np.zeros(len(system.names))
        for unknown, factor in terms.items():
            weights[index[unknown]] = factor
        first, second = one.values @ weights, two.values @ weights
        values[name] = first[at]
        error = 10 * np.abs(first - second)
        around = np.array([np.ptp(_around(first, asked, t, 1.01 * window * stop)) for t in times])
        worst = np.array([np.max(_around(error, asked, t, 1.01 * window * stop)) for t in times])
        smooth = ~crowded & (around < 0.02 * np.nanmax(np.abs(first), initial=0.1))
        margins[name] = np.nan_to_num(worst + np.where(smooth, 0.0, around), nan=np.inf)
    return Truth(values, margins, _ended(one, two), _leaps_at_start(one, two), events=len(one.events))


def _around(values: Vector, asked: Vector, t: float, width: float) -> Vector:
    return values[(asked >= t - width) & (asked <= t + width)]


def _leaps_at_start(one: Solution, two: Solution) -> bool:
    """Something that is no matter of how long the first short step is."""
    return one.jump_at_start > 1e-3 and two.jump_at_start > 0.8 * one.jump_at_start


def _ended(one: Solution, two: Solution) -> float | None:
    if one.ended is None or two.ended is None:
        return one.ended if two.ended is None else two.ended
    return min(one.ended, two.ended)
