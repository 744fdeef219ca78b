"""Events that accumulate without a contact: sliding of higher order, and blocks that rock to rest."""

from __future__ import annotations

import math

import numpy as np
import pytest
from event_runs import refused, run
from scipy.integrate import quad

from saltus.result.result import Result


def turns(result: Result, kind: str) -> list[float]:
    return [e.time for e in result.events if e.causes and e.causes[0].kind == kind]


TWISTING = """model M parameter Real r1 = 2, r2 = 1; Real a, b, d;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), z(start = 0, fixed = true); equation
  a = if x > 0 then -r1 else r1; b = if v > 0 then -r2 else r2; d = {d};
  der(x) = v; der(v) = a + b + d; der(z) = 1 + x; end M;"""


def end_of_twisting(r1: float, r2: float) -> float:
    """From x = 1 at rest to x = 0 with r1 - r2, on to rest with r1 + r2, and again: each turning point is
    (r1 - r2)/(r1 + r2) times as far as the one before it, and the times shrink by the root of that."""
    slow, fast = r1 - r2, r1 + r2
    speed = math.sqrt(2 * slow)
    return (speed / slow + speed / fast) / (1 - math.sqrt(slow / fast))


@pytest.mark.parametrize("zeno", ["stop", "rest", "continue"])
@pytest.mark.parametrize(("r1", "r2"), [(2, 1), (5, 1), (3, 2.5)])
def test_twisting_ends_in_the_origin(r1: float, r2: float, zeno: str) -> None:
    end = end_of_twisting(r1, r2)
    text, given = TWISTING.format(d="0"), {"r1": r1, "r2": r2}
    result = run(text, stop_time=1.3 * end, tolerance=1e-9, zeno=zeno, set=given)
    assert turns(result, "sliding") == pytest.approx([end, end], abs=1e-4)
    late = result.time > end + 1e-6
    assert np.all(result["x"][late] == 0.0) and np.all(result["v"][late] == 0.0)
    assert result["a"][-1] + result["b"][-1] == pytest.approx(0.0, abs=1e-12)


def test_twisting_holds_as_long_as_both_switches_together_can() -> None:
    """A load of 0.7 (t - 8): it is held up to r1 + r2 = 6, and then free with what exceeds that."""
    text = TWISTING.format(d="if time < 8 then 0 else 0.7*(time - 8)")
    result = run(text, stop_time=20, tolerance=1e-9, set={"r1": 4, "r2": 2})
    left = 8 + 6 / 0.7
    assert turns(result, "leaving") == pytest.approx([left], abs=1e-7)
    s = 20 - left
    assert result["v"][-1] == pytest.approx(0.7 * s**2 / 2, rel=1e-6)
    assert result["x"][-1] == pytest.approx(0.7 * s**3 / 6, rel=1e-6)


@pytest.mark.parametrize("target", ["0", "0.1*sin(time)"])
@pytest.mark.parametrize("disturbed", [0, 0.3])
def test_super_twisting_makes_up_for_a_disturbance(disturbed: float, target: str) -> None:
    """On s = 0 the integral part is all that is left: w = r' - d, whatever the model has gone through."""
    text = f"""model M Real x(start = 1, fixed = true), w(start = 0, fixed = true), s, u, r; equation
      r = {target}; s = x - r; u = -1.5*sqrt(abs(s))*(if s > 0 then 1 else -1) + w;
      der(w) = -1.1*(if s > 0 then 1 else -1); der(x) = u + {disturbed}*sin(time); end M;"""
    result = run(text, stop_time=10, tolerance=1e-9)
    (began, *_) = turns(result, "sliding")
    late = result.time > began
    rate = 0.1 * np.cos(result.time) if target != "0" else 0.0
    assert began < 3 and np.abs(result["s"][late]).max() < 1e-12
    assert np.abs(result["w"] - rate + disturbed * np.sin(result.time))[late].max() < 1e-9


