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


CLOCKED = """
model Clocked
  Real fast = sample(2*time, Clock(1, 4)), slow = subSample(fast, 2), still = hold(slow);
  Integer count(start = 0);
  Real next(start = 0.3);
equation
  when Clock(time >= hold(next)) then
    next = previous(next) + 0.3;
    count = 7;
  end when;
end Clocked;
"""


def dots(figure: Figure, name: str) -> tuple[list[float], list[float]]:
    """Times and values of the dots in the panel of a variable."""
    for axes in figure.axes:
        if name in [line.get_label() for line in axes.lines]:
            found = [line for line in axes.lines if line.get_marker() == "o"]
            times, values = found[0].get_data() if found else ([], [])
            return list(times), list(values)
    raise AssertionError(name)


def test_ticks_are_dots_on_the_curves_of_what_has_a_clock() -> None:
    """A dot at each tick, also where the value stays the same."""
    result = saltus.load(CLOCKED).simulate(stop_time=1.1)
    marked = {name: dots(plot(result, [name]), name) for name in ("fast", "slow", "count", "next", "still")}
    assert marked["fast"] == (pytest.approx([0, 0.25, 0.5, 0.75, 1]), pytest.approx([0, 0.5, 1, 1.5, 2]))
    assert marked["slow"] == (pytest.approx([0, 0.5, 1]), pytest.approx([0, 1, 2]))
    assert marked["count"] == (pytest.approx([0.3, 0.6, 0.9]), [7, 7, 7])
    assert marked["next"] == (pytest.approx([0.3, 0.6, 0.9]), pytest.approx([0.6, 0.9, 1.2]))
    assert marked["still"] == ([], [])


def test_ticks_of_what_was_stored_are_marked_and_many_are_not() -> None:
    stored = saltus.load(CLOCKED).simulate(stop_time=1.1, store=["slow"])
    assert dots(plot(stored, ["slow"]), "slow")[0] == pytest.approx([0, 0.5, 1])
    assert dots(plot(saltus.load(CLOCKED).simulate(stop_time=40), ["fast"]), "fast") == ([], [])
