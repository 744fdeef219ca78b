"""Loops that say something twice, or contradict themselves: the equations at fault are named, no others."""

from __future__ import annotations

import numpy as np
import pytest
from circuit_models import branch, modelica
from integrators import Simulate
from rotational_models import ROTATIONAL

import saltus
from saltus.core.diagnostics import ModelError


def refusal(text: str) -> tuple[str, str, set[str]]:
    """Code, message, and the equations that the notes quote."""
    with pytest.raises(ModelError) as caught:
        saltus.load(text)
    first = caught.value.diagnostics[0]
    notes = [note.message.split(" is one of")[0].removeprefix("equation ") for note in first.notes]
    return first.code, first.message, {note.strip("`") for note in notes}


#: Three equations of a loop; another loop and an explicit equation beside them are in order.
LOOP = """
model Loop
  Real x, y, z, u, v, w;
equation
  u + v = 3;
  u - v = w;
  w = time;
  {}
end Loop;
"""


@pytest.mark.parametrize(
    ("equations", "named"),
    [
        ("x + y = 3; 2*x + 2*y = 6; z = u;", {"x + y = 3", "2.0*x + 2.0*y = 6"}),
        ("x + y = 3; x - z = 1; y + z = 2;", {"x + y = 3", "x - z = 1", "y + z = 2"}),
        ("x - y = u; y - z = v; z - x = -u - v;", {"x - y = u", "y - z = v", "z - x = -u - v"}),
        ("0.1*x + 0.2*y = 1; 0.2*x + 0.4*y = 2; z = x;", {"0.1*x + 0.2*y = 1", "0.2*x + 0.4*y = 2"}),
    ],
)
def test_redundant_loop(equations: str, named: set[str]) -> None:
    code, message, notes = refusal(LOOP.format(equations))
    assert code == "E301"
    assert f"{len(named)} equations depend on each other: one of them is redundant" in message
    assert notes == named


@pytest.mark.parametrize(
    ("equations", "named", "says"),
    [
        ("x + y = 3; x + y = 4; z = u;", {"x + y = 3", "x + y = 4"}, "0 = 1"),
        ("x + y = 3; 2*x + 2*y = 7; z = u;", {"x + y = 3", "2.0*x + 2.0*y = 7"}, "0 = "),
        ("x + y = 3; x - z = 1; y + z = 1;", {"x + y = 3", "x - z = 1", "y + z = 1"}, "0 = 1"),
    ],
)
def test_contradictory_loop(equations: str, named: set[str], says: str) -> None:
    code, message, notes = refusal(LOOP.format(equations))
    assert code == "E301"
    assert f"{len(named)} equations contradict each other" in message and says in message
    assert notes == named


def test_loop_that_fits_at_one_moment_only() -> None:
    """Neither redundant nor contradictory: combined, the equations say something about time."""
    _, message, notes = refusal(LOOP.format("x + y = 3*time; x - z = 1; y + z = 1;"))
    assert "`3.0*time = 2`" in message
    assert notes == {"x + y = 3.0*time", "x - z = 1", "y + z = 1"}


@pytest.mark.parametrize("second", [5.0, 6.0])
def test_batteries_in_parallel(second: float) -> None:
    """Equal or not, nothing says how they share the current: both laws and both currents are named."""
    network = [branch("Battery", 1, 0, V=5.0), branch("Battery", 1, 0, V=second), branch("Resistor", 1, 0)]
    code, message, notes = refusal(modelica(network))
    assert code == "E301"
    assert message.startswith("`b0` and `b1` are side by side") and "b2" not in message
    assert any("b0.p.i" in note and "b1.p.i" in note for note in notes)
    assert {"b0.v = b0.V", "b1.v = b1.V"} <= notes
    assert not any("b2" in note for note in notes)


def test_current_sources_in_series() -> None:
    network = [branch("Current", 1, 0, I=1.0), branch("Current", 0, 1, I=1.0), branch("Resistor", 0, 2)]
    code, message, notes = refusal(modelica([*network, branch("Battery", 2, 0, V=1.0)]))
    assert code == "E301"
    assert message.startswith("`b0` and `b1` are in series")
    assert {"b0.i = -b0.I", "b1.i = -b1.I"} <= notes
    assert not any("b2" in note or "b3" in note for note in notes)


def test_two_grounds() -> None:
    text = modelica([branch("Battery", 1, 0, V=1.0), branch("Resistor", 1, 0, R=2.0)])
    text = text.replace("end Network;", "  connect(other.p, ground.p);\nend Network;")
    code, message, notes = refusal(text.replace("Ground ground;", "Ground ground, other;"))
    assert code == "E301"
    assert {"ground.p.v = 0", "other.p.v = 0"} <= notes
    assert message.startswith("`ground` and `other` are at one point")
    assert any("ground.p.i" in note and "other.p.i" in note for note in notes)


RING = (
    ROTATIONAL
    + """
model Ring "Three shafts in a ring of three gears, and a motor"
  Inertia m0, m1, m2;
  Gear g1(ratio = 2), g2(ratio = 3), g3(ratio = RATIO);
  Torque motor(tau = 1);
equation
  connect(motor.flange, m0.flange);
  connect(g1.a, m0.flange);
  connect(g1.b, m1.flange);
  connect(g2.a, m1.flange);
  connect(g2.b, m2.flange);
  connect(g3.a, m0.flange);
  connect(g3.b, m2.flange);
end Ring;
"""
)


def test_ring_of_gears_that_fit() -> None:
    """It could turn, but nothing says how the gears share the torque: all three are named."""
    code, message, notes = refusal(RING.replace("RATIO", "6"))
    assert code == "E302"
    assert "depend on each other" in message
    assert {"m0.phi = g1.ratio*m1.phi", "m1.phi = g2.ratio*m2.phi", "m0.phi = g3.ratio*m2.phi"} <= notes
    assert not any("motor" in note for note in notes)


def test_ring_of_gears_that_do_not_fit_is_locked(simulate: Simulate) -> None:
    """2 times 3 is not 5: only standing still fits, and the gears then carry determined torques."""
    model = saltus.load(RING.replace("RATIO", "5"))
    assert not model.structure.states
    result = simulate(model, stop_time=1.0)
    for shaft in ("m0", "m1", "m2"):
        np.testing.assert_allclose(result[f"{shaft}.phi"], 0, atol=1e-12)
        np.testing.assert_allclose(result[f"{shaft}.a"], 0, atol=1e-12)
    # Balances at the shafts, with what each gear gives: -2 a, -3 b, -5 c on its far side.
    a, b, c = np.linalg.solve([[1, 0, 1], [-2, 1, 0], [0, -3, -5]], [1, 0, 0])
    for gear, torque in (("g1", a), ("g2", b), ("g3", c)):
        np.testing.assert_allclose(result[f"{gear}.a.tau"], torque, atol=1e-9)
