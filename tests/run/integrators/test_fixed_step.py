"""Steps of a fixed length: orders against closed forms, steps against recurrences, events, what is refused.

The recurrences are those of text books, written here once more, without the model.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
import scipy.integrate
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.core.diagnostics import ModelError, UsageError
from saltus.ir.inline import FORMULAS, INLINE, MIXED
from saltus.run.schedule.stepping import FIXED_STEP

IMPLICIT = ("implicit-euler", "trapezoid", "bdf2")
every_method = pytest.mark.parametrize("method", FIXED_STEP)

LINEAR = saltus.load(
    "model Linear parameter Real k = 2; Real x(start = 1, fixed = true); "
    "equation der(x) = -k*x + sin(time); end Linear;"
)
NONLINEAR = saltus.load(
    "model Nonlinear Real x(start = 1, fixed = true); equation der(x) = -x^2; end Nonlinear;"
)
OSCILLATOR = saltus.load(
    "model Oscillator Real x(start = 1, fixed = true), v(start = 0, fixed = true); "
    "equation der(x) = v; der(v) = -x; end Oscillator;"
)
DECAY = saltus.load(
    "model Decay parameter Real k = 2; Real x(start = 1, fixed = true); equation der(x) = -k*x; end Decay;"
)
BALL = saltus.load("""
model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, -0.8*pre(v));
  end when;
end Ball;
""")


def of_linear(t: float) -> float:
    """x' = -2 x + sin t from 1."""
    return (1 + 1 / 5) * math.exp(-2 * t) + (2 * math.sin(t) - math.cos(t)) / 5


# ---------------------------------------------------------------- orders


@every_method
@pytest.mark.parametrize(
    ("model", "truth"),
    [(LINEAR, of_linear), (NONLINEAR, lambda t: 1 / (1 + t)), (OSCILLATOR, math.cos)],
    ids=["linear", "nonlinear", "oscillator"],
)
def test_order(method: str, model: saltus.Model, truth: Callable[[float], float]) -> None:
    errors = []
    for count in (200, 400, 800):
        run = model.simulate(stop_time=1, method=method, step=1 / count, interval=0.25)
        errors.append(abs(run["x"][-1] - truth(1.0)))
    order = 1 if method == MIXED else FORMULAS[method.removeprefix(INLINE)].order
    for rough, fine in pairwise(errors):
        assert abs(math.log2(rough / fine) - order) < 0.1


def recurrence(method: str, k: float, h: float, count: int) -> list[float]:
    """x' = -k x from 1: the value after each step."""
    x = [1.0]
    for n in range(count):
        match method.removeprefix(INLINE):
            case "euler" | "mixed":  # without switches
                new = x[n] * (1 - h * k)
            case "implicit-euler":
                new = x[n] / (1 + h * k)
            case "trapezoid":
                new = x[n] * (1 - h * k / 2) / (1 + h * k / 2)
            case "bdf2" if n == 0:  # the theta-method with theta = 2/3
                new = x[n] * (1 - h * k / 3) / (1 + 2 * h * k / 3)
            case "bdf2":
                new = (4 * x[n] - x[n - 1]) / (3 + 2 * h * k)
            case _:
                raise AssertionError(method)
        x.append(new)
    return x


@settings(max_examples=30, deadline=None)
@given(
    method=st.sampled_from(FIXED_STEP),
    k=st.floats(-3, 50),
    h=st.sampled_from([0.5, 0.1, 0.03125, 0.01]),
    count=st.integers(1, 20),
)
def test_steps_are_those_of_the_recurrence(method: str, k: float, h: float, count: int) -> None:
    run = DECAY.simulate(stop_time=count * h, method=method, step=h, interval=h, set={"k": k})
    expected = recurrence(method, k, h, count)
    assert len(run.time) == count + 1
    assert np.allclose(run["x"], expected, rtol=1e-11, atol=1e-13)


def test_the_step_is_a_parameter_of_the_run() -> None:
    """Runs with other steps are runs of the same native code."""
    model = saltus.load("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;")
    model.simulate(stop_time=1, method="inline:trapezoid", step=0.1)
    known = [id(t.machine) for t in model._translations.values()]
    for step in (0.05, 0.02):
        run = model.simulate(stop_time=1, method="inline:trapezoid", step=step, interval=0.5)
        expected = ((1 - step / 2) / (1 + step / 2)) ** round(1 / step)
        assert run["x"][-1] == pytest.approx(expected, rel=1e-12)
    assert [id(t.machine) for t in model._translations.values()] == known


