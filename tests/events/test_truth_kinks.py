"""Jumps and kinks without events, of signals of time: the integrator does not step past them.

Between the kinks these derivatives are constant, or nearly so: a step that is as long as the states allow
would be longer than many periods. The truths are integrals of the signals, in closed form.
"""

from __future__ import annotations

from math import acos, asin, cos, pi

import pytest

import saltus

METHODS = ["bdf", "ida", "adams", "rk45", "auto"]


def clipped(low: float, w: float, stop: float) -> float:
    """The integral of max(sin(w*t), low) from 0 on, over whole periods and a part of one."""

    def to(phase: float) -> float:
        first, last = asin(low), pi - asin(low)
        parts = (min(phase, first), min(max(phase, first), last), max(phase, last))
        return low * parts[0] + cos(first) - cos(parts[1]) + low * (parts[2] - last)

    periods, phase = divmod(w * stop, 2 * pi)
    return (periods * to(2 * pi) + to(phase)) / w


def square(high: float, low: float, w: float, stop: float) -> float:
    """The integral of a square wave that is high for the first half of its periods."""
    periods, phase = divmod(w * stop, 2 * pi)
    part = high * min(phase, pi) + low * max(phase - pi, 0.0)
    return float((periods * pi * (high + low) + part) / w)


def bowed(w: float, stop: float) -> float:
    """The integral of abs(sin(w*t))."""
    halves, phase = divmod(w * stop, pi)
    return (2 * halves + 1 - cos(phase)) / w


CASES = {
    "sign": ("der(x) = sign(sin(20*time));", square(1, -1, 20, 6)),
    "max": ("der(x) = max(sin(7*time), 0.2);", clipped(0.2, 7, 6)),
    "named": ("u = sin(7*time); der(x) = max(u, 0.2);", clipped(0.2, 7, 6)),
    "min": ("der(x) = -min(-sin(7*time), -0.2);", clipped(0.2, 7, 6)),
    "abs": ("der(x) = abs(sin(13*time));", bowed(13, 6)),
    "noEvent": ("der(x) = noEvent(if sin(30*time) > 0 then 1 else -2);", square(1, -2, 30, 6)),
    "smooth": ("der(x) = smooth(1, if sin(7*time) > 0.2 then sin(7*time) else 0.2);", clipped(0.2, 7, 6)),
    "in a table of conditions": (
        "der(x) = noEvent(if cos(11*time) > 0 then (if sin(11*time) > 0 then 1 else 3) else 0);",
        4 * pi / 2 / 11 * int(66 / (2 * pi)) + min(66 % (2 * pi), pi / 2) / 11
        + max(0.0, 66 % (2 * pi) - 1.5 * pi) * 3 / 11,
    ),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8])
@pytest.mark.parametrize("case", CASES)
def test_kinks_of_signals_of_time(case: str, tolerance: float, method: str) -> None:
    equations, truth = CASES[case]
    declared = "Real u; " if case == "named" else ""
    model = saltus.load(f"model M {declared}Real x(start = 0, fixed = true); equation {equations} end M;")
    result = model.simulate(stop_time=6, tolerance=tolerance, method=method)
    # What an explicit method estimates of a step with a jump inside may be far too little by chance.
    allowed = 5e3 if method in ("rk45", "auto") else 300
    assert result["x"][-1] == pytest.approx(truth, abs=allowed * tolerance + 1e-5)
    assert len(result.events) <= 1  # the start: there are none at kinks


@pytest.mark.parametrize("method", METHODS)
def test_a_kink_at_a_threshold_that_moves_with_a_state(method: str) -> None:
    """x lies far above the threshold but for one part of each period; there it is driven up."""
    model = saltus.load("""model M Real x(start = 0, fixed = true);
      equation der(x) = noEvent(if cos(5*time) > 0.5 + 1e-3*x then 1 else 0); end M;""")
    result = model.simulate(stop_time=8, tolerance=1e-8, method=method)
    # By its own equation of the angle: x rises while cos(phase) > 0.5 + x/1000.
    x, turn = 0.0, 0.0
    periods, phase = divmod(40.0, 2 * pi)
    for k in range(int(periods) + 1):
        last = phase if k == int(periods) else 2 * pi
        up = _until(x, 0.0, last)
        x += up / 5
        turn = 2 * pi - acos(0.5 + 1e-3 * x)
        x += max(last - turn, 0.0) / 5
    assert result["x"][-1] == pytest.approx(x, abs=2e-3)


def _until(x: float, phase: float, last: float) -> float:
    """How far the phase goes from zero until cos(phase) is no longer above the threshold, which rises."""
    low, high = phase, pi
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if cos(middle) > 0.5 + 1e-3 * (x + middle / 5) else (low, middle)
    return min(low, last)
