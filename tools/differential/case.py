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
    start values do. `unsure` is the reason why there is no truth from `until` on, or at all. `course` stands
    for the sequence of modes."""

    values: Mapping[str, Vector] = field(default_factory=dict)
    margins: Mapping[str, Vector] = field(default_factory=dict)
    ended: float | None = None
    at_start: bool = False
    unsure: str = ""
    until: float | None = None
    events: int = 0
    course: int = 0


@dataclass(frozen=True)
class Case:
    """One model to be run. `structure` says in a few words what it is, `settings` are further ones of the
    run; `loosest` is the largest tolerance with which events are the right ones. `truth` is asked first for
    one solution without margins, which is enough for what agrees with it, and then, `certain`, for one that
    is compared with another."""

    structure: str
    text: str
    stop: float
    truth: Callable[[bool], Truth]
    settings: Mapping[str, str] = field(default_factory=dict)
    loosest: float = 1e-5

    @property
    def times(self) -> Vector:
        return np.linspace(0.0, self.stop, POINTS + 1)[1:]


#: Steps of a solution, besides those at events.
STEPS = 1000

#: An event may be so much earlier or later, as part of the run, as far as a row beside it is concerned.
WINDOW = 1e-4

#: How much more one start value is disturbed than another: as much as an event is located within.
APART = 1e-9

#: What ideal elements leak in the truth, so that it is unique in every mode.
LEAK = 1e-8

#: The other solutions that tell how well a truth is known: by how much all is larger (in 1e-7), how start
#: values differ, then parts of what leaks, of steps, of the run for an instant, and of what is slow.
OTHERS = (
    (1.0, 1.0, 0.5, 0.6, 0.4e-5, 0.6),
    (-1.0, 2.0, 1.0, 0.8, 1e-6, 0.3),
    (0.5, 4.0, 2.0, 0.7, 2.5e-6, 0.5),
)

#: So many times as far as these lie from each other a truth may be from what is so.
SPREAD = 5.0


def piecewise_linear_truth(
    leaking: Callable[[float], System],
    stop: float,
    names: Mapping[str, Mapping[str, float]],
    certain: bool = True,
    early: float = 0.0,
) -> Truth:
    """The truth of a piecewise linear system: `names` are variables of the model as sums of its unknowns.

    Where it has to be `certain`, it is solved anew, with other steps, other leaks and slight disturbances:
    how far apart these solutions are says how well a model can be known at all, by whomever, whose start
    values are known to `APART`. What may happen `WINDOW` of the run earlier or later is not compared. Where
    events come one after the other, a run may take them for over when `early` of the run is left of them, so
    that they are not compared within that. Otherwise it is solved once: what agrees with that, without any
    margin, is right."""
    system = leaking(LEAK)
    times = np.linspace(0.0, stop, POINTS + 1)[1:]
    weights = {name: _weights(system, terms) for name, terms in names.items()}
    near, far = WINDOW * stop, max(early, WINDOW) * stop
    shifts = [part * near for part in (-1, -0.6, -0.2, 0, 0.3, 0.7, 1)]
    shifts += [part * far for part in (-1, -0.6, -0.3, 0.3, 0.6, 1)] if early else []
    beside = [np.clip(times + shift, 1e-12, stop) for shift in shifts]
    asked = np.unique(np.concatenate(beside)) if certain else times
    try:
        one = Solver(system, stop / STEPS, 1e-5 * stop).solve(asked)
        if not certain:
            values = {name: one.values @ w for name, w in weights.items()}
            margins = {name: np.where(np.isnan(v), np.inf, 0.0) for name, v in values.items()}
            known = one.ended, False, one.unsure, one.until
            return Truth(values, margins, *known, events=len(one.events), course=one.course)
        two, *others = (
            Solver(
                leaking(leak * LEAK).disturbed(1e-7 * larger, APART, phase),
                step * stop / STEPS, instant * stop, slow * SLOW,
            ).solve(asked)
            for larger, phase, leak, step, instant, slow in OTHERS
        )  # fmt: skip
    except (Unsure, np.linalg.LinAlgError) as reason:
        return Truth(unsure=str(reason))
    at = np.searchsorted(asked, times)
    # What moves smoothly moves a little in a window; where several events are in it, anything is uncertain.
    events = np.array(one.events)
    crowded = np.array([np.sum(np.abs(events - t) <= near) > 1 for t in times])
    ending = np.array([early > 0 and np.sum(np.abs(events - t) <= far) > 2 for t in times])
    values, margins = {}, {}
    for name, w in weights.items():
        first, second = one.values @ w, two.values @ w
        values[name] = first[at]
        error = np.abs(first - second)
        for other in others:  # one that goes no further says nothing
            error = np.where(np.isnan(error), error, np.fmax(error, np.abs(first - other.values @ w)))
        error *= SPREAD
        around = np.array([np.ptp(_around(first, asked, t, 1.01 * near)) for t in times])
        worst = np.array([np.max(_around(error, asked, t, 1.01 * near)) for t in times])
        smooth = ~crowded & (around < 0.02 * np.nanmax(np.abs(first), initial=0.1))
        wide = np.array([np.ptp(_around(first, asked, t, 1.01 * far)) for t in times])
        spread = np.where(ending, wide, np.where(smooth, 0.0, around))
        margins[name] = np.nan_to_num(worst + spread, nan=np.inf)
    ended, leaps = _ended(one, two), _leaps_at_start(one, two)
    known = ended, leaps, one.unsure or two.unsure, _earlier(one.until, two.until)
    return Truth(values, margins, *known, events=len(one.events), course=one.course)


def _weights(system: System, terms: Mapping[str, float]) -> Vector:
    found = np.zeros(len(system.names))
    for unknown, factor in terms.items():
        found[system.names.index(unknown)] = factor
    return found


def _around(values: Vector, asked: Vector, t: float, width: float) -> Vector:
    return values[(asked >= t - width) & (asked <= t + width)]


def _leaps_at_start(one: Solution, two: Solution) -> bool:
    """Something that is no matter of how long the first short step is."""
    return one.jump_at_start > 1e-3 and two.jump_at_start > 0.8 * one.jump_at_start


def _ended(one: Solution, two: Solution) -> float | None:
    return _earlier(one.ended, two.ended)


def _earlier(one: float | None, two: float | None) -> float | None:
    if one is None or two is None:
        return one if two is None else two
    return min(one, two)
