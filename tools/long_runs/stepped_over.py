"""Models whose events were stepped over, each with a truth of its own.

In all of them something fast is compared beside something slow, or beside nothing: the integrator has no
reason for short steps. The longer the run, the longer the steps it begins with. The truths are closed forms,
or are found here by dense search; Saltus has no part in them.

`faults(case, result, ...)` tells what is wrong with a run. Used by `tests/events/test_no_event_lost.py` for a
few corners, and by `python -m tools.long_runs trust` for every method, tolerance and length.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from tools.obedience.judge import violations

from saltus.result.result import Result

Vector: TypeAlias = NDArray[np.float64]

#: What is tried. Some of the factors are no round numbers, so that steps are none either.
METHODS = ("bdf", "adams", "ida", "rk45", "auto")
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)
FACTORS = (0.7, 1.0, 1.37, 3.0, 10.0, 30.0, 33.3, 100.0)

#: Output points, at least: no multiple of a period falls on them.
POINTS = 1009


@dataclass(frozen=True)
class Case:
    """A model, and how long it was run when it went wrong. `changes`: when variables change, up to a stop
    time. `slack`: how late that may be, from the tolerance of the run and the number of the change.
    `rows`: the longest output interval; the judge of rows has to see how fast residues move. `numbers`: what
    else is wrong with a result at a tolerance. `may_end`: before the stop time, with a message."""

    name: str
    text: str
    length: float
    changes: Callable[[float], Mapping[str, Vector]]
    slack: Callable[[float, Vector], Vector]
    rows: float
    numbers: Callable[[Result, float], list[str]] = lambda result, tolerance: []
    may_end: bool = False

    def interval(self, stop: float) -> float:
        """Between output points, of a run up to a stop time."""
        return min(stop / POINTS, self.rows)


def faults(case: Case, result: Result, stop: float, tolerance: float) -> list[str]:
    """What is wrong with a result, in words."""
    found = [str(v) for v in violations(result, tolerance)]
    if len(found) > 1:
        found = [f"{len(found)} rows do not obey, first {found[0]}"]
    if result.time[-1] != stop and not case.may_end:
        found.append(f"the run ended at {result.time[-1]:.9g}")
    for name, expected in case.changes(stop).items():
        found += _sequence_faults(case, name, changes_of(result, name), expected, stop, tolerance)
    return found + case.numbers(result, tolerance)


def changes_of(result: Result, name: str) -> Vector:
    """The times at which a variable takes another value."""
    values = result[name]
    times: Vector = result.time[1:][values[1:] != values[:-1]]
    return times


def _sequence_faults(
    case: Case, name: str, found: Vector, expected: Vector, stop: float, tolerance: float
) -> list[str]:
    """What differs between two sequences of times. What may be on either side of the stop time does not
    count, nor does anything from where the tolerance leaves it open."""
    slack = case.slack(tolerance, np.arange(max(len(found), len(expected)) + 1.0))
    certain = int(np.searchsorted(slack, np.inf))  # slacks grow; where they are infinite nothing is known
    last = stop - slack[min(certain, len(slack)) - 1] if certain else stop
    found, expected = found[:certain], expected[:certain]
    both = min(len(found), len(expected))
    late = np.flatnonzero(np.abs(found[:both] - expected[:both]) > slack[:both])
    if len(late):
        k = int(late[0])
        told = f"{len(found)} changes, {len(expected)} expected"
        return [f"{name}: {told}; number {k + 1} at {found[k]:.9g}, not at {expected[k]:.9g}"]
    missing, more = expected[both:], found[both:]
    if len(missing) and missing[0] < last:
        return [f"{name}: {len(found)} changes, {len(expected)} expected; none at {missing[0]:.9g}"]
    if len(more) and more[0] < last:
        return [f"{name}: {len(found)} changes, {len(expected)} expected; one more at {more[0]:.9g}"]
    return []


def _up_to(stop: float, *periodic: tuple[float, float]) -> Vector:
    """All first + k*period before the stop time, in order."""
    counts = (max(np.ceil((stop - first) / period), 0.0) for first, period in periodic)
    times = [f + p * np.arange(count) for (f, p), count in zip(periodic, counts, strict=True)]
    return np.sort(np.concatenate(times))


def _within(part: float) -> Callable[[float, Vector], Vector]:
    """Slack of a thousand tolerances, as part of a time, and of the digits that a long run leaves."""
    return lambda tolerance, numbers: part * (1e3 * tolerance + 1e-9 * (1.0 + numbers))


# ---------------------------------------------------------------- a rectifier

_MAINS = 2 * np.pi * 50
_PERIOD = 0.02

RECTIFIER = """
model Rectifier "A diode, a coil and a load at 50 Hz"
  parameter Real L = 0.02, R = 5;
  Real i(start = 0, fixed = true), u, s;
  Boolean blocks = s < 0;
