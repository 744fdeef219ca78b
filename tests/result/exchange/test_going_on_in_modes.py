"""A run goes on from a state in a mode that has fewer states than the model, as if it had not been cut."""

from __future__ import annotations

from pathlib import Path

import pytest

import saltus

#: A boost converter whose coil is empty from 35 us on: then the capacitor alone is a state.
BOOST = """model Boost
  import Saltus.Electrical.*;
  Sources.ConstantVoltage source(V = 24);
  Inductor coil(L = 1e-4, i(start = 1, fixed = true));
  Switch switch(closed = time < 1e-5 or time > 9e-5);
  Diode diode;
  Capacitor filter(C = 4.7e-5, v(start = 40, fixed = true));
  Resistor load(R = 6);
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
  annotation(experiment(StopTime = 1e-4));
end Boost;"""

#: Two shafts that a clutch ties together at first, or later: then they have one motion.
CLUTCH = """model Drive
  import Saltus.Rotational.*;
  Sources.ConstantTorque torque(tau = 5);
  Inertia motor(J = 0.5, w(start = {}, fixed = true), phi(start = 0, fixed = true));
  Clutch clutch(mu = 0.3, fn_max = 150);
  Inertia load(J = 2, w(start = 20, fixed = true), phi(start = 0, fixed = true));
  Damper air(d = 0.1);
  Fixed wall;
equation
  clutch.press = if time < {} then {} else {};
  connect(torque.flange, motor.flange_a);
  connect(motor.flange_b, clutch.flange_a);
  connect(clutch.flange_b, load.flange_a);
  connect(load.flange_b, air.flange_a);
  connect(air.flange_b, wall.flange);
  annotation(experiment(StopTime = 6));
end Drive;"""


@pytest.mark.parametrize(
    ("text", "cuts", "names"),
    [
        (BOOST, (2e-5, 6e-5, 9.5e-5), ("coil.i", "filter.v")),
        (CLUTCH.format(100, 0.1, 0, 1), (0.05, 0.5, 5.0), ("motor.w", "load.w", "motor.phi", "load.phi")),
        (CLUTCH.format(20, 3, 1, 0), (1.0, 3.5, 5.0), ("motor.w", "load.w", "motor.phi", "load.phi")),
    ],
    ids=["boost", "closing", "opening"],
)
def test_from_any_mode(text: str, cuts: tuple[float, ...], names: tuple[str, ...], tmp_path: Path) -> None:
    model = saltus.load(text)
    whole = model.simulate(tolerance=1e-10)
    for k, cut in enumerate(cuts):
        first = model.simulate(stop_time=cut, tolerance=1e-10)
        first.save(tmp_path / f"{k}.csv")
        for beginning in (first.state_at(), first, whole.state_at(cut), tmp_path / f"{k}.csv"):
            rest = model.simulate(start_from=beginning, tolerance=1e-10)
            assert not rest.warnings
            for name in names:
                assert rest[name][0] == pytest.approx(first[name][-1], rel=1e-5, abs=1e-7)
                assert rest[name][-1] == pytest.approx(whole[name][-1], rel=1e-5, abs=1e-7)


def test_what_is_tied_is_no_more_than_a_guess() -> None:
    """Between two rows the position of a pendulum is known by its states; the rest is only near."""
    model = saltus.load("examples/Pendulum.mo")
    coarse = model.simulate(stop_time=2, interval=0.05, tolerance=1e-10)
    again = model.simulate(start_from=coarse.state_at(0.71234), stop_time=1.2, tolerance=1e-10)
    assert again["energy"][-1] == pytest.approx(again["energy"][0], rel=1e-6)
    assert again["x"][-1] == pytest.approx(coarse.at(1.2)["x"], abs=1e-4)
