"""What is known before an instant is solved decides as an input: timers that begin there, and sources."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus

HALF_BRIDGE = """
model HalfBridge "Two transistors with dead time, an inductor as load"
  import Saltus.Electrical.*;
  Sources.ConstantVoltage Vp(V = 200), Vm(V = 200);
  Transistor T1, T2;
  Inductor L(L = {inductance}, i(start = {begin}, fixed = true));
  Ground g;
  Boolean u = (time >= 10e-6 and time < 30e-6) or time >= 40e-6;
  Saltus.Logic.OnDelay d1(u = u, delayTime = 2e-6), d2(u = not u, delayTime = 2e-6);
equation
  connect(Vp.n, g.p);
  connect(Vm.p, g.p);
  connect(Vp.p, T1.p);
  connect(T1.n, T2.p);
  connect(T2.n, Vm.n);
  connect(T1.n, L.p);
  connect(L.n, g.p);
  connect(d1.y, T1.gate);
  connect(d2.y, T2.gate);
  annotation(experiment(StopTime = 60e-6, Interval = 1e-6));
end HalfBridge;
"""


def half_bridge(time: float, begin: float, slope: float) -> float:
    """The current by hand, in steps of a nanosecond that all instants are multiples of. With both gates off
    it goes on against the voltage of its diode until it is zero."""
    i = begin
    for k in range(round(time * 1e9)):
        upper = 12_000 <= k < 30_000 or k >= 42_000
        lower = 2_000 <= k < 10_000 or 32_000 <= k < 40_000
        if upper or lower:
            i += slope * 1e-9 if upper else -slope * 1e-9
        elif i:
            i = np.sign(i) * max(abs(i) - slope * 1e-9, 0.0)
    return float(i)


@pytest.mark.parametrize("begin", [0.42, -0.3, 0.1])
@pytest.mark.parametrize("inductance", [5e-3, 4.9e-3])
def test_a_timer_that_begins_has_not_run_out(inductance: float, begin: float) -> None:
    """When the upper transistor is asked for again, its timer begins anew at this instant, and the current
    goes on through the lower diode. With the old time of the timer both would conduct."""
    result = saltus.load(HALF_BRIDGE.format(inductance=inductance, begin=begin)).simulate(tolerance=1e-9)
    for time in (1e-6, 9e-6, 11e-6, 12.5e-6, 20e-6, 31e-6, 39e-6, 41e-6, 43e-6, 60e-6):
        have = np.interp(time, result.time, result["L.i"])
        assert have == pytest.approx(half_bridge(time, begin, 200 / inductance), abs=1e-4), time
    both_off = (result["T1.gate"] < 0.5) & (result["T2.gate"] < 0.5)
    conducts = (result["T1.off"] < 0.5) | (result["T2.off"] < 0.5)
    assert (conducts | (np.abs(result["L.i"]) < 1e-9))[both_off].all()


RECTIFIER = """
model Rectifier "A boost converter behind a bridge; its current follows the voltage of the source"
  Saltus.Electrical.Sources.SineVoltage src(V = 100, f = 50);
  Saltus.Electrical.Diode D1, D2, D3, D4, Db;
  Saltus.Electrical.Inductor L(L = 2e-3, i(start = 0, fixed = true));
  Saltus.Electrical.Switch S(closed = on);
  Saltus.Electrical.Capacitor C(C = 2e-4, v(start = 150, fixed = true));
  Saltus.Electrical.Resistor R(R = 100);
  Saltus.Electrical.Ground g;
  Real ref = 0.04*abs(src.v) + 0.05;
  Boolean on(start = true, fixed = true);
equation
  on = L.i < ref - 0.2 or pre(on) and L.i < ref + 0.2;
  connect(src.p, D1.p); connect(src.p, D2.n); connect(src.n, D3.p); connect(src.n, D4.n);
  connect(D1.n, L.p); connect(D3.n, L.p); connect(D2.p, g.p); connect(D4.p, g.p);
  connect(L.n, S.p); connect(S.n, g.p); connect(L.n, Db.p); connect(Db.n, C.p); connect(C.n, g.p);
  connect(R.p, C.p); connect(R.n, g.p);
end Rectifier;
"""


def switchings(stop: float) -> list[float]:
    """By hand, while the current flows: L i' = v, or v less that of the capacitor."""

    def source(t: float) -> float:
        return float(100 * np.sin(100 * np.pi * t))

    found: list[float] = []
    t, state, on = 0.0, [0.0, 150.0], True
    while t < stop:

        def rates(time: float, y: np.ndarray, on: bool = on) -> list[float]:
            return [(source(time) - (0 if on else y[1])) / 2e-3, ((0 if on else y[0]) - y[1] / 100) / 2e-4]

        def turns(time: float, y: np.ndarray, on: bool = on) -> float:
            return float(y[0] - 0.04 * source(time) - 0.05 - (0.2 if on else -0.2))

        turns.terminal = True  # type: ignore[attr-defined]
        turns.direction = 1 if on else -1  # type: ignore[attr-defined]
        run = solve_ivp(rates, (t, stop), state, events=turns, rtol=1e-11, atol=1e-12, max_step=1e-5)
        t, state, on = float(run.t[-1]), run.y[:, -1].tolist(), not on
        found.append(t)
    return found[:-1]


def test_the_voltage_of_a_source_is_known_wherever_it_is() -> None:
    """A current that has come down to its limit is there, whichever way it goes on: the limit is a voltage of
    the circuit, but one that a source has whatever conducts."""
    result = saltus.load(RECTIFIER).simulate(stop_time=2e-3, tolerance=1e-9)
    truth = switchings(2e-3)
    found = result.time[1:][np.diff(result["on"]) != 0]
    assert len(truth) > 50
    np.testing.assert_allclose(found, truth, atol=1e-8)
