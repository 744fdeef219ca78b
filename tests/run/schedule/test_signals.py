"""Inputs of a model that are given curves."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus
from saltus.run.schedule.signals import _sampled
from saltus.tools.cli import main

LAG = """model Lag
  parameter Real T = 0.2;
  input Real u "what it follows";
  input Boolean on(start = true);
  input Integer n(start = 1);
  Real x(start = 0, fixed = true);
  output Real y = n*x;
equation
  T*der(x) = (if on then u else 0) - x;
end Lag;"""

T = 0.2


@pytest.fixture(scope="module")
def lag() -> saltus.Model:
    return saltus.load(LAG)


def test_inputs_are_listed_and_keep_their_start_values_without_a_curve(lag: saltus.Model) -> None:
    assert list(lag.inputs) == ["u", "on", "n"] and lag.inputs["u"].description == "what it follows"
    silent = lag.simulate()
    assert silent["x"][-1] == 0
    (told,) = silent.warnings  # the others have start values
    assert told.code == "W409" and "input `u` has no curve and no start value: 0 throughout" in told.message
    assert not lag.simulate(signals={"u": 3}).warnings


@pytest.mark.parametrize("name", ["u", "u.start"])
def test_an_input_is_set_for_the_whole_run(lag: saltus.Model, name: str) -> None:
    run = lag.simulate(set={name: 3, "T": 0.1, "n": -1})
    assert run["x"][-1] == pytest.approx(3 * (1 - math.exp(-1 / 0.1)), rel=1e-5)
    assert run["y"][-1] == -run["x"][-1] and not run.warnings and set(run["u"]) == {3}
    with pytest.raises(saltus.UsageError, match="must be true or false"):
        lag.simulate(set={"on": 7})
    with pytest.raises(saltus.UsageError, match="the input `u` is given a curve and a value"):
        lag.simulate(set={"u": 1}, signals={"u": 2})


def test_an_input_is_an_input_of_the_linear_system(lag: saltus.Model) -> None:
    near = lag.linearise(0.3, inputs=["u", "T"])
    assert near.B[0, 0] == pytest.approx(1 / T) and near.at["u"] == 0
    near = lag.linearise(0.3, inputs=["u"], set={"u": 2, "T": 0.5})
    assert near.B[0, 0] == pytest.approx(2) and near.at["u"] == 2
    rest = lag.steady(set={"u": 5})
    assert rest["x"] == pytest.approx(5)
    assert lag.linearise(state=rest, inputs=["u"], set={"u": 5}).gain()[0, 0] == pytest.approx(1)
    assert lag.simulate(signals={"u": 3})["x"][-1] == pytest.approx(3 * (1 - math.exp(-1 / T)), rel=1e-5)


def test_a_ramp_with_a_jump(lag: saltus.Model) -> None:
    """Up to 0.5 the answer to the ramp u = 2 t, from there on to the constant 3."""
    result = lag.simulate(signals={"u": ([0, 0.5, 0.5, 1], [0, 1, 3, 3])}, tolerance=1e-10)
    assert (result.at(0.5, left=True)["u"], result.at(0.5)["u"]) == (1, 3)
    assert result.at(0.25)["u"] == pytest.approx(0.5)
    before = 2 * (0.5 - T * (1 - math.exp(-0.5 / T)))
    assert result.at(0.5)["x"] == pytest.approx(before, rel=1e-8)
    assert result["x"][-1] == pytest.approx(3 + (before - 3) * math.exp(-0.5 / T), rel=1e-8)
    assert [e.time for e in result.events[1:]] == [0.5, 1.0]
    assert "next point of u" in repr(result.events) and "$" not in repr(result.events)
    assert not [name for name in result.names if "$" in name] and result.parameters == {"T": 0.2}


def test_booleans_and_integers_hold(lag: saltus.Model) -> None:
    result = lag.simulate(signals={"u": 1, "on": ([0, 0.3, 0.6], [1, 0, 1]), "n": ([0, 0.5], [2, -3])})
    values = [result.at(t) for t in (0.2, 0.3, 0.5, 0.7)]
    assert [v["on"] for v in values] == [True, False, False, True]
    assert [v["n"] for v in values] == [2, 2, -3, -3]
    assert [e.time for e in result.events[1:] if e.time < 1] == [0.3, 0.5, 0.6]


@pytest.mark.parametrize(("kind", "between"), [("linear", 1.5), ("hold", 1.0), ("smooth", 1.5)])
def test_kinds(lag: saltus.Model, kind: str, between: float) -> None:
    """The spline through points of a line is that line."""
    given = ([0, 0.25, 0.5, 0.75, 1], [0, 1, 2, 3, 4], kind)
    result = lag.simulate(signals={"u": given}, interval=0.125)
    assert result.at(0.375)["u"] == pytest.approx(between)
    assert (len(result.events) > 3) == (kind != "smooth")


def test_a_function_is_followed_and_its_jumps_are_found(lag: saltus.Model) -> None:
    """Against the closed form of the first part, and a separate integration of the second."""

    def u(t: float) -> float:
        return math.sin(7 * t) if t < 0.7123 else 2 + t

    result = lag.simulate(signals={"u": u}, tolerance=1e-9)
    jump = result.events[1]
    assert jump.time == pytest.approx(0.7123, abs=1e-12) and len(result.events) == 3
    assert result.at(jump.time, left=True)["u"] == pytest.approx(math.sin(7 * 0.7123), abs=1e-6)
    w = 7 * T
    at = [(math.sin(7 * t) - w * math.cos(7 * t) + w * math.exp(-t / T)) / (1 + w * w) for t in (0.3, 0.7123)]
    assert result.at(0.3)["x"] == pytest.approx(at[0], abs=1e-6)
    x, h = at[1], (1 - 0.7123) / 2000
    for k in range(2000):
        t = 0.7123 + k * h
        slopes = [(2 + t - x) / T]
        for part in (h / 2, h / 2, h):
            slopes.append((2 + t + part - (x + part * slopes[-1])) / T)
        x += h / 6 * (slopes[0] + 2 * slopes[1] + 2 * slopes[2] + slopes[3])
    assert result["x"][-1] == pytest.approx(x, abs=1e-6)


@settings(max_examples=40, deadline=None)
@given(st.floats(0.01, 0.99), st.floats(-5, 5), st.floats(0.5, 12))
def test_samples_are_as_good_as_the_function(where: float, height: float, frequency: float) -> None:
    def function(t: float) -> float:
        return math.cos(frequency * t) + (height if t > where else 0)

    points = _sampled(function, 0.0, 1.0, "u")
    assert (np.diff(points[:, 0]) >= 0).all()
    for t in np.linspace(0, 1, 301):
        if abs(t - where) > 1e-7:
            assert np.interp(t, points[:, 0], points[:, 1]) == pytest.approx(function(t), abs=1e-5)


def test_tables(lag: saltus.Model, tmp_path: Path) -> None:
    """A run drives another: a file, curves, a DataFrame with columns that are of no interest."""
    source = saltus.load("model S Real u = sin(5*time); Boolean on = time > 0.4; Real other = 1; end S;")
    run = source.simulate()
    run.save(tmp_path / "s.mat")
    wanted = lag.simulate(signals={"u": (run.time, run["u"]), "on": (run.time, run["on"])})["x"][-1]
    assert wanted != 0
    for signals in (tmp_path / "s.mat", str(tmp_path / "s.mat"), run.curves()):
        assert lag.simulate(signals=signals)["x"][-1] == pytest.approx(wanted, rel=1e-9)
    pandas = pytest.importorskip("pandas")
    assert lag.simulate(signals=run.to_pandas())["x"][-1] == pytest.approx(wanted, rel=1e-9)
    series = pandas.Series([0.0, 2.0], index=[0.0, 1.0])
    assert lag.simulate(signals={"u": series}).at(0.5)["u"] == pytest.approx(1)


def test_other_curves_need_no_translation(lag: saltus.Model) -> None:
    lag.simulate(signals={"u": 1})
    made = len(lag._translations)
    found = [lag.simulate(signals={"u": k})["x"][-1] for k in (1, 2, 4)]
    assert len(lag._translations) == made
    assert found[1:] == pytest.approx([2 * found[0], 4 * found[0]], rel=1e-4)


def test_an_input_of_a_linear_system(lag: saltus.Model) -> None:
    found = lag.linearise(0.3, inputs=["u"], signals={"u": ([0, 1], [0, 5])})
    assert np.allclose(found.B, 1 / T, rtol=1e-9) and found.at["u"] == pytest.approx(1.5)


def test_a_derivative_of_an_input() -> None:
    """A position that is prescribed: the force needs its second derivative."""
    model = saltus.load("model M input Real s; Real v = der(s), f = 2*der(v); end M;")
    times = np.linspace(0, 1, 201)
    result = model.simulate(signals={"s": (times, times**2, "smooth")}, interval=0.1)
    assert result.at(0.5)["v"] == pytest.approx(1, rel=1e-3)
    assert result.at(0.5)["f"] == pytest.approx(4, rel=1e-2)


@pytest.mark.parametrize(
    ("signals", "words"),
    [
        ({"U": 1}, "did you mean `u`"),
        ({"y": 1}, "the open inputs are `u`, `on` and `n`"),
        ({"u": ([0, 1], [1])}, "has 2 times and 1 values"),
        ({"u": ([1, 0], [1, 2])}, "goes back in time: 1 is followed by 0"),
        ({"u": ([0, 1], [1, math.nan])}, "not finite"),
        ({"u": ([0, 1], [1, 2], "cubic")}, "the kinds are linear, hold, smooth"),
        ({"u": "fast"}, "is none: give a number"),
        ({"u": lambda t: math.inf}, "is inf at time 0"),
        ({"u": lambda t: math.sin(1e6 * t)}, "too rough"),
        ("missing.csv", "cannot read 'missing.csv'"),
        (3, "not int"),
    ],
)
def test_what_is_no_signal(lag: saltus.Model, signals: object, words: str) -> None:
    with pytest.raises(saltus.UsageError) as caught:
        lag.simulate(signals=signals)
    assert words in str(caught.value)


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("Lag.mo").write_text(LAG)
    Path("u.csv").write_text("time,u,other\n0,0,9\n0.5,1,9\n0.5,3,9\n1,3,9\n")
    Path("on.csv").write_text("time,on\n0,1\n0.9,0\n")
    Path("none.csv").write_text("time,w\n0,1\n")
    arguments = ["simulate", "Lag.mo", "--signals", "u.csv", "--signals", "on.csv", "--output", "out.csv"]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    found = saltus.read_result("out.csv")
    assert found.at(0.5)["u"] == 3 and found.at(1.0)["on"] == 0 and found.at(0.8)["on"] == 1
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "Lag.mo", "--signals", "none.csv"])
    assert ended.value.code == 2 and "no column for an input" in capsys.readouterr().err
