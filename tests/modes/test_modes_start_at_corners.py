"""Runs that begin at a corner: a clutch sticks and a freewheel stands, and may stay so or let go at once.

Some bodies have no start values of their own, since others determine them: a second body on a shaft, the
carrier of a planetary gear. Where the modes of the initial systems lead to one another, these must not be
taken to stand still. Truth: Lagrange's equations with the constraints of what sticks; all torques are
constant, so speeds are straight lines.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import saltus

Vector = NDArray[np.float64]

SMALL = """
model Small "A second body beside x, and a differential whose carrier must not turn backwards"
  parameter Real push = 1;
  Real x(start = 1, fixed = true), y(start = -1, fixed = true), c, z, t, s, lambda, mu;
  Boolean free = s > 0;
equation
  0.01*der(x) = push - lambda/2 + mu;
  0.5*der(y) = -lambda/2;
  0.02*der(c) = lambda + t;
  0.3*der(z) = -mu;
  z = x;
  c = (x + y)/2;
  c = if free then s else 0;
  t = if free then 0 else -s;
end Small;
"""


@pytest.mark.parametrize("push", [1.0, -1.0])
def test_body_without_a_start_value(push: float) -> None:
    """Pushed forward the carrier begins to turn; pushed back it is held."""
    result = saltus.load(SMALL).simulate(stop_time=0.5, set={"push": push})
    inertia = np.array([[0.31 + 0.005, 0.005], [0.005, 0.505]])
    if push > 0:
        a = np.linalg.solve(inertia, [push, 0])
    else:
        a = push / 0.81 * np.array([1, -1])
    t = np.asarray(result.time)
    np.testing.assert_allclose(result["x"], 1 + a[0] * t, atol=1e-9)
    np.testing.assert_allclose(result["y"], -1 + a[1] * t, atol=1e-9)
    np.testing.assert_allclose(result["z"], result["x"], atol=1e-12)
    assert bool(result["free"][-1]) == (push > 0)


K, K3, TORQUE = 1 / 0.48, 0.73 / 0.27, 100.0
PARTS = {
    "A": "Clutch A(mu = 0.1, fn_max = 4000)",
    "B": "Clutch B(mu = 0.1, fn_max = 4000)",
    "C": "Clutch C(mu = 0.1, fn_max = 3000)",
    "D": "Freewheel D",
    "E": "Clutch E(mu = 0.1, fn_max = 5000)",
}
ENDS = {
    "A": ("input_shaft.flange_b", "ring.flange_a", "A.press = 1;"),
    "B": ("input_shaft.flange_b", "sun.flange_a", "B.press = 0;"),
    "C": ("housing.flange", "sun.flange_a", "C.press = 0;"),
    "D": ("housing.flange", "carrier.flange_a", ""),
    "E": ("middle.flange_b", "sun3.flange_a", "E.press = 1;"),
}
NAMES = ("input_shaft", "ring", "sun", "carrier", "middle", "sun3", "vehicle")
INERTIAS = np.array([0.2, 0.01, 0.02, 0.02, 0.03, 0.01, 11.0])


def train(elements: str) -> str:
    """Two planetary gears with a common sun and a third one behind them, in first gear: a carrier stands."""
    rotational = "Saltus.Rotational."
    parts = "".join(f"  {rotational}{PARTS[e]};\n" for e in elements)
    joints = "".join(
        f"  connect({a}, {e}.flange_a); connect({e}.flange_b, {b}); {more}\n"
        for e, (a, b, more) in ENDS.items()
        if e in elements
    )
    return f"""model Train
  parameter Real k = 1/0.48, k3 = 0.73/0.27;
  {rotational}Inertia input_shaft(J = 0.2, phi(start = 0, fixed = true), w(start = 62, fixed = true));
  {rotational}Inertia ring(J = 0.01, phi(start = 0, fixed = true), w(start = 62, fixed = true));
  {rotational}Inertia sun(J = 0.02, phi(start = 0, fixed = true), w(start = -25*k, fixed = true));
  {rotational}Inertia sun3(J = 0.01, phi(start = 0, fixed = true), w(start = 25, fixed = true));
  {rotational}Inertia carrier(J = 0.02), middle(J = 0.03), vehicle(J = 11);
  {rotational}PlanetaryGear set1(ratio = k), set2(ratio = k), set3(ratio = k3);
  {rotational}Fixed housing;
  {rotational}Sources.ConstantTorque engine(tau = {TORQUE});
{parts}equation
  connect(engine.flange, input_shaft.flange_a);
  connect(ring.flange_b, set1.ring); connect(sun.flange_b, set1.sun); connect(sun.flange_b, set2.sun);
  connect(carrier.flange_b, set2.carrier);
  connect(set2.ring, middle.flange_a); connect(set1.carrier, middle.flange_a);
  connect(middle.flange_b, set3.carrier); connect(sun3.flange_b, set3.sun);
  connect(set3.ring, vehicle.flange_a);
{joints}end Train;
"""


def lines(elements: str) -> tuple[Vector, Vector]:
    """Speeds at the start and accelerations of all shafts."""
    one = np.eye(4)  # input shaft, ring, sun, sun3
    middle = (one[2] + K * one[1]) / (1 + K)
    carrier = (one[2] + K * middle) / (1 + K)
    vehicle = ((1 + K3) * middle - one[3]) / K3
    speeds = np.array([one[0], one[1], one[2], carrier, middle, one[3], vehicle])
    inertia = speeds.T @ np.diag(INERTIAS) @ speeds
    rows = {"A": one[1] - one[0], "D": carrier, "E": one[3] - middle}

    def respond(held: str) -> tuple[Vector, Vector]:
        constraints = np.array([rows[e] for e in held]).reshape(-1, 4)
        n = len(constraints)
        matrix = np.block([[inertia, -constraints.T], [constraints, np.zeros((n, n))]])
        solution = np.linalg.solve(matrix, np.concatenate([TORQUE * one[0], np.zeros(n)]))
        return solution[:4], solution[4:]

    held = "".join(e for e in "ADE" if e in elements)
    a, torques = respond(held)
    if "D" in held and torques[held.index("D")] < 0:  # a freewheel does not hold back
        a, _ = respond(held.replace("D", ""))
    return speeds @ np.array([62.0, 62.0, -25 * K, 25.0]), speeds @ a


@pytest.mark.parametrize("elements", ["AD", "ACD", "ABCD", "BCDE", "ADE", "ABCDE", "CDE", "D"])
def test_planetary_train_in_first_gear(elements: str) -> None:
    result = saltus.load(train(elements)).simulate(stop_time=0.1, tolerance=1e-9)
    w, a = lines(elements)
    t = np.asarray(result.time)
    for name, speed, slope in zip(NAMES, w, a, strict=True):
        np.testing.assert_allclose(result[f"{name}.w"], speed + slope * t, atol=1e-6, err_msg=name)