@pytest.mark.parametrize("zeno", ["stop", "rest"])
@pytest.mark.parametrize("c", [0.4446, 0.42])
def test_fuller_s_problem_comes_to_rest(c: float, zeno: str) -> None:
    """x'' = -sign(x + C v |v|): from a point of the curve with speed v the next one has the speed q v, the
    other way round, with q^2 = (1 - 2 C)/(1 + 2 C); that takes (1 + q) v."""
    text = """model M parameter Real C = 0.4; Real x(start = 1, fixed = true), v(start = 0, fixed = true), u;
      equation der(x) = v; der(v) = u; u = if x + C*v*abs(v) > 0 then -1 else 1; end M;"""
    result = run(text, stop_time=6, tolerance=1e-9, zeno=zeno, set={"C": c})
    speed = math.sqrt(2 / (1 + 2 * c))  # 1 - v^2/2 = C v^2
    q = math.sqrt((1 - 2 * c) / (1 + 2 * c))
    end = speed + (1 + q) * speed / (1 - q)
    assert turns(result, "sliding") == pytest.approx([end], abs=1e-3)
    late = result.time > end + 1e-3
    assert np.abs(result["x"][late]).max() < 1e-7 and np.all(result["v"][late] == 0.0)


ROCKING = """model M parameter Real p = 2, al = 0.3, r = 0.8; Boolean pos(start = true, fixed = true);
  Real th(start = 0.2, fixed = true), w(start = 0, fixed = true); equation
  der(th) = w; der(w) = p^2*(th - (if pos then al else -al)); pos = th > 0;
  when change(pos) then reinit(w, r*pre(w)); end when; end M;"""


def end_of_rocking(p: float, al: float, r: float, th: float) -> float:
    """A quarter takes acosh(1/(1 - th/al))/p, for the highest angle th; the energy al*th - th^2/2 is r^2
    times what it was after each impact."""
    time, energy = 0.0, al * th - th**2 / 2
    quarters = 1
    while energy > 1e-26:
        top = al - math.sqrt(al**2 - 2 * energy)
        time += quarters * math.acosh(al / (al - top)) / p
        energy *= r**2
        quarters = 2
    return time


@pytest.mark.parametrize(("p", "al", "r", "th"), [(2, 0.3, 0.8, 0.2), (3, 0.2, 0.5, 0.1)])
def test_a_rocking_block_comes_to_rest_upright(p: float, al: float, r: float, th: float) -> None:
    end = end_of_rocking(p, al, r, th)
    text, given = ROCKING.replace("start = 0.2", f"start = {th}"), {"p": p, "al": al, "r": r}
    for zeno in ("rest", "continue"):
        result = run(text, stop_time=1.5 * end, tolerance=1e-9, zeno=zeno, set=given)
        assert turns(result, "resting") == pytest.approx([end], abs=5e-5)
        late = result.time > end + 1e-4
        assert np.all(result["th"][late] == 0.0) and np.all(result["w"][late] == 0.0)
    error = refused(text, stop_time=1.5 * end, tolerance=1e-9, set=given)
    assert isinstance(error.partial, Result) and error.partial.time[-1] == pytest.approx(end, abs=5e-5)


def test_the_closed_form_of_a_quarter() -> None:
    """By quadrature: dt = dth/w with w^2 = p^2 (2 al (top - th) - (top^2 - th^2))."""
    p, al, top = 2.0, 0.3, 0.2
    found, _ = quad(lambda u: 2 / (p * math.sqrt(2 * al - 2 * top + u * u)), 0, math.sqrt(top))
    assert found == pytest.approx(math.acosh(al / (al - top)) / p, rel=1e-9)


@pytest.mark.parametrize("stop", [5.0, 6.0, 7.0, 10.0])
@pytest.mark.parametrize("zeno", ["stop", "continue"])
def test_twisting_without_names_for_its_switches(stop: float, zeno: str) -> None:
    """Whatever the run's length: the switches used to chatter within their zero bands, 147,000 times."""
    text = """model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation
      der(x) = v; der(v) = -(if x > 0 then 2 else -2) - (if v > 0 then 1 else -1); end M;"""
    result = run(text, stop_time=stop, tolerance=1e-9, zeno=zeno)
    late = result.time > end_of_twisting(2, 1) + 1e-4
    assert np.abs(result["x"][late]).max() < 1e-15 and np.all(result["v"][late] == 0.0)
    assert len(result.events) < 100
