"""Sliding that ends in a point, and runs that stand still because something jumps without an event.

Fuller's problem, x'' = -sign(x + C*v*abs(v)): from x = 1 at rest the first arc ends on the curve at
t1 = 1/sqrt(C + 1/2). For C > 1/2 the curve is slid along from there, with v' = 1/(2*C), to the origin. For
C < 1/2 arcs follow each other, each shorter by the factor (1/2 - C)/(1/2 + C) in v squared.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from tools.obedience.judge import violations

import saltus

NAMED = """Real q = x + C*v*abs(v); equation der(x) = v; der(v) = if q > 0 then -1 else 1;"""
IN_PLACE = """equation der(x) = v; der(v) = if x + C*v*abs(v) > 0 then -1 else 1;"""


def fuller(c: float, written: str) -> saltus.Model:
    return saltus.load(
        f"model M constant Real C = {c}; Real x(start = 1, fixed = true), v(start = 0, fixed = true); "
        f"{written} end M;"
    )


@pytest.mark.parametrize("written", [NAMED, IN_PLACE], ids=["named", "in place"])
@pytest.mark.parametrize(("c", "tolerance"), [(0.6, 1e-9), (0.7, 1e-6), (1.0, 1e-9), (2.0, 1e-8)])
def test_a_curve_is_slid_along_to_its_end(c: float, tolerance: float, written: str) -> None:
    result = fuller(c, written).simulate(stop_time=6, tolerance=tolerance)
    first = 1 / np.sqrt(c + 0.5)
    end = first * (1 + 2 * c)
    t = result.time
    v = np.where(t < first, -t, np.minimum(-first + (t - first) / (2 * c), 0.0))
    x = np.where(t < first, 1 - t**2 / 2, c * v**2)
    late = t > end + 0.02
    assert np.abs(result["x"] - x).max() < 100 * tolerance
    assert np.abs(result["v"] - v)[~late].max() < 1e3 * tolerance
    assert np.abs(result["v"][late]).max() < 1e-9 and np.abs(result["x"][late]).max() < 1e-9
    assert not violations(result)


def test_the_point_is_left_when_something_pushes() -> None:
    """From 4 on 2 more: the switch can hold no more than 1."""
    model = saltus.load("""model M Real x(start = 1, fixed = true), v(start = 0, fixed = true);
      Real q = x + v*abs(v); equation der(x) = v;
      der(v) = (if q > 0 then -1 else 1) + (if time > 4 then 2 else 0); end M;""")
    result = model.simulate(stop_time=5, tolerance=1e-8)
    assert result["x"][-1] == pytest.approx(0.5, abs=1e-6) and result["v"][-1] == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("written", [NAMED, IN_PLACE], ids=["named", "in place"])
@pytest.mark.parametrize("c", [0.3, 0.4446])
def test_arcs_accumulate(c: float, written: str) -> None:
    """From the curve with speed v the next arc takes the time v*(1 + r), where r is the ratio of speeds."""
    result = fuller(c, written).simulate(stop_time=6, tolerance=1e-9)
    ratio = np.sqrt((0.5 - c) / (0.5 + c))
    first = 1 / np.sqrt(c + 0.5)
    end = first + first * (1 + ratio) / (1 - ratio)
    point = next(e.time for e in result.events if e.causes[0].kind == "zeno")
    assert point == pytest.approx(end, abs=1e-4)
    late = result.time > end + 1e-3
    assert np.abs(result["x"][late]).max() < 1e-8 and np.abs(result["v"][late]).max() < 1e-8


SUPER = """model M Real s(start = 1, fixed = true), w(start = 0, fixed = true);
  equation der(s) = w - 1.5*sqrt(abs(s))*(if s > 0 then 1 else -1);
  der(w) = -(if s > 0 then 1.1 else -1.1); end M;"""


def arc(s: float, w: float) -> tuple[float, float]:
    """How long a super-twisting controller needs until s is zero again, and w then."""

    def rates(_: float, y: np.ndarray) -> list[float]:
        return [y[1] - 1.5 * np.sqrt(max(y[0], 0.0)), -1.1]

    def crosses(_: float, y: np.ndarray) -> float:
        return float(y[0])

    crosses.terminal, crosses.direction = True, -1.0  # type: ignore[attr-defined]
    found = solve_ivp(rates, (0, 10), [s, w], events=crosses, rtol=1e-10, atol=1e-14)
    return float(found.t_events[0][0]), float(found.y_events[0][0][1])


@pytest.mark.parametrize("method", ["bdf", "ida", "adams", "rk45"])
@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8])
def test_super_twisting_at_every_tolerance(method: str, tolerance: float) -> None:
    """Arcs are alike: from s = 0 with w each takes a time in proportion to w. So the end is the sum of a
    geometric series."""
    first, w = arc(1.0, 0.0)
    time, after = arc(1e-12, 1.0)
    end = first + abs(w) * time / (1 + after)
    result = saltus.load(SUPER).simulate(stop_time=10, tolerance=tolerance, method=method)
    late = result.time > end + 0.3
    assert end == pytest.approx(1.7416, abs=1e-3)
    # Near the end s is the square of what is left of the time, and hops lower than the tolerance are errors.
    assert np.abs(result["s"][late]).max() < tolerance
    assert np.abs(result["s"][result.time > end + 0.01]).max() < 100 * tolerance


@pytest.mark.parametrize("method", ["bdf", "ida", "adams", "rk45", "auto"])
@pytest.mark.parametrize("tolerance", [1e-8, 1e-9, 1e-10])
def test_super_twisting_follows_what_disturbs_it(method: str, tolerance: float) -> None:
    """The integral of the switch has to be minus the disturbance, which does not stand still while it
    swings about that."""
    result = saltus.load("""model M
      Real s(start = 0.7, fixed = true), w(start = 0, fixed = true);
    equation
      der(s) = -2*(if s > 0 then sqrt(abs(s)) else -sqrt(abs(s))) + w + 0.5*sin(2*time);
      der(w) = if s > 0 then -2.5 else 2.5;
    end M;""").simulate(stop_time=8, tolerance=tolerance, method=method)
    late = result.time > 1.5
    assert np.abs(result["s"][late]).max() < 10 * tolerance
    assert np.abs(result["w"] + 0.5 * np.sin(2 * result.time))[late].max() < 100 * tolerance


@pytest.mark.parametrize(
    ("equations", "named"),
    [
        ("der(v) = 0.5*sin(time) - sign(v);", "sign(v)"),
        ("der(v) = 0.5 - noEvent(if v > 0 then 1 else -1);", "noEvent("),
        ("der(v) = -2*sign(v - 0.1*sin(time));", "sign(v - 0.1*sin(time))"),
    ],
)
def test_a_jump_without_an_event(equations: str, named: str) -> None:
    """Nothing tells that the run would slide there; it ends, and says what jumps."""
    with pytest.raises(saltus.RunError) as caught:
        saltus.load(f"model M Real v(start = 1, fixed = true); equation {equations} end M;").simulate(
            stop_time=100, tolerance=1e-10
        )
    (found,) = caught.value.diagnostics
    assert found.code == "E405" and "is stuck" in found.message
    assert any(named in note.message for note in found.notes)


def test_something_slow_beside_something_fast_is_no_standstill() -> None:
    """A ripple of 1e-7 at 3 kHz for 10 s beside something that hardly moves."""
    result = saltus.load("""model M
      Real a(start = 1e-7, fixed = true), b(start = 0, fixed = true), slow(start = 1, fixed = true);
      constant Real w = 2*3.141592653589793*3000;
    equation
      der(a) = -w*b; der(b) = w*a; der(slow) = -1e-3*slow;
    end M;""").simulate(stop_time=10, tolerance=1e-6, method="rk45")
    assert result["slow"][-1] == pytest.approx(np.exp(-1e-2), abs=1e-6)
