"""Preferred variables as states in place of those from which they follow by nonlinear equations.

stateSelect = prefer is a wish also for variables that do not appear differentiated (section 4.9.7.1 of the
Modelica specification). Mass and energy of a fluid are what is balanced, but pressure and temperature are
what everything else depends on: with these for states nothing has to be iterated.
"""

from __future__ import annotations

import numpy as np
import pytest

import saltus
from saltus.expr.show import show
from saltus.expr.traversal import leaves
from saltus.ir.balance import is_inferred
from saltus.ir.sorted.blocks import Nonlinear

VESSEL = """
model Vessel
  Real m(start = 2), U, d, u;
  Real p(start = 3, stateSelect = StateSelect.{wish}), T(start = 300, stateSelect = StateSelect.{wish});
equation
  der(m) = {mass};
  der(U) = {energy};
  d = m/0.5;
  u = U/m;
  d = p/(1 + 0.001*T + 0.1*p);
  u = 2*T + 1e-3*T^2 - p/d;
initial equation
  p = 3;
  T = 300;
end Vessel;
"""


def vessel(wish, mass="0.1*sin(time)", energy="20*cos(time)"):
    text = VESSEL.format(wish=wish, mass=mass, energy=energy)
    return saltus.load(text)


def states(model):
    return {v.name for v in model.structure.states}


def test_preferred_variables_are_states_and_nothing_is_iterated():
    model = vessel("prefer")
    assert states(model) == {"p", "T"}
    assert not any(isinstance(block, Nonlinear) for block in model.structure.blocks)
    assert states(vessel("default")) == {"m", "U"}


def test_balances_hold_in_preferred_variables():
    """m and U are known in closed form; p and T follow from them by the equations of the medium."""
    result = vessel("prefer").simulate(stop_time=3.0, tolerance=1e-9)
    time = result["time"]

    def amounts(pressure, temperature):
        density = pressure / (1 + 0.001 * temperature + 0.1 * pressure)
        inner = 2 * temperature + 1e-3 * temperature**2 - pressure / density
        return 0.5 * density, 0.5 * density * inner

    first = amounts(3.0, 300.0)
    mass, energy = amounts(result["p"], result["T"])
    np.testing.assert_allclose(mass, first[0] + 0.1 * (1 - np.cos(time)), rtol=1e-7)
    np.testing.assert_allclose(energy, first[1] + 20 * np.sin(time), rtol=1e-7)
    np.testing.assert_allclose(result["m"], mass, rtol=1e-9)
    np.testing.assert_allclose(result["U"], energy, rtol=1e-9)


def test_the_same_run_with_either_states():
    runs = [vessel(wish).simulate(stop_time=3.0, tolerance=1e-9) for wish in ("prefer", "default")]
    for name in ("p", "T", "m", "U"):
        np.testing.assert_allclose(runs[0][name][-1], runs[1][name][-1], rtol=1e-6)


@pytest.mark.parametrize("wish", ["prefer", "default"])
def test_events_leave_the_balances_alone(wish):
    """A valve that opens at an event makes the flow jump, and nothing else."""
    model = vessel(wish, mass="if p > 3.05 then -0.2 else 0.1", energy="0")
    result = model.simulate(stop_time=2.0, tolerance=1e-8)
    jumps = np.abs(np.diff(result["m"]))
    assert jumps.max() < 0.2 * np.diff(result["time"]).max() + 1e-6


def test_what_depends_on_more_than_states_stays_as_it_is():
    """A preferred pressure that a flow determines: there is no state to take its place."""
    model = saltus.load("""
    model Flow
      Real x(start = 1, fixed = true), p(start = 1, stateSelect = StateSelect.prefer);
    equation
      der(x) = -p;
      p + p^3 = x + time;
    end Flow;
    """)
    assert states(model) == {"x"}
    result = model.simulate(stop_time=1.0, tolerance=1e-8)
    p = result["p"]
    np.testing.assert_allclose(p + p**3, result["x"] + result["time"], rtol=1e-8)


def test_a_jump_is_as_exact_as_what_jumps():
    """A jump is the difference of two values: at 8e6 Pa it has a rounding of 1e-9 Pa at least, and Newton's
    method must not ask for more. So its nominal value is the size of what jumps, not 1."""
    model = saltus.load("""
    model Tank
      Real M(start = 1005, fixed = true), p(start = 5e6, nominal = 1e5), T, U(start = 3e8, fixed = true), q;
    equation
      der(M) = 1;
      der(U) = 1e4;
      q = der(p) + der(T);
      M = 1000*exp(1e-9*p)*(1 - 1e-5*T)*(if time > 0.5 then 1.000001 else 1);
      U = M*(1000*T + 1e-4*p);
    end Tank;
    """)
    entry = model.structure.entry
    assert entry is not None
    lefts = {symbol.name for symbol in entry.lefts}
    sizes = [
        (show(unknown), {leaf.data.name for leaf in leaves(nominal) if not is_inferred(leaf)})
        for block in entry.blocks
        if isinstance(block, Nonlinear)
        for unknown, nominal in zip(block.unknowns, block.nominals, strict=True)
        if show(unknown).startswith("jump(")
    ]
    assert sizes and all(used and used <= lefts for _, used in sizes)
    result = model.simulate(stop_time=1.0)
    p, t = result["p"][-1], result["T"][-1]
    assert 1000 * np.exp(1e-9 * p) * (1 - 1e-5 * t) * 1.000001 == pytest.approx(1006.0, rel=1e-7)
