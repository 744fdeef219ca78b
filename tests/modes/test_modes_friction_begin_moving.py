"""Frictions of bodies that move when a run begins: they slide, each in its direction.

Truth: by hand.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import saltus

#: On four belts. Two frictions on belts of different speeds cannot both stick, whatever the third and the
#: fourth do; so the mode in which all slide is far from that in which all stick.
_BELTS = """
model Belts
  model Friction
    parameter Real f0;
    input Real v;
    Real f, s;
    Boolean forward = s > 1, backward = s < -1;
  equation
    v = if forward then s - 1 elseif backward then s + 1 else 0;
    f = if forward then f0 elseif backward then -f0 else f0*s;
  end Friction;
  parameter Real start = -2.5, b[4] = {0.25, 0, -0.5, 0.375}, f0[4] = {0.5, 2.25, 2, 0.25};
  Real v(start = start, fixed = true);
  Friction friction[4](f0 = f0, v = {v - b[k] for k in 1:4});
equation
  0.5*der(v) = -sum(friction.f);
end Belts;
"""


def speeds(start: float, belts: np.ndarray, forces: np.ndarray) -> tuple[list[float], list[float]]:
    """Frictions pull the mass towards the speeds of their belts, until it goes with one that is stronger than
    the others together: times and speeds, between which the speed is a straight line."""
    time, v, times, found = 0.0, start, [0.0], [start]
    while True:
        free = forces @ np.sign(belts - v)  # of those whose belts go with the mass nothing
        with_it = forces[belts == v].sum()
        if abs(free) <= with_it:
            return times, found
        rate = (free - np.sign(free) * with_it) / 0.5
        ahead = belts[(belts - v) * rate > 0]
        v_next = ahead[np.argmin(abs(ahead - v))]
        time, v = time + (v_next - v) / rate, v_next
        times.append(time)
        found.append(v)


@pytest.mark.parametrize("start", [-2.5, -0.25, 0.125, 0.3125, 2.0])
def test_on_four_belts(start: float) -> None:
    """By hand: the second friction, at rest, is stronger than the others together."""
    result = saltus.load(_BELTS).simulate(stop_time=2, tolerance=1e-9, set={"start": start})
    belts, forces = np.array([0.25, 0.0, -0.5, 0.375]), np.array([0.5, 2.25, 2.0, 0.25])
    assert np.abs(result["v"] - np.interp(result.time, *speeds(start, belts, forces))).max() < 1e-8


@pytest.mark.parametrize("start", [-1.8125, -0.25, 1.5])
def test_on_four_belts_in_any_order(start: float) -> None:
    """Whatever the order in which the frictions are written: a search that turns them one by one finds the
    directions of all."""
    model = saltus.load(_BELTS)
    for order in permutations(range(4)):
        belts = np.array([-0.5, -0.9375, 0.0, 0.03125])[list(order)]
        forces = np.array([2.6875, 1.875, 0.4375, 2.625])[list(order)]
        given = {f"b[{k}]": float(b) for k, b in enumerate(belts, 1)}
        given |= {f"f0[{k}]": float(f) for k, f in enumerate(forces, 1)} | {"start": start}
        result = model.simulate(stop_time=2, tolerance=1e-9, set=given)
        expected = np.interp(result.time, *speeds(start, belts, forces))
        assert np.abs(result["v"] - expected).max() < 1e-8, order