equation
  10*sin(2*3.141592653589793*50*time) = L*der(i) + u + R*i;
  u = if blocks then s else 0;
  i = if blocks then 0 else s;
end Rectifier;
"""


def _rectified(phase: Vector | float) -> Vector:
    """The current so long after the voltage has become positive, while it flows."""
    inductance, resistance = 0.02, 5.0
    impedance, angle = np.hypot(resistance, _MAINS * inductance), np.arctan2(_MAINS * inductance, resistance)
    decay = np.exp(-np.asarray(phase) * resistance / inductance)
    current: Vector = 10.0 / impedance * (np.sin(_MAINS * phase - angle) + np.sin(angle) * decay)
    return current


#: It flows longer than half a period: the coil sees to that.
_FLOWS = float(brentq(_rectified, 0.55 * _PERIOD, 0.999 * _PERIOD, xtol=1e-15))


def _rectifier_numbers(result: Result, tolerance: float) -> list[str]:
    phase = np.mod(result.time, _PERIOD)
    away = np.minimum(phase, _PERIOD - phase) > 1e-6
    error = np.abs(result["i"] - np.where(phase < _FLOWS, _rectified(phase), 0.0))[away].max()
    return [f"i is wrong by {error:.2g}"] if error > 1e3 * tolerance + 1e-6 else []


# ---------------------------------------------------------------- a peak detector

PEAK_DETECTOR = """
model PeakDetector "A diode and a capacitor that is hardly discharged"
  Real v(start = 0, fixed = true), i, ud, s;
  Boolean off = s < 0;
equation
  10*sin(2*3.141592653589793*50*time) = ud + v;
  1e-4*der(v) = i - v/1e5;
  i = if off then 0 else s;
  ud = if off then s else 0;
end PeakDetector;
"""

#: The current is zero where the slope of the sine is that of the discharge; then the capacitor is alone until
#: the sine of the next period reaches it.
_BLOCKS = float((np.pi - np.arctan(_MAINS * 10.0)) / _MAINS)
_CONDUCTS = float(
    brentq(
        lambda t: np.sin(_MAINS * t) - np.sin(_MAINS * _BLOCKS) * np.exp(-(t - _BLOCKS) / 10.0),
        _PERIOD,
        1.25 * _PERIOD,
        xtol=1e-15,
    )
)


def _peak_numbers(result: Result, tolerance: float) -> list[str]:
    lowest = result["v"][result.time > _BLOCKS].min(initial=10.0)
    bound = 10.0 * np.exp(-_PERIOD / 10.0) - 1e3 * tolerance
    return [f"v falls to {lowest:.6g}"] if lowest < bound else []


# ---------------------------------------------------------------- comparators

COMPARATOR = """
model Comparator "Counts the periods of a 50 Hz sine, beside a slow state"
  Integer n(start = 0, fixed = true);
  Boolean above = sin(2*3.141592653589793*50*time) > 0.5;
  Real x(start = 1, fixed = true);
equation
  der(x) = -x/10;
  when above then
    n = pre(n) + 1;
  end when;
end Comparator;
"""

FAST_COMPARATOR = """
model FastComparator "10 kHz, and an integrator that is driven by it"
  parameter Real w = 62830;
  Boolean u = sin(w*time) > 0.5;
  Real x(start = 0, fixed = true);
equation
  der(x) = if u then 1 else -0.5;
end FastComparator;
"""

_FAST = 62830.0
_UP, _DOWN = np.arcsin(0.5), np.pi - np.arcsin(0.5)


def _comparator_changes(stop: float) -> dict[str, Vector]:
    up, down = (float(_UP / _MAINS), _PERIOD), (float(_DOWN / _MAINS), _PERIOD)
    return {"n": _up_to(stop, up), "above": _up_to(stop, up, down)}


def _fast_changes(stop: float) -> dict[str, Vector]:
    period = 2 * np.pi / _FAST
    return {"u": _up_to(stop, (float(_UP / _FAST), period), (float(_DOWN / _FAST), period))}


def _fast_numbers(result: Result, tolerance: float) -> list[str]:
    """x is the time above minus half of that below."""
    stop = float(result.time[-1])
    edges = np.concatenate((_fast_changes(stop)["u"], [stop]))[: 2 * (len(_fast_changes(stop)["u"]) // 2) + 2]
    ups, downs = edges[:-1:2], edges[1::2]
    above = float(np.sum(downs[: len(ups)] - ups[: len(downs)]))
    error = abs(result["x"][-1] - (1.5 * above - 0.5 * stop))
    return [f"x is wrong by {error:.2g}"] if error > 1e2 * tolerance + 1e-9 else []


# ---------------------------------------------------------------- a household's water

HOUSEHOLD = """
model Household "The shipped example, longer"
  extends Saltus.Examples.Fluid.HouseholdWater;
