"""Where a run begins among many guards that decide together: the mode is found by numbers, without programs
of modes that are given up again."""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.programs import Programs

#: Shafts in a row, with a friction clutch between neighbours. Where neighbours have the same speed at the
#: start, the equation of their clutch cannot be solved in the general program.
SHAFTS = """
model Shafts
  parameter Integer n = 8;
  parameter Real J[n] = {{0.5 + 0.25*k for k in 1:n}}, load[n] = {{{load}}}, grip[n - 1] = {{{grip}}};
  Real w[n](start = {{{speeds}}}, each fixed = true), tau[n - 1], s[n - 1];
  Boolean forward[n - 1] = {{s[k] > 1 for k in 1:n - 1}}, backward[n - 1] = {{s[k] < -1 for k in 1:n - 1}};
equation
  for k in 1:n loop
    J[k]*der(w[k]) = load[k] + (if k == 1 then 0 else tau[max(k - 1, 1)])
      - (if k == n then 0 else tau[min(k, n - 1)]);
  end for;
  for k in 1:n - 1 loop
    w[k] - w[k + 1] = if forward[k] then s[k] - 1 elseif backward[k] then s[k] + 1 else 0;
    tau[k] = grip[k]*(if forward[k] then 1 elseif backward[k] then -1 else s[k]);
  end for;
  annotation(experiment(StopTime = 0.02, Tolerance = 1e-9));
end Shafts;
"""

STARTS = {
    "one pair that slips at once": (
        [80, 80, 20, 10, 30, 5, 4, 0],
        [3, 0, 0, 0, 0, 0, 0, 0],
        [0.01, 1, 1, 1, 1, 1, 1],
    ),
    "one pair that holds": ([80, 80, 20, 10, 30, 5, 4, 0], [3, 0, 0, 0, 0, 0, 0, 0], [9, 1, 1, 1, 1, 1, 1]),
    "two pairs, one of which slips backwards": (
        [7, 20, 20, 10, 30, 5, 5, 0],
        [0, 0, 0, 0, 0, -4, 6, 0],
        [1, 2, 2, 1, 1, 0.5, 1],
    ),
    "all of them": ([5] * 8, [1, -2, 4, 0, 3, -1, 0, 2], [0.5, 0.7, 2, 0.1, 1, 0.2, 3]),
}


def rates(speeds: list[float], load: list[float], grip: list[float]) -> np.ndarray:
    """Accelerations of the first moment: friction takes as much power as it can. The torques are those
    which minimise the kinetic energy a moment later, found by turns until nothing moves."""
    n = len(speeds)
    inertia = 0.5 + 0.25 * np.arange(1, n + 1)
    torque = np.zeros(n - 1)
    free = np.array(load, dtype=float)
    for _ in range(20000):
        before = torque.copy()
        for k in range(n - 1):
            slip = speeds[k] - speeds[k + 1]
            if slip:
                torque[k] = grip[k] * np.sign(slip)
                continue
            left = free[k] + (torque[k - 1] if k else 0.0)
            right = free[k + 1] - (torque[k + 1] if k + 1 < n - 1 else 0.0)
            # The torque with which both accelerate alike, as far as the clutch can hold it.
            holds = (left / inertia[k] - right / inertia[k + 1]) / (1 / inertia[k] + 1 / inertia[k + 1])
            torque[k] = np.clip(holds, -grip[k], grip[k])
        if np.abs(torque - before).max() < 1e-14:
            break
    return (free + np.append(0.0, torque) - np.append(torque, 0.0)) / inertia


@pytest.mark.parametrize("name", STARTS)
def test_no_program_is_made_for_a_mode_that_is_only_tried(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    speeds, load, grip = STARTS[name]
    text = SHAFTS.format(
        speeds=", ".join(map(str, speeds)), load=", ".join(map(str, load)), grip=", ".join(map(str, grip))
    )
    model = saltus.load(text)
    tried: list[object] = []
    starting = Programs.starting
    monkeypatch.setattr(Programs, "starting", lambda self, mode: tried.append(mode) or starting(self, mode))
    result = model.simulate()
    expected = rates(speeds, load, grip)
    for k, (speed, rate) in enumerate(zip(speeds, expected, strict=True), 1):
        assert result[f"w[{k}]"] == pytest.approx(speed + rate * result.time, abs=1e-8)
    assert not tried
    assert result.statistics["programs"] <= 2
    assert len(result.impulses) == 0
