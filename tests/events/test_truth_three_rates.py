"""A sampled-data controller at three rates, against its exact recursion.

A motor (speed and current) is integrated between ticks with constant input: the exponential of a matrix.
Every 0.02 s a controller of the current computes the voltage; every 0.03 s one of the speed the wanted
current; every 0.05 s a filter the wanted speed. Where ticks coincide, the data run through all controllers at
one instant: filter, speed, current. Ticks are whole numbers of hundredths here, so what coincides is known.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from event_runs import after, steps, times
from scipy.linalg import expm
from truth_cases import STEPS, every_case

import saltus

STOP = 3.0

MOTOR = """
model Motor "three controllers at three rates"
  Real w(start = 0, fixed = true) "speed";
  Real i(start = 0, fixed = true) "current";
  discrete Real u(start = 0, fixed = true) "voltage";
  discrete Real wanted_i(start = 0, fixed = true);
  discrete Real sum_w(start = 0, fixed = true);
  discrete Real wanted_w(start = 0, fixed = true);
  Integer fast(start = 0, fixed = true), middle(start = 0, fixed = true), slow(start = 0, fixed = true);
  Integer fm(start = 0, fixed = true), fs(start = 0, fixed = true), ms(start = 0, fixed = true);
  Integer all3(start = 0, fixed = true);
  Boolean f, m, s;
equation
  der(w) = 4*i - 0.5*w;
  der(i) = 10*(u - i - 0.3*w);
  f = sample(0, 0.02);
  m = sample(0, 0.03);
  s = sample(0, 0.05);
  // The controllers are written against the order in which their data flow.
  when f then
    u = 0.3*w + i + 0.4*(wanted_i - i);
    fast = pre(fast) + 1;
  end when;
  when m then
    sum_w = pre(sum_w) + 0.03*(wanted_w - w);
    wanted_i = 0.5*(wanted_w - w) + 0.8*sum_w;
    middle = pre(middle) + 1;
  end when;
  when s then
    wanted_w = 0.8*pre(wanted_w) + 0.2*(if time < 1.5 then 1 else -0.5);
    slow = pre(slow) + 1;
  end when;
  when f and m then fm = pre(fm) + 1; end when;
  when f and s then fs = pre(fs) + 1; end when;
  when m and s then ms = pre(ms) + 1; end when;
  when f and m and s then all3 = pre(all3) + 1; end when;
end Motor;
"""


def recursion() -> list[tuple[float, float, float, float, float, float]]:
    """(time, w, i, u, wanted i, wanted w) right after every tick."""
    a = np.array([[-0.5, 4, 0], [-3, -10, 10], [0, 0, 0]])  # w, i, u
    steps_ = {n: expm(a * n / 100) for n in (1, 2)}
    w = i = u = wanted_i = sum_w = wanted_w = 0.0
    last, rows = 0, []
    for tick in range(int(STOP * 100) + 1):
        if tick % 2 and tick % 3 and tick % 5:
            continue
        if tick > last:
            w, i, u = steps_[tick - last] @ (w, i, u)
        if tick % 5 == 0:
            wanted_w = 0.8 * wanted_w + 0.2 * (1 if tick < 150 else -0.5)
        if tick % 3 == 0:
            sum_w += 0.03 * (wanted_w - w)
            wanted_i = 0.5 * (wanted_w - w) + 0.8 * sum_w
        if tick % 2 == 0:
            u = 0.3 * w + i + 0.4 * (wanted_i - i)
        rows.append((float(Fraction(tick, 100)), w, i, u, wanted_i, wanted_w))
        last = tick
    return rows


@pytest.fixture(scope="module")
def model() -> saltus.Model:
    return saltus.load(MOTOR)


def test_the_truth_never_steps_over_more_than_two_hundredths() -> None:
    ticks = [round(100 * row[0]) for row in recursion()]
    assert set(np.diff(ticks)) == {1, 2}


@every_case
def test_ticks_and_coincidences_are_exact(model: saltus.Model, method: str, tolerance: float) -> None:
    result = model.simulate(stop_time=STOP, tolerance=tolerance, method=method)
    assert [0.0, *times(result)] == [row[0] for row in recursion()]
    counted = {name: int(result[name][-1]) for name in ("fast", "middle", "slow", "fm", "fs", "ms", "all3")}
    assert counted == {"fast": 151, "middle": 101, "slow": 61, "fm": 51, "fs": 31, "ms": 21, "all3": 11}


@every_case
def test_the_loop_is_its_recursion(model: saltus.Model, method: str, tolerance: float) -> None:
    result = model.simulate(stop_time=STOP, tolerance=tolerance, method=method)
    # A period is a phase of its own, far shorter than the motor's time constants: it takes ten steps, not a
    # hundred. What they add is forgotten by the closed loop with a time constant below a second, that is
    # fifty periods of the fast controller.
    bound = 50 * STEPS / 10 * tolerance
    for row in recursion():
        for name, value in zip(("w", "i", "u", "wanted_i", "wanted_w"), row[1:], strict=True):
            assert after(result, name, row[0]) == pytest.approx(value, abs=bound), (row[0], name)
    # The filter has no continuous input: its values are those of the same sums in doubles.
    found = dict(steps(result, "wanted_w"))
    expected = {row[0]: row[5] for row in recursion()}
    assert all(found[t] == expected[t] for t in found)


def test_a_controller_that_samples_before_the_new_reference_is_told_by_pre() -> None:
    """With `pre(r)` the fast controller works on the reference of before, also where ticks coincide."""
    result = saltus.load(
        """model M
          discrete Real r(start = 0, fixed = true), now(start = 0, fixed = true);
          discrete Real last(start = 0, fixed = true);
        equation
          when sample(0.05, 0.05) then r = pre(r) + 1; end when;
          when sample(0.02, 0.02) then now = r; last = pre(r); end when;
        end M;"""
    ).simulate(stop_time=1)
    for k in range(1, 51):
        t = float(Fraction(2 * k, 100))
        ticks = 2 * k // 5
        assert after(result, "now", t) == ticks
        assert after(result, "last", t) == ticks - (2 * k % 5 == 0)


def test_twenty_rates_at_once() -> None:
    """Periods of 1/1, 1/2, ... 1/20 s: events at all different fractions, each counted by who divides it."""
    whens = "\n".join(f"when sample(0, 1/{k}) then n[{k}] = pre(n[{k}]) + 1; end when;" for k in range(1, 21))
    result = saltus.load(
        f"model M Integer n[20](each start = 0, each fixed = true); equation {whens} end M;"
    ).simulate(stop_time=2)
    ticks = sorted({Fraction(j, k) for k in range(1, 21) for j in range(2 * k + 1)})
    assert [0.0, *times(result)] == [float(t) for t in ticks]
    assert [int(result[f"n[{k}]"][-1]) for k in range(1, 21)] == [2 * k + 1 for k in range(1, 21)]
