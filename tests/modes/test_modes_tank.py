"""The tank with overflow of paper 004 (process TOV): at the brim the level is constrained, and what flows
over follows from that. Its equations are in section 5.1 of the paper.

    A h' = Qi - Qo - Qx,  Qo = K sqrt(h)
    h < hmax or Qi < Qo:  Qx = 0,       otherwise:  h = hmax

Truth: with y = sqrt(h), constant inflow and Qx = 0 the equation has the solution

    t = -2A/K (y - y0) - 2A Qi/K^2 ln((Qi - K y)/(Qi - K y0));

at the brim Qx = Qi - K sqrt(hmax). Inflow that varies: SciPy from event to event. Tolerance 1e-10 per step,
the level meets the brim with a rate of at least 0.1.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import saltus

A, K, BRIM, START = 2.0, 1.0, 1.0, 0.25
STRONG, WEAK = 1.5, 0.4
OFF, ON, STOP = 8.0, 11.0, 16.0
TOLERANCE = 1e-7

TANK = """
partial model Tank
  parameter Real A = 2 "Area";
  parameter Real k = 1 "Of the outlet";
  parameter Real hmax = 1 "The brim";
  Real h(start = 0.25, fixed = true) "Level";
  input Real Qi "Inflow";
  Real Qo "Outflow at the bottom";
  Real Qx "What flows over the brim";
  Boolean over "Whether it does";
  Real inflow(start = 0, fixed = true) "Volumes that have passed";
  Real outflow(start = 0, fixed = true);
  Real overflow(start = 0, fixed = true);
equation
  A*der(h) = Qi - Qo - Qx;
  Qo = k*sqrt(h);
  der(inflow) = Qi;
  der(outflow) = Qo;
  der(overflow) = Qx;
end Tank;

model Guarded "As the paper has it, with the level as constraint"
  extends Tank;
equation
  over = not (h < hmax or Qi < Qo);
  if h < hmax or Qi < Qo then
    Qx = 0;
  else
    h = hmax;
  end if;
end Guarded;

model Substituted "As the paper prints it: the index is reduced by hand"
  extends Tank;
equation
  over = not (h < hmax or Qi < Qo);
  Qx = if h < hmax or Qi < Qo then 0 else Qi - Qo;
end Substituted;

model Curve "A curve of level and overflow with the parameter s, as for an ideal diode"
  extends Tank;
  Real s;
equation
  over = s > 0;
  h = if over then hmax else hmax + s;
  Qx = if over then s else 0;
end Curve;
"""

STEPS = """
model Steps "Strong inflow, weak inflow, strong inflow"
  extends Law(Qi = if time < 8 or time >= 11 then 1.5 else 0.4);
  annotation(experiment(StopTime = 16, Tolerance = 1e-10, Interval = 0.05));
end Steps;
"""

SINE = """
model Sine "Begins full to the brim and with more coming"
  extends Law(h(start = 1), Qi = 1 + 0.8*sin(time + 0.1));
  annotation(experiment(StopTime = 20, Tolerance = 1e-10, Interval = 0.05));
end Sine;
"""

CASCADE = """
model Cascade "What flows over the brim of one tank falls into the next"
  Law tank[3](A = {2, 1, 0.5}, k = {1, 0.2, 0.05}, each hmax = 1, h(start = {0.25, 0.4, 0.5}));
equation
  tank[1].Qi = 1.5;
  tank[2].Qi = tank[1].Qx;
  tank[3].Qi = tank[2].Qx;
  annotation(experiment(StopTime = 15, Tolerance = 1e-10, Interval = 0.05));
