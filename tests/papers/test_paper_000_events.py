"""Discontinuous and instantaneous equations of paper 000, from the limiter to the diode, at four tolerances.

Limiter (Fig. 2), the relation that stays at zero, hysteresis, difference equations, the bouncing ball,
propagation by Booleans, the switch circuit (Fig. 3) and the diode (Figs. 4 to 6); each against its closed
form. `new(x)` of the paper is Modelica's x on the left and pre(x) on the right.

Bounds: the integrator allows a tolerance times 1 + |x| per step, two tolerances for a state of scale 1; there
are some hundred steps between events.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from paper_runs import SWITCH_MOVES, changes, moments, switched_voltage
from scipy.optimize import brentq

import saltus

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)
STEPS = 200  # a hundred steps, in tolerances

every_tolerance = pytest.mark.parametrize("tolerance", TOLERANCES)


LIMITER = """
model LimiterTest
  model Limiter
    parameter Real LowLimit = -1;
    parameter Real HighLimit = 1;
    input Real x;
    output Real y;
  equation
    y = if x > HighLimit then HighLimit
        else if x < LowLimit then LowLimit
        else x;
  end Limiter;
  Limiter limiter;
  Real area(start = 0, fixed = true);
equation
  limiter.x = 2*sin(time);
  der(area) = limiter.y;
end LimiterTest;
"""


@every_tolerance
def test_limiter(tolerance: float) -> None:
    """The paper's program: x = 2 sin(t) for 10 s, limited to -1 and 1. Events where sin is +-1/2."""
    result = saltus.load(LIMITER).simulate(stop_time=10, tolerance=tolerance)
    expected = [k * math.pi + s for k in range(4) for s in (math.pi / 6, 5 * math.pi / 6)]
    expected = [t for t in expected if t < 10]
    assert len(expected) == 7
    np.testing.assert_allclose(moments(result), expected, rtol=0, atol=1e-9)
    np.testing.assert_allclose(
        result["limiter.y"], np.clip(2 * np.sin(result.time), -1, 1), rtol=0, atol=2e-9
    )

    def area(t: float) -> float:
        """Half a wave: twice 2 (1 - cos(pi/6)) on the flanks, 2 pi/3 on the flat."""
        half = 4 * (1 - math.cos(math.pi / 6)) + 2 * math.pi / 3
        waves, rest = divmod(t, math.pi)
        part = 2 * (1 - math.cos(min(rest, math.pi / 6)))
        part += min(max(rest - math.pi / 6, 0), 2 * math.pi / 3)
        if rest > 5 * math.pi / 6:
            part += 2 * (math.cos(5 * math.pi / 6) - math.cos(rest))
        return part if waves % 2 == 0 else half - part

    # Seven phases; the state is a plain integral, whose errors only add.
    np.testing.assert_allclose(
        result["area"], [area(t) for t in result.time], rtol=0, atol=8 * STEPS * tolerance
    )


@every_tolerance
@pytest.mark.parametrize("slope", [1, -1])
def test_a_relation_that_becomes_zero_stays_there_and_leaves(slope: int, tolerance: float) -> None:
    """The paper: x decreases until it is HighLimit, may remain equal for a while, and then become larger or
    smaller; a single crossing function would not see it leave. `y` must be limited again, or not."""
    result = saltus.load(
        f"""model M
          parameter Real HighLimit = 1;
          Real x(start = 2, fixed = true), y; Boolean above;
        equation
          der(x) = if time < 1 then -1 elseif time < 2 then 0 else {slope};
          above = x > HighLimit;
          y = if above then HighLimit else x;
        end M;"""
    ).simulate(stop_time=3, tolerance=tolerance)
    t = result.time
    x = np.where(t < 1, 2 - t, np.where(t < 2, 1, 1 + slope * (t - 2)))
    # Slopes are constant: x is exact but for rounding (and the time scale of the first step).
    np.testing.assert_allclose(result["x"], x, rtol=0, atol=STEPS * tolerance)
    error = STEPS * tolerance
    clear = np.abs(x - 1) > error + 1e-9
    np.testing.assert_array_equal(result["above"][clear], (x > 1)[clear])
    np.testing.assert_allclose(result["y"], np.minimum(x, 1), rtol=0, atol=error + 1e-9)


