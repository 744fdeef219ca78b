"""Frictions written with the sign of a velocity, where several of them and free-wheels meet: which of them
stick is found together with the mode.

Found by `tools/differential`, but for the first one, which is solved by hand.
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

#: A mass is pushed along on top of another. Friction holds it there, and it may slip forwards only.
_PAIR = """
model Pair
  Real v1(start = 0, fixed = true), v2(start = 0, fixed = true), f, fw, s;
  Boolean free = s > 0;
equation
  f = if v1 - v2 > 0 then 1 else -1;
  v1 - v2 = if free then s else 0;
  fw = if free then 0 else s;
  der(v1) = 3*sin(time) - f - fw;
  der(v2) = f + fw;
end Pair;
"""


def _slip(t: np.ndarray) -> np.ndarray:
    """By hand: half of the push is what moves the lower mass, and friction gives no more than 1 of it. So the
    upper one slips from 3 sin t = 2 on, with the acceleration 3 sin t - 2, until it has been caught up."""
    slip, begin = np.zeros_like(t), float(np.arcsin(2 / 3))
    while begin < t[-1]:

        def speed(x: float, begin: float = begin) -> float:
            return float(3 * (np.cos(begin) - np.cos(x)) - 2 * (x - begin))

        end = brentq(speed, begin + 1.0, begin + 2 * np.pi, xtol=1e-14)
        inside = (t > begin) & (t < end)
        slip[inside] = [speed(x) for x in t[inside]]
        begin += 2 * np.pi
    return slip


@pytest.mark.parametrize("method", METHODS)
def test_friction_beside_a_free_wheel(method: str) -> None:
    result = saltus.load(_PAIR).simulate(stop_time=10, method=method, tolerance=1e-9)
    assert np.abs(result["v1"] + result["v2"] - 3 * (1 - np.cos(result.time))).max() < 1e-6
    assert np.abs(result["v1"] - result["v2"] - _slip(result.time)).max() < 1e-6
    assert result.statistics["events"] < 60
    assert violations(result, 1e-9) == []


def _spring(name: str, a: int, b: int, stiffness: float, damping: float) -> Joint:
    return Joint("spring", name, a, b, stiffness, damping)


def _sine(size: float, w: float) -> Signal:
    return Signal(f"{size}*sin({w}*time)", lambda t: size * np.sin(w * t))


def _step(at: float, size: float) -> Signal:
    return Signal(f"(if time < {at} then 0 else {size})", lambda t: np.where(t < at, 0.0, size), (at,))


def _constant(size: float) -> Signal:
    return Signal(repr(size), lambda t: size)


#: Every mode contradicts itself where the friction is on one of its sides.
_WHEEL_OF_FOUR = Mechanism(
    [0.696, 3.44, 3.18, 4.88],
    [0.0, 0.0, -2.88, 0.0],
    [
        _spring("spring1", 1, 0, 90.8, 0.281),
        _spring("spring2", 2, 1, 10.2, 0.0),
        _spring("spring3", 3, 2, 0.0, 0.16),
        _spring("spring4", 4, 2, 44.6, 1.42),
        Joint("friction", "friction1", 2, 1, 0.974),
        Joint("wheel", "wheel", 4, 2),
    ],
    [(1, _constant(7.8)), (3, _constant(-6.82))],
)
#: A friction and a free-wheel between the same two masses share a load.
_PARALLEL = Mechanism(
    [3.99, 3.14],
    [0.0, 0.0],
    [
        _spring("spring1", 1, 0, 94.0, 0.0),
        _spring("spring2", 2, 1, 81.1, 1.81),
        Joint("friction", "friction1", 1, 0, 1.95),
        Joint("friction", "friction2", 2, 1, 0.405),
        Joint("friction", "friction3", 1, 0, 1.34),
        Joint("wheel", "wheel", 1, 2),
    ],
    [(1, _sine(4.72, 7.138))],
)
#: Two frictions hold one mass as long as another one sticks: one of them was held on, without a word, when
#: that slipped.
_HELD_BY_ANOTHER = Mechanism(
    [3.44, 0.373],
    [0.0, 0.0],
    [
        _spring("spring1", 1, 0, 15.3, 0.0505),
        _spring("spring2", 2, 1, 0.0, 1.08),
        Joint("friction", "friction1", 1, 0, 1.94, 0.165),
        Joint("friction", "friction2", 2, 0, 0.913, 0.041, belt=-0.12),
        Joint("friction", "friction3", 2, 0, 0.358, 0.0644),
        Joint("friction", "friction4", 2, 1, 0.725),
    ],
    [(1, _sine(2.54, 3.875))],
)
#: The same three frictions in a triangle, without modes: they chattered.
_TRIANGLE = Mechanism(
    [1.54, 1.17],
    [0.0, 0.0],
    [
        _spring("spring2", 2, 0, 0.0, 0.312),
        Joint("friction", "friction1", 1, 0, 4.27),
        Joint("friction", "friction2", 2, 1, 2.61),
        Joint("friction", "friction3", 2, 0, 0.908),
    ],
    [(1, _constant(-4.73)), (2, _sine(6.93, 7.483))],
)
#: A row was written with the free-wheel as it was before the frictions began to stick.
_BEGUN_IN_A_MODE = Mechanism(
    [1.25, 4.77, 2.27],
    [-2.33, 0.0, 0.0],
    [
        _spring("spring1", 1, 0, 0.0, 0.382),
        _spring("spring2", 2, 0, 6.69, 1.75),
        _spring("spring3", 3, 1, 30.0, 0.07),
        Joint("friction", "friction1", 1, 3, 2.38),
        Joint("friction", "friction2", 2, 0, 4.39, 0.0227),
        Joint("friction", "friction3", 3, 0, 2.01),
        Joint("friction", "friction4", 3, 0, 1.85),
        Joint("wheel", "wheel", 3, 2),
    ],
    [(3, _step(0.321, -4.91))],
)
#: A lock closes between two masses that stick; one of them is torn off, since friction gives no impulse.
_LOCKED = Mechanism(
    [0.955, 0.811, 0.911],
    [-2.26, 0.0, 0.0],
    [
        _spring("spring1", 1, 0, 0.0, 0.194),
        _spring("spring2", 2, 0, 3.38, 0.0),
        _spring("spring3", 3, 0, 0.0, 0.57),
        Joint("friction", "friction1", 1, 0, 0.87, 0.0333, belt=0.49),
        Joint("friction", "friction2", 1, 0, 3.6, belt=-0.74),
        Joint("friction", "friction3", 3, 0, 0.687),
        Joint("lock", "lock", 3, 1, times=(2.05, 2.791)),
    ],
    [(2, _step(1.358, -4.47))],
)

_MECHANISMS = {
    "wheel": _WHEEL_OF_FOUR,
    "parallel": _PARALLEL,
    "held": _HELD_BY_ANOTHER,
    "triangle": _TRIANGLE,
    "begun": _BEGUN_IN_A_MODE,
    "locked": _LOCKED,
}


@pytest.mark.parametrize("name", _MECHANISMS)
def test_mechanisms(name: str) -> None:
    """Against Radau steps with a complementarity problem at each event."""
    case = mechanism_case(_MECHANISMS[name], "sign", 4.0)
    verdict = judged(case, saltus.load(case.text), "bdf", 1e-9)
    assert verdict.verdict == "agree", verdict.text
