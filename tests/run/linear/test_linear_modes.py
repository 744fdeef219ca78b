"""Linear systems of converters and clutches made of library parts, in each of their modes: against textbooks,
and against what runs come to that begin beside the position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.linalg import expm

import saltus

L, C, R, V = 1e-4, 4.7e-5, 6.0, 24.0

#: A boost converter: the switch shorts the coil to ground, or the diode lets it feed the output.
BOOST = f"""model Boost
  import Saltus.Electrical.*;
  parameter Real V = {V};
  Sources.ConstantVoltage source(V = V);
  Inductor coil(L = {L}, i(start = 1, fixed = true));
  Switch switch(closed = time < 1e-5);
  Diode diode;
  Capacitor filter(C = {C}, v(start = 40, fixed = true));
  Resistor load(R = {R});
  Ground ground;
equation
  connect(source.p, coil.p);
  connect(coil.n, switch.p);
  connect(coil.n, diode.p);
  connect(diode.n, filter.p);
  connect(filter.p, load.p);
  connect(source.n, ground.p);
  connect(switch.n, ground.p);
  connect(filter.n, ground.p);
  connect(load.n, ground.p);
end Boost;"""

#: A motor and a load with friction that grows with the square of the speed, and a clutch of plates between.
CLUTCH = """model Drive
  import Saltus.Rotational.*;
  Sources.ConstantTorque torque(tau = 5);
  Inertia motor(J = 0.5, w(start = 100, fixed = true), phi(start = 0, fixed = true));
  Clutch clutch(mu = 0.3, fn_max = 150);
  Inertia load(J = 2, w(start = 20, fixed = true), phi(start = 0, fixed = true));
  Real air = 1e-3*load.w^2;
  Sources.SignalTorque fan(tau = -air);
equation
  clutch.press = if time < 0.1 then 0 else 1;
  connect(torque.flange, motor.flange_a);
  connect(motor.flange_b, clutch.flange_a);
  connect(clutch.flange_b, load.flange_a);
  connect(load.flange_b, fan.flange);
end Drive;"""


@pytest.fixture(scope="module")
def boost() -> saltus.Model:
    return saltus.load(BOOST)


@pytest.fixture(scope="module")
def drive() -> saltus.Model:
    return saltus.load(CLUTCH)


def transition(
    model: saltus.Model, time: float, span: float, steps: Mapping[str, float]
) -> NDArray[np.float64]:
    """How the states at the end of a span follow those at its begin: differences of runs that begin beside
    where the run is, by these steps."""
    here = model.simulate(stop_time=time, tolerance=1e-11).state_at()
    columns = []
    for name, step in steps.items():
        ends = []
        for sign in (1, -1):
            beside = dict(here.values_by_name) | {name: float(here[name]) + sign * step}
            start = replace(here, values_by_name=beside)
            run = model.simulate(start_from=start, stop_time=time + span, tolerance=1e-12)
            ends.append(np.array([run[other][-1] for other in steps]))
        columns.append((ends[0] - ends[1]) / (2 * step))
    return np.array(columns).T


@pytest.mark.parametrize(
    ("time", "mode", "matrix", "column"),
    [
        (5e-6, "switch.closed, diode.off", [[0, 0], [0, -1 / (R * C)]], [1 / L, 0]),
        (1.2e-5, "not switch.closed, not diode.off", [[0, -1 / L], [1 / C, -1 / (R * C)]], [1 / L, 0]),
    ],
)
def test_a_boost_converter(
    boost: saltus.Model, time: float, mode: str, matrix: list[list[float]], column: list[float]
) -> None:
    found = boost.linearise(time, inputs=["V"], outputs=["filter.v"])
    assert found.mode == mode and found.states == ("coil.i", "filter.v")
    assert np.allclose(found.A, matrix, rtol=1e-9, atol=1e-6) and np.allclose(
        found.B[:, 0], column, rtol=1e-9
    )
    span = 1e-6
    run = transition(boost, time, span, {"coil.i": 1e-2, "filter.v": 1e-2})
    assert np.allclose(expm(found.A * span), run, rtol=1e-6, atol=1e-9)


def test_a_boost_converter_whose_coil_is_empty(boost: saltus.Model) -> None:
    """Neither conducts: the coil is no state any more, and the capacitor alone is left."""
    run = boost.simulate(stop_time=1e-4)
    empty = next(s for s in run.modes if s.mode.brief == "not switch.closed, diode.off" and s.stop > s.start)
    time = (empty.start + empty.stop) / 2
    found = boost.linearise(time)
    assert found.mode == "not switch.closed, diode.off" and found.states == ("filter.v",)
    assert found.A[0, 0] == pytest.approx(-1 / (R * C), rel=1e-9)
    near = transition(boost, time, 1e-6, {"filter.v": 1e-2})
    assert near[0, 0] == pytest.approx(np.exp(found.A[0, 0] * 1e-6), rel=1e-8)


def test_the_poles_of_a_boost_converter_that_feeds(boost: saltus.Model) -> None:
    """Erickson and Maksimovic: the corner 1/sqrt(L C), the quality R sqrt(C/L)."""
    (pair,) = boost.linearise(1.2e-5).eigenvalues
    assert abs(pair.value) == pytest.approx(1 / np.sqrt(L * C), rel=1e-9)
    assert 1 / (2 * pair.damping) == pytest.approx(R * np.sqrt(C / L), rel=1e-9)


def test_a_clutch_that_slips_and_one_that_holds(drive: saltus.Model) -> None:
    """Slipping, each speed has an equation of its own; held, they are one, with both inertias. The air brakes
    by 2e-3 w in either."""
    slips = drive.linearise(0.05)
    speed = drive.simulate(stop_time=0.05, tolerance=1e-10)["load.w"][-1]
    assert sorted(e.value.real for e in slips.eigenvalues)[0] == pytest.approx(-2e-3 * speed / 2, rel=1e-6)
    run = drive.simulate(stop_time=6, tolerance=1e-10)
    held = run.modes[-1]
    assert held.mode.brief == "not time < 0.1, not clutch.forward, not clutch.backward"
    together = drive.linearise(6, tolerance=1e-10)
    rate = -2e-3 * run["load.w"][-1] / (0.5 + 2)
    assert min(e.value.real for e in together.eigenvalues) == pytest.approx(rate, rel=1e-6)
    assert len(together.states) < len(slips.states)


def test_a_clutch_against_runs_beside_it(drive: saltus.Model) -> None:
    """Before it is pressed, the states are angles and speeds of both: differences of runs are those of the
    matrix exponential, to the first order of what the air adds."""
    found = drive.linearise(0.05)
    span = 1e-3
    near = transition(drive, 0.05, span, dict.fromkeys(found.states, 1e-3))
    assert np.allclose(expm(found.A * span), near, rtol=1e-6, atol=1e-8)
