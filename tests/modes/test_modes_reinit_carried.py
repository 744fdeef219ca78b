"""What a `reinit` leaves as it is, in a model whose structure varies: other states, whatever follows from the
one that is set. And what a tiny jump does not do: turn a relation of a derivative.

Truth: closed forms, and what becomes of a `reinit` a moment before the mode is entered.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import brentq

import saltus

SWITCH = """
  Real i(start = 0), u;
  Boolean open = time < {at};
equation
  der(i) = u;
  0 = if open then i else u - 1 + i;
"""

SET = """
model Set "J follows the changes of E = b^2 between events; b is set"
  Real b(start = 1, fixed = true), J(start = 0, fixed = true), E;
  {switch}
equation
  der(b) = -b;
  E = b^2;
  der(J) = der(E);
  when sample(0.5, 0.5) then
    reinit(b, pre(b) + 4);
  end when;
end Set;
"""


@pytest.mark.parametrize("switch", ["", SWITCH.format(at=0.3), SWITCH.format(at=0.5)])
def test_states_stay_when_another_one_is_set(switch: str) -> None:
    """J changes by what E changes from event to event, and by nothing at them; a switch beside it, and when
    it closes, is no matter."""
    result = saltus.load(SET.format(switch=switch)).simulate(stop_time=1.2, tolerance=1e-9)
    b, moved = 1.0, 0.0
    for span in (0.5, 0.5, 0.2):
        left = b * math.exp(-span)
        moved += left**2 - b**2
        b = left + 4 if span == 0.5 else left
    assert result["b"][-1] == pytest.approx(b, rel=1e-7)
    assert result["J"][-1] == pytest.approx(moved, rel=1e-7)
    np.testing.assert_allclose(result["E"], result["b"] ** 2, rtol=1e-9)


TIED = """
model Tied "E follows b, and J the changes of E; {what}"
  parameter Real closing = 0.3;
  Real b(start = 1, fixed = true), J(start = 0, fixed = true), E, f{more};
  Boolean closed = time >= closing;
equation
  der(b) = -b + f;
  {equations}
  der(J) = der(E);
  when sample(0.5, 10) then
    reinit(b, pre(b) + 4);
  end when;
end Tied;
"""

SHARED = {
    "what": "while closed, b and c share what happens to either",
    "more": ", c(start = 2, fixed = true)",
    "equations": "0.5*der(c) = -0.5*c - f;\n  0 = if closed then b - c else f;",
}
DRIVEN = {"what": "while closed, b is given", "more": "", "equations": "0 = if closed then b - 2 else f;"}


def explicit(b: float) -> float:
    return b**2


def implicit(b: float) -> float:
    return float(brentq(lambda e: e + 0.1 * e**3 - b - 0.1 * math.sin(e) - b**2, -50, 50, xtol=1e-14))


@pytest.mark.parametrize("tie", [SHARED, DRIVEN])
@pytest.mark.parametrize(
    ("law", "follows"),
    [("E = b^2;", explicit), ("E + 0.1*E^3 = b + F;\n  F = 0.1*sin(E) + b^2;", implicit)],
)
def test_what_is_tied_is_set_first_and_moved_by_impulses_then(
    tie: dict[str, str], law: str, follows: Callable[[float], float]
) -> None:
    """J stays when b is set, whatever E does; it goes with E as impulses move b to where the tie wants it.
    The same comes of a tie that closes just after b was set."""
    more = tie["more"] + (", F" if "F" in law else "")
    text = TIED.format(what=tie["what"], more=more, equations=f"{tie['equations']}\n  {law}")
    model = saltus.load(text)
    result = model.simulate(stop_time=0.5, tolerance=1e-9)
    left, right = np.flatnonzero(np.isclose(result.time, 0.5))[[0, -1]]
    before, after = result["b"][left], result["b"][right]
    tied = 2.0 if tie is DRIVEN else (before + 4 + 0.5 * before) / 1.5
    assert after == pytest.approx(tied, rel=1e-9)
    assert result["E"][right] == pytest.approx(follows(after), rel=1e-9)
    moved = result["J"][right] - result["J"][left]
    assert moved == pytest.approx(follows(after) - follows(before + 4), rel=1e-9)
    later = model.simulate(stop_time=0.6, tolerance=1e-9, set={"closing": 0.5 + 1e-9})
    between = np.flatnonzero(np.isclose(later.time, 0.5, atol=1e-7))
    assert later["J"][between[-1]] - later["J"][between[-2]] == pytest.approx(
        follows(later["b"][between[-1]]) - follows(later["b"][between[-2]]), rel=1e-6
    )


LIGHT = """
model Light "A shaft that is driven takes along one that weighs next to nothing"
  parameter Real J2 = 1e-12;
  Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), tau;
  Boolean closed = time >= 0.5, up = der(w1) > 0;
  Integer n(start = 0, fixed = true);
equation
  der(w1) = 1 - tau;
  J2*der(w2) = tau;
  0 = if closed then w1 - w2 else tau;
  when not up then
    n = pre(n) + 1;
  end when;
end Light;
"""


@pytest.mark.parametrize(("inertia", "turns"), [(1e-12, 0), (0.5, 1)])
def test_an_impulse_below_all_errors_decides_nothing(inertia: float, turns: int) -> None:
    """w1 falls from 1.5 to 1.5/(1 + J2) when the clutch closes: by a third, or by one part in 10^12, which
    is far within the tolerance."""
    result = saltus.load(LIGHT).simulate(stop_time=1, tolerance=1e-8, set={"J2": inertia})
    assert result["n"][-1] == turns
    assert result["w1"][-1] == pytest.approx((1.5 + 0.5) / (1 + inertia), rel=1e-7)
