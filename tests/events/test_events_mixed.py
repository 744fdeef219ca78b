"""Mixed systems of continuous and discrete unknowns, against enumeration and integration by hand."""

from __future__ import annotations

import numpy as np
import pytest
from event_runs import after, body, run, steps, times
from leaky_circuits import CIRCUITS, Circuit, Modes
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import saltus

# ---------------------------------------------------------------- relations and loops


def test_a_relation_that_depends_on_a_loop_that_depends_on_the_relation() -> None:
    # x + y = 3*t, x = k*y with k = 2 while x < 1, else 1/2: x = 2*t until t = 1/2. There x falls to t: x < 1
    # again. With k = 4 instead of 1/2, x = 12/5*t stays above 1.
    result = body("Real x, y;", "x + y = 3*time; x = (if x < 1 then 2 else 4)*y;")
    (event,) = times(result)
    assert event == pytest.approx(0.5, abs=1e-9)
    late = result.time > event + 1e-9
    np.testing.assert_allclose(result["x"][late], 2.4 * result.time[late], rtol=1e-12)
    np.testing.assert_allclose(result["x"][result.time < 0.5], 2 * result.time[result.time < 0.5], rtol=1e-12)


def test_an_integer_that_feeds_back() -> None:
    """y = floor(x), x = 3*t + y/4: each step of y lifts x by a quarter. y = k from t = (k - (k - 1)/4)/3 on,
    the first moment at which x reaches k."""
    result = body("Real x; Integer y;", "y = integer(x); x = 3*time + y/4;", stop_time=2)
    expected = [(k - (k - 1) / 4) / 3 for k in range(1, 9)]
    found = [t for t, _ in steps(result, "y")][1:]
    assert [t for t in expected if t <= 2] == pytest.approx(found[:8], abs=1e-8)
    np.testing.assert_allclose(result["x"], 3 * result.time + result["y"] / 4, atol=1e-12)


def test_a_quantised_controller_with_feedthrough() -> None:
    """At each sample n = floor(4*y), and y = x + n/10 depends on n at once; it is a loop at samples only. The
    solution: n = floor(4*x + 0.4*n), by trying all n. There may be several: the nearest to the n before."""
    result = body(
        "Real x(start = 0, fixed = true), y; Integer n(start = 0, fixed = true);",
        """der(x) = cos(time); y = x + n/10;
        when sample(0.25, 0.25) then n = integer(4*y); end when;""",
        stop_time=6.6,
        tolerance=1e-10,
    )
    n, seen = 0, set()
    for k in range(1, 27):
        solutions = [m for m in range(-20, 20) if m == np.floor(4 * np.sin(k / 4) + 0.4 * m)]
        seen.add(len(solutions))
        n = min(solutions, key=lambda m: abs(m - n))
        assert after(result, "n", k / 4) == n
    assert seen == {1, 2}


def test_a_sampled_controller_with_feedthrough() -> None:
    """u = -2*y at samples and y = x + u/2 always, so u = -x at samples. Between them x goes towards u."""
    result = body(
        "Real x(start = 1, fixed = true), y, twice; discrete Real u(start = 0, fixed = true);",
        """der(x) = u - x; y = x + 0.5*u; twice = 2*y;
        when sample(0.1, 0.1) then u = -twice; end when;""",
        stop_time=1,
        tolerance=1e-10,
    )
    x, u = 1.0, 0.0
    for k in range(1, 11):
        x = u + (x - u) * np.exp(-0.1)
        u = -x
        assert after(result, "x", k / 10) == pytest.approx(x, abs=1e-8)
        assert after(result, "u", k / 10) == pytest.approx(u, abs=1e-8)
    np.testing.assert_allclose(result["y"], result["x"] + result["u"] / 2, atol=1e-12)


def test_discrete_reals_that_depend_on_each_other_with_a_mode() -> None:
    """At samples u = 2*v + t and v = u/4 - 1 or, in the other mode, v = -u: b says which by u itself. With b,
    u = 2*t - 4; without, u = t/3."""
    result = body(
        "discrete Real u(start = 0), v(start = 0); Boolean b;",
        """when sample(0.5, 0.5) then u = 2*v + time; v = if b then u/4 - 1 else -u; end when;
        b = u > 2;""",
        stop_time=8.2,
    )
    b = False
    for k in range(1, 17):
        t = k / 2
        consistent = [mode for mode in (False, True) if ((2 * t - 4 if mode else t / 3) > 2) == mode]
        b = b if b in consistent else consistent[0]
        u = 2 * t - 4 if b else t / 3
        assert after(result, "u", t) == pytest.approx(u, abs=1e-12)
        assert after(result, "v", t) == pytest.approx((u - t) / 2, abs=1e-12)
    assert b and steps(result, "b")[1][0] == 6.5


