"""Curves over the numbers of steps: each mode of an instant has a place of its own."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from matplotlib.figure import Figure

import saltus
from saltus.core.diagnostics import UsageError
from saltus.result.result import Result
from saltus.show.plots.plot import plot

#: Two rounds, then two modes of a leaky diode.
SOURCE = """
model M
  Real u = if time < 0.5 then -1 else 1, i;
  Boolean off = u < 0, a(start = false, fixed = true), b(start = false, fixed = true);
equation
  i = u*(if off then 0.1 else 1);
  when time >= 0.25 then
    a = true;
  end when;
  when pre(a) then
    b = true;
  end when;
end M;
"""


@cache
def run() -> Result:
    return saltus.load(SOURCE).simulate(steps=True, interval=0.125)


def over_k(*names: str) -> Figure:
    return plot(run(), names, against="k")


def test_every_step_has_a_place() -> None:
    figure = over_k("i", "a")
    steps = run().steps
    curve, low = figure.axes[0].get_lines()[0], figure.axes[1].get_lines()[0]
    assert np.asarray(curve.get_xdata()).tolist() == steps.k.tolist()
    assert np.asarray(curve.get_ydata()).tolist() == steps["i"].tolist()
    assert low.get_drawstyle() == "steps-mid"
    assert figure.axes[-1].get_xlabel() == "step k"
    assert figure.axes[0].get_xlim() == (0, len(steps) - 1)


def test_mythical_modes_and_pinnacles_are_marked() -> None:
    steps = run().steps
    lines = over_k("i").axes[0].get_lines()
    marked = {str(line.get_label()): line for line in lines[1:]}
    assert set(marked) == {"mythical", "pinnacle"}
    for kind, line in marked.items():
        assert np.asarray(line.get_xdata()).tolist() == steps.k[steps.kind == kind].tolist()
        assert line.get_linestyle() == "None"
    assert np.asarray(marked["mythical"].get_ydata()).tolist() == [0.1]
    assert marked["mythical"].get_markerfacecolor() == "none" != marked["pinnacle"].get_markerfacecolor()


def test_instants_are_shaded() -> None:
    axes = over_k("i").axes[0]
    shades = [patch.get_extents().transformed(axes.transData.inverted()) for patch in axes.patches]
    assert [(round(s.x0, 6), round(s.x1, 6)) for s in shades] == [
        (first - 0.5, last + 0.5) for first, last in run().steps.instants
    ]


def test_refusals() -> None:
    with pytest.raises(UsageError, match="against 'x'"):
        plot(run(), against="x")
    with pytest.raises(UsageError, match="over time only"):
        plot(run(), against="k", modes=True)
    with pytest.raises(UsageError, match="kept no steps"):
        plot(saltus.load(SOURCE).simulate(), against="k")


def test_a_result_plots_itself_so() -> None:
    assert run().plot("i", against="k").axes[-1].get_xlabel() == "step k"
