"""Where controllers and ideal elements meet: inverters with dead time, legs with three levels, diodes whose
mode is a number."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import saltus

INVERTER = """
model Inverter "Three legs with dead time, a load of coils and resistors in a star"
  import Saltus.Electrical.*;
  Sources.ConstantVoltage Vp(V = 200), Vm(V = 200);
  Transistor T[3], B[3];
  Inductor L[3](each L = 2e-3, i(start = {{{start}}}, fixed = {{true, true, false}}));
  Resistor R[3](each R = 10);
  Ground g;
  parameter Real duty[3] = {{{duty}}}, shift[3] = {{0, 20e-6, 45e-6}};
  Boolean u[3] = {{mod(time + shift[k], 100e-6) < duty[k]*100e-6 for k in 1:3}};
  Saltus.Logic.OnDelay d[3](u = u, each delayTime = 3e-6);
  Saltus.Logic.OnDelay e[3](u = {{not u[k] for k in 1:3}}, each delayTime = 3e-6);
equation
  connect(Vp.n, g.p);
  connect(Vm.p, g.p);
  for k in 1:3 loop
    connect(Vp.p, T[k].p);
    connect(T[k].n, B[k].p);
    connect(B[k].n, Vm.n);
    connect(T[k].n, L[k].p);
    connect(L[k].n, R[k].p);
    connect(R[k].n, R[1].n);
    connect(d[k].y, T[k].gate);
    connect(e[k].y, B[k].gate);
  end for;
  annotation(experiment(StopTime = 4e-4, Interval = 1e-6, Tolerance = 1e-8));
end Inverter;
"""

#: The step of what is done by hand: all instants but those of zero currents are multiples of it.
STEP = 5e-9


def inverter(start: list[float], duty: list[float], stop: float) -> np.ndarray:
    """The currents by hand. A leg is where its transistor is on; with both off, where the diode is that
    carries its current; and nowhere, if it has none."""
    period, delay, shift = 20000, 600, (0, 4000, 9000)
    since = [0, 0, 0]
    asked = [shift[k] % period < duty[k] * period for k in range(3)]
    i = np.array(start)
    rows = [i.copy()]
    for step in range(round(stop / STEP)):
        legs: list[float] = []
        for k in range(3):
            now = (step + shift[k]) % period < duty[k] * period
            if now != asked[k]:
                asked[k], since[k] = now, step
            if step - since[k] >= delay:
                legs.append(200.0 if now else -200.0)
            else:
                legs.append(-200.0 * np.sign(i[k]) if i[k] else np.nan)
        at = np.array(legs)
        held = ~np.isnan(at)
        centre = at[held].mean() if held.any() else 0.0
        rate = np.where(held, (at - centre - 10 * i) / 2e-3, 0.0)
        new = i + STEP * rate
        dead = np.array([step - since[k] < delay for k in range(3)])
        ended = dead & (i * new < 0.0)
        new[ended] = 0.0
        free = held & ~ended
        if ended.any() and free.any():
            new[free] -= new.sum() / free.sum()
        i = new
        rows.append(i.copy())
    return np.array(rows)


@pytest.mark.parametrize(
    ("start", "duty"),
    [([1.0, -0.4, -0.6], [0.7, 0.45, 0.3]), ([0.2, 0.1, -0.3], [0.5, 0.5, 0.5])],
    ids=["loaded", "idle"],
)
def test_three_phase_inverter_with_dead_time(start: list[float], duty: list[float]) -> None:
    text = INVERTER.format(start=", ".join(map(str, start)), duty=", ".join(map(str, duty)))
    result = saltus.load(text).simulate()
    expected = inverter(start, duty, 4e-4)
    times = STEP * np.arange(len(expected))
    for k in range(3):
        found = np.interp(times, result.time, result[f"L[{k + 1}].i"])
        assert np.abs(found - expected[:, k]).max() < 5e-3
    assert np.abs(sum(result[f"L[{k}].i"] for k in (1, 2, 3))).max() < 1e-9
    # What the initial equations of the delays ask for, `pre(t1) = time + delayTime`, holds for all of them.
    assert {result[f"{delay}[{k}].t1"][0] for delay in "de" for k in (1, 2, 3)} == {3e-6}
    # Never do both transistors of a leg conduct.
    for k in (1, 2, 3):
        assert not ((result[f"T[{k}].gate"] > 0.5) & (result[f"B[{k}].gate"] > 0.5)).any()


THREE_LEVELS = """
model ThreeLevels "A leg that is clamped by diodes, and a load of coil and resistor"
  import Saltus.Electrical.*;
  Sources.ConstantVoltage Vp(V = 100), Vm(V = 100);
  Transistor S1, S2, S3, S4;
  Diode D5, D6;
  Inductor L(L = 2e-3, i(start = {start}, fixed = true));
  Resistor R(R = 5);
  Ground g;
  Real m = 0.8*sin(1570.8*time + 0.3);
  Real upper = abs(2*mod(time, 2e-4)/2e-4 - 1), lower = upper - 1;
  Boolean a = m > upper, b = m > lower;