def test_a_nonlinear_loop_of_discrete_reals() -> None:
    result = body(
        "discrete Real u(start = 0), v(start = 0);",
        "when sample(0, 0.25) then u = cos(v); v = u + 0.1*time; end when;",
        stop_time=1,
    )
    for t in (0.25, 0.5, 1.0):
        u = 0.7
        for _ in range(200):
            u = np.cos(u + 0.1 * t)
        assert after(result, "u", t) == pytest.approx(u, abs=1e-9)


# ---------------------------------------------------------------- rectifiers


@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_rectifier_with_a_resistor(count: int) -> None:
    circuit = CIRCUITS[count]
    text = circuit.modelica(
        "  connect(load.p, %p%);\n  connect(load.n, %n%);", "  Leaky.Resistor load(R = 5);"
    )
    result = saltus.load(text, model="Rectifier").simulate(stop_time=0.04, interval=1e-4)
    modes = Modes(circuit, 1 / 5)
    sources = [circuit.voltages(t, 10, 50) for t in result.time]
    found = [modes.consistent(v) for v in sources]
    u = [modes.load_voltage(k, v) for k, v in zip(found, sources, strict=True)]
    # The matrix has conductances from 1e-5 to 1e5: rounding may grow 1e10 times.
    np.testing.assert_allclose(result["load.v"], u, atol=1e-5)
    margins = np.array([modes.margins[k] @ [*v, 0.0] for k, v in zip(found, sources, strict=True)])
    clear = margins.min(axis=1) > 1e-6  # no diode is about to change
    conducting = np.array([modes.modes[k] for k in found])
    assert clear.sum() > 300
    for k in range(count):
        assert np.array_equal(result[f"D{k + 1}.off"][clear] == 1, ~conducting[clear, k])


def integrate(
    circuit: Circuit, resistance: float, inductance: float, stop: float
) -> tuple[list[float], float]:
    """Event by event: when diodes change, and the current in the end."""
    modes = Modes(circuit)

    def sources(t: float) -> list[float]:
        return circuit.voltages(t, 10, 50)

    def slope(mode: int, t: float, current: float) -> float:
        return (modes.load_voltage(mode, sources(t), current) - resistance * current) / inductance

    ahead = 1e-10  # a step over each event
    now, current = 0.0, 0.0
    events: list[float] = []
    while len(events) < 200:
        current += ahead * slope(modes.consistent(sources(now), current), now, current)
        now += ahead
        mode = modes.consistent(sources(now), current)

        def margin(t: float, y: NDArray[np.float64], mode: int = mode) -> float:
            return float((modes.margins[mode] @ [*sources(t), y[0]]).min())

        margin.terminal, margin.direction = True, -1  # type: ignore[attr-defined]
        found = solve_ivp(
            lambda t, y, mode=mode: [slope(mode, t, y[0])],
            (now, stop),
            [current],
            method="LSODA",
            rtol=1e-12,
            atol=1e-13,
            max_step=2e-4,
            events=margin,
        )
        now, current = float(found.t[-1]), float(found.y[0, -1])
        if found.status == 0:
            return events, current
        events.append(now)
    raise AssertionError("events without end")


@pytest.fixture(scope="module", params=[1, 2, 4, 6])
def inductive(request: pytest.FixtureRequest) -> tuple[int, saltus.Model, list[float], float]:
    """Diodes, model, events and final current of a rectifier with R = 5, L = 0.01."""
    circuit = CIRCUITS[request.param]
    text = circuit.modelica(
        "  connect(load.p, %p%);\n  connect(load.n, coil.p);\n  connect(coil.n, %n%);",
        "  Leaky.Resistor load(R = 5);\n  Leaky.Inductor coil(L = 0.01, i(start = 0, fixed = true));",
    )
    return request.param, saltus.load(text, model="Rectifier"), *integrate(circuit, 5, 0.01, 0.03)


@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-8, 1e-10])
def test_rectifier_with_a_coil(
    inductive: tuple[int, saltus.Model, list[float], float], tolerance: float
) -> None:
    count, model, events, current = inductive
    result = model.simulate(stop_time=0.03, tolerance=tolerance)
    assert result["coil.i"][-1] == pytest.approx(current, abs=50 * tolerance + 1e-8)
    found = np.unique(np.round(times(result), 7))
    late = [t for t in events if t > 1e-6]
    for t in late:  # each change by hand is an event of the run
        # a leakage current crosses zero with 0.03 A/s only
        assert np.abs(found - t).min() < 40 * tolerance + 1e-7, (count, t)


# ---------------------------------------------------------------- gates