HYSTERESIS = """
model Hysteresis
  parameter Real H = 0.4;
  Real u(start = 0, fixed = true), w(start = 1, fixed = true);
  discrete Real y(start = -1, fixed = true);
  Real integral(start = 0, fixed = true);
equation
  der(u) = w;
  der(w) = -u;
  der(integral) = y;
  when u > H or u < -H then
    y = if u > H then 1 else -1;
  end when;
end Hysteresis;
"""


@every_tolerance
def test_hysteresis_of_an_oscillation(tolerance: float) -> None:
    result = saltus.load(HYSTERESIS).simulate(stop_time=12, tolerance=tolerance)
    first = math.asin(0.4)
    expected = [(first + k * math.pi, 1.0 if k % 2 == 0 else -1.0) for k in range(4)]
    expected = [(t, y) for t, y in expected if t < 12]
    found = changes(result, "y")
    drift = 2 * result.statistics["steps"] * tolerance  # undamped: errors of all steps add up
    assert [y for _, y in found] == [y for _, y in expected]
    bound = drift / math.cos(first)
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in expected], rtol=0, atol=bound)
    # The integral of y is -1 for so long, then +1, and so on; each late switch costs twice its delay.
    last, total, level = 0.0, 0.0, -1.0
    for t, y in [*expected, (12.0, 0.0)]:
        total += level * (t - last)
        last, level = t, y
    assert result["integral"][-1] == pytest.approx(total, abs=2 * len(expected) * bound + drift)


@every_tolerance
def test_difference_equation(tolerance: float) -> None:
    """new(NextTime) = NextTime + SamplingRate; new(x) + a x = b u, with a plant between the samples."""
    result = saltus.load(
        """model Sampled
          parameter Real a = -0.6, b = 0.7, SamplingRate = 0.1;
          discrete Real NextTime(start = 0.1, fixed = true), x(start = 0, fixed = true);
          Real u(start = 1, fixed = true);
        equation
          der(u) = x - 2*u;
          when time >= pre(NextTime) then
            NextTime = pre(NextTime) + SamplingRate;
            x = -a*pre(x) + b*u;
          end when;
        end Sampled;"""
    ).simulate(stop_time=5, tolerance=tolerance)
    t, last, x, u, expected = 0.1, 0.0, 0.0, 1.0, []
    while t <= 5:
        u = x / 2 + (u - x / 2) * math.exp(-2 * (t - last))
        x = 0.6 * x + 0.7 * u
        expected.append((t, u, x))
        t, last = t + 0.1, t
    assert moments(result) == [row[0] for row in expected]
    for t, u, x in expected:
        row = int(np.searchsorted(result.time, t, side="right")) - 1
        # The loop contracts (its gain is 0.7/0.4/2 < 1) with a time constant of a second, ten samples.
        assert result["u"][row] == pytest.approx(u, abs=10 * STEPS * tolerance)
        assert result["x"][row] == pytest.approx(x, abs=20 * STEPS * tolerance)


