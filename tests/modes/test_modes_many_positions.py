"""Many ropes, which hold positions: one program follows all of them, whatever their combinations."""

from __future__ import annotations

import math

import numpy as np
import pytest

import saltus

#: The one in which the model starts, and the one that follows what holds positions.
PROGRAMS = 2

BODIES = """
model Bodies "each falls into its own rope, which holds it until it is pushed back"
  parameter Integer n = 12;
  parameter Real w[n] = {1 + 0.05*k for k in 1:n}, speed[n] = {1 + 0.13*k for k in 1:n};
  Real x[n](each start = 0, each fixed = true), v[n](start = speed, each fixed = true), F[n], s[n];
equation
  for k in 1:n loop
    der(x[k]) = v[k];
    2*der(v[k]) = 3*cos(w[k]*time) - F[k];
    0.4 - x[k] = if s[k] > 0 then s[k] else 0;
    F[k] = if s[k] > 0 then 0 else -s[k];
  end for;
  annotation(experiment(StopTime = 4, Interval = 0.02, Tolerance = 1e-9));
end Bodies;
"""


def test_each_rope_by_itself() -> None:
    result = saltus.load(BODIES).simulate()
    assert result.statistics["programs"] == PROGRAMS
    for k in (1, 5, 12):
        w, speed = 1 + 0.05 * k, 1 + 0.13 * k

        def free(t: float, w: float = w, speed: float = speed) -> float:
            return speed * t + 1.5 / w**2 * (1 - math.cos(w * t))

        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if free(middle) < 0.4 else (low, middle)
        taut, off = high, math.pi / (2 * w)  # there the push changes its sign
        impulse = next(i for i in result.impulses[f"F[{k}]"])
        assert impulse.time == pytest.approx(taut, abs=1e-7)
        assert impulse.weight == pytest.approx(2 * (speed + 1.5 / w * math.sin(w * taut)), rel=1e-6)
        t = result.time
        held = (t > taut + 1e-6) & (t < off - 1e-6)
        assert np.abs(result[f"x[{k}]"][held] - 0.4).max() < 1e-9
        assert np.abs(result[f"v[{k}]"][held]).max() < 1e-12
        assert np.abs(result[f"F[{k}]"][held] - 3 * np.cos(w * t[held])).max() < 1e-7
        later = (t > off + 1e-6) & (t < 1.5 * math.pi / w)
        moved = 1.5 / w**2 * (math.cos(w * off) - np.cos(w * t[later])) - 1.5 / w * (t[later] - off)
        assert np.abs(result[f"x[{k}]"][later] - 0.4 - moved).max() < 1e-6


TRAIN = """
model Train "masses and ropes of the library, in a row, the first one pulled"
  parameter Integer n = 4;
  Saltus.Translational.Mass m[n](
    each m = 2, s(start = {-0.02*k for k in 1:n}, each fixed = true), each v(start = 0, fixed = true));
  Saltus.Translational.Rope rope[n - 1](each L = 0.05);
  Saltus.Translational.Sources.ConstantForce pull(f = 30);
equation
  connect(pull.flange, m[1].flange_a);
  for k in 1:n - 1 loop
    connect(m[k + 1].flange_b, rope[k].flange_a);
    connect(rope[k].flange_b, m[k].flange_a);
  end for;
  annotation(experiment(StopTime = 2, Interval = 0.01, Tolerance = 1e-9));
end Train;
"""


@pytest.mark.parametrize("n", [12, 30])
def test_a_train_of_any_length(n: int) -> None:
    result = saltus.load(TRAIN.replace("n = 4", f"n = {n}")).simulate()
    most = 2 * PROGRAMS  # the first ropes are found one by one
    assert result.statistics["programs"] <= most
    # k wagons go together; the next one is reached where the first has moved by the slack of 0.03.
    time, speed, k = 0.0, 0.0, 1
    while True:
        a = 30 / (2 * k)
        step = (-speed + math.sqrt(speed**2 + 2 * a * 0.03)) / a
        if k == n or time + step >= 2:
            break
        time, speed = time + step, (speed + a * step) * k / (k + 1)
        impulse = result.impulses[f"rope[{k}].f"][0]
        assert impulse.time == pytest.approx(time, abs=1e-6)
        assert impulse.weight == pytest.approx(2 * speed, rel=1e-5)
        k += 1
    assert result["m[1].v"][-1] == pytest.approx(speed + 15 / k * (2 - time), rel=1e-6)
    gaps = np.array([result[f"m[{j}].s"] - result[f"m[{j + 1}].s"] for j in range(1, n)])
    assert gaps.max() < 0.05 + 1e-8
