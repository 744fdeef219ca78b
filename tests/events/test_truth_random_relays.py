"""Random networks of relays in random linear systems, against the exponential of their matrices.

Hypothesis makes the system, the functionals that the relays watch, their thresholds and what they add to the
derivatives. Runs in which a functional turns round close to a threshold, or passes it slowly, are left out:
there an error of the tolerance decides whether something happens at all.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import pytest
from event_runs import steps
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from piecewise_affine import Affine, Phase, Vector, at, phases
from scipy.linalg import expm
from truth_cases import STEPS

import saltus

STOP, SCAN, MOST = 4.0, 0.004, 40
MARGIN = 0.03  # how far below a threshold a functional may turn round, and how slowly it may pass it


class Network:
    """x' = A x + b + sum of relays B[:, k]*on[k]; relay k is on from C[k].x < low until C[k].x > high."""

    def __init__(self, seed: int, states: int, relays: int) -> None:
        random = np.random.default_rng(seed)
        self.n, self.m = states, relays
        self.a = random.normal(0, 2, (states, states))
        self.a -= (np.linalg.eigvals(self.a).real.max() + 0.5) * np.eye(states)  # now it is stable
        self.a = np.round(self.a, 2)
        self.b = np.round(random.normal(-1, 1, states), 2)
        self.c = np.round(random.normal(0, 1, (relays, states)), 2)
        # Towards the functional that the relay watches, more or less: so most relays go on switching.
        self.push = np.round(4 * self.c.T + random.normal(0, 1, (states, relays)), 2)
        middle = np.round(random.normal(0, 0.3, relays), 2)
        width = np.round(random.uniform(0.1, 0.5, relays), 2)
        self.low, self.high = middle - width, middle + width
        self.start = np.round(random.normal(0, 1, states), 2)
        self.on = tuple(bool(v < limit) for v, limit in zip(self.c @ self.start, self.low, strict=True))

    def text(self) -> str:
        def matrix(values: Vector) -> str:
            return "{" + ", ".join("{" + ", ".join(map(repr, map(float, row))) + "}" for row in values) + "}"

        def vector(values: Vector) -> str:
            return "{" + ", ".join(repr(float(v)) for v in values) + "}"

        on = ", ".join("true" if v else "false" for v in self.on)
        return f"""
        model Network
          parameter Real A[:, :] = {matrix(self.a)}, B[:, :] = {matrix(self.push)};
          parameter Real C[:, :] = {matrix(self.c)};
          parameter Real low[:] = {vector(self.low)}, high[:] = {vector(self.high)};
          Real x[{self.n}](start = {vector(self.start)}, each fixed = true), y[{self.m}];
          Boolean on[{self.m}](start = {{{on}}}, each fixed = true);
        equation
          der(x) = A*x + {vector(self.b)} + B*{{if on[k] then 1 else 0 for k in 1:{self.m}}};
          y = C*x;
          for k in 1:{self.m} loop
            on[k] = if pre(on[k]) then not y[k] > high[k] else y[k] < low[k];
          end for;
        end Network;
        """

    def affine(self, mode: Hashable) -> Affine:
        assert isinstance(mode, tuple)
        drive = self.b + self.push @ np.array(mode, dtype=float)
        rows = [np.append(c, -h) if on else np.append(-c, lo) for on, c, lo, h in self._limits(mode)]
        return Affine(self.a, drive, np.array(rows))

    def _limits(self, mode: tuple[bool, ...]) -> list[tuple[bool, Vector, float, float]]:
        return list(zip(mode, self.c, self.low, self.high, strict=True))

    def truth(self) -> list[Phase]:
        def switch(mode: Hashable, guard: int, z: Vector) -> tuple[Hashable, Vector]:
            assert isinstance(mode, tuple)
            return tuple(on != (k == guard) for k, on in enumerate(mode)), z

        return phases(self.affine, switch, self.on, self.start, STOP, SCAN, MOST)

    def is_clear(self, found: list[Phase]) -> bool:
        """Whether every passage of a threshold is clear, and so is every turn before one."""
        ends = [*(p.start for p in found[1:]), STOP]
        if len(found) == MOST or min(np.diff([0.0, *ends])) < 1e-3:
            return False
        for phase, end in zip(found, ends, strict=True):
            step = expm(phase.affine.augmented() * (end - phase.start) / 60)
            rows = [np.append(phase.z, 1.0)]
            for _ in range(60):
                rows.append(step @ rows[-1])
            points = np.array(rows)
            if np.abs(points).max() > 20:
                return False
            values = points @ phase.affine.guards.T
            slopes = np.diff(values, axis=0)
            turns = (slopes[:-1] > 0) & (slopes[1:] <= 0) & (np.abs(values[1:-1]) < MARGIN)
            near_the_end = values[-1][np.abs(values[-1]) < MARGIN]
            if turns.any() or len(near_the_end) > (end < STOP):
                return False
            speed = phase.affine.guards[:, :-1] @ (phase.affine.a @ points[-1, :-1] + phase.affine.b)
            if end < STOP and speed[np.argmax(values[-1])] < MARGIN:
                return False
        return True


@settings(max_examples=20, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(
    st.integers(0, 10**6),
    st.integers(1, 4),
    st.integers(1, 3),
    st.sampled_from(["bdf", "adams", "ida", "rk45"]),
)
def test_random_networks(seed: int, states: int, relays: int, method: str) -> None:
    network = Network(seed, states, relays)
    found = network.truth()
    assume(len(found) > 2 and network.is_clear(found))
    compare(network, found, method, 1e-8)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
def test_one_network_at_all_tolerances(tolerance: float) -> None:
    for seed in range(1000):
        network = Network(seed, 3, 2)
        found = network.truth()
        if len(found) > 6 and network.is_clear(found):
            compare(network, found, "bdf", tolerance)
            return
    raise AssertionError("no network switches")


def compare(network: Network, found: list[Phase], method: str, tolerance: float) -> None:
    result = saltus.load(network.text()).simulate(stop_time=STOP, tolerance=tolerance, method=method)
    scale = max(np.abs(p.z).max() for p in found) + 1
    # Errors of all phases; the transient growth of a stable matrix may enlarge them.
    growth = max(np.linalg.norm(expm(network.a * t), 2) for t in np.linspace(0, STOP, 40))
    error = len(found) * STEPS * scale * growth * tolerance
    for k in range(network.m):
        expected, mode = [], found[0].mode
        for phase in found[1:]:
            if phase.mode[k] != mode[k]:  # type: ignore[index]
                expected.append((phase.start, float(phase.mode[k])))  # type: ignore[index]
            mode = phase.mode
        switched = steps(result, f"on[{k + 1}]")[1:]
        assert [v for _, v in switched] == [v for _, v in expected]
        np.testing.assert_allclose(
            [t for t, _ in switched],
            [t for t, _ in expected],
            rtol=0,
            atol=error * np.abs(network.c[k]).sum() / MARGIN,
        )
    rows = np.arange(0, len(result.time), 25)
    truth = at(found, result.time[rows])
    starts = np.array([p.start for p in found[1:]])
    clear = np.array([np.abs(starts - t).min() > 1e-4 for t in result.time[rows]])
    push = np.abs(network.push).max()
    for j in range(network.n):
        bound = error * (1 + push / MARGIN)
        np.testing.assert_allclose(result[f"x[{j + 1}]"][rows][clear], truth[clear, j], rtol=0, atol=bound)
