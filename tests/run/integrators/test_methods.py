"""Each integration method against closed forms and separate integrations; tolerances; the largest step."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus
from saltus.model import Model
from saltus.result.result import Result
from saltus.run.schedule.settings import Settings
from saltus.run.schedule.stepping import METHODS
from saltus.tools.cli import main

#: Where states change during the run, each integrator changes them at times of its own: these have tests
#: elsewhere.
CHANGING = {"Pendulum", "TumblingBody"}
EXAMPLES = sorted(p for p in (Path(__file__).parents[3] / "examples").glob("*.mo") if p.stem not in CHANGING)

DECAY = saltus.load(
    "model Decay parameter Real k = 2; Real x(start = 1, fixed = true); equation der(x) = -k*x; end Decay;"
)
OSCILLATOR = saltus.load(
    "model Oscillator Real x(start = 1, fixed = true), v(start = 0, fixed = true); "
    "equation der(x) = v; der(v) = -x; end Oscillator;"
)
VAN_DER_POL = saltus.load(
    "model VanDerPol parameter Real mu = 5; Real x(start = 2, fixed = true), y(start = 0, fixed = true); "
    "equation der(x) = y; der(y) = mu*(1 - x^2)*y - x; end VanDerPol;"
)

every_method = pytest.mark.parametrize("method", METHODS)


def error_of(result: Result, name: str, truth: np.ndarray) -> float:
    return float(np.max(np.abs(result[name] - truth)))


@every_method
@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-9])
def test_decay(method: str, tolerance: float) -> None:
    result = DECAY.simulate(stop_time=3, tolerance=tolerance, method=method)
    # Old errors decay too, so what is left is that of the last few steps.
    assert error_of(result, "x", np.exp(-2 * result.time)) < 20 * tolerance


@every_method
@pytest.mark.parametrize("tolerance", [1e-4, 1e-6, 1e-9])
def test_oscillator(method: str, tolerance: float) -> None:
    result = OSCILLATOR.simulate(stop_time=10, tolerance=tolerance, method=method)
    # Errors neither grow nor decay: they add up. A step may make one of tolerance * (nominal + |x|).
    allowed = 2 * tolerance * result.statistics["steps"]
    assert error_of(result, "x", np.cos(result.time)) < allowed
    assert error_of(result, "v", -np.sin(result.time)) < allowed


@every_method
def test_errors_scale_with_the_tolerance(method: str) -> None:
    errors, steps = [], []
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10):
        result = OSCILLATOR.simulate(stop_time=10, tolerance=tolerance, method=method)
        errors.append(error_of(result, "x", np.cos(result.time)))
        steps.append(result.statistics["steps"])
    # A hundredth of the tolerance for each step, and a few times as many steps.
    assert all(smaller < larger / 10 for larger, smaller in pairwise(errors))
    assert all(fewer < more < 4 * fewer for fewer, more in pairwise(steps))


@every_method
def test_van_der_pol(method: str) -> None:
    result = VAN_DER_POL.simulate(stop_time=8, tolerance=1e-9, method=method)

    def rate(t: float, s: np.ndarray) -> list[float]:
        return [s[1], 5 * (1 - s[0] ** 2) * s[1] - s[0]]

    truth = solve_ivp(rate, (0, 8), [2, 0], method="DOP853", rtol=1e-12, atol=1e-12, t_eval=result.time)
    assert error_of(result, "x", truth.y[0]) < 1e-5
    assert error_of(result, "y", truth.y[1]) < 1e-4


@every_method
def test_nominal_values_scale_the_tolerances(method: str) -> None:
    # The same decay of something near 1e-9: with the size 1 the absolute tolerance swallows it. If sizes are
    # found, the start value says how large it is.
    text = (
        "model Small Real x(start = 1e-9, fixed = true{}), y(start = 1, fixed = true); "
        "equation der(x) = -2*x*y; der(y) = 0; end Small;"
    )

    def relative_error(result: Result) -> float:
        return float(np.max(np.abs(result["x"] * 1e9 - np.exp(-2 * result.time))))

    scaled, plain, found = (
        saltus.load(text.format(nominal)).simulate(stop_time=2, tolerance=1e-5, method=method, scale=scale)
        for nominal, scale in ((", nominal = 1e-9", "one"), ("", "one"), ("", "found"))
    )
    assert relative_error(scaled) < 50e-5
    assert relative_error(found) < 50e-5
    assert relative_error(plain) > 5 * relative_error(scaled)
    assert scaled.statistics["steps"] > 2 * plain.statistics["steps"]


def test_adams_takes_fewer_steps_where_nothing_is_stiff_and_many_more_where_something_is() -> None:
    smooth = {m: OSCILLATOR.simulate(stop_time=50, tolerance=1e-8, method=m).statistics for m in METHODS}
    assert smooth["adams"]["steps"] < 0.7 * smooth["bdf"]["steps"]
    assert smooth["adams"]["rhs_evaluations_for_jacobians"] == 0
    # A fast mode that has died out long ago limits the step of Adams to about 1/k, not that of the others.
    stiff = {
        m: DECAY.simulate(stop_time=1, tolerance=1e-4, set={"k": 1e4}, method=m).statistics for m in METHODS
    }
    assert stiff["adams"]["steps"] > 20 * stiff["bdf"]["steps"]
    assert stiff["ida"]["steps"] < 3 * stiff["bdf"]["steps"]


@every_method
def test_no_step_is_larger_than_the_largest(method: str) -> None:
    free = DECAY.simulate(stop_time=10, method=method, tolerance=1e-3)
    bound = DECAY.simulate(stop_time=10, method=method, tolerance=1e-3, max_step=0.01)
    assert free.statistics["steps"] < 200
    assert bound.statistics["steps"] >= 1000
    np.testing.assert_allclose(bound["x"], np.exp(-2 * bound.time), atol=1e-3)


@every_method
def test_a_pulse_between_long_steps_is_seen_with_a_largest_step(method: str) -> None:
    # Hidden from event detection by noEvent, the pulse at 5 is narrower than the steps before it.
    pulse = saltus.load(
        "model Pulse Real x(start = 0, fixed = true); equation "
        "der(x) = noEvent(if time > 5 and time < 5.1 then 10 else 0); end Pulse;"
    )
    missed = pulse.simulate(stop_time=10, interval=10, method=method)
    seen = pulse.simulate(stop_time=10, interval=10, method=method, max_step=0.02)
    assert missed["x"][-1] == 0
    assert seen["x"][-1] == pytest.approx(1.0, abs=1e-3)


def test_the_statistics_tell_the_kind_of_integrator() -> None:
    assert "rhs_evaluations" in DECAY.simulate(method="bdf").statistics
    counts = DECAY.simulate(method="ida").statistics
    assert counts["residual_evaluations"] >= counts["steps"] > 10
    assert counts["residual_evaluations_for_jacobians"] > 0
    assert "rhs_evaluations" not in counts


@every_method
def test_a_model_without_states_runs_with_every_method(method: str) -> None:
    result = saltus.load("model Still Real x; equation x = sin(time); end Still;").simulate(method=method)
    np.testing.assert_allclose(result["x"], np.sin(result.time), atol=1e-12)


# ---------------------------------------------------------------- all examples


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda path: path.stem)
def example(request: pytest.FixtureRequest) -> Model:
    return saltus.load(request.param)


@pytest.mark.parametrize("method", ["adams", "ida"])
def test_examples_come_out_the_same(example: Model, method: str) -> None:
    stop = example.experiment.stop_time
    if example.name == "VanDerPol":
        if method == "adams":
            pytest.skip("a thousand times as stiff as Adams can do in a moment")
        stop = min(stop, 200.0)  # errors in the phase of a relaxation oscillation only ever grow
    tolerance = 1e-8
    expected = example.simulate(tolerance=tolerance, stop_time=stop)
    found = example.simulate(tolerance=tolerance, stop_time=stop, method=method)
    assert [r.kind for r in found.records] == [r.kind for r in expected.records]
    times = [np.array([e.time for e in r.events]) for r in (found, expected)]
    np.testing.assert_allclose(times[0], times[1], atol=1e-6 * stop)
    assert len(found.time) == len(expected.time)
    for name in expected.names:
        ours, theirs = found[name], expected[name]
        if theirs.dtype.kind == "f":
            size = 1.0 + np.max(np.abs(theirs))
            np.testing.assert_allclose(ours, theirs, atol=2e-5 * size, err_msg=name)
        else:
            np.testing.assert_array_equal(ours, theirs, err_msg=name)


# ---------------------------------------------------------------- wrong values


@pytest.mark.parametrize("method", ["BDF", "euler", "", 3])
def test_an_unknown_method_is_refused(method: object) -> None:
    with pytest.raises(saltus.UsageError, match="the methods are bdf, adams, ida"):
        DECAY.simulate(method=method)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("method", "nearest"),
    [
        ("dassl", "ida"), ("DASSL", "ida"), ("cvode", "bdf"), ("radau", "bdf"), ("lsodar", "bdf"),
        ("ode15s", "bdf"), ("ode113", "adams"), ("dopri5", "rk45"), ("euler", "rk45"), ("BDF", "bdf"),
    ],
)  # fmt: skip
def test_methods_of_other_tools_have_a_nearest_one(method: str, nearest: str) -> None:
    with pytest.raises(saltus.UsageError, match=f"nearest to it is `{nearest}`; the methods are bdf, adams"):
        DECAY.simulate(method=method)


@pytest.mark.parametrize("step", [0.0, -1.0, math.nan, math.inf, "long"])
def test_a_wrong_largest_step_is_refused(step: object) -> None:
    with pytest.raises(saltus.UsageError, match=r"(largest|max) step must be"):
        DECAY.simulate(max_step=step)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--method", "rk4"), "--method knows no method 'rk4'"),
        (("--max-step", "0"), "--max-step must be greater than zero"),
        (("--max-step", "-2"), "--max-step must be greater than zero"),
        (("--max-step", "inf"), "--max-step must be a finite number"),
    ],
)
def test_wrong_options_end_with_status_2_and_a_short_message(
    options: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["simulate", str(EXAMPLES[0]), *options])
    assert ending.value.code == 2
    said = capsys.readouterr().err
    assert message in said and len(said.splitlines()) <= 4


@every_method
def test_the_command_line_chooses_the_method(
    method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "Line.mo"
    file.write_text("model Line Real x(start = 0, fixed = true); equation der(x) = 3; end Line;")
    with pytest.raises(SystemExit) as ending:
        main(["simulate", str(file), "--method", method, "--max-step", "0.1"])
    assert not ending.value.code
    assert "x = 3" in capsys.readouterr().out


def test_settings_have_a_method_of_their_own() -> None:
    assert Settings().method == "bdf" and Settings().max_step is None