@every_tolerance
def test_bouncing_ball(tolerance: float) -> None:
    """when Height <= 0 then new(Velocity) = -c Velocity."""
    c, g = 0.7, 9.81
    result = saltus.load(
        """model Ball
          parameter Real c = 0.7, g = 9.81;
          Real Height(start = 1, fixed = true), Velocity(start = 0, fixed = true);
          Integer n(start = 0, fixed = true);
        equation
          der(Height) = Velocity;
          der(Velocity) = -g;
          when Height <= 0.0 then
            reinit(Velocity, -c*pre(Velocity));
            n = pre(n) + 1;
          end when;
        end Ball;"""
    ).simulate(stop_time=2.35, tolerance=tolerance)
    fall, speed = math.sqrt(2 / g), math.sqrt(2 * g)
    expected, t, v = [], fall, speed
    while t < 2.35:
        expected.append((t, v))
        v *= c
        t += 2 * v / g
    found = changes(result, "n")
    assert len(found) == len(expected) >= 6
    for k, ((time, _), (t, v)) in enumerate(zip(found, expected, strict=True)):
        assert time == pytest.approx(t, abs=(k + 1) * STEPS * tolerance / v)
        row = int(np.searchsorted(result.time, time, side="left"))
        after = int(np.searchsorted(result.time, time, side="right")) - 1
        assert result["Velocity"][after] == pytest.approx(-c * result["Velocity"][row], rel=1e-14)
        assert abs(result["Velocity"][row] + v) <= (k + 1) * STEPS * g * tolerance


@every_tolerance
def test_booleans_propagate_events(tolerance: float) -> None:
    """a = b and c or d, where b, c and d are events of three submodels."""
    result = saltus.load(
        """model Propagation
          model Source
            parameter Real phase, level;
            output Boolean high;
            Real x = sin(time + phase);
          equation
            high = x > level;
          end Source;
          Source one(phase = 0, level = 0), two(phase = 1, level = 0.2), three(phase = 2.5, level = 0.8);
          Boolean a, b = one.high, c = two.high, d = three.high;
          Integer n(start = 0, fixed = true);
          Real on(start = 0, fixed = true);
        equation
          a = b and c or d;
          der(on) = if a then 1 else 0;
          when a then
            n = pre(n) + 1;
          end when;
        end Propagation;"""
    ).simulate(stop_time=20, tolerance=tolerance)
    marks = sorted(
        t
        for phase, level in ((0, 0), (1, 0.2), (2.5, 0.8))
        for k in range(-1, 5)
        for s in (math.asin(level), math.pi - math.asin(level))
        if 0 < (t := s + 2 * math.pi * k - phase) < 20
    )

    def truth(t: float) -> bool:
        b, c, d = math.sin(t) > 0, math.sin(t + 1) > 0.2, math.sin(t + 2.5) > 0.8
        return (b and c) or d

    np.testing.assert_allclose(moments(result)[-len(marks) :], marks, rtol=0, atol=1e-9)
    edges = [0.0, *marks, 20.0]
    pieces = [(p, q, truth((p + q) / 2)) for p, q in pairwise(edges)]
    rises = sum(1 for (_, _, before), (_, _, after) in pairwise(pieces) if after > before)
    begins = pieces[0][2] and not truth(0.0)  # sin(t) is zero at the start: b rises an instant later
    assert result["n"][-1] == rises + begins
    # Its slope is 0 or 1: nothing to be wrong with but the events.
    assert result["on"][-1] == pytest.approx(sum(q - p for p, q, on in pieces if on), abs=STEPS * tolerance)


@pytest.fixture(scope="module")
def circuit() -> saltus.Model:
    return saltus.load(
        """model Circuit "Fig. 3 as equations: I0 and R1 at n1, the switch to n2, R2 and C there"
          parameter Real R1 = 100, R2 = 20, C = 0.1e-6, I0 = 0.1;
          Real u(start = 0, fixed = true), v1, i;
          Boolean OpenSwitch;
        equation
          I0 = v1/R1 + i;
          0 = if OpenSwitch then i else v1 - u;
          C*der(u) = i - u/R2;
          OpenSwitch = if time < 1.0e-6 then true else if time < 2.5e-6 then false
            else if time < 5.0e-6 then true else if time < 9.0e-6 then false else true;
        end Circuit;"""
    )


