"""Relations that no mode depends on, and that do not come to rest while a mode is searched: they are
searched, too. An amplifier with feedback to its positive input jumps from limit to limit; what decides about
modes is elsewhere in the model."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import saltus

TRIGGER = """
model Trigger "The amplifier compares u with a quarter of its output; a switch elsewhere changes the mode"
  Real s(start = 20), out, v, u = 4*sin(2*3.141592653589793*time) + 0.8*sin(74*3.141592653589793*time);
  Boolean high = s > 10, low = s < -10;
  Real i(start = 1, fixed = true), w;
  Boolean closed = time < LATER "of the switch";
equation
  v = out/4 - u;
  out = if high then 10 elseif low then -10 else s;
  v = if high then s - 10 elseif low then s + 10 else 0;
  der(i) = w - i;
  0 = if closed then w else i;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Trigger;
"""


def signal(t: float) -> float:
    return float(4 * np.sin(2 * np.pi * t) + 0.8 * np.sin(74 * np.pi * t))


@pytest.mark.parametrize("later", [5, 0.3])  # the mode changes after the run, or during it
def test_a_trigger_beside_a_switch(later: float) -> None:
    result = saltus.load(TRIGGER.replace("LATER", str(later))).simulate(max_step=2e-3)
    turns = np.flatnonzero(np.abs(np.diff(result["out"])) > 1)
    # By hand: down when u first reaches 2.5, up when it then first reaches -2.5, and again a second later.
    grid = np.linspace(0, 0.2, 20001)
    first = int(np.argmax(np.vectorize(signal)(grid) > 2.5))
    down = brentq(lambda t: signal(t) - 2.5, grid[first - 1], grid[first], xtol=1e-14)
    expected = [down, down + 0.5, down + 1, down + 1.5]  # u(t + 1/2) = -u(t)
    assert result.time[turns + 1] == pytest.approx(expected, abs=1e-9)
    assert result["out"][turns + 1].tolist() == [-10, 10, -10, 10]
    v = result["out"] / 4 - result["u"]
    assert not np.any((result["out"] == 10) & (v < -1e-9)) and not np.any((result["out"] == -10) & (v > 1e-9))


def test_a_contradiction_is_told() -> None:
    """A relation that contradicts itself, in a model whose modes depend on others, is no mode at all."""
    text = """
model Inverter
  Real v, i, supply = if time < 0.5 then 0 else 1, j(start = 1, fixed = true), w;
  Boolean contact = v > 0.5, closed = time < 5;
equation
  supply = 100*i + v;
  v = if contact then 0 else v0;
  v0 = supply;
  der(j) = w - j;
  0 = if closed then w else j;
protected
  Real v0;
end Inverter;
"""
    with pytest.raises(saltus.RunError, match="E404") as caught:
        saltus.load(text).simulate()
    assert "v > 0.5" in str(caught.value)