end Household;
"""


class _Household:
    """The vessel between two pressures: an autonomous equation for each position of tap and pump. Each is
    integrated once, from one end to the other; after that all is looked up on these curves."""

    TAP = np.pi / 0.1  # seconds from one turning of the tap to the next
    LOW, HIGH, AIR, VOLUME = 2e5, 4e5, 1.013e5, 0.05

    def __init__(self) -> None:
        # Reckoned by the pressure: liquid and pressure determine each other.
        begin = self.AIR * self.VOLUME / 0.03 - self.AIR
        self._begin = begin
        self._curves = {
            (True, False): self._curve(True, False, begin * 0.9, self.HIGH),
            (True, True): self._curve(True, True, begin * 0.9, self.HIGH),
            (False, True): self._curve(False, True, self.HIGH, self.LOW),
        }

    def _rate(self, pump: bool, tap: bool, p: float) -> float:
        comes = 1.2e-3 * np.sqrt(1.0 - p / 6e5) if pump else 0.0
        goes = 0.3e-3 * np.sqrt(p / 3e5) if tap else 0.0
        liquid_by_pressure = self.AIR * self.VOLUME / (p + self.AIR) ** 2
        return float((comes - goes) / liquid_by_pressure)

    def _curve(self, pump: bool, tap: bool, first: float, last: float) -> Callable[[float], float]:
        """The time at which a pressure is reached, counted from an unimportant one; its inverse is sought."""
        run = solve_ivp(
            lambda p, t: [1.0 / self._rate(pump, tap, p)], (first, last), [0.0],
            method="DOP853", rtol=1e-12, atol=1e-10, dense_output=True,
        )  # fmt: skip
        return lambda p: float(run.sol(p)[0])

    @staticmethod
    def _after(curve: Callable[[float], float], seconds: float, p: float, threshold: float) -> float:
        """The pressure so much later than now, before it reaches a threshold."""
        moment = curve(p) + seconds
        return float(brentq(lambda x: curve(x) - moment, p, threshold, xtol=1e-9))

    def changes(self, stop: float) -> dict[str, Vector]:
        """When the tap is turned, and when the pressure switch changes."""
        t, p, pump, tap = 0.0, self._begin, True, True
        taps, switches = [], []
        # The tap is shut at the start, where its sine is zero, and opens at once.
        turning, number = self.TAP, 1
        taps.append(0.0)
        while t < stop:
            threshold = self.HIGH if pump else self.LOW
            curve = self._curves.get((pump, tap))
            if curve is not None:
                reached = t + curve(threshold) - curve(p)
                if reached < turning:
                    t, p, pump = reached, threshold, not pump
                    switches.append(t)
                    continue
                p = self._after(curve, turning - t, p, threshold)
            t, tap = turning, not tap
            taps.append(t)
            number += 1
            turning = number * self.TAP
        return {
            "tap.open": np.array([x for x in taps if x < stop]),
            "switch.y": np.array([x for x in switches if x < stop]),
        }


@cache
def _household_changes(stop: float) -> dict[str, Vector]:
    return _Household().changes(stop)


# ---------------------------------------------------------------- a vibrating table

TABLE = """
model Table "A ball falls on a table that vibrates with 500 Hz"
  Real h(start = 0.02, fixed = true), v(start = 0, fixed = true), z, zd;
  constant Real w = 2*3.141592653589793*500;
  Integer n(start = 0, fixed = true);
equation
  z = 0.001*sin(w*time);
  zd = 0.001*w*cos(w*time);
  der(h) = v;
  der(v) = -9.81;
  when h < z then
    reinit(v, zd - 0.5*(pre(v) - zd));
    n = pre(n) + 1;
  end when;