equation
  S1.gate = a;
  S3.gate = not a;
  S2.gate = b;
  S4.gate = not b;
  connect(Vp.n, g.p); connect(Vm.p, g.p);
  connect(Vp.p, S1.p); connect(S1.n, S2.p); connect(S2.n, S3.p); connect(S3.n, S4.p); connect(S4.n, Vm.n);
  connect(D5.p, g.p); connect(D5.n, S1.n); connect(D6.p, S3.n); connect(D6.n, g.p);
  connect(S2.n, L.p); connect(L.n, R.p); connect(R.n, g.p);
  annotation(experiment(StopTime = 4e-3, Interval = 1e-5, Tolerance = 1e-9));
end ThreeLevels;
"""


def three_levels(start: float, times: np.ndarray) -> np.ndarray:
    """The current by hand: the level is that of the carriers, whichever way the current flows."""

    def margins(t: np.ndarray) -> np.ndarray:
        m, upper = 0.8 * np.sin(1570.8 * t + 0.3), np.abs(2 * np.mod(t, 2e-4) / 2e-4 - 1)
        return np.array([m - upper, m - upper + 1])

    grid = np.linspace(0.0, 4e-3, 400_001)
    values = margins(grid)
    instants = [0.0, 4e-3]
    for row in values:
        for k in np.flatnonzero(np.sign(row[:-1]) != np.sign(row[1:])):
            instants.append(grid[k] + (grid[k + 1] - grid[k]) * row[k] / (row[k] - row[k + 1]))
    instants.sort()
    found, i = np.empty(len(times)), start
    for begin, end in pairwise(instants):
        a, b = margins(np.array([(begin + end) / 2]))[:, 0] > 0
        level = (100.0 if a else 0.0 if b else -100.0) / 5
        inside = (times >= begin) & (times <= end)
        found[inside] = level + (i - level) * np.exp(-2500 * (times[inside] - begin))
        i = level + (i - level) * np.exp(-2500 * (end - begin))
    return found


@pytest.mark.parametrize("start", [0.0, 3.0, -3.0])
def test_three_levels_with_carriers(start: float) -> None:
    result = saltus.load(THREE_LEVELS.format(start=start)).simulate()
    np.testing.assert_allclose(result["L.i"], three_levels(start, result.time), atol=2e-5)


NUMBER = """
model Number "A rectifier: the mode of its diode is a number"
  parameter Real L = 0.02, R = 5;
  Real i(start = 0, fixed = true), u, s;
  {kind} mo;
equation
  10*sin(314.1592653589793*time) = L*der(i) + u + R*i;
  mo = if s < 0 then 1 else 0;
  u = mo*s;
  i = (1 - mo)*s;
  annotation(experiment(StopTime = 0.08, Interval = 1e-4, Tolerance = 1e-9));
end Number;
"""


@pytest.mark.parametrize("kind", ["discrete Real", "Integer"])
def test_a_diode_whose_mode_is_a_number(kind: str) -> None:
    result = saltus.load(NUMBER.format(kind=kind)).simulate()
    w, coil, resistor = 314.1592653589793, 0.02, 5.0
    t = np.mod(result.time, 0.02)
    swing = resistor * np.sin(w * t) - w * coil * (np.cos(w * t) - np.exp(-resistor / coil * t))
    current = np.maximum(10 / (resistor**2 + (w * coil) ** 2) * swing, 0.0)
    # The last instant of a period is the first of the next.
    np.testing.assert_allclose(result["i"], current, atol=1e-6)