end Cascade;
"""

SPELLINGS = ("Guarded", "Curve")


def text(law: str, rig: str) -> str:
    return f"{TANK}\nmodel Law = {law};\n{rig}"


def duration(h0: float, h1: float, inflow: float, area: float = A, k: float = K) -> float:
    """How long the level takes from h0 to h1 without overflow."""
    y0, y1 = math.sqrt(h0), math.sqrt(h1)
    logarithm = math.log((inflow - k * y1) / (inflow - k * y0))
    return -2 * area / k * (y1 - y0) - 2 * area * inflow / k**2 * logarithm


def level(t: float, h0: float, inflow: float, area: float = A, k: float = K) -> float:
    """The level a time t after h0, without overflow."""
    rest = (inflow / k) ** 2
    low, high = sorted((h0, rest))
    margin = (high - low) * 1e-14

    def late(h: float) -> float:
        return duration(h0, h, inflow, area, k) - t

    ends = (low + margin, high) if rest < h0 else (low, high - margin)
    return float(brentq(late, *ends, xtol=1e-15, rtol=1e-14))


FULL = duration(START, BRIM, STRONG)
LOW = level(ON - OFF, BRIM, WEAK)
FULL_AGAIN = ON + duration(LOW, BRIM, STRONG)


def expected_level(t: float) -> float:
    if t < FULL:
        return level(t, START, STRONG) if t > 0 else START
    if t <= OFF or t >= FULL_AGAIN:
        return BRIM
    if t <= ON:
        return level(t - OFF, BRIM, WEAK)
    return level(t - ON, LOW, STRONG)


def overs(result: saltus.Result, name: str = "over") -> tuple[list[float], list[int]]:
    """When the overflow begins and ends, and which of the two."""
    over = np.asarray(result[name], dtype=int)
    rows = np.flatnonzero(np.diff(over)) + 1
    return [float(result.time[row]) for row in rows], [int(over[row]) for row in rows]


def test_closed_form_satisfies_the_equation() -> None:
    for t, inflow in ((1.0, STRONG), (OFF + 1, WEAK), (ON + 0.5, STRONG)):
        slope = (expected_level(t + 1e-4) - expected_level(t - 1e-4)) / 2e-4
        assert A * slope == pytest.approx(inflow - K * math.sqrt(expected_level(t)), abs=1e-6)
    assert 0 < FULL < OFF < ON < FULL_AGAIN < STOP


@pytest.mark.parametrize("law", [*SPELLINGS, "Substituted"])
def test_steps_of_the_inflow(law: str) -> None:
    result = saltus.load(text(law, STEPS)).simulate()
    times, begins = overs(result)
    assert begins == [1, 0, 1]
    np.testing.assert_allclose(times, [FULL, OFF, FULL_AGAIN], atol=TOLERANCE)
    time, h = np.asarray(result.time), np.asarray(result["h"])
    np.testing.assert_allclose(h, [expected_level(t) for t in time], atol=TOLERANCE)
    over = np.asarray(result["over"], dtype=bool)
    spilt = np.where(over, STRONG - K * math.sqrt(BRIM), 0)
    np.testing.assert_allclose(result["Qx"], spilt, atol=TOLERANCE)


@pytest.mark.parametrize("law", SPELLINGS)
def test_level_is_the_brim_exactly_and_the_books_close(law: str) -> None:
    result = saltus.load(text(law, STEPS)).simulate()
    h, over = np.asarray(result["h"]), np.asarray(result["over"], dtype=bool)
    assert np.count_nonzero(over) > 50
    assert np.abs(h[over] - BRIM).max() < 1e-12
    passed = np.asarray(result["inflow"]) - np.asarray(result["outflow"]) - np.asarray(result["overflow"])
    np.testing.assert_allclose(A * (h - START), passed, atol=1e-8)


@pytest.mark.parametrize("law", SPELLINGS)
def test_few_events_and_programs(law: str) -> None:
    """The level reaches the brim twice; the inflow changes at two times. A program with the level as a state,
    one without, perhaps one that stood for both."""
    result = saltus.load(text(law, STEPS)).simulate()
    moments = {e.time for e in result.events if e.kind in ("state", "time")}
    assert len(moments) == 4
    assert 2 <= result.statistics["programs"] <= 3


def sine_reference(stop: float) -> tuple[list[float], Callable[[float], float]]:
    """Events, and the level, of a tank that begins at its brim with the inflow 1 + 0.8 sin(t + 0.1)."""
    events, pieces, t = [], [], 0.0
    while t < stop:
        falls = math.pi * (2 * math.floor((t + 0.1) / (2 * math.pi)) + 1) - 0.1  # the inflow falls below 1
        events.append(falls)
        pieces.append((t, falls, None))

        def back(_: float, h: np.ndarray) -> float:
            return float(h[0] - BRIM)

        back.terminal, back.direction = True, 1.0  # type: ignore[attr-defined]
        run = solve_ivp(
            lambda s, h: [(1 + 0.8 * math.sin(s + 0.1) - K * math.sqrt(h[0])) / A],
            (falls, falls + 12), [BRIM], "DOP853", dense_output=True, events=back, rtol=1e-12, atol=1e-14,
            max_step=0.1,
        )  # fmt: skip
        t = float(run.t[-1])
        events.append(t)
        pieces.append((falls, t, run.sol))

    def at(time: float) -> float:
        for start, end, sol in pieces:
            if start <= time <= end:
                return BRIM if sol is None else float(sol(time)[0])
        raise AssertionError(time)

    return [e for e in events if e < stop], at


@pytest.mark.parametrize("law", [*SPELLINGS, "Substituted"])
def test_begins_at_the_brim(law: str) -> None:
    """The mode at the start has to be found: the level is constrained there, and given as well. No more
    flows over when the inflow falls to what the outlet takes."""
    result = saltus.load(text(law, SINE)).simulate()
    assert result["over"][0]
    events, at = sine_reference(20.0)
    times, begins = overs(result)
    assert begins == [i % 2 for i in range(len(events))]
    assert len(events) >= 5
    # The inflow falls with 0.8, the level comes back with a rate of 0.1 and more.
    np.testing.assert_allclose(times, events, atol=TOLERANCE)
    np.testing.assert_allclose(result["h"], [at(t) for t in result.time], atol=TOLERANCE)


def drained(h0: float, k: float, area: float, t: float) -> float:
    """The level a time t after h0 without inflow: its root falls at a constant rate."""
    return (math.sqrt(h0) - k * t / (2 * area)) ** 2


@pytest.mark.parametrize("law", [*SPELLINGS, "Substituted"])
def test_cascade(law: str) -> None:
    """An array of tanks: each begins to fill when the one before is full."""
    result = saltus.load(text(law, CASCADE)).simulate()
    second = STRONG - K * math.sqrt(BRIM)
    full = [FULL]
    emptied = drained(0.4, 0.2, 1.0, full[0])
    full.append(full[0] + duration(emptied, BRIM, second, 1.0, 0.2))
    third = second - 0.2
    emptied = drained(0.5, 0.05, 0.5, full[1])
    full.append(full[1] + duration(emptied, BRIM, third, 0.5, 0.05))
    for i, expected in enumerate(full):
        times, begins = overs(result, f"tank[{i + 1}].over")
        assert begins == [1]
        assert times[0] == pytest.approx(expected, abs=1e-6)
    assert result["tank[3].Qx"][-1] == pytest.approx(third - 0.05, abs=1e-9)
    held = sum(
        area * (np.asarray(result[f"tank[{i + 1}].h"]) - h0)
        for i, (area, h0) in enumerate(((2.0, 0.25), (1.0, 0.4), (0.5, 0.5)))
    )
    gone = sum(np.asarray(result[f"tank[{i}].outflow"]) for i in (1, 2, 3))
    spilt = np.asarray(result["tank[3].overflow"])
    np.testing.assert_allclose(held + gone + spilt, result["tank[1].inflow"], atol=1e-8)