end Table;
"""

_SHAKES = 2 * np.pi * 500

#: How much the error of the time of an impact grows until the next one: the table's speed changes by 1e4
#: m/s^2, and a ball that is thrown up faster comes back later.
_CHAOS = 1.5 * 1e-3 * _SHAKES**2 * 2 / 9.81

#: Impacts that are looked for; no run can tell more of them.
_IMPACTS = 6


def _impacts(stop: float) -> dict[str, Vector]:
    """Flights are parabolas, and impacts the first roots after a dense search."""
    t, h, v = 0.0, 0.02, 0.0
    found: list[float] = []
    while len(found) < _IMPACTS:
        begin, gap = t, partial(_gap, t, h, v)
        # A hundred looks a period; the first moment after an impact is not looked at.
        looks: Vector = begin + np.arange(1.0, 400_000.0) * (0.002 / 100)
        k = int(np.argmax(gap(looks) < 0.0))
        t = float(brentq(gap, looks[k - 1] if k else begin + 1e-9, looks[k], xtol=1e-15))
        if t >= stop:
            break
        found.append(t)
        table = 1e-3 * _SHAKES * np.cos(_SHAKES * t)
        h, v = 1e-3 * np.sin(_SHAKES * t), table - 0.5 * (v - 9.81 * (t - begin) - table)
    return {"n": np.array(found)}


def _gap(begin: float, height: float, speed: float, t: Vector) -> Vector:
    """Between the table and a ball that was there at the beginning, at this height and speed."""
    flown = t - begin
    gap: Vector = height + speed * flown - 9.81 / 2 * flown**2 - 1e-3 * np.sin(_SHAKES * t)
    return gap


def _impact_slack(tolerance: float, numbers: Vector) -> Vector:
    """The ball is off by some tolerances when it first falls, with 0.6 m/s, and then chaos begins. What is
    off by a tenth of a period may meet another one."""
    slack = (100 * tolerance + 1e-13) * _CHAOS**numbers
    return np.where((slack < 2e-4) & (numbers < _IMPACTS), slack, np.inf)


def _table_numbers(result: Result, tolerance: float) -> list[str]:
    deepest = float((result["z"] - result["h"]).max())
    return [f"the ball is {deepest:.2g} m inside the table"] if deepest > 1e-9 else []


# ---------------------------------------------------------------- a relief valve

RELIEF_VALVE = """
model ReliefValve "A pump fills an accumulator, a relief valve limits the pressure"
  Saltus.Fluid.DisplacementPump pump(q_nom = 2e-4, speed = 1);
  Saltus.Fluid.CheckValve relief(p_open = 60e5);
  Saltus.Fluid.Accumulator acc(V0 = 1e-3, V(start = 0, fixed = true));
  Saltus.Fluid.Ambient tank;
equation
  connect(tank.port, pump.port_a);
  connect(pump.port_b, acc.port);
  connect(acc.port, relief.port_a);
  connect(relief.port_b, tank.port);
end ReliefValve;
"""

#: The gas is compressed to 60 bar above the air's pressure by 2e-4 m^3/s.
_OPENS = 1e-3 * (1.0 - 1.013e5 / (60e5 + 1.013e5)) / 2e-4


def _valve_numbers(result: Result, tolerance: float) -> list[str]:
    highest = float(result["acc.p"].max())
    # The pressure is steep there: 1e-3 m^3 hold 60 bar, and a tolerance of that is much.
    return [f"the pressure is {highest:.4g} Pa"] if highest > 60e5 * (1.0 + 1e2 * tolerance + 1e-6) else []


CASES = {
    case.name: case
    for case in (
        Case(
            "rectifier", RECTIFIER, 2.0,
            lambda stop: {"blocks": _up_to(stop, (_FLOWS, _PERIOD), (_PERIOD, _PERIOD))},
            _within(_PERIOD), 0.0023, _rectifier_numbers,
        ),
        Case(
            "peak_detector", PEAK_DETECTOR, 0.9,
            lambda stop: {"off": _up_to(stop, (_BLOCKS, _PERIOD), (_CONDUCTS, _PERIOD))},
            _within(_PERIOD), 0.0023, _peak_numbers,
        ),
        Case("comparator", COMPARATOR, 1.0, _comparator_changes, _within(_PERIOD), 0.0023),
        Case("household_water", HOUSEHOLD, 6000.0, _household_changes, _within(30.0), 7.3),
        # A ball that meets the table gently is caught by hops that accumulate: Zeno, which ends a run.
        Case("vibrating_table", TABLE, 0.5, _impacts, _impact_slack, 4.3e-4, _table_numbers, may_end=True),
        Case(
            "relief_valve", RELIEF_VALVE, 12.0,
            lambda stop: {"relief.closed": _up_to(min(stop, 1.5 * _OPENS), (_OPENS, 2 * _OPENS))},
            _within(_OPENS), 0.13, _valve_numbers,
        ),
        Case("fast_comparator", FAST_COMPARATOR, 0.01, _fast_changes, _within(1e-4), 1.3e-5, _fast_numbers),
    )
}  # fmt: skip
