"""Several runs in one picture, differences, phase plots, display units, impulses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from tests.translated_models import translated

import saltus
from saltus.ir.unit import conversion
from saltus.result.exchange.curves import Column, Curves
from saltus.show.plots.choice import default_names, is_decoration
from saltus.show.plots.drawn import Drawn, difference
from saltus.tools.cli import main

HEATER = """model Heater "A room"
  Real T(unit = "K", displayUnit = "degC", start = 289.15, fixed = true);
  Real w(unit = "rad/s", displayUnit = "rev/min") = 100, phi(unit = "rad", displayUnit = "deg") = sin(time);
  Boolean on(start = true, fixed = true);
  output Real loss(unit = "W") = 40*(T - 275.15);
  Integer lampColor = if on then 1 else 2;
equation
  2e5*der(T) = (if on then 1500 else 0) - loss;
  on = if pre(on) then T < 294.15 else T < 292.15;
  annotation(experiment(StopTime = 7200, Interval = 60));
end Heater;"""

CLUTCH = """model Clutch
  Real w1(unit = "rad/s"), w2(unit = "rad/s"), tau(unit = "N.m"), back = -tau;
  Boolean closed = time > 1;
initial equation
  w1 = 10; w2 = 1;
equation
  der(w1) = -tau; 2*der(w2) = tau;
  0 = if closed then w1 - w2 else tau;
  annotation(experiment(StopTime = 2));