@pytest.mark.parametrize("method", ["implicit-euler", "bdf2"])
def test_stiff_models_are_damped(method: str) -> None:
    run = DECAY.simulate(stop_time=1, method=INLINE + method, step=0.1, interval=0.1, set={"k": 1e6})
    assert np.all(np.abs(run["x"][2:]) < 0.51**2)
    assert abs(run["x"][-1]) < 1e-3


# ---------------------------------------------------------------- rows


@every_method
def test_output_points_inside_of_a_step_are_on_a_straight_line(method: str) -> None:
    rough = DECAY.simulate(stop_time=1, method=method, step=0.25, interval=0.25)
    fine = DECAY.simulate(stop_time=1, method=method, step=0.25, interval=0.0625)
    assert fine.time.tolist() == [k / 16 for k in range(17)]
    assert np.allclose(fine["x"], np.interp(fine.time, rough.time, rough["x"]), rtol=1e-12)
    assert fine.statistics["steps"] == rough.statistics["steps"] == 4


def test_more_output_points_in_a_step_than_a_call_can_write() -> None:
    run = DECAY.simulate(stop_time=2, method="inline:euler", step=1, interval=1e-4, set={"k": 0.5})
    assert len(run.time) == 20_001
    assert np.allclose(run["x"][:10_001], 1 - run.time[:10_001] / 2, atol=1e-12)


@pytest.mark.parametrize("method", IMPLICIT)
def test_derivatives_keep_their_names(method: str) -> None:
    run = DECAY.simulate(stop_time=1, method=INLINE + method, step=0.1)
    assert run.names == ["x"]
    assert np.allclose(run["der(x)"], -2 * run["x"], rtol=1e-9)
    assert run.state_at(1.0)["x"] == run["x"][-1]


def test_the_last_step_ends_where_the_run_does() -> None:
    run = DECAY.simulate(stop_time=0.95, method="inline:implicit-euler", step=0.1, interval=0.95)
    # Of half a length, it is one of the differential equation for what is known before a step.
    c = 1 + 0.1 * 2
    for width in [0.1] * 9 + [0.05]:
        c += width * -2 * c / 1.2
    assert run.time[-1] == 0.95
    assert run["x"][-1] == pytest.approx(c / 1.2, rel=1e-12)


# ---------------------------------------------------------------- events


@every_method
def test_events_are_where_steps_end(method: str) -> None:
    step = 1e-3
    run = BALL.simulate(stop_time=1, method=method, step=step)
    impacts = [e.time for e in run.events if e.kind == "state"]
    first = math.sqrt(2 / 9.81)
    assert impacts[0] == pytest.approx(step * math.ceil(first / step), abs=2 * step)
    assert all(abs(t / step - round(t / step)) < 1e-6 for t in impacts)
    at = np.flatnonzero(run.time == impacts[0])
    assert len(at) == 2  # the left and the right limit
    left, right = at
    assert run["v"][right] == pytest.approx(-0.8 * run["v"][left], rel=1e-12)
    assert run["h"][right] == run["h"][left]  # what does not jump stays where it is


@every_method
def test_sampled_parts_run_in_step(method: str) -> None:
    """A tick that is no multiple of the step is not moved: a step ends there."""
    model = saltus.load("""
    model Sampled
      Real x(start = 0, fixed = true);
      discrete Real u(start = 1, fixed = true);
    equation
      der(x) = u;
      when sample(0.25, 0.25) then
        u = 1 - pre(u);
      end when;
    end Sampled;
    """)
    run = model.simulate(stop_time=1, method=method, step=0.1, interval=0.125)
    ticks = [e.time for e in run.events if e.kind == "time"]
    assert ticks == [0.25, 0.5, 0.75, 1.0]
    assert run["x"][-1] == pytest.approx(0.5, abs=1e-12)  # constant slopes: exact for every method


