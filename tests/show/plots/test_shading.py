"""Modes behind curves: what is coloured from where to where."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from changing_programs import switched_off
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh

import saltus
from saltus.result.result import Result
from saltus.show.plots.modes import plot_modes
from saltus.show.plots.plot import plot
from saltus.tools.cli import main

MODEL = """model Steps
  Real x(start = 0, fixed = true);
equation
  der(x) = if time < 0.25 then 1 elseif time < 0.75 then -1 else 1;
end Steps;
"""


@pytest.fixture(scope="module")
def steps() -> Result:
    return saltus.load(MODEL).simulate()


def meshes(axes: Axes) -> list[QuadMesh]:
    return [c for c in axes.collections if isinstance(c, QuadMesh)]


def test_shades_begin_and_end_with_the_modes(steps: Result) -> None:
    curves, strip = plot(steps, ["x"], modes=True).axes
    (shade,), (bar,) = meshes(curves), meshes(strip)
    for mesh in (shade, bar):
        assert np.unique(mesh.get_coordinates()[..., 0]).tolist() == [0, 0.25, 0.75, 1]
        assert np.asarray(mesh.get_array()).ravel().tolist() == [0, 1, 2]
    assert [t.get_text() for t in strip.texts] == ["1", "2", "3"]
    labels = [t.get_text() for t in strip.get_legend().get_texts()]
    assert labels == ["1: time < 0.75, time < 0.25", "2: time < 0.75", "3: no guard holds"]
    # The shade covers the whole height and has no part in the limits.
    assert curves.get_ylim() == plot(steps, ["x"]).axes[0].get_ylim()
    corners = shade.get_transform().transform(shade.get_coordinates().reshape(-1, 2))
    height = curves.transAxes.transform([(0, 0), (1, 1)])[:, 1]
    assert (corners[:, 1].min(), corners[:, 1].max()) == pytest.approx(tuple(height))


def test_nobody_asked_or_nothing_to_show(steps: Result) -> None:
    (axes,) = plot(steps, ["x"]).axes
    assert not meshes(axes)
    one = saltus.load("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;").simulate()
    (axes,) = plot(one, ["x"], modes=True).axes
    assert not meshes(axes)


def test_modes_are_a_bar_above_those_of_variables(steps: Result) -> None:
    (axes,) = plot_modes(steps).axes  # no Boolean and no Integer: the relations themselves
    assert [t.get_text() for t in axes.get_yticklabels()] == ["modes", "time < 0.75", "time < 0.25"]
    bar, later, early = meshes(axes)
    assert np.unique(bar.get_coordinates()[..., 0]).tolist() == [0, 0.25, 0.75, 1]
    assert np.unique(later.get_coordinates()[..., 0]).tolist() == [0, 0.75, 1]
    assert np.asarray(early.get_array()).ravel().tolist() == [True, False]
    text = MODEL.replace("if time < 0.25", "if b").replace("Real x", "Boolean b = time < 0.25; Real x")
    (axes,) = plot_modes(saltus.load(text).simulate()).axes
    assert [t.get_text() for t in axes.get_yticklabels()] == ["modes", "time < 0.75", "b"]
    rows = [float(np.mean(m.get_coordinates()[..., 1])) for m in meshes(axes)]
    assert rows == pytest.approx([0.0, 1.0, 2.0])


def test_what_is_open_is_dotted() -> None:
    """Of the voltage, the rows from 3 to 5 in the mode that leaves it open."""
    (axes,) = plot(switched_off(), ["u"]).axes
    lines = {line.get_linestyle(): np.asarray(line.get_ydata()) for line in axes.get_lines()}
    np.testing.assert_array_equal(np.flatnonzero(~np.isnan(lines[":"])), [3, 4, 5])
    np.testing.assert_array_equal(np.flatnonzero(np.isnan(lines["-"])), [3, 4, 5])
    assert set(lines[":"][3:6]) == {5.0}


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "Steps.mo").write_text(MODEL)
    for name, options in (("plain.svg", []), ("shaded.svg", ["--shade-modes"])):
        with pytest.raises(SystemExit) as ended:
            main(["simulate", str(tmp_path / "Steps.mo"), "--plot", str(tmp_path / name), *options])
        assert ended.value.code == 0
    plain, shaded = ((tmp_path / name).read_text() for name in ("plain.svg", "shaded.svg"))
    assert "QuadMesh" in shaded and "QuadMesh" not in plain