end Clutch;"""

BALL = (Path(__file__).parents[3] / "examples" / "BouncingBall.mo").read_text()


def labels(axes: Axes) -> list[str]:
    return [text for line in axes.get_lines() if not (text := str(line.get_label())).startswith("_")]


def data(axes: Axes, k: int = 0) -> tuple[np.ndarray, np.ndarray]:
    line = axes.get_lines()[k]
    return np.asarray(line.get_xdata()), np.asarray(line.get_ydata())


# ---------------------------------------------------------------- display units


@pytest.mark.parametrize(
    ("unit", "display", "number", "shown"),
    [
        ("K", "degC", 273.15, 0.0),
        ("K", "degF", 255.3722222222222, 0.0),
        ("rad/s", "rev/min", 2 * np.pi, 60.0),
        ("rad/s", "rpm", np.pi / 30, 1.0),
        ("rad/s", "1/min", 2 * np.pi, 60.0),
        ("Hz", "1/min", 1.0, 60.0),
        ("rad", "deg", np.pi, 180.0),
        ("Pa", "bar", 2e5, 2.0),
        ("m/s", "km/h", 10.0, 36.0),
    ],
)
def test_units_are_converted(unit: str, display: str, number: float, shown: float) -> None:
    factor, offset = conversion(unit, display) or (np.nan, np.nan)
    assert factor * number + offset == pytest.approx(shown, abs=1e-9)


def test_what_is_no_such_unit_is_not_converted() -> None:
    assert conversion("K", "bar") is None and conversion("K", "furlong") is None


def test_curves_are_in_display_units() -> None:
    run = translated(HEATER).simulate()
    figure = run.plot("T", "w", "phi", "loss")
    assert [axes.get_ylabel() for axes in figure.axes] == ["[degC]", "[rev/min]", "[deg]", "[W]"]
    assert np.allclose(data(figure.axes[0])[1], run["T"] - 273.15)
    assert np.allclose(data(figure.axes[1])[1], 100 * 30 / np.pi)
    plain = run.plot("T", "w", display_units=False)
    assert [axes.get_ylabel() for axes in plain.axes] == ["[K]", "[rad/s]"]
    assert np.array_equal(data(plain.axes[0])[1], run["T"])


@pytest.mark.parametrize("suffix", [".mat", ".nc", ".h5", ".parquet"])
def test_files_keep_display_units(tmp_path: Path, suffix: str) -> None:
    for module in {".h5": ["h5py"], ".parquet": ["pyarrow"]}.get(suffix, []):
        pytest.importorskip(module, reason=f"{suffix} files need {module}")
    run = translated(HEATER).simulate()
    run.save(tmp_path / f"run{suffix}")
    found = saltus.plot(tmp_path / f"run{suffix}", ["T", "w"])
    assert [axes.get_ylabel() for axes in found.axes] == ["[degC]", "[rev/min]"]


# ---------------------------------------------------------------- several runs


def two() -> tuple[saltus.Result, saltus.Result]:
    model = translated(BALL)
    return model.simulate(), model.simulate(set={"h0": 1.1})


def test_runs_are_drawn_over_one_another() -> None:
    """With a variable on each axis colours tell runs apart, otherwise the kinds of lines do."""
    a, b = two()
    figure = saltus.plot([a, b], ["height", "velocity"])
    for axes, name in zip(figure.axes, ("height", "velocity"), strict=True):
        assert [line.get_color() for line in axes.get_lines()] == ["C0", "C1"]
        for k, run in enumerate((a, b)):
            assert np.array_equal(data(axes, k)[1], run[name])
    assert figure.axes[0].get_ylabel() == "height [m]"
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["run 1", "run 2"]
    room = translated(HEATER).simulate()
    together = saltus.plot({"one": room, "two": room}, ["T", "loss", "on", "w", "phi"])
    assert labels(together.axes[0]) == [] and labels(together.axes[1]) == []
    x = Curves("X", np.array([0.0, 1.0]), {"x": np.ones(2), "y": np.ones(2)})
    styled = saltus.plot({"one": x, "two": x}, ["x", "y"]).axes[0]
    assert [line.get_linestyle() for line in styled.get_lines()] == ["-", "-", "--", "--"]
    assert [line.get_color() for line in styled.get_lines()] == ["C0", "C1", "C0", "C1"]
    assert labels(styled) == ["x", "y"]


def test_a_variable_that_one_of_them_lacks() -> None:
    a, b = two()
    some = b.curves(["height"])
    figure = saltus.plot([a, some], ["height", "velocity"])
    assert [len(axes.get_lines()) for axes in figure.axes] == [2, 1]


def test_labels_tell_files_apart(tmp_path: Path) -> None:
    a, b = two()
    for name, run in (("one", a), ("two", b)):
        run.save(tmp_path / f"{name}.nc")
    figure = saltus.plot([tmp_path / "one.nc", tmp_path / "two.nc"], ["height"])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["one", "two"]


def test_axes_that_are_there_already() -> None:
    a, b = two()
    figure = Figure()
    left, right = figure.subplots(1, 2)
    assert a.plot("height", ax=left) is figure and saltus.plot([a, b], ["velocity"], ax=right) is figure
    assert labels(left) == ["height"] and left.get_ylabel() == "height [m]"
    assert labels(right) == ["run 1", "run 2"] and right.get_ylabel() == "velocity [m/s]"
    b.plot("height", ax=left)
    assert labels(left) == ["height", "height"] and len(figure.axes) == 2


# ---------------------------------------------------------------- differences


def test_differences() -> None:
    """Of two falling balls: constant until one of them hits the ground, on both sides of each event."""
    a, b = two()
    found = difference(Drawn(a), Drawn(b))
    until = found.time < a.events[1].time
    assert np.allclose(found.values("height")[until], 0.1)
    for one in (a, b):
        impact = one.events[1].time
        jump = np.diff(found.values("velocity")[found.time == impact])
        own = np.diff(one["velocity"][one.time == impact])
        assert np.allclose(jump, -own if one is a else own, atol=1e-9)
    figure = saltus.plot([a, b], ["height"], differences=True)
    assert figure.get_suptitle() == "BouncingBall: run 2 - run 1"
    with pytest.raises(saltus.UsageError, match="needs two results"):
        saltus.plot(a, differences=True)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=8), st.floats(-10, 10), st.floats(-10, 10))
def test_a_difference_is_linear(values: list[float], slope: float, offset: float) -> None:
    """Of curves and the same curves plus a straight line: the line, wherever the rows are."""
    times = np.linspace(0.0, 1.0, len(values))
    fine = np.linspace(0.0, 1.0, 11)
    first = Curves("A", times, {"x": np.array(values)})
    whole = np.union1d(times, fine)
    second = Curves("B", whole, {"x": first.resample(whole)["x"] + slope * whole + offset})
    found = difference(Drawn(first), Drawn(second))
    assert np.allclose(found.values("x"), slope * found.time + offset, atol=1e-9)


def test_a_difference_of_temperatures_is_in_kelvins() -> None:
    column = Column("K", display="degC")
    a, b = (Curves("A", np.array([0.0, 1.0]), {"T": np.array([t, t])}, {"T": column}) for t in (300.0, 301.0))
    found = difference(Drawn(a), Drawn(b))
    assert found.titled("T") == "T [K]" and found.values("T").tolist() == [1.0, 1.0]


# ---------------------------------------------------------------- phase plots, impulses


def test_a_phase_plot() -> None:
    """Over another variable, with gaps at jumps, which are dotted."""
    run, _ = two()
    (axes,) = run.plot("velocity", against="height").axes
    assert axes.get_xlabel() == "height [m]"
    x, y = data(axes)
    jumps = np.flatnonzero(np.diff(run.time) == 0)
    assert np.isnan(x).sum() == len(jumps) > 5 and np.array_equal(x[~np.isnan(x)], run["height"])
    assert np.array_equal(y[~np.isnan(y)], run["velocity"])
    (dotted,) = axes.collections
    changed = run["velocity"][jumps] != run["velocity"][jumps + 1]
    assert len(dotted.get_segments()) == changed.sum() == len(run.events.of("velocity"))  # type: ignore[attr-defined]
    assert np.asarray(axes.get_lines()[1].get_xdata()).tolist() == [run["height"][0]]
    with pytest.raises(saltus.UsageError, match="did you mean `height`"):
        run.plot("velocity", against="hieght")


def test_impulses_are_arrows() -> None:
    """With what they add up to: the clutch hands over 6 N.m.s, by momentum."""
    run = translated(CLUTCH).simulate()
    tall = run.plot("tau", "back", "w1").axes
    (up,) = tall[0].texts
    assert up.get_text() == "6 N.m.s" and up.xy[0] == 1.0 and up.arrow_patch is not None  # type: ignore[attr-defined]
    (down,) = (text for axes in tall for text in axes.texts if text.get_text().startswith("-"))
    assert down.get_text().startswith("-6")
    low, high = tall[0].get_ylim()
    assert low <= 0 < high and not tall[-1].texts


# ---------------------------------------------------------------- what is drawn by default


@pytest.mark.parametrize(
    "name", ["color", "lamp.color[1]", "body.shape.lxw", "lampColor", "arrow.rArrow", "x.visualizer.r"]
)
def test_decorations_are_known(name: str) -> None:
    assert is_decoration(name)


@pytest.mark.parametrize("name", ["discolored", "reshaped.x", "coloration", "shaper.x", "animal.weight"])
def test_others_are_no_decorations(name: str) -> None:
    assert not is_decoration(name)


def test_outputs_states_and_switches_are_drawn() -> None:
    run = translated(HEATER).simulate()
    assert default_names(run) == ["loss", "T", "on"]


def test_parts_within_parts_come_last() -> None:
    text = """model Deep
      model Inner Real y(start = 1, fixed = true); equation der(y) = -y; end Inner;
      model Part Inner deep[8]; Real z(start = 1, fixed = true); equation der(z) = -z; end Part;
      Part part; Real x(start = 1, fixed = true); equation der(x) = -x; end Deep;"""
    names = default_names(saltus.load(text).simulate())
    assert set(names[:2]) == {"part.z", "x"} and len(names) == 8


# ---------------------------------------------------------------- the command


@pytest.fixture
def ends(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def run(*arguments: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main([str(a) for a in arguments])
        return int(ended.value.code or 0), capsys.readouterr().err

    return run


def test_the_command(tmp_path: Path, ends: Callable[..., tuple[int, str]]) -> None:
    a, b = two()
    a.save(tmp_path / "one.csv")
    b.save(tmp_path / "two.mat")
    target = tmp_path / "both.svg"
    assert ends("plot", tmp_path / "one.csv", tmp_path / "two.mat", "--output", target)[0] == 0
    text = target.read_text()
    assert "one" in text and "two" in text
    phase = tmp_path / "phase.png"
    command = ("plot", tmp_path / "two.mat", "--variables", "velocity", "--against", "height")
    assert ends(*command, "--output", phase)[0] == 0 and phase.read_bytes().startswith(b"\x89PNG")
    status, told = ends("plot", tmp_path / "two.mat", "--differences", "--output", phase)
    assert status == 2 and "needs two results" in told
    status, told = ends("plot", tmp_path / "two.mat", "--variables", "hieght", "--output", phase)
    assert status == 2 and "did you mean `height`" in told
    status, told = ends("plot", tmp_path / "none.mat", "--output", phase)
    assert status == 2 and "none.mat" in told


def test_a_run_is_drawn_over_a_variable(tmp_path: Path, ends: Callable[..., tuple[int, str]]) -> None:
    source = Path(__file__).parents[3] / "examples" / "BouncingBall.mo"
    target = tmp_path / "phase.png"
    assert ends("simulate", source, "--plot", target, "--plot-against", "height", "--quiet")[0] == 0
    status, told = ends("simulate", source, "--plot", target, "--plot-against", "hieght")
    assert status == 2 and "did you mean `height`" in told
