"""Parameters as sliders: nothing is compiled when one moves."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import saltus
from saltus.emit.llvm import jit

DECAY = """
model Decay
  parameter Real k(min = 0.1, unit = "1/s") = 2 "rate";
  parameter Integer n(min = 1) = 1;
  parameter Boolean on = true;
  parameter Level level = Level.low;
  parameter Integer size = 2;
  type Level = enumeration(low, high);
  Real x(start = 1, fixed = true);
  Real y[size] = fill(x, size);
equation
  der(x) = if on then -n*k*x*(if level == Level.high then 2 else 1) else 0;
end Decay;
"""
README = Path(__file__).parents[2] / "README.md"
CIRCUIT = re.search(r"```modelica circuit\.mo\n(.*?)```", README.read_text(), re.S)


@pytest.fixture(scope="module")
def model() -> saltus.Model:
    return saltus.load(DECAY)


def final(explorer: Any) -> float:
    return float(explorer.result["x"][-1])


def test_a_slider_moves_the_curves(model: saltus.Model) -> None:
    explorer = saltus.explore(model, "k", plot="x", stop_time=1, tolerance=1e-10)
    assert final(explorer) == pytest.approx(math.exp(-2), rel=1e-7)
    before = explorer._picture.value
    explorer.control("k").value = 1
    assert final(explorer) == pytest.approx(math.exp(-1), rel=1e-7)
    assert explorer.values == {"k": 1}
    assert explorer._picture.value != before and "<svg" in explorer._picture.value


def test_nothing_is_compiled_for_the_circuit_of_the_readme(monkeypatch: pytest.MonkeyPatch) -> None:
    assert CIRCUIT is not None
    model = saltus.load(CIRCUIT[1])
    explorer = model.sliders("load.R", ranges={"coil.L": (0.005, 0.05)}, plot=["coil.i", "load.v"])

    def compiled(*given: Any, **named: Any) -> None:
        raise AssertionError("it is compiled again")

    # What every piece of native code goes through, and every translation.
    monkeypatch.setattr(jit, "_load", compiled)
    monkeypatch.setattr("saltus.model.translate", compiled)
    means = []
    for resistance in (2.5, 5.0, 10.0):
        explorer.control("load.R").value = resistance
        assert explorer.result["load.R"][0] == resistance
        means.append(float(np.mean(explorer.result["load.v"])))
    explorer.control("coil.L").value = 0.01
    assert explorer.result["coil.L"][0] == 0.01
    assert means == sorted(means)  # a larger resistance draws less from the capacitor


def test_other_kinds_of_parameters_have_controls_of_their_own(model: saltus.Model) -> None:
    explorer = model.sliders("on", "n", "level", stop_time=1, tolerance=1e-10)
    kinds = [type(explorer.control(name)).__name__ for name in ("on", "n", "level")]
    assert kinds == ["Checkbox", "IntSlider", "Dropdown"]
    explorer.control("n").value = 2
    assert final(explorer) == pytest.approx(math.exp(-4), rel=1e-7)
    explorer.control("level").value = "high"
    assert final(explorer) == pytest.approx(math.exp(-8), rel=1e-6)
    explorer.control("on").value = False
    assert final(explorer) == 1


def test_ranges_go_around_the_value_within_what_is_declared(model: saltus.Model) -> None:
    slider = model.sliders("k", stop_time=1).control("k")
    assert (slider.min, slider.max, slider.value) == (0.5, 8, 2)
    slider = model.sliders("n", stop_time=1).control("n")
    assert (slider.min, slider.max) == (1, 4)
    given = model.sliders("k", set={"k": 3}, ranges={"k": (1, 5)}, stop_time=1)
    assert given.values == {"k": 3} and given.result is not None and given.result["k"][0] == 3


def test_without_names_the_first_numbers_are_there(model: saltus.Model) -> None:
    assert set(model.sliders(stop_time=1).values) == {"k"}


@pytest.mark.parametrize(
    ("names", "ranges", "words"),
    [
        (["nothing"], {}, "there is no parameter `nothing`"),
        (["size"], {}, "determines which equations the model has"),
        ([], {"k": (3, 1)}, "cannot go from 3 to 1"),
    ],
)
def test_what_cannot_be_a_slider_is_refused(
    model: saltus.Model, names: list[str], ranges: dict[str, Any], words: str
) -> None:
    with pytest.raises(saltus.UsageError, match=re.escape(words)):
        model.sliders(*names, ranges=ranges)


def test_a_run_that_fails_is_shown_as_far_as_it_came() -> None:
    model = saltus.load("model P parameter Real a = 5; Real x = sqrt(a - time); end P;")
    explorer = model.sliders("a", ranges={"a": (0.5, 5)}, plot="x", stop_time=1)
    assert "error[" not in explorer._told.value
    explorer.control("a").value = 0.5
    assert "error[E407]" in explorer._told.value
    assert explorer.result is not None and explorer.result.time[-1] == pytest.approx(0.5, abs=0.05)
    explorer.control("a").value = 2.0
    assert "error[" not in explorer._told.value


def test_without_ipywidgets_it_is_said_what_to_install(
    model: saltus.Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    with pytest.raises(saltus.UsageError, match=r"pip install saltus\[notebook\]"):
        model.sliders("k")