#: Models whose structure switches: how long they run, and what is compared.
SWITCHING = {
    "rectifier": (
        """model M parameter Real L = 0.02, R = 5; Real i(start = 0, fixed = true), u, s;
        Boolean blocks = s < 0;
        equation 10*sin(100*3.141592653589793*time) = L*der(i) + u + R*i;
        u = if blocks then s else 0; i = if blocks then 0 else s; end M;""",
        0.08, "i",
    ),
    "clutch": (
        """model M parameter Real J1 = 2, J2 = 3; Real w1(start = 6, fixed = true), w2(start = 0);
        Real t; Boolean locked = time > 0.5;
        equation J1*der(w1) = 1 - t; J2*der(w2) = t - 0.5*w2; 0 = if locked then w1 - w2 else t; end M;""",
        1.0, "w1",
    ),
    "capacitors": (
        """model M Real v1(start = 1, fixed = true), v2(start = 0, fixed = true), i;
        Boolean closed = time > 0.1;
        equation der(v1) = -i - v1; 2*der(v2) = i; 0 = if closed then v1 - v2 else i; end M;""",
        0.3, "v1",
    ),
    "chopper": (
        """model M parameter Real L = 0.02; Real i(start = 0, fixed = true), v, it, id, s;
        Boolean on(start = true, fixed = true), blocks = s < 0;
        equation L*der(i) = v - 12; i = it + id; 0 = if on then 48 - v else it;
        id = if blocks then 0 else s; -v = if blocks then s else 0;
        on = sample(0.004, 0.004) or pre(on) and i < 1; end M;""",
        0.0195, "i",
    ),
    "friction": (
        """model M Real v(start = 1, fixed = true), F, s; Boolean forward = s > 1, backward = s < -1;
        equation der(v) = 2*sin(3*time) - F; v = if forward then s - 1 else if backward then s + 1 else 0;
        F = if forward then 1 else if backward then -1 else s; end M;""",
        4.0, "v",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SWITCHING)
@every_method
def test_switching_models_are_within_their_error(method: str, name: str) -> None:
    """Events happen where steps end, so all is late by a step at most: by what the variable moves in two
    steps at its fastest the mean error is less, and with four times shorter steps it is smaller."""
    text, stop, variable = SWITCHING[name]
    model = saltus.load(text)
    truth = model.simulate(stop_time=stop, tolerance=1e-10, interval=stop / 2000)
    points = np.linspace(0, stop, 801) + stop / 3001
    points = points[points < stop]
    exact = np.interp(points, truth.time, truth[variable])
    moving = np.diff(truth.time) > 1e-6 * stop
    fastest = np.max(np.abs(np.diff(truth[variable])[moving] / np.diff(truth.time)[moving]))
    errors = []
    for count in (2500, 10_000):
        run = model.simulate(stop_time=stop, method=method, step=stop / count, interval=stop / 2000)
        found = np.interp(points, run.time, run[variable])
        errors.append(np.mean(np.abs(found - exact)))
        assert errors[-1] < 2 * fastest * stop / count
    assert errors[1] < 0.6 * errors[0] or errors[0] < 2e-5 * np.max(np.abs(exact))


@pytest.mark.parametrize("method", IMPLICIT)
def test_momentum_is_kept_where_a_clutch_closes(method: str) -> None:
    text, stop, _ = SWITCHING["clutch"]
    model = saltus.load(text.replace("1 - t", "-t").replace("- 0.5*w2", ""))
    run = model.simulate(stop_time=stop, method=INLINE + method, step=1e-3)
    assert np.allclose(2 * run["w1"] + 3 * run["w2"], 12, rtol=1e-12)
    assert run["w1"][-1] == pytest.approx(2.4, rel=1e-12)
    assert run.statistics["programs"] == 1  # one program serves both modes


def test_no_python_in_a_step() -> None:
    """A call of the native driver takes a thousand steps, with events, rows and ticks."""
    counted = []
    run = BALL.simulate(
        stop_time=2, method="inline:euler", step=1e-5, progress=lambda part, events: counted.append(part)
    )
    assert run.statistics["steps"] >= 200_000
    assert len(counted) < 50


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "inline:euler"}, "--step"),
        ({"method": "bdf", "step": 0.1}, "chooses its steps"),
        ({"method": "inline:euler", "step": 0.0}, "greater than zero"),
        ({"method": "inline:nonsense", "step": 0.1}, "inline:trapezoid"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        DECAY.simulate(stop_time=1, **options)
    assert words in str(caught.value)


def test_delays_are_refused() -> None:
    model = saltus.load("model M Real x(start = 1, fixed = true); equation der(x) = -delay(x, 0.1); end M;")
    with pytest.raises(UsageError, match="delay"):
        model.simulate(stop_time=1, method="inline:euler", step=0.01)


def test_states_that_change_are_refused() -> None:
    model = saltus.load("""
    model Pendulum
      Real x(start = 0.6), y(start = -0.8), vx(start = 0), vy, F;
    equation
      der(x) = vx; der(y) = vy; der(vx) = -F*x; der(vy) = -F*y - 9.81; x^2 + y^2 = 1;
    end Pendulum;
    """)
    with pytest.raises(ModelError, match="inline integration is not possible"):
        model.simulate(stop_time=1, method="inline:implicit-euler", step=0.01)


def test_linearise_is_refused() -> None:
    with pytest.raises(UsageError, match="possible in runs only"):
        DECAY.linearise(0.5, method="inline:implicit-euler", step=0.01)


def test_constraints_between_states_are_kept() -> None:
    """Two inertias on one gear: one state is left, and it is inlined."""
    model = saltus.load("""
    model Gear
      Real w1(start = 1, fixed = true), w2, t1, t2;
    equation
      2*der(w1) = -w1 - t1; 3*der(w2) = t2; w1 = 4*w2; t2 = 4*t1;
    end Gear;
    """)
    inertia = 2 + 3 / 16
    run = model.simulate(stop_time=1, method="inline:implicit-euler", step=0.1, interval=0.1)
    expected = (1 + 0.1 / inertia) ** -np.round(run.time / 0.1)
    assert len(np.unique(run.time)) == 11
    assert np.allclose(run["w1"], expected, rtol=1e-12)
    assert np.allclose(run["w1"], 4 * run["w2"], rtol=1e-12)


# ---------------------------------------------------------------- events inside of steps


@every_method
def test_events_located_inside_of_steps(method: str) -> None:
    run = BALL.simulate(stop_time=1, method=method, step=1e-3, locate=True)
    at = next(e.time for e in run.events if e.kind == "state")
    assert at == pytest.approx(math.sqrt(2 / 9.81), abs=1e-3)
    left = int(np.flatnonzero(run.time == at)[0])
    assert abs(run["h"][left]) < 1e-12
    assert run["h"][left + 1] == pytest.approx(run["h"][left], abs=1e-15)


@pytest.mark.parametrize("method", ["trapezoid", "bdf2"])
def test_with_located_events_switching_models_are_of_second_order(method: str) -> None:
    text, stop, variable = SWITCHING["rectifier"]
    model = saltus.load(text)
    truth = model.simulate(stop_time=stop, tolerance=1e-12, interval=stop / 100)
    points = np.linspace(0, stop, 101)[1:-1]
    errors = []
    for count in (1000, 2000, 4000):
        run = model.simulate(
            stop_time=stop, method=INLINE + method, step=stop / count, interval=stop / 100, locate=True
        )
        found, exact = ([r.at(t)[variable] for t in points] for r in (run, truth))
        errors.append(np.mean(np.abs(np.subtract(found, exact))))
    assert errors[0] / errors[1] > 3.4 and errors[1] / errors[2] > 3.4


def test_a_constraint_on_positions_begins_where_it_holds() -> None:
    """The rope of docs/modes.md: it goes taut at (0.6, -0.8), which takes the radial speed of 1.4."""
    model = saltus.load("""
    model Rope
      parameter Real L = 1, m = 1;
      Real x(start = 0.1, fixed = true), y(start = -0.3, fixed = true);
      Real vx(start = 1, fixed = true), vy(start = -1, fixed = true);
      Real r = sqrt(x^2 + y^2), F, s;
      Boolean slack = s > 0;
    equation
      der(x) = vx; der(y) = vy; m*der(vx) = -F*x/r; m*der(vy) = -F*y/r;
      L - r = if slack then s else 0; F = if slack then 0 else -s;
    end Rope;
    """)
    run = model.simulate(stop_time=1, method="inline:euler", step=1e-3, locate=True)
    at = next(e.time for e in run.events if e.kind == "state")
    right = int(np.flatnonzero(run.time == at)[-1])
    assert at == pytest.approx(0.5, abs=1e-9)
    assert run["vx"][right] == pytest.approx(0.16, abs=1e-9)
    assert run["vy"][right] == pytest.approx(0.12, abs=1e-9)


def test_locating_asks_for_fixed_steps() -> None:
    with pytest.raises(UsageError, match="steps of a fixed length"):
        BALL.simulate(locate=True)


@pytest.mark.parametrize("method", ["inline:implicit-euler", "mixed"])
def test_what_a_mode_demands_of_positions_is_refused(method: str) -> None:
    """A ball that hits the floor by an impulse: with a formula its speed would end there."""
    model = saltus.load("Saltus.Examples.Translational.BouncingBall")
    with pytest.raises(ModelError, match=r"demands something of `ball\.s`"):
        model.simulate(method=method, step=1e-3)


@pytest.mark.parametrize("locate", [False, True])
def test_what_switches_determine_together_is_found_by_numbers(locate: bool) -> None:
    """Diodes without resistance between capacitors and a source: no single guard tells what is given."""
    model = saltus.load("Saltus.Examples.Electrical.VoltageDoubler")
    span = model.experiment.stop_time
    truth = model.simulate()
    run = model.simulate(method="inline:bdf2", step=span / 5000, locate=locate)
    points = np.linspace(0, span, 301)[1:-1] + span * 1.3e-4
    for name in ("C1.v", "C2.v"):
        found, exact = (np.interp(points, r.time, r[name]) for r in (run, truth))
        assert np.mean(np.abs(found - exact)) < 1e-3 * np.max(np.abs(exact))


@pytest.mark.parametrize("count", [500, 2500, 8000])
@pytest.mark.parametrize("method", IMPLICIT)
def test_diodes_that_charge_capacitors_let_go_of_them(method: str, count: int) -> None:
    """While a diode begins to conduct, a step is a millionth of its length, and the current that belongs to
    an error of the voltage a million times what it is afterwards: measured by that, 13 A were still zero, and
    the diode never blocked again. With located events an ideal diode never has a current backwards."""
    model = saltus.load("Saltus.Examples.Electrical.VoltageDoubler")
    span = model.experiment.stop_time
    truth = model.simulate()
    run = model.simulate(method=INLINE + method, step=span / count, locate=True)
    for diode in ("D1", "D2"):
        assert run[f"{diode}.i"].min() > -1e-6 and run[f"{diode}.i"].max() > 0.1
        assert run[f"{diode}.v"].max() < 1e-6
    points = np.linspace(0, span, 301)[1:-1] + span * 1.3e-4
    for name in ("C1.v", "C2.v"):
        found, exact = (np.interp(points, r.time, r[name]) for r in (run, truth))
        assert np.mean(np.abs(found - exact)) < 4e-3 * np.max(np.abs(exact))


@pytest.mark.parametrize("method", IMPLICIT)
def test_carriers_are_states_whatever_is_preferred(method: str) -> None:
    """A mass whose momentum is preferred as a state, and follows from its carrier by iterations. A force of 2
    against a drag of v*|v| accelerates it: p' = 2 - v^2 with v = p/sqrt(1 + p^2)."""
    model = saltus.load("Saltus.Examples.BondGraphs.Characteristics")
    run = model.simulate(method=INLINE + method, step=1e-3, stop_time=1)
    exact = scipy.integrate.solve_ivp(
        lambda t, p: 2 - p**2 / (1 + p**2), (0, 1), [0.0], rtol=1e-10, atol=1e-12
    )
    assert run["body.p"][-1] == pytest.approx(exact.y[0, -1], abs=3e-4)


@pytest.mark.parametrize("method", IMPLICIT)
def test_a_controller_that_switches_where_it_is_located(method: str) -> None:
    """The chopper ends a pulse at 1 A: what it switches must not take the current below that."""
    text, stop, _ = SWITCHING["chopper"]
    run = saltus.load(text).simulate(stop_time=stop, method=INLINE + method, step=2e-6, locate=True)
    off = [e.time for e in run.events if e.kind == "state"]
    assert off[0] == pytest.approx(0.02 / 36, rel=5e-3)
    assert np.max(run["i"]) == pytest.approx(1, abs=5e-3)
