"""The rectifier with an ideal diode of paper 000 (Fig. 5): its published numbers, and closed form after them.

The paper's `new(OpenSwitch) = u <= 0 and not i > 0` reads in Modelica as an equation for `openSwitch` with
`pre(openSwitch)` in the switch equation.

With the diode closed, C u' = (U - u)/Ri - u/RL with U = sin(w t); open, C u' = -u/RL. Both are solved in
closed form here. Tolerances: 1e-8 per step of a voltage below 1 V, contracting: 1e-6 V; the diode's voltage
and current move with at least 100 per second at a crossing, so switching times are known to 1e-7 s or so.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import brentq

import saltus

RI, RL, C, OMEGA = 10.0, 50.0, 0.001, 2 * 3.14159 * 50
STOP = 0.06

Phase = Callable[[float, float, float], float]

RECTIFIER = """
model Rectifier
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model TwoPin
    Pin a;
    Pin b;
    Real u;
    Real i;
  equation
    u = a.v - b.v;
    i = a.i;
    a.i + b.i = 0;
  end TwoPin;
  model Resistor
    extends TwoPin;
    parameter Real R;
  equation
    u = R*i;
  end Resistor;
  model Capacitor
    extends TwoPin(u(start = 0, fixed = true));
    parameter Real C;
  equation
    C*der(u) = i;
  end Capacitor;
  model VSource
    extends TwoPin;
    input Real u0;
  equation
    u = u0;
  end VSource;
  model Diode
    extends TwoPin;
    Boolean openSwitch(start = true, fixed = true);
  equation
    0 = if pre(openSwitch) then i else u;
    openSwitch = u <= 0 and not i > 0;
  end Diode;
  model Common
    Pin p;
  equation
    p.v = 0;
  end Common;

  parameter Real f = 50;
  VSource U0;
  Resistor Ri(R = 10);
  Resistor RL(R = 50);
  Capacitor C(C = 0.001);
  Diode Diode_;
  Common common;
  output Real y;
equation
  connect(U0.b, common.p);
  connect(U0.a, Ri.a);
  connect(Ri.b, Diode_.a);
  connect(Diode_.b, C.a);
  connect(C.a, RL.a);
  connect(C.b, common.p);
  connect(RL.b, common.p);
  U0.u0 = sin(2*3.14159*f*time);
  y = C.u;
  annotation(experiment(StopTime = 0.06, Tolerance = 1e-8, Interval = 1e-4));
end Rectifier;
"""


def closed_phase(t: float, t0: float, u0: float) -> float:
    """Voltage of the capacitor while the diode conducts since t0."""
    a, b = (1 / RI + 1 / RL) / C, 1 / (RI * C)

    def forced(s: float) -> float:
        return b / (a * a + OMEGA * OMEGA) * (a * math.sin(OMEGA * s) - OMEGA * math.cos(OMEGA * s))

    return forced(t) + (u0 - forced(t0)) * math.exp(-a * (t - t0))


def open_phase(t: float, t0: float, u0: float) -> float:
    return u0 * math.exp(-(t - t0) / (RL * C))


def phases(stop: float) -> list[tuple[float, float, bool]]:
    """(start, voltage at the start, does the diode conduct) of every phase."""
    found = [(0.0, 0.0, True)]
    period = 2 * math.pi / OMEGA
    while found[-1][0] < stop:
        t0, u0, conducts = found[-1]
        if conducts:
            # The source falls below the capacitor between its top and its next zero.
            earliest, phase = (math.floor(t0 / period) + 0.25) * period, closed_phase
        else:
            earliest, phase = math.ceil(t0 / period) * period, open_phase

        def difference(t: float, phase: Phase = phase, t0: float = t0, u0: float = u0) -> float:
            return math.sin(OMEGA * t) - phase(t, t0, u0)

        t1 = brentq(difference, earliest, earliest + period / 4, xtol=1e-16)
        found.append((t1, phase(t1, t0, u0), not conducts))
    return [phase for phase in found if phase[0] <= stop]


def voltage(t: float) -> float:
    t0, u0, conducts = [p for p in phases(STOP) if p[0] <= t][-1]
    return closed_phase(t, t0, u0) if conducts else open_phase(t, t0, u0)


@pytest.fixture(scope="module")
def result():
    return saltus.load(RECTIFIER).simulate()


def changes(result, name: str) -> np.ndarray:
    time = np.asarray(result.time)
    return time[np.flatnonzero(np.diff(np.asarray(result[name], dtype=float)) != 0) + 1]


def test_reference_gives_the_published_time() -> None:
    """The paper's event log: "Diode.i became ... (< 0) at time = 8.708E-03"."""
    assert f"{phases(STOP)[1][0]:.3E}" == "8.708E-03"


def test_diode_opens_at_the_published_time(result) -> None:
    opened = changes(result, "Diode_.openSwitch")
    opened = opened[opened > 1e-6]
    assert f"{opened[0]:.3E}" == "8.708E-03"


def test_all_switching_times(result) -> None:
    """It closes at once (the paper: at 5e-10 s), then opens and closes once in each period."""
    found = changes(result, "Diode_.openSwitch")
    expected = [t for t, _, _ in phases(STOP)]
    assert len(found) == len(expected) == 6
    assert found[0] < 1e-6
    np.testing.assert_allclose(found[1:], expected[1:], atol=1e-7)


def test_load_voltage_is_the_closed_form(result) -> None:
    np.testing.assert_allclose(result["y"], [voltage(t) for t in result.time], atol=1e-6)


def test_diode_is_ideal(result) -> None:
    """Never both a voltage and a current; no reverse current, no forward voltage."""
    u, i = np.asarray(result["Diode_.u"]), np.asarray(result["Diode_.i"])
    assert np.max(np.abs(u * i)) < 1e-12
    assert i.min() > -1e-8 and u.max() < 1e-6
