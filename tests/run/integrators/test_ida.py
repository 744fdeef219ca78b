"""IDA on the implicit form: loops, constraints, events, failures; against closed forms and separate runs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import saltus
from saltus.ir.sorted.blocks import Linear, Nonlinear
from saltus.result.result import Result
from saltus.run.integrators import sundials
from saltus.run.integrators.ida import Ida

# ---------------------------------------------------------------- algebraic loops

DIODE = saltus.load("""
model Diode "a source charges a capacitor through a resistor and a diode"
  parameter Real R = 100, C = 1e-5, G = 1e-3, Is = 1e-12, Vt = 0.025;
  Real v(start = 0, fixed = true), i(nominal = 1e-3), vd, vs;
equation
  vs = 5*sin(314*time);
  C*der(v) = i - G*v;
  i = Is*(exp(vd/Vt) - 1);
  vs = R*i + vd + v;
  annotation(experiment(StopTime = 0.04));
end Diode;
""")


def diode_current(vs: float, v: float) -> float:
    """The loop solved by bracketing, for the voltage of the diode."""

    def surplus(vd: float) -> float:
        return 100 * 1e-12 * math.expm1(vd / 0.025) + vd + v - vs

    low, high = min(vs - v, 0.0) - 1e-6, 0.8
    return 1e-12 * math.expm1(brentq(surplus, low, high, xtol=1e-15) / 0.025)


def test_a_nonlinear_loop_is_solved_by_the_integrator() -> None:
    assert any(isinstance(b, Nonlinear) for b in DIODE.structure.blocks)
    result = DIODE.simulate(tolerance=1e-8, method="ida")

    def rate(t: float, s: np.ndarray) -> list[float]:
        return [(diode_current(5 * math.sin(314 * t), s[0]) - 1e-3 * s[0]) / 1e-5]

    truth = solve_ivp(rate, (0, 0.04), [0], method="LSODA", rtol=1e-10, atol=1e-11, t_eval=result.time)
    np.testing.assert_allclose(result["v"], truth.y[0], atol=2e-6)
    # What a loop determines is computed from the states, exactly, however rough the integration.
    rough = DIODE.simulate(tolerance=1e-3, method="ida")
    for name in ("i", "vd"):
        assert np.ptp(rough[name]) > 0
    np.testing.assert_allclose(100 * rough["i"] + rough["vd"] + rough["v"], rough["vs"], atol=1e-9)


# The accelerations are coupled through a mass matrix that is no diagonal, and through the force f.
COUPLED = saltus.load("""
model Coupled
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), w(start = 0.2, fixed = true), f;
equation
  der(x) = v;
  2*der(v) + 0.5*der(w) = -x + f;
  0.5*der(v) + der(w) = -3*w - f;
  f = -0.1*v - 0.2*der(v) + 0.3*der(w);
  annotation(experiment(StopTime = 10));
