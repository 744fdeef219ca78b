"""What a family of models draws: a model text, its parameters, and the truth about each of its relations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from tools.lost_events.truth import Formula, Grid, Timeline, Vector, timeline

T = TypeVar("T")


@dataclass(frozen=True)
class Signal:
    """The relation `y > threshold` (or `<`) of a variable that is known as a formula of time.

    `accuracy` bounds the error that a step may add to the variable, in tolerances; 0 for formulas of time,
    which are as good as their digits.
    """

    formula: Formula
    grid: Grid
    threshold: float
    accuracy: float = 0.0
    below: bool = False

    def residue(self, t: Vector) -> Vector:
        difference = self.formula(t) - self.threshold
        return -difference if self.below else difference

    def truth(self, margin: float) -> Timeline:
        return timeline(self.residue, self.grid, margin)


@dataclass(frozen=True)
class Instants:
    """A relation that is known by the instants at which its truth changes, each with the error that it may
    have, and by its shortest time scale. Nothing is known after `until`."""

    first: bool
    times: Vector
    errors: Vector
    scale: float
    until: float

    def truth(self) -> Timeline:
        """Certain from the latest time of one change to the earliest of the next."""
        known = self.times < self.until
        times, errors = self.times[known], self.errors[known]
        began, ended = np.concatenate([[0.0], times]), np.concatenate([times, [self.until]])
        starts, ends = np.concatenate([[0.0], times + errors]), np.concatenate([times - errors, [self.until]])
        signs = np.where(np.arange(len(began)) % 2 == (0 if self.first else 1), 1, -1)
        kept = starts < ends
        scales = np.full(len(began), self.scale)
        return Timeline(starts[kept], ends[kept], signs[kept], began[kept], ended[kept], scales[kept])


@dataclass(frozen=True)
class Case:
    """One model to be run. Relation number k of the text has the Boolean `b<k>`, the counters `up<k>` and
    `down<k>`, and, where it is a signal, the variable `y<k>`. `instants` makes the truth for a tolerance.
    `loosest` is the largest tolerance with which the run says anything about events, `settings` are further
    ones of the run."""

    name: str
    text: str
    parameters: Mapping[str, float]
    stop: float
    signals: Sequence[Signal] = ()
    instants: Callable[[float], Sequence[Instants]] = lambda tolerance: ()
    loosest: float = 1e-4
    fastest: float = math.inf
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def shortest(self) -> float:
        """The shortest time scale of all: of the signals, and the `fastest` of what is known by instants."""
        return min([self.fastest, *(float(s.grid.scales.min()) for s in self.signals)])


def model_text(
    name: str,
    parameters: str,
    variables: str,
    equations: str,
    conditions: Sequence[str] = ("y1 > c1",),
    classes: str = "",
) -> str:
    """A model that counts the rising and falling edges of conditions. `parameters` are names; each gets a
    value for every run."""
    lines = [f"model {name}"]
    lines += [f"  {line.strip()}" for line in classes.strip().splitlines()]
    lines += [f"  parameter Real {p} = 1;" for p in parameters.split()]
    lines += [f"  {line.strip()}" for line in variables.strip().splitlines()]
    for k in range(1, len(conditions) + 1):
        lines += [f"  Boolean b{k};", f"  Integer up{k}(start = 0, fixed = true);"]
        lines += [f"  Integer down{k}(start = 0, fixed = true);"]
    lines.append("equation")
    lines += [f"  {line.strip()}" for line in equations.strip().splitlines()]
    for k, condition in enumerate(conditions, 1):
        lines += [f"  b{k} = {condition};"]
        lines += [f"  when b{k} then", f"    up{k} = pre(up{k}) + 1;", "  end when;"]
        lines += [f"  when not b{k} then", f"    down{k} = pre(down{k}) + 1;", "  end when;"]
    return "\n".join([*lines, f"end {name};", ""])


class Draw:
    """Random numbers as models want them, the same for the same seed."""

    def __init__(self, *seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def uniform(self, low: float, high: float) -> float:
        return float(self._random.uniform(low, high))

    def decades(self, low: float, high: float) -> float:
        """Between low and high, evenly on a logarithmic scale."""
        return float(np.exp(self._random.uniform(math.log(low), math.log(high))))

    def phase(self) -> float:
        return self.uniform(0.0, 2 * math.pi)

    def whole(self, low: int, high: int) -> int:
        return int(self._random.integers(low, high + 1))

    def yes(self, probability: float = 0.5) -> bool:
        return self.uniform(0.0, 1.0) < probability

    def one_of(self, choices: Sequence[T]) -> T:
        return choices[int(self._random.integers(len(choices)))]

    def sorted(self, count: int, low: float, high: float) -> Vector:
        return np.sort(self._random.uniform(low, high, count))

    def stop(self, period: float, most: float = 1000.0, least: float = 1.0) -> float:
        """The length of a run of 1 to 1000 periods: any number, or a round one."""
        stop = self.decades(least, most) * period
        if self.yes():
            return stop
        digit = 10.0 ** math.floor(math.log10(stop))
        return max(round(stop / digit), 1) * digit
