"""Modes that are chosen while a run slides: a free-wheel feels the friction that there is.

Found by `tools/differential`.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from tools.differential.families.circuits import Signal
from tools.differential.families.friction import Joint, Mechanism, mechanism_case
from tools.differential.judge import judged
from tools.obedience.judge import violations

import saltus

METHODS = ("bdf", "ida", "adams", "rk45", "auto")

#: One mass on top of another, held by friction that is never overcome; the lower one may not go backwards.
_STACK = """
model Stack
  Real v1(start = 0, fixed = true), v2(start = 0, fixed = true), f, fw, s;
  Boolean free = s > 0;
equation
  f = if v1 - v2 > 0 then 5 else -5;
  v2 = if free then s else 0;
  fw = if free then 0 else s;
  der(v1) = 3*sin(2*time) - 1 - f;
  2*der(v2) = f - fw;
end Stack;
"""


def _speed(t: np.ndarray) -> np.ndarray:
    """By hand: both have 3 v' = 3 sin(2 t) - 1 from when that is positive until v is zero again."""
    v, start = np.zeros_like(t), 0.5 * np.arcsin(1 / 3)
    while start < t[-1]:

        def motion(x: float, start: float = start) -> float:
            return float((np.cos(2 * start) - np.cos(2 * x)) / 2 - (x - start) / 3)

        rest = brentq(motion, start + 1.3, start + np.pi, xtol=1e-14)
        inside = (t > start) & (t < rest)
        v[inside] = [motion(x) for x in t[inside]]
        start += np.pi
    return v


@pytest.mark.parametrize("method", METHODS)
def test_free_wheel_below_a_mass_that_sticks(method: str) -> None:
    result = saltus.load(_STACK).simulate(stop_time=9, method=method, tolerance=1e-9)
    truth = _speed(result.time)
    assert np.abs(result["v1"] - truth).max() < 1e-6 and np.abs(result["v2"] - truth).max() < 1e-6
    assert result.statistics["events"] < 40
    assert violations(result, 1e-9) == []


def _spring(name: str, a: int, b: int, stiffness: float, damping: float) -> Joint:
    return Joint("spring", name, a, b, stiffness, damping)


def _step(at: float, size: float) -> Signal:
    return Signal(f"(if time < {at} then 0 else {size})", lambda t: np.where(t < at, 0.0, size), (at,))


_WHEEL_OF_TWO = Mechanism(
    [0.552, 0.775],
    [0.0, 0.0],
    [
        _spring("spring1", 1, 0, 6.52, 0.485),
        _spring("spring2", 2, 0, 7.84, 0.945),
        Joint("friction", "friction1", 2, 0, 0.629),
        Joint("friction", "friction2", 1, 0, 1.56),
        Joint("wheel", "wheel", 1, 2),
    ],
    [(1, _step(1.886, -1.23))],
)
_BELTS = Mechanism(
    [0.317, 1.26, 0.609, 2.14],
    [-2.93, 0.0, 0.76, 0.0],
    [
        _spring("spring2", 2, 0, 0.0, 0.109),
        _spring("spring3", 3, 1, 5.17, 0.589),
        _spring("spring4", 4, 1, 43.8, 0.145),
        Joint("friction", "friction1", 2, 0, 2.72, belt=0.84),
        Joint("friction", "friction2", 2, 3, 0.356),
        Joint("friction", "friction3", 2, 0, 1.02, belt=-0.76),
        Joint("wheel", "wheel", 2, 0),
    ],
    [(2, _step(1.056, 3.54)), (3, _step(1.081, 2.75))],
)
_PULLED = Mechanism(
    [3.98, 0.373],
    [0.0, 0.0],
    [
        _spring("spring3", 2, 0, 1.29, 0.0557),
        Joint("friction", "friction2", 1, 0, 1.88),
        Joint("friction", "friction3", 1, 0, 1.65),
        Joint("wheel", "wheel", 1, 2),
    ],
    [(1, _step(1.595, -7.72))],
)


@pytest.mark.parametrize("mechanism", [_WHEEL_OF_TWO, _BELTS, _PULLED], ids=["wheel", "belts", "pulled"])
def test_mechanisms(mechanism: Mechanism) -> None:
    """The second one had a row, at the instant in which one surface is left and another one is not, that
    asked more of the other than it can give. The third one had one with the friction of one side only, before
    it began to slip: there the free-wheel would have been free."""
    case = mechanism_case(mechanism, "sign", 4.0)
    verdict = judged(case, saltus.load(case.text), "bdf", 1e-7)
    assert verdict.verdict == "agree", verdict.text
