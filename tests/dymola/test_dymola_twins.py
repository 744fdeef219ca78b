"""The models of the paper in Dymola against those of the gallery, which people wrote in Modelica."""

from __future__ import annotations

import numpy as np
import pytest
from dymola_examples import example

import saltus

PAPER = "Saltus.Examples.Papers.Elmqvist1993."

#: Example, model of the gallery, and variables with their names and signs there.
TWINS = {
    "Rectifier": ("Fig5_Rectifier", {"Diode.i": "Diode.i", "Diode.u": "Diode.u", "y": "-y", "Ri.u": "Ri.u"}),
    "DiodeLoop": ("Sec7_DiodeLoop", {"Diode.i": "i", "y": "-y"}),
    "SwitchCircuit": ("Fig3_SwitchCircuit", {"y": "y", "Sw.i": "Sw.i", "Sw.u": "Sw.u", "R1.i": "R1.i"}),
    "Limiter": ("Fig2_Limiter", {"limiter.y": "y", "limiter.x": "x"}),
    "Hysteresis": ("Sec5_Hysteresis", {"hysteresis.y": "y"}),
    "SampledSystem": ("Sec5_SampledSystem", {"controller.x": "x", "y": "u"}),
    "Propagation": ("Sec5_BooleanPropagation", {"a": "a", "b": "b", "c": "c", "d": "d", "n": "n"}),
}


@pytest.mark.parametrize("name", TWINS)
def test_twin(name: str) -> None:
    """Equal to 1e-9 at all output points; events included, since both have rows before and after them."""
    model, names = TWINS[name]
    interval = saltus.load(example(name)).experiment.interval
    one = saltus.load(example(name)).simulate(tolerance=1e-11, interval=interval)
    other = saltus.load(PAPER + model).simulate(tolerance=1e-11, interval=interval, stop_time=one.time[-1])
    grid = np.arange(1, int(one.time[-1] / interval)) * interval
    for own, its in names.items():
        sign = -1 if its.startswith("-") else 1
        pairs = ((one, own), (other, its.lstrip("-")))
        values = [np.interp(grid, r.time, np.asarray(r[n], dtype=float)) for r, n in pairs]
        scale = max(1.0, float(np.abs(values[1]).max()))
        np.testing.assert_allclose(values[0], sign * values[1], atol=1e-9 * scale, err_msg=own)


def test_inlined_rectifier_is_that_of_the_lecture() -> None:
    """In Modelica the step of the inductor is a clock, here it is a time that is put off."""
    one = saltus.load(example("InlinedRectifier")).simulate(tolerance=1e-11)
    other = saltus.load("Saltus.Examples.Papers.Cellier2013.Slide_MixedModeII_Rectifier").simulate(
        tolerance=1e-11, stop_time=0.06, interval=1e-4
    )
    grid = (np.arange(599) + 0.5) * 1e-4  # between the steps
    for own, its in {"u2": "u_2", "i0": "i_0", "s": "s", "uL": "u_L"}.items():
        values = [np.interp(grid, r.time, r[n]) for r, n in ((one, own), (other, its))]
        np.testing.assert_allclose(*values, atol=1e-9 * max(1.0, float(np.abs(values[1]).max())), err_msg=own)


def test_two_blocks_move_as_those_of_the_gallery() -> None:
    """Other parts (connectors with positions only), and the same data; the forces have the other sign."""
    data = {"f1.R0": 1.2, "f1.Rm": 1, "f1.Rv": 0.3, "m1.m": 1}
    data |= {"f2.R0": 0.7, "f2.Rm": 0.6, "f2.Rv": 0.1, "m2.m": 0.5}
    one = saltus.load(example("TwoBlock")).simulate(tolerance=1e-11, stop_time=8)
    gallery = saltus.load(PAPER + "Fig7_TwoBlocks")
    other = gallery.simulate(tolerance=1e-11, stop_time=8, interval=0.05, set=data)
    grid = np.arange(1, 160) * 0.05
    for name in ("f1.v", "f2.v", "f1.p", "f2.p"):
        values = [np.interp(grid, r.time, r[name]) for r in (one, other)]
        np.testing.assert_allclose(values[0], -values[1], atol=1e-7, err_msg=name)