end Coupled;
""")


def test_derivatives_that_are_unknowns_of_a_linear_loop() -> None:
    (loop,) = (b for b in COUPLED.structure.blocks if isinstance(b, Linear))
    assert sum(x.op.name == "DER" for x in loop.unknowns) == 2
    result = COUPLED.simulate(tolerance=1e-8, method="ida")
    # M s' = K s for s = (x, v, w), with f put in by hand; the solution by eigenvectors.
    mass = np.array([[1, 0, 0], [0, 2.2, 0.2], [0, 0.3, 1.3]])
    force = np.array([[0, 1, 0], [-1, -0.1, 0], [0, 0.1, -3]])
    values, vectors = np.linalg.eig(np.linalg.solve(mass, force))
    modes = np.linalg.solve(vectors, np.array([1, 0, 0.2], dtype=complex))
    for k, name in enumerate(("x", "v", "w")):
        exact = (vectors[k] * modes * np.exp(np.outer(result.time, values))).sum(axis=1).real
        np.testing.assert_allclose(result[name], exact, atol=1e-5, err_msg=name)
    np.testing.assert_allclose(result["der(x)"], result["v"], atol=1e-12)


def test_loop_unknowns_take_no_part_in_the_error_test() -> None:
    # They did once, and the exponential current made the steps two to four times as many.
    implicit = DIODE.simulate(tolerance=1e-6, method="ida").statistics
    explicit = DIODE.simulate(tolerance=1e-6).statistics
    assert implicit["steps"] < 1.5 * explicit["steps"]


# ---------------------------------------------------------------- high index


def test_cartesian_pendulum_against_its_angle() -> None:
    model = saltus.load("""
    model Pendulum
      parameter Real g = 9.81;
      Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, L;
    equation
      der(x) = u;
      der(y) = v;
      der(u) = -L*x;
      der(v) = -L*y - g;
      x^2 + y^2 = 1;
      annotation(experiment(StopTime = 3));
    end Pendulum;
    """)
    result = model.simulate(tolerance=1e-9, method="ida")

    def rate(t: float, s: np.ndarray) -> list[float]:
        return [s[1], -9.81 * math.sin(s[0])]

    truth = solve_ivp(
        rate, (0, 3), [math.asin(0.6), 0], method="DOP853", rtol=1e-12, atol=1e-12, t_eval=result.time
    )
    angle, speed = truth.y
    np.testing.assert_allclose(result["x"], np.sin(angle), atol=1e-6)
    np.testing.assert_allclose(result["y"], -np.cos(angle), atol=1e-6)
    np.testing.assert_allclose(result["L"], speed**2 + 9.81 * np.cos(angle), atol=1e-5)
    np.testing.assert_allclose(result["x"] ** 2 + result["y"] ** 2, 1.0, atol=1e-11)


# ---------------------------------------------------------------- events


def state_events(result: Result) -> list[float]:
    return [e.time for e in result.events if e.reinitialised]


def test_ball_bounces_at_the_times_of_the_closed_form() -> None:
    ball = saltus.load("""
    model Ball
      Real h(start = 1, fixed = true), v(start = 0, fixed = true);
    equation
      der(h) = v;
      der(v) = -9.81;
      when h <= 0 then
        reinit(v, -0.7*pre(v));
      end when;
      annotation(experiment(StopTime = 2.2));
    end Ball;
    """)
    hits = state_events(ball.simulate(tolerance=1e-9, method="ida"))
    fall = math.sqrt(2 / 9.81)
    expected = [fall]
    while (following := expected[-1] + 2 * fall * 0.7 ** len(expected)) < 2.2:
        expected.append(following)
    np.testing.assert_allclose(hits, expected, atol=1e-7)


def test_a_loop_that_changes_at_events_starts_from_its_new_solution() -> None:
    # A switched diode: the loop's solution jumps by volts at each event, the state does not.
    model = saltus.load("""
    model Switched
      parameter Real R = 100, C = 1e-5, G = 1e-3, Is = 1e-12, Vt = 0.025;
      Real v(start = 0, fixed = true), i(nominal = 1e-3), vd, vs;
      Boolean on;
    equation
      on = sin(6000*time) > 0;
      vs = if on then 5 else -1;
      C*der(v) = i - G*v;
      i = Is*(exp(vd/Vt) - 1);
      vs = R*i + vd + v;
      annotation(experiment(StopTime = 0.01));
    end Switched;
    """)
    explicit = model.simulate(tolerance=1e-9)
    result = model.simulate(tolerance=1e-9, method="ida")
    changes = [e.time for e in result.events if any(c.name == "on" for c in e.changes)]
    crossings = [k * math.pi / 6000 for k in range(1, 20) if k * math.pi / 6000 < 0.01]
    np.testing.assert_allclose([t for t in changes if t > 1e-6], crossings, atol=1e-10)
    assert len(result.time) == len(explicit.time)
    np.testing.assert_allclose(result["v"], explicit["v"], atol=1e-6)
    np.testing.assert_allclose(100 * result["i"] + result["vd"] + result["v"], result["vs"], atol=1e-9)
    # With IDA's own choice of the first step after an event it takes twice as many.
    counts = [model.simulate(tolerance=1e-4, method=m).statistics["steps"] for m in ("bdf", "ida")]
    assert counts[1] < 1.2 * counts[0]


def test_a_crossing_that_depends_on_a_loop_is_found_where_the_equations_have_it() -> None:
    # i = exp(u) - 1 and x = i + u: u reaches 1/2 where x = exp(1/2) - 1/2, and x = 2*time.
    model = saltus.load("""
    model Threshold
      Real x(start = 0, fixed = true), y(start = 0, fixed = true), u, i;
      Integer n(start = 0, fixed = true);
    equation
      der(x) = 2;
      der(y) = i;
      i = exp(u) - 1;
      x = i + u;
      when u > 0.5 then
        n = pre(n) + 1;
      end when;
      annotation(experiment(Tolerance = 1e-3));
    end Threshold;
    """)
    result = model.simulate(method="ida")
    (event,) = (e for e in result.events if any(c.name == "n" for c in e.changes))
    assert event.time == pytest.approx((math.exp(0.5) - 0.5) / 2, abs=1e-8)


def test_sampled_control() -> None:
    # x' = -x + u with u held over 0.1 s: the exact discrete system is x+ = a x + (1 - a) u.
    model = saltus.load("""
    model Sampled
      Real x(start = 1, fixed = true);
      discrete Real u(start = 0, fixed = true);
    equation
      der(x) = -x + u;
      when sample(0, 0.1) then
        u = -2*x;
      end when;
      annotation(experiment(StopTime = 2, Interval = 0.1));
    end Sampled;
    """)
    result = model.simulate(tolerance=1e-9, method="ida")
    factor = math.exp(-0.1)
    x, expected = 1.0, []
    for _ in range(20):
        expected.append(x)
        x = factor * x - (1 - factor) * 2 * x
    at = [float(result["x"][np.searchsorted(result.time, 0.1 * k - 1e-9)]) for k in range(20)]
    np.testing.assert_allclose(at, expected, atol=1e-7)


def test_a_reinit_in_a_loop() -> None:
    # Two masses on one rope over a pulley collide with stops: der(v) is an unknown beside the rope's force.
    model = saltus.load("""
    model Rope
      Real s(start = 0, fixed = true), v(start = 0, fixed = true), F;
    equation
      der(s) = v;
      2*der(v) = 2*9.81 - F;
      der(v) = F - 9.81 + 0*s;
      when s > 1 then
        reinit(v, -0.5*pre(v));
      end when;
      annotation(experiment(StopTime = 1));
    end Rope;
    """)
    result = model.simulate(tolerance=1e-10, method="ida")
    acceleration = 9.81 / 3
    first = math.sqrt(2 / acceleration)
    assert state_events(result)[:1] == pytest.approx([first], abs=1e-8)
    late = result.time > first + 1e-9
    since = result.time[late] - first
    rebound = -0.5 * acceleration * first
    np.testing.assert_allclose(
        result["s"][late], 1 + rebound * since + acceleration / 2 * since**2, atol=1e-7
    )


def test_output_points_in_one_native_stretch_are_those_of_single_calls() -> None:
    # A thousand points are one sweep; the time event in the middle divides them.
    model = saltus.load("""
    model Divided
      Real x(start = 1, fixed = true), a, b;
    equation
      der(x) = -a;
      a + b = x;
      a - 3*b = if time < 0.5 then 0 else 1;
    end Divided;
    """)
    result = model.simulate(interval=1e-3, tolerance=1e-9, method="ida")
    assert len(result.time) == 1002
    # a = (3 x + c)/4 with c = 0, then 1
    middle = math.exp(-0.375)
    late = result.time > 0.5
    late[1 + np.flatnonzero(np.diff(result.time) == 0)] = True
    exact = np.where(
        late,
        -1 / 3 + (middle + 1 / 3) * np.exp(-0.75 * (result.time - 0.5)),
        np.exp(-0.75 * result.time),
    )
    np.testing.assert_allclose(result["x"], exact, atol=1e-7)
    np.testing.assert_allclose(result["a"], (3 * result["x"] + late) / 4, atol=1e-12)


def test_an_assertion_in_the_middle_of_a_stretch_is_heard() -> None:
    model = saltus.load(
        'model Limit Real x(start = 0, fixed = true); equation der(x) = 1; assert(x < 0.5, "x is large"); '
        "end Limit;"
    )
    with pytest.raises(saltus.RunError, match="x is large"):
        model.simulate(method="ida")


# ---------------------------------------------------------------- stiff, large


def test_a_stiff_chain_with_many_components() -> None:
    # Sixty rooms in a row, each with a loop of its own for the two flows through its wall; LAPACK's size.
    n = 60
    model = saltus.load(f"""
    model Chain
      parameter Integer n = {n};
      Real T[n](each start = 0, each fixed = true), p[n], q[n];
    equation
      for k in 1:n loop
        p[k] + 2*q[k] = (if k == 1 then 1 else T[k - 1]) - T[k];
        p[k] - 3*q[k] = 0;
        der(T[k]) = 1e4*(p[k] - (if k == n then 0 else p[k + 1]));
      end for;
      annotation(experiment(StopTime = 0.5));
    end Chain;
    """)
    result = model.simulate(tolerance=1e-6, method="ida")
    # p = 3/5 of the difference
    rates = np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    rates[-1, -1] = -1
    values, vectors = np.linalg.eigh(6e3 * rates)
    source = np.zeros(n)
    source[0] = 6e3
    modes = vectors.T @ source
    exact = vectors @ (modes[:, None] / -values[:, None] * (1 - np.exp(np.outer(values, result.time))))
    for k in (0, 20, n - 1):
        np.testing.assert_allclose(result[f"T[{k + 1}]"], exact[k], atol=1e-4)
    assert result.statistics["steps"] < 2000, "explicit methods need 10,000 at least"


# ---------------------------------------------------------------- failures


def refusal(text: str, method: str = "ida") -> tuple[str, list[str]]:
    with pytest.raises(saltus.RunError) as caught:
        saltus.load(text).simulate(stop_time=3, method=method)
    (diagnostic,) = caught.value.diagnostics
    return f"{diagnostic.code} {diagnostic.message}", [note.message for note in diagnostic.notes]


def test_a_solution_that_escapes_is_told_with_the_integrators_own_words() -> None:
    message, notes = refusal(
        "model Escape Real x(start = 1, fixed = true); equation der(x) = x^2; end Escape;"
    )
    assert message.startswith("E405 the integrator gave up at time 0.99") and "IDA_" in message
    assert "`x` has the largest error" in notes[0]


def test_a_loop_without_a_solution_is_named() -> None:
    # exp(a) + a^2 has a least value: the loop loses its solution when x falls below it.
    message, notes = refusal(
        "model Fold Real x(start = 1, fixed = true), a(start = 1); equation "
        "der(x) = -1 - a*1e-3; exp(a) - 1 + a^2 = x; end Fold;"
    )
    least = brentq(lambda a: math.exp(a) + 2 * a, -1, 0)
    assert message.startswith("E405") and "IDA_CONV_FAIL" in message
    assert abs(float(message.split("time ")[1].split()[0]) - 1 + math.exp(least) - 1 + least**2) < 1e-2
    assert any("loops for `a`" in note for note in notes)


def test_a_function_that_refuses_its_argument_at_the_start() -> None:
    message, _ = refusal(
        "model Early function f input Real x; output Real y; algorithm "
        'assert(x > 2, "x must be above two"); y := x; end f; '
        "Real x(start = 1, fixed = true); equation der(x) = f(x); end Early;"
    )
    assert message.startswith("E406 x must be above two")


def test_calls_that_must_not_fail_say_so_in_idas_words() -> None:
    memory = np.zeros(3)
    with pytest.raises(sundials.SundialsError, match=r"IDASVtolerances returned -22 \(IDA_ILL_INPUT\)"):
        Ida(
            1,
            lambda: 0,
            memory,
            np.array([1]),
            slice(2, 3),
            0.0,
            relative=-1.0,
            absolute=np.array([1.0]),
        )


def test_user_functions_with_large_arrays() -> None:
    # The array is too large for the stack; the sum of k/n over n elements is (n + 1)/2.
    model = saltus.load("""
    model Arrays
      function ramp
        input Real x;
        output Real y[1100];
      algorithm
        for k in 1:1100 loop
          y[k] := x*k/1100;
        end for;
      end ramp;
      function total
        input Real y[1100];
        output Real s;
      algorithm
        s := 0;
        for k in 1:1100 loop
          s := s + y[k];
        end for;
      end total;
      Real x(start = 1, fixed = true), a, b;
    equation
      der(x) = -total(ramp(a))/550.5;
      a + b = x;
      a - b = 0.5*x;
    end Arrays;
    """)
    result = model.simulate(tolerance=1e-9, method="ida")
    np.testing.assert_allclose(result["x"], np.exp(-0.75 * result.time), atol=1e-7)
