"""Random automata with constant slopes, against an interpreter: modes, guards, resets, chains at one instant.

In each mode three variables move with constant slopes. A guard is a mode and a comparison of one variable
with a threshold; it leads to another mode and may reset a variable. Guards are branches of one when-clause:
of those that become true together the first counts. A mode that is entered with its guard already true is
left at once.

Slopes are constant, so trajectories are straight lines and the interpreter finds the next event by division.
What the integrator adds is rounding: results are compared to a ten-millionth, whatever the tolerance. Runs in
which two things happen within a ten-thousandth of each other are left out, since rounding would order them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from event_runs import steps
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import saltus

STOP, CLOSE, MOST = 10.0, 1e-4, 60
HOW = [("bdf", 1e-4), ("adams", 1e-6), ("ida", 1e-8)]


@dataclass(frozen=True)
class Guard:
    """In `mode`, when x[variable] is on one side of the threshold: to `target`, with an optional reset."""

    mode: int
    variable: int
    above: bool
    threshold: float
    target: int
    reset: tuple[int, float] | None

    def holds(self, x: list[float]) -> bool:
        return x[self.variable] > self.threshold if self.above else x[self.variable] < self.threshold


class Automaton:
    def __init__(self, seed: int, modes: int) -> None:
        random = np.random.default_rng(seed)
        self.slopes = np.round(random.uniform(-2, 2, (modes, 3)), 3)
        self.start = [float(v) for v in np.round(random.uniform(-1, 1, 3), 3)]
        self.guards = []
        for mode in range(modes):
            for _ in range(random.integers(1, 4)):
                reset = None
                if random.random() < 0.6:
                    reset = int(random.integers(3)), float(np.round(random.uniform(-1, 1), 3))
                variable, above = int(random.integers(3)), bool(random.random() < 0.5)
                threshold = float(np.round(random.uniform(0.2, 1.5) * (1 if above else -1), 3))
                target = int(random.integers(modes))
                self.guards.append(Guard(mode, variable, above, threshold, target, reset))
        random.shuffle(self.guards)  # type: ignore[arg-type]

    def text(self) -> str:
        branches = []
        for g in self.guards:
            comparison = f"x[{g.variable + 1}] {'>' if g.above else '<'} {g.threshold!r}"
            actions = f"m = {g.target + 1}; n = pre(n) + 1;"
            if g.reset is not None:
                actions += f" reinit(x[{g.reset[0] + 1}], {g.reset[1]!r});"
            branches.append(f"when pre(m) == {g.mode + 1} and {comparison} then {actions}")
        clause = "\n          else".join(branches)
        rows = ", ".join("{" + ", ".join(repr(float(v)) for v in row) + "}" for row in self.slopes)
        return f"""
        model Automaton
          parameter Real slope[:, :] = {{{rows}}};
          Real x[3](start = {{{", ".join(map(repr, self.start))}}}, each fixed = true);
          Integer m(start = 1, fixed = true), n(start = 0, fixed = true);
        equation
          der(x) = {{slope[m, k] for k in 1:3}};
          {clause}
          end when;
        end Automaton;
        """

    def history(self) -> list[tuple[float, int, list[float]]] | None:
        """(time, mode, x) after each instant, the start first; None if the run is not clear."""
        now, mode, x = 0.0, 0, list(self.start)
        before = [g.mode == mode and g.holds(x) for g in self.guards]  # no edge at the start
        rows = [(now, mode, list(x))]
        while True:
            waits = []
            for g in self.guards:
                slope = float(self.slopes[mode, g.variable])
                away = g.threshold - x[g.variable]
                # Every relation is an event, whether its mode is the present one or not.
                if away * slope > 0:
                    waits.append((away / slope, g))
            if not waits:
                return rows
            wait, reached = min(waits, key=lambda w: w[0])
            others = [
                w for w, g in waits if (g.variable, g.threshold) != (reached.variable, reached.threshold)
            ]
            if any(w - wait < CLOSE for w in others):
                return None
            if now + wait > STOP - CLOSE:
                return rows if now + wait > STOP + CLOSE else None
            now += wait
            x = [v + float(s) * wait for v, s in zip(x, self.slopes[mode], strict=True)]
            moving_up = self.slopes[mode, reached.variable] > 0
            across = reached.variable
            x[across] = reached.threshold
            for _ in range(MOST):
                holds = []
                for g in self.guards:
                    if g.variable == across and g.threshold == reached.threshold:
                        truth = g.above == moving_up
                    else:
                        if abs(x[g.variable] - g.threshold) < CLOSE:
                            return None
                        truth = g.holds(x)
                    holds.append(g.mode == mode and truth)
                rising = [g for g, a, b in zip(self.guards, holds, before, strict=True) if a and not b]
                before = holds
                if not rising:
                    break
                first = rising[0]
                mode = first.target
                if first.reset is not None:
                    variable, value = first.reset
                    x[variable] = value
                    if variable == across:
                        across = -1
            else:
                return None
            if now > rows[-1][0]:
                rows.append((now, mode, list(x)))
            if len(rows) > MOST:
                return None


@settings(max_examples=50, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(st.integers(0, 10**9), st.integers(2, 5), st.sampled_from(HOW))
def test_random_automata(seed: int, modes: int, how: tuple[str, float]) -> None:
    automaton = Automaton(seed, modes)
    expected = automaton.history()
    assume(expected is not None)
    assert expected is not None
    assume(sum(a[1] != b[1] for a, b in pairwise(expected)) >= 2)
    method, tolerance = how
    result = saltus.load(automaton.text()).simulate(stop_time=STOP, method=method, tolerance=tolerance)
    modes_of = [(expected[0][0], expected[0][1])]
    for time, mode, _ in expected[1:]:
        if mode != modes_of[-1][1]:
            modes_of.append((time, mode))
    found = steps(result, "m")
    assert [int(v) - 1 for _, v in found] == [m for _, m in modes_of]
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in modes_of], rtol=0, atol=1e-7)
    for time, _, x in expected:
        row = int(np.searchsorted(result.time, time + 1e-6, side="right")) - 1
        passed = float(result.time[row]) - time
        assert math.isfinite(passed)
        if passed >= -1e-7:
            slopes = automaton.slopes[int(result["m"][row]) - 1]
            for k in range(3):
                assert abs(result[f"x[{k + 1}]"][row] - (x[k] + slopes[k] * max(passed, 0))) < 1e-5