ADDER = """
model FullAdder
  input Boolean a, b, c;
  output Boolean sum, carry;
protected
  Boolean half = (a and not b) or (b and not a);
equation
  sum = (half and not c) or (c and not half);
  carry = (a and b) or (half and c);
end FullAdder;

model Adder4 "all pairs of 4-bit numbers, one after the other"
  FullAdder stage[4];
  Integer k(start = 0, fixed = true), total;
  Boolean a[4], b[4], s[5];
equation
  when sample(1, 1) then
    k = pre(k) + 1;
  end when;
  for i in 1:4 loop
    a[i] = mod(div(k, integer(2^(i - 1))), 2) == 1;
    b[i] = mod(div(k, integer(2^(i + 3))), 2) == 1;
    stage[i].a = a[i];
    stage[i].b = b[i];
    s[i] = stage[i].sum;
  end for;
  stage[1].c = false;
  for i in 2:4 loop
    stage[i].c = stage[i - 1].carry;
  end for;
  s[5] = stage[4].carry;
  total = sum(if s[i] then integer(2^(i - 1)) else 0 for i in 1:5);
end Adder4;
"""


def test_ripple_adder_adds_all_pairs() -> None:
    result = saltus.load(ADDER, model="Adder4").simulate(stop_time=255.5, interval=0.5)
    sums = {int(k): int(total) for k, total in zip(result["k"], result["total"], strict=True)}
    assert sums == {k: k % 16 + k // 16 for k in range(256)}


LATCH = """
model Latch "two NOR gates, without memory of their own"
  input Boolean s, r;
  output Boolean q(start = false), qn(start = true);
equation
  q = not (r or qn);
  qn = not (s or q);
end Latch;
"""


def test_a_latch_of_two_gates_remembers() -> None:
    text = (
        LATCH
        + """
    model M
      Latch latch;
    equation
      latch.s = (time >= 1 and time < 2) or (time >= 5 and time < 6);
      latch.r = time >= 3 and time < 4;
    end M;"""
    )
    result = saltus.load(text, model="M").simulate(stop_time=7)
    assert steps(result, "latch.q") == [(0, 0), (1, 1), (3, 0), (5, 1)]
    assert np.array_equal(result["latch.qn"], 1 - result["latch.q"])
    assert not result.warnings


FLIP_FLOPS = (
    LATCH
    + """
model FlipFlop "master and slave: takes d over when the clock rises"
  input Boolean d, clock;
  output Boolean q;
protected
  Latch master, slave;
equation
  master.s = d and not clock;
  master.r = not d and not clock;
  slave.s = master.q and clock;
  slave.r = master.qn and clock;
  q = slave.q;
end FlipFlop;

model Ring "a twisted ring of n flip-flops counts to 2*n"
  parameter Integer n = 5;
  FlipFlop stage[n];
  Boolean clock(start = false, fixed = true);
  Integer rises(start = 0, fixed = true);
equation
  when sample(0.5, 0.5) then
    clock = not pre(clock);
  end when;
  when stage[1].q then
    rises = pre(rises) + 1;
  end when;
  for i in 1:n loop
    stage[i].clock = clock;
  end for;
  stage[1].d = not stage[n].q;
  for i in 2:n loop
    stage[i].d = stage[i - 1].q;
  end for;
end Ring;
"""
)


def test_a_ring_of_flip_flops_made_of_gates_counts() -> None:
    """The clock rises at 0.5, 1.5, ...; after k rises the ring has the pattern of a Johnson counter."""
    result = saltus.load(FLIP_FLOPS, model="Ring").simulate(stop_time=100.25, interval=0.25)
    n = 5
    for t in np.arange(1.0, 100.0):
        k = int(t + 0.5) % (2 * n)
        expected = [i < k <= i + n for i in range(n)]
        assert [bool(after(result, f"stage[{i + 1}].q", t)) for i in range(n)] == expected, t
    # stage 1 rises at the rises number 1, 11, 21, ... of the clock
    assert result["rises"][-1] == 10
    assert not result.warnings


def test_a_gate_that_holds_itself() -> None:
    result = run("model M Boolean b(start = false); equation b = b or time >= 0.5; end M;")
    assert steps(result, "b") == [(0, 0), (0.5, 1)]


def test_presumed_values_do_not_make_events_of_their_own() -> None:
    """Two gates in a loop, one state: the integrator is told of the change of mode through the gate."""
    result = body(
        "Real x(start = 0, fixed = true); Boolean q(start = false), qn(start = true);",
        "der(x) = if q then -1 else 1; q = not (x < 0 or qn); qn = not (x > 1 or q);",
        stop_time=3.5,
        tolerance=1e-10,
    )
    # up to 1, down to 0, and so on: a relaxation oscillator with hysteresis from the latch
    assert [t for t, _ in steps(result, "q")] == pytest.approx([0, 1, 2, 3], abs=1e-7)
    expected = 1 - np.abs(1 - np.mod(result.time, 2))
    np.testing.assert_allclose(result["x"], expected, atol=1e-7)
