"""Sizes of variables: what follows from the equations by hand, what is used of it, and when it is told."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm
from scipy.optimize import brentq

import saltus
from saltus.expr.nodes import Op


def found(result: saltus.Result) -> dict[str, float | None]:
    """The sizes that were found, by name."""
    sizes = result.sizes
    assert sizes is not None
    return {
        str(sizes.balance.leaves[k]): None if f.size is None else 10.0**f.size
        for k, f in sizes.variables.items()
        if sizes.balance.leaves[k].op is Op.REF
    }


def used(result: saltus.Result) -> dict[str, float]:
    """The sizes that were used, by name."""
    sizes = result.sizes
    assert sizes is not None
    return {str(sizes.balance.leaves[k]): f.used for k, f in sizes.variables.items()}


def run(text: str, **options: object) -> saltus.Result:
    return saltus.load(text).simulate(**options)  # type: ignore[arg-type]


def test_a_small_resistor_in_series_has_little_of_the_voltage():
    result = run("""
    model M
      parameter Real V = 10, R1 = 1, R2 = 1e6;
      Real i, u1, u2, x(start = 0, fixed = true);
    equation
      V = u1 + u2;
      u1 = R1*i;
      u2 = R2*i;
      der(x) = i;
    end M;
    """)
    sizes = found(result)
    assert sizes["i"] == pytest.approx(1e-5) and sizes["u1"] == pytest.approx(1e-5)
    assert sizes["u2"] == pytest.approx(10) and sizes["x"] == pytest.approx(1e-5)


def test_a_state_is_no_larger_than_its_equilibrium_nor_smaller_than_its_start():
    text = """
    model M
      parameter Real T = 1e-3, u = 2e-9;
      Real x(start = 0, fixed = true), y(start = 5e-8, fixed = true);
    equation
      T*der(x) = u - x;
      T*der(y) = u - y;
    end M;
    """
    sizes = found(run(text, stop_time=1.0))
    assert sizes["x"] == pytest.approx(2e-9) and sizes["y"] == pytest.approx(5e-8)


def test_sources_of_time_are_as_large_as_they_become():
    sizes = found(
        run(
            """
            model M
              Real a = 3e-7*sin(100*time), b = 2e-8*time^2, c = 1e-9*exp(-time);
              Real d = if time > 1 then 4e-6 else 0;
              Real x(start = 0, fixed = true);
            equation
              der(x) = a + b + c + d;
            end M;
            """,
            stop_time=10.0,
        )
    )
    assert sizes["a"] == pytest.approx(3e-7) and sizes["b"] == pytest.approx(2e-6)
    assert 1e-10 < sizes["c"] < 2e-9 and sizes["d"] == pytest.approx(4e-6)


def test_the_place_on_a_curve_is_as_large_as_each_of_its_branches():
    result = run("""
    model M
      Real i(start = 0, fixed = true), u, s;
      Boolean blocks = s < 0;
    equation
      5*sin(time) = 1e8*der(i) + u + 1e9*i;
      u = if blocks then s else 0;
      i = if blocks then 0 else s;
    end M;
    """)
    assert result.sizes is not None
    ((conducts, blocks),) = result.sizes.by_truth.values()
    assert conducts == pytest.approx(5e-9) and blocks == 1.0  # amperes, volts


THROWN = """
model Thrown "A body that is thrown upwards hardly at all"
  parameter Real v0 = 1e-5, g = 9.81, c = 0;
  Real x(start = 0, fixed = true), v(start = v0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -g - c*v;
  when x < -1 then
    n = pre(n) + 1;
  end when;
end Thrown;
"""


@pytest.mark.parametrize(("c", "fastest"), [(0.0, 9.81), (0.1, 9.81), (1e3, 9.81e-3)])
def test_a_start_value_that_is_small_by_chance_says_nothing(c: float, fastest: float):
    """`der(x)` is as large as v, and v as `der(x)`: that says nothing of either. By weight and friction it is
    as fast as it becomes in the time of the run, or as where the two are equal."""
    sizes = found(saltus.load(THROWN).simulate(stop_time=1, set={"c": c}))
    assert sizes["v"] == pytest.approx(fastest) and sizes["x"] == pytest.approx(fastest)


def test_a_swing_that_nobody_pushes_is_as_large_as_it_begins():
    sizes = found(
        run(
            """
            model M
              Real x(start = 1e-9, fixed = true), v(start = 0, fixed = true);
            equation
              der(x) = v;
              der(v) = -x;
            end M;
            """
        )
    )
    assert sizes["x"] == pytest.approx(1e-9) and sizes["v"] == pytest.approx(1e-9)


CHAIN = """
model Chain "a bump in the middle of a chain of masses runs to both ends, which begin at exp(-900)"
  parameter Real unit = 1;
  constant Integer n = 61;
  Real s[n](start = {unit*exp(-(i - 31)^2) for i in 1:n}, each fixed = true);
  Real v[n](each start = 0, each fixed = true);
  Real stretch[n + 1], f[n + 1];
equation
  der(s) = v;
  der(v) = f[2:n + 1] - f[1:n];
  stretch[1] = s[1];
  stretch[2:n] = s[2:n] - s[1:n - 1];
  stretch[n + 1] = -s[n];
  f = 100*stretch + 0.2*der(stretch);
end Chain;
"""


@pytest.mark.parametrize("unit", [1.0, 1e-9])
@pytest.mark.parametrize("stop", [0.01, 8.0])
def test_what_begins_at_almost_nothing_is_as_large_as_what_comes_by(unit: float, stop: float):
    n = 61
    coupling = np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    matrix = np.block([[np.zeros((n, n)), np.eye(n)], [100 * coupling, 0.2 * coupling]])
    began = np.concatenate((np.exp(-np.square(np.arange(1.0, n + 1) - 31)), np.zeros(n)))
    truth = expm(matrix * stop) @ began
    result = saltus.load(CHAIN).simulate(stop_time=stop, tolerance=1e-8, set={"unit": unit})
    for k in (1, 10, 30, 31, 61):
        assert result[f"s[{k}]"][-1] == pytest.approx(unit * truth[k - 1], abs=unit * 1e-5)
        assert result[f"v[{k}]"][-1] == pytest.approx(unit * truth[n + k - 1], abs=unit * 1e-4)


def test_a_size_that_no_square_of_a_double_holds():
    result = saltus.load("""
    model Tiny
      Real x(start = 1e-250, fixed = true), y(start = 1, fixed = true);
    equation
      der(x) = -x;
      der(y) = -y;
    end Tiny;
    """).simulate(stop_time=2, tolerance=1e-9)
    assert result["y"][-1] == pytest.approx(math.exp(-2), rel=1e-6)
    assert min(used(result).values()) >= 1e-100


def test_a_start_value_is_no_size_where_a_function_gives_the_derivative():
    """It grows by 1 in the time of the run, and everything that is computed from it with it."""
    result = run("""
    model M
      function f
        input Real u;
        output Real y;
      algorithm
        y := 1 - u*u*1e-3;
      end f;
      Real x(start = 1e-9, fixed = true), y, z(start = 0, fixed = true);
    equation
      der(x) = f(x);
      y = 2*x;
      1e-3*der(z) = y - z;
    end M;
    """)
    assert set(found(result).values()) == {None}
    assert set(used(result).values()) == {1.0}
    assert not result.warnings


def test_positions_that_are_tied_tie_speeds():
    """Nothing but the position says how fast the distance between two bodies changes."""
    sizes = found(
        run(
            """
            model M
              parameter Real k = 1e-6;
              Real a(start = 0, fixed = true), b, d, v, f;
            equation
              der(a) = k*cos(time);
              d = a - b;
              v = der(d);
              f = 0.5*v*abs(v);
              der(b) = 3*k;
            end M;
            """
        )
    )
    assert sizes["v"] == pytest.approx(3e-6) and sizes["f"] == pytest.approx(0.5 * 9e-12)


def test_one_equation_tells_the_size_of_one_variable():
    """`d = a - b` says of d what a and b say; it does not say of a that it is as small as b, by way of d."""
    sizes = found(
        run(
            """
            model M
              Real d, a(start = 0, fixed = true), b(start = 0, fixed = true, nominal = 1e-6);
            equation
              d = a - b;
              der(a) = 1e-2;
              der(b) = 1e-6;
            end M;
            """
        )
    )
    assert sizes["a"] == pytest.approx(1e-2) and sizes["d"] == pytest.approx(1e-2)


def test_sizes_do_not_shrink_round_a_loop():
    """Amplifiers with feedback: nearly everything is the difference of two larger quantities, and rests on
    itself. What has been seen of a variable can be no larger than its size, by orders of magnitude."""
    result = run("""
    model Amplifiers "A regulator of amplifiers with a finite gain, each with what its resistors lose"
      connector Pin
        Real v;
        flow Real i;
      end Pin;
      model Ground
        Pin p;
      equation
        p.v = 0;
      end Ground;
      model Resistor
        parameter Real R = 1000;
        Pin p, n;
        Real v, i, actual, loss;
      equation
        v = p.v - n.v;
        i = p.i;
        0 = p.i + n.i;
        actual = R*(1 + 0.0*(300 - 293));
        v = actual*i;
        loss = v*i;
      end Resistor;
      model Capacitor
        parameter Real C;
        Pin p, n;
        Real v(start = 0, fixed = true);
      equation
        v = p.v - n.v;
        C*der(v) = p.i;
        0 = p.i + n.i;
      end Capacitor;
      model Amplifier "its output is limited"
        parameter Real gain = 15000, limit = 15;
        Pin plus, minus, out;
        Real difference = plus.v - minus.v, power, supplied;
      equation
        plus.i = 0;
        minus.i = 0;
        out.v = noEvent(max(-limit, min(limit, gain*difference)));
        power = plus.v*plus.i + minus.v*minus.i + supplied;
        supplied = out.v*out.i;
      end Amplifier;
      model Source
        Pin p, n;
      equation
        p.v - n.v = if time < 0.1 then 0 else 10;
        0 = p.i + n.i;
      end Source;
      model Lag "first order, which turns the sign"
        parameter Real T = 0.01;
        Pin p1, p2, n;
        Resistor r1, r2;
        Capacitor c(C = T/1000);
        Amplifier a;
      equation
        connect(p1, r1.p);
        connect(r1.n, a.minus);
        connect(n, a.plus);
        connect(a.minus, r2.n);
        connect(a.minus, c.n);
        connect(r2.p, a.out);
        connect(c.p, a.out);
        connect(a.out, p2);
      end Lag;
      Source source;
      Ground ground;
      Lag one, two, three;
      Resistor back, into;
      Amplifier sum;
      Resistor r;
      Lag first;
    equation
      connect(source.n, ground.p);
      connect(source.p, into.p);
      connect(into.n, sum.minus);
      connect(back.n, sum.minus);
      connect(r.n, sum.minus);
      connect(r.p, sum.out);
      connect(sum.plus, ground.p);
      connect(sum.out, one.p1);
      connect(one.p2, two.p1);
      connect(two.p2, back.p);
      connect(one.n, ground.p);
      connect(two.n, ground.p);
      connect(three.p1, two.p2);
      connect(three.n, ground.p);
      connect(first.n, ground.p);
      connect(first.p1, three.p2);
      annotation(experiment(StopTime = 0.3));
    end Amplifiers;
    """)
    sizes = found(result)
    assert len(sizes) > 90
    for name, size in sizes.items():
        seen = np.abs(result[name]).max()
        assert size is None or size > 0.01 * seen, (name, size, seen)
    # By hand, but for the gain, which is finite: at rest x = -a, a = source + x.
    assert result["source.p.v"][-1] == pytest.approx(10)
    assert result["two.p2.v"][-1] == pytest.approx(-5, abs=0.05)


def test_sizes_that_grow_without_bound_are_numbers():
    """Thirty stages, each of which could be 1e12 times as large as the one before; they stay at zero."""
    text = """
    model M
      Real x(start = 1, fixed = true), y[30](each start = 0, each fixed = true);
    equation
      der(x) = -x;
      der(y[1]) = 1e12*(if x < -1 then 1 else 0) - y[1];
      for k in 2:30 loop
        der(y[k]) = 1e12*y[k - 1]*(1 + x) - y[k];
      end for;
    end M;
    """
    result = run(text)
    assert all(math.isfinite(size) for size in found(result).values() if size is not None)


def test_what_fades_is_no_larger_than_it_begins():
    sizes = found(
        run(
            """
            model M
              Real x(start = 2, fixed = true), y, z;
            equation
              der(x) = -x;
              y = 3e-7*exp(-x^2);
              z = 1e-7 + 4e-7*exp(-abs(x)/2);
            end M;
            """
        )
    )
    assert sizes["y"] == pytest.approx(3e-7) and sizes["z"] == pytest.approx(4e-7)


def test_a_nominal_value_goes_before_everything():
    result = run("""
    model M
      Real x(start = 1e-9, fixed = true, nominal = 1), y, z(nominal = 1e-7);
    equation
      der(x) = -x;
      y = 1e-3*z;
      z = x;
    end M;
    """)
    sizes = found(result)
    assert set(sizes) == {"y"} and sizes["y"] == pytest.approx(1e-3)  # x and z are one, and x is a state


def test_ordinary_sizes_count_as_one():
    """Between a thousandth and ten thousand nothing is other than without sizes."""
    text = """
    model M
      parameter Real k = 1;
      Real x(start = k, fixed = true);
      Boolean b = x > 0.5*k;
    equation
      der(x) = -x;
    end M;
    """
    model = saltus.load(text)
    for k in (1e-3, 1.0, 1e4):
        sizes = model.simulate(set={"k": k}).sizes
        assert sizes is not None
        assert {f.used for f in (*sizes.variables.values(), *sizes.relations.values())} == {1.0}
    before = 1.0
    for k in np.logspace(-3, -6, 20):
        now = used(model.simulate(set={"k": float(k)}))["x"]
        assert 1e-3 * before < now <= before and now >= 0.99 * k  # no leaps
        before = now
    assert now == pytest.approx(1e-6)


def test_limits_that_limit_nothing_say_nothing():
    """Were they believed, the band of `x > 0.5` would be wider than x is large."""
    result = run(
        """
        model M
          parameter Real most = 1e20;
          Real x(start = 0, fixed = true), y, u = 2*sin(time);
          Boolean b = x > 0.5;
        equation
          y = if u > most then most elseif u < -most then -most else u;
          der(x) = min(max(y, -most), most);
        end M;
        """,
        stop_time=3.0,
        tolerance=1e-8,
    )
    sizes = result.sizes
    assert sizes is not None and all(f.used == 1.0 for f in sizes.variables.values())
    (up,) = [e.time for e in result.events if e.time > 0]
    assert up == pytest.approx(math.acos(0.75), abs=1e-7)  # 2*(1 - cos(t)) = 1/2


def test_leaks_do_not_make_currents_large():
    """A diode of 1e-8 Ohm would carry 1e9 A at 10 V, but nothing else in the circuit would."""
    result = run("""
    model M
      Real i(start = 0, fixed = true), u, s;
      Boolean blocks = s < 0;
    equation
      10*sin(time) = 0.1*der(i) + u + i;
      u = if blocks then s else 1e-8*s;
      i = if blocks then 1e-8*s else s;
    end M;
    """)
    assert result.sizes is not None
    assert all(f.used == 1.0 for f in result.sizes.relations.values())
    assert all(value == 1.0 for value in used(result).values())


def test_what_is_known_of_a_sum_in_a_function_tells():
    """Gas flows into a chamber through a nozzle: how large its pressure becomes is not known before the flow
    is, which is a root of the difference; but the pressure before the nozzle is known."""
    text = """
    model Nozzle
      parameter Real k = 1;
      Real m(start = 0, fixed = true), p, w;
    equation
      p = m;
      w = k*sqrt(max(2*k - p, 0));
      der(m) = w - 0.1*k*m;
    end Nozzle;
    """
    result = run(text, set={"k": 1e-9}, stop_time=1.0)
    sizes = found(result)
    assert sizes["w"] == pytest.approx(1e-9 * math.sqrt(2e-9), rel=0.5)
    assert sizes["m"] == pytest.approx(2e-9, rel=0.5) or sizes["m"] == pytest.approx(sizes["w"])
    assert not result.warnings


def test_what_leaks_does_not_run_away():
    """While it blocks the diode carries 1e-8 of its voltage; its current while it conducts says nothing of
    that. A capacitor behind it was taken to be at 1e17 V."""
    for k, amperes in ((1.0, 240.0), (1e-9, 240e-9)):
        result = run(
            """
            model Boost
              parameter Real k = 1, leak = 1e-8, T = 1e-4;
              Real i(start = 0, fixed = true), v(start = 0, fixed = true), x, sw, d;
              Boolean closed = mod(time, T) < 0.5*T, off = d < 0;
            equation
              12 - x = 1e-4/k*der(i);
              x = if closed then leak/k*sw else sw;
              x - v = if off then d else leak/k*d;
              i = (if closed then sw else leak*k*sw) + (if off then leak*k*d else d);
              k*1e-4*der(v) = (if off then leak*k*d else d) - k*v/20;
            end Boost;
            """,
            stop_time=2e-3,
            set={"k": k},
        )
        sizes = found(result)
        assert sizes["v"] == pytest.approx(12) and sizes["i"] == pytest.approx(amperes)
        assert result.sizes is not None
        (by_truth,) = result.sizes.by_truth.values()
        assert by_truth == (1.0 if k == 1.0 else pytest.approx(amperes), 1.0)


def test_voltages_while_a_diode_blocks_are_those_of_the_source():
    """The current through the coil is a thousandth of a thousandth, but not while the diode blocks."""
    result = run(
        """
        model M
          parameter Real V = 1e-9, R = 1e3, leak = 1e-8;
          Real i(start = 0, fixed = true), u, s;
          Boolean off = s < 0;
        equation
          V*sin(6.283185307179586*time) = 100*der(i) + R*i + u;
          u = if off then s else 1e6*leak*s;
          i = if off then leak*s else s;
        end M;
        """,
        stop_time=2.0,
    )
    sizes = found(result)
    assert sizes["i"] == pytest.approx(1e-12) and sizes["u"] == pytest.approx(1e-9)
    assert result.sizes is not None
    ((conducts, blocks),) = result.sizes.by_truth.values()
    assert conducts == pytest.approx(1e-12) and blocks == pytest.approx(1e-9)


def test_currents_that_only_two_switches_could_carry_are_not_certain():
    """Both switches of a leg that conduct would carry 24 V/1e-8 Ohm. With bands as wide as that asks for,
    a run with `auto` found its diode on a surface and ended with E403."""
    text = """
    model Buck
      parameter Real Vin = 24, L = 1e-4, C = 1e-4, R = 10, T = 1e-4, leak = 1e-8;
      Real i(start = 0, fixed = true), v(start = 0, fixed = true), x, sw, d;
      Boolean closed = mod(time, T) < 0.5*T;
    equation
      Vin - x = sw*(if closed then leak else 1);
      -x = d*(if d < 0 then 1 else leak);
      i = sw*(if closed then 1 else leak) + d*(if d < 0 then leak else 1);
      L*der(i) = x - v;
      C*der(v) = i - v/R;
    end Buck;
    """
    result = run(text, stop_time=3e-3, method="auto")
    assert result.sizes is not None
    assert all(f.used == 1.0 for f in result.sizes.relations.values())
    assert all(pair == (1.0, 1.0) for pair in result.sizes.by_truth.values())
    before = saltus.load(text).simulate(scale="one", stop_time=3e-3, method="auto")
    assert [e.time for e in result.events] == [e.time for e in before.events]


def test_large_residues_have_bands_above_their_rounding():
    result = run("""
    model M
      Real x(start = 1e12, fixed = true);
      Boolean b = x > 0.5e12;
    equation
      der(x) = -x;
    end M;
    """)
    assert result.sizes is not None
    (band,) = (1e-10 * f.used for f in result.sizes.relations.values())
    assert 1e12 * 2**-52 < band < 1e-10 * 1e12


def test_picoamperes():
    """A rectifier of 1e-12 A: it took the current for zero, and was 15 % off at the end."""
    result = run(
        """
        model TS
          Real i(start = 0, fixed = true), u, s;
          Boolean blocks = s < 0;
        equation
          1e-9*sin(2*3.141592653589793*time) = 1e2*der(i) + u + 1e3*i;
          u = if blocks then s else 0;
          i = if blocks then 0 else s;
        end TS;
        """,
        stop_time=2.3,
        tolerance=1e-9,
    )
    w, tau = 2 * np.pi, 0.1

    def current(p: float) -> float:  # in 1e-12 A, from a zero of the source on
        swing = np.sin(w * p) - w * tau * np.cos(w * p) + w * tau * np.exp(-p / tau)
        return float(swing / (1 + (w * tau) ** 2))

    end = brentq(current, 0.4, 0.9)
    assert result["i"][-1] == pytest.approx(1e-12 * current(0.3), rel=1e-5)
    assert result["i"].min() > -1e-18
    assert [e.time for e in result.events][1:] == pytest.approx([end, 1, 1 + end, 2], abs=1e-6)


def test_nonlinear_loops_are_solved_in_any_unit():
    """Newton's method ends where steps are small: measured by 1, all numbers of 1e-12 are."""
    text = """
    model M
      parameter Real k = 1;
      Real q(start = 0, fixed = true), i, u;
    equation
      der(q) = i;
      sin(time) = u + i/k + q/k;
      i = k*(0.1*u + u^3);
    end M;
    """

    def rate(t: float, q: np.ndarray) -> list[float]:
        u = brentq(lambda u: u + 0.1 * u + u**3 + q[0] - np.sin(t), -5, 5, xtol=1e-15)
        return [0.1 * u + u**3]

    truth = solve_ivp(rate, (0, 3), [0.0], rtol=1e-9, atol=1e-12).y[0, -1]
    model = saltus.load(text)
    for k in (1e-12, 1e-7, 1.0, 1e9):
        q = model.simulate(stop_time=3, tolerance=1e-9, set={"k": k})["q"][-1]
        assert q == pytest.approx(truth * k, rel=1e-6)


def test_starts_that_contradict_a_mode_do_so_in_any_unit():
    """A clutch that begins with slip: 1e-8 rad/s were taken for none."""
    text = """
    model M
      parameter Real k = 1;
      Real w1(start = 10*k, fixed = true), w2(start = 0, fixed = true), tau, s;
    equation
      der(w1) = -k*tau;
      der(w2) = k*tau;
      w1 - w2 = if s > 2 then k*(s - 2) elseif s < -2 then k*(s + 2) else 0;
      tau = if s > 2 then 2 elseif s < -2 then -2 else s;
    end M;
    """
    model = saltus.load(text)
    for k in (1.0, 1e-9, 1e-12):
        result = model.simulate(stop_time=4, tolerance=1e-9, set={"k": k})
        assert result.events[-1].time == pytest.approx(2.5, abs=1e-5)  # 10 - 4t = 0
        assert result["w1"][-1] == pytest.approx(5 * k, rel=1e-5)


HIDDEN = """
model Hidden
  function f
    input Real u;
    output Real y;
  algorithm
    y := 1e-12 - u;
  end f;
  Real x(start = 0, fixed = true{0});
  Boolean b = x > 5e-13;
equation
  der(x) = f(x);
end Hidden;
"""


def test_what_nothing_tells_is_warned_of_if_it_is_tiny():
    result = run(HIDDEN.replace("{0}", ""), stop_time=3.0)
    assert [w.code for w in result.warnings] == ["W407", "W407"]
    state, relation = result.warnings
    assert "`x`" in state.message and "nominal" in (state.hint or "")
    assert "`x > 5e-13`" in relation.message
    assert not run(HIDDEN.replace("1e-12 - u", "1 - u").replace("{0}", ""), stop_time=3.0).warnings


def test_the_nominal_value_that_is_asked_for_helps():
    result = run(HIDDEN.replace("{0}", ", nominal = 1e-12"), stop_time=3.0, tolerance=1e-8)
    assert not result.warnings
    assert result["x"][-1] == pytest.approx(1e-12 * (1 - math.exp(-3)), rel=1e-6)
    (up,) = [e.time for e in result.events if e.time > 0]
    assert up == pytest.approx(math.log(2), abs=1e-6)


def test_sizes_that_are_far_too_high_are_warned_of():
    """A swing with a stiff stop: what a force could make of it in all that time says next to nothing."""
    text = """
    model Cantilever
      parameter Real m = 1e-11, k = 1, d = 1e-8, gap = 1e-7;
      Real x(start = 0, fixed = true{}), v(start = 0, fixed = true), F;
      Boolean touches = x > gap;
    equation
      der(x) = v;
      m*der(v) = 2e-7*sin(1e5*time) - k*x - d*v - F;
      F = if touches then 1e3*(x - gap) else 0;
    end Cantilever;
    """
    (warning,) = saltus.load(text.format("")).simulate(stop_time=4e-4, tolerance=1e-10).warnings
    assert warning.code == "W407" and "`x`" in warning.message and "nominal = 3e-07" in (warning.hint or "")
    nominal = saltus.load(text.format(", nominal = 3e-7"))
    assert not nominal.simulate(stop_time=4e-4, tolerance=1e-10).warnings


def test_sizes_follow_parameters_that_are_set():
    model = saltus.load("""
    model M
      parameter Real k = 1;
      Real x(start = k, fixed = true);
    equation
      der(x) = -x;
    end M;
    """)
    for k in (1.0, 1e-9, 1.0, 1e-7):
        result = model.simulate(set={"k": k}, tolerance=1e-8)
        assert used(result)["x"] == pytest.approx(k)
        assert result["x"][-1] == pytest.approx(k * math.exp(-1), rel=1e-6)
        assert not [name for name in (*result.parameters, *result.names) if "$" in name]
    with pytest.raises(saltus.UsageError, match=r"there is no parameter `\$size\.x`"):
        model.simulate(set={"$size.x": 1.0})