@every_tolerance
def test_switch_circuit(circuit: saltus.Model, tolerance: float) -> None:
    result = circuit.simulate(stop_time=12e-6, tolerance=tolerance)
    assert moments(result) == SWITCH_MOVES
    expected = [switched_voltage(t) for t in result.time]
    np.testing.assert_allclose(result["u"], expected, rtol=0, atol=2 * STEPS * tolerance)
    assert max(expected) > 1


@pytest.fixture(scope="module")
def rectifier() -> saltus.Model:
    return saltus.load(
        """model Rectifier
          parameter Real Ri = 10, RL = 50, C = 0.001, f = 50;
          Real y(start = 0, fixed = true), u, i;
          Boolean OpenSwitch(start = true, fixed = true);
        equation
          sin(2*3.14159*f*time) = Ri*i + u + y;
          C*der(y) = i - y/RL;
          0 = if pre(OpenSwitch) then i else u;
          OpenSwitch = u <= 0 and not i > 0;
        end Rectifier;"""
    )


def rectified(stop: float) -> list[tuple[float, float, bool]]:
    """(start, voltage there, does it conduct) of every phase of the load voltage."""
    omega, a, b = 2 * 3.14159 * 50, (1 / 10 + 1 / 50) / 0.001, 1 / (10 * 0.001)
    found = [(0.0, 0.0, True)]

    def forced(s: float) -> float:
        return b / (a * a + omega * omega) * (a * math.sin(omega * s) - omega * math.cos(omega * s))

    while True:
        t0, u0, conducts = found[-1]

        def value(t: float, t0: float = t0, u0: float = u0, conducts: bool = conducts) -> float:
            if conducts:
                return forced(t) + (u0 - forced(t0)) * math.exp(-a * (t - t0))
            return u0 * math.exp(-(t - t0) / 0.05)

        period = 0.02 * math.pi / 3.14159
        begin = (math.floor(t0 / period) + 0.25) * period if conducts else math.ceil(t0 / period) * period

        def difference(t: float, value=value) -> float:  # type: ignore[no-untyped-def]
            return math.sin(omega * t) - value(t)

        t1 = float(brentq(difference, begin, begin + period / 4, xtol=1e-16))
        if t1 > stop:
            return found
        found.append((t1, value(t1), not conducts))


@every_tolerance
def test_ideal_diode(rectifier: saltus.Model, tolerance: float) -> None:
    result = rectifier.simulate(stop_time=0.2, tolerance=tolerance)
    expected = rectified(0.2)
    found = changes(result, "OpenSwitch")
    assert [v for _, v in found] == [float(not conducts) for _, _, conducts in expected]
    assert found[0][0] < 1e-6
    # Voltages are wrong by some tolerances; where the diode switches they approach each other with 100 V/s at
    # least, and both phases contract.
    np.testing.assert_allclose(
        [t for t, _ in found[1:]], [t for t, _, _ in expected[1:]], rtol=0, atol=2 * STEPS * tolerance / 100
    )
    assert np.max(np.abs(result["u"] * result["i"])) < 1e-9


def test_the_event_log_of_the_diode(rectifier: saltus.Model) -> None:
    """The paper's log: both expressions are zero initially; u becomes positive and the switch closes at once,
    i becomes positive with it; then i becomes negative at 8.708e-3, the switch opens, u becomes negative."""
    result = rectifier.simulate(stop_time=0.01, tolerance=1e-8)
    opened = [e for e in result.events if any(c.name == "OpenSwitch" and c.new for c in e.changes)]
    closed = [e for e in result.events if any(c.name == "OpenSwitch" and not c.new for c in e.changes)]
    (closing,) = closed
    assert closing.time < 1e-6
    opening = opened[-1]
    assert f"{opening.time:.3E}" == "8.708E-03"
    assert [c.text for c in opening.causes] == ["i > 0"] and opening.causes[0].truth is False
    texts = {c.text: c.truth for e in (closing, opening) for c in e.relations}
    assert texts == {"i > 0": False, "u <= 0": True}
