"""Many frictions with phases, as the Modelica Standard Library writes them, coupled by one mass matrix.

Each is stuck, slides forward or slides backward, and all decide together, by four relations each about its
place on the curve. The truth is a linear complementarity problem for each short step of time: implicit Euler,
with the forces found by projection (Gauss-Seidel), which shares nothing with the search for a mode.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from tools.obedience.judge import violations

import saltus
from saltus.run.failures.coupling import groups

Vector = NDArray[np.float64]

STOP, STEP = 3.0, 2e-3

TEXT = """
model Arms "Bodies with a full mass matrix, each on a rough track, each pushed to and fro"
  constant Integer n = {n};
  parameter Real J[n, n] = {J}, f0[n] = {f0}, d[n] = {d}, w[n] = {w}, A[n] = {A}, peak = 1;
  Real v[n](each start = 0, each fixed = true), a[n], s[n], f[n];
  Boolean forward[n](each start = false, each fixed = true);
  Boolean backward[n](each start = false, each fixed = true);
  Boolean stuck[n];
  Integer phase[n](each start = 3, each fixed = true) "1: forward, -1: backward, 0: stuck, 3: unknown";
equation
  a = der(v);
  J*a = {{A[k]*sin(w[k]*time) for k in 1:n}} - f;
  for k in 1:n loop
    forward[k] = pre(phase[k]) == 0 and (s[k] > peak*f0[k] or pre(forward[k]) and s[k] > f0[k])
      or pre(phase[k]) == -1 and v[k] > 1e-10 or initial() and v[k] > 0;
    backward[k] = pre(phase[k]) == 0 and (s[k] < -peak*f0[k] or pre(backward[k]) and s[k] < -f0[k])
      or pre(phase[k]) == 1 and v[k] < -1e-10 or initial() and v[k] < 0;
    stuck[k] = not (pre(phase[k]) == 1 or forward[k] or pre(phase[k]) == -1 or backward[k]);
    a[k] = if stuck[k] then 0 elseif forward[k] then s[k] - peak*f0[k]
      elseif backward[k] then s[k] + peak*f0[k]
      elseif pre(phase[k]) == 1 then s[k] - peak*f0[k] else s[k] + peak*f0[k];
    f[k] = if stuck[k] then s[k] elseif forward[k] then f0[k] + d[k]*v[k]
      elseif backward[k] then d[k]*v[k] - f0[k]
      elseif pre(phase[k]) == 1 then f0[k] + d[k]*v[k] else d[k]*v[k] - f0[k];
    phase[k] = if (pre(phase[k]) == 1 or forward[k]) and v[k] > 0 then 1
      elseif (pre(phase[k]) == -1 or backward[k]) and v[k] < 0 then -1 else 0;
  end for;
end Arms;
"""


class Arms:
    """Random bodies."""

    def __init__(self, seed: int, n: int) -> None:
        random = np.random.default_rng(seed)
        roots = random.normal(size=(n, n))
        self.masses = (roots @ roots.T / n + 0.05 * np.eye(n)) * 10.0 ** random.uniform(-2, 0)
        self.rough, self.damping = random.uniform(0.2, 1, n), random.uniform(0, 0.3, n)
        self.turns, self.pushes = random.uniform(1, 6, n), random.uniform(0.5, 3, n)

    def model(self) -> saltus.Model:
        def written(values: Vector) -> str:
            return "{" + ", ".join(written(x) if x.ndim else repr(float(x)) for x in values) + "}"

        own = {"J": self.masses, "f0": self.rough, "d": self.damping, "w": self.turns, "A": self.pushes}
        return saltus.load(TEXT.format(n=len(self.rough), **{k: written(x) for k, x in own.items()}))

    def speeds(self, times: Vector) -> Vector:
        """Step by step: the momentum changes by what the forces at the end of each do."""
        n = len(self.rough)
        inverse = np.linalg.inv(self.masses + STEP * np.diag(self.damping))
        answers = STEP * inverse
        speeds, forces = np.zeros(n), np.zeros(n)
        found = []
        for time in times:
            free = inverse @ (self.masses @ speeds + STEP * self.pushes * np.sin(self.turns * time))
            for _ in range(2000):
                before = forces.copy()
                for k in range(n):
                    slip = (free[k] - answers[k] @ forces) / answers[k, k]
                    forces[k] = np.clip(forces[k] + slip, -self.rough[k], self.rough[k])
                if np.abs(forces - before).max() < 1e-11:
                    break
            speeds = free - answers @ forces
            found.append(speeds)
        return np.array(found)


@pytest.mark.parametrize(("seed", "n"), [(1, 6), (2, 6), (3, 6), (4, 6), (7, 6), (2, 10)])
def test_many_decide_together(seed: int, n: int) -> None:
    arms = Arms(seed, n)
    result = arms.model().simulate(stop_time=STOP, tolerance=1e-8)
    times = np.arange(1, round(STOP / STEP) + 1) * STEP
    truth = arms.speeds(times)
    for k in range(n):
        found = np.interp(times, result.time, result[f"v[{k + 1}]"])
        assert np.abs(found - truth[:, k]).max() < 0.01 * np.abs(truth).max()  # of first order in the step
    assert violations(result, 1e-8) == []
    assert result.warnings == []
    turns = sum(np.count_nonzero(np.diff(result[f"phase[{k + 1}]"])) for k in range(n))
    assert turns > 5 * n  # they do stick and slide


def test_relations_along_one_axis() -> None:
    """All four relations of a friction compare its place on the curve with what nothing here depends on."""
    structure = Arms(1, 3).model().structure
    (group,) = groups(structure, initial=False)
    texts = [structure.relations[k].text for k in group.members]
    of_axis = {axis: {t for t, a in zip(texts, group.axes, strict=True) if a == axis} for axis in group.axes}
    assert sorted(map(len, of_axis.values())) == [4, 4, 4]
    assert all(len({text[: text.index("]")] for text in own}) == 1 for own in of_axis.values())
