"""Models that once went wrong, as they were reported, each with its truth: by hand, or by another solver.

They stand for classes; the tests of the classes are elsewhere (`tests/events`, `tests/modes`). The first
line of each model says what is true.
"""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from tools.obedience.judge import violations

import saltus
from saltus.core.diagnostics import RunError
from saltus.result.result import Result

MODELS = Path(__file__).parent / "models"
sys.path.insert(0, str(Path(__file__).parents[1] / "modes"))
from passive_systems import _complementary  # noqa: E402

METHODS = ("bdf", "ida", "adams", "rk45", "auto")
W50 = 2 * np.pi * 50


def run(name: str, stop: float | None = None, tolerance: float = 1e-9, **settings: Any) -> Result:
    found = saltus.load(MODELS / f"{name}.mo").simulate(stop_time=stop, tolerance=tolerance, **settings)
    assert violations(found, tolerance) == []
    return found


def codes(result: Result) -> list[str]:
    return [w.code for w in result.warnings]


# ---------------------------------------------------------------- events


@pytest.mark.parametrize("method", METHODS)
def test_comparator(method: str) -> None:
    assert run("comparator", 1, 1e-6, method=method)["n"][-1] == 50


@pytest.mark.parametrize("method", METHODS)
def test_missed_events(method: str) -> None:
    result = run("missed_events", None, 1e-6, method=method)
    assert len(result.events) == 1 + 200 and abs(result["x"][-1]) < 1e-6  # the start is one


@pytest.mark.parametrize("method", METHODS)
def test_peak_detector(method: str) -> None:
    """It conducts up to the first maximum, and shortly before and after each of the others."""
    result = run("peak_detector", 0.9, 1e-6, method=method)
    assert len(result.events) == 1 + 1 + 2 * 44  # the start is one
    late = result.time > 0.006
    assert result["v"][late].min() > 9.98 and result["v"].max() < 10 + 1e-5
    assert codes(result) == []


@pytest.mark.parametrize(("stop", "method"), [(2, "bdf"), (20, "bdf"), (1, "ida"), (4, "rk45")])
def test_rectifier_for_long(stop: float, method: str) -> None:
    result = run("rectifier_long", stop, 1e-8, method=method, interval=5e-4)
    pulses = result.events.counts()
    assert sum(pulses.values()) in (100 * stop - 1, 100 * stop)
    starts = np.arange(1, 50 * stop) / 50
    peaks = [result["i"][(result.time > a) & (result.time < a + 0.02)].max() for a in starts[:-1]]
    alone = solve_ivp(lambda t, i: [(10 * np.sin(W50 * t) - 5 * i[0]) / 0.02], (0, 0.01), [0.0], rtol=1e-9)
    assert np.ptp(peaks) < 0.05 and max(peaks) <= float(alone.y.max()) + 1e-3


def test_relief_valve() -> None:
    result = run("relief_valve", None, 1e-6)
    opened = result.time[np.argmax(result["relief.closed"] < 0.5)]
    # p V = 1 bar * 1 l while it fills; 60 bar where 1 - 1/60 of it is filled, or so: about 4.9 s at 0.2 l/s.
    assert result["relief.closed"][0] == 1 and result["relief.closed"][-1] == 0 and 0 < opened < 12
    assert result["acc.port.p"].max() < 60e5 * 1.05


def test_vibrating_table() -> None:
    result = run("vibrating_table", 0.5)
    w = 1000 * np.pi
    first = brentq(lambda t: 0.02 - 9.81 / 2 * t**2 - 0.001 * np.sin(w * t), 0.0622, 0.0626)
    assert abs(first - 0.0623709) < 1e-7
    assert abs(next(e.time for e in result.events if e.kind == "state") - first) < 1e-8


@pytest.mark.parametrize("method", METHODS)
def test_tiny_scale(method: str) -> None:
    """L i' + R i = V sin(w t) from each zero of the source on, until the current is zero."""
    w, tau = 2 * np.pi, 0.1

    def current(p: float) -> float:  # in 1e-12 A
        swing = np.sin(w * p) - w * tau * np.cos(w * p) + w * tau * np.exp(-p / tau)
        return float(swing / (1 + (w * tau) ** 2))

    result = run("tiny_scale", 2.3, method=method)
    assert abs(current(0.3) - 0.8435) < 1e-4
    assert abs(result["i"][-1] - 1e-12 * current(0.3)) < 1e-17 and result["i"].min() > -1e-18
    end = brentq(current, 0.4, 0.9)
    np.testing.assert_allclose([e.time for e in result.events], [0, end, 1, 1 + end, 2], atol=1e-6)
    assert codes(result) == []


def test_household_water() -> None:
    coarse = run("household_water", 6000, 1e-6)
    fine = run("household_water", 6000, 1e-6, max_step=0.15)
    assert len(coarse.events) == len(fine.events) >= 479


def test_many_rectifiers() -> None:
    """Each opens as often as it closes, twice a period, whatever the others do."""
    result = run("indep12_long", 30, 1e-6)
    for k in range(1, 13):
        f = np.sqrt(1 + k / 7)
        changes = np.count_nonzero(np.diff(result[f"b[{k}]"]) != 0)
        assert abs(changes - 2 * 30 * f) <= 2
    assert result.statistics["programs"] <= 3


# ---------------------------------------------------------------- numbers, rounds, domains


def test_floor_at_rest() -> None:
    result = run("floor_at_rest", 1)
    expected = {"f1": 3, "f2": -4, "c1": 3, "c2": -4, "m1": 0, "m2": 0, "r1": 0, "r2": 0, "d1": 1, "d2": -2}
    expected |= {"m3": 0, "m4": 0, "d3": 2, "d4": 2, "i1": 3, "i2": -4}
    for name, value in expected.items():
        assert set(result[name]) == {value}, name


def test_cascade() -> None:
    result = run("cascade100", 1)
    assert all(result[f"b[{k}]"][-1] == 1 for k in range(1, 101))
    assert result["cnt"][-1] == 1 and result["t_last"][-1] == 0.5


def test_integers_that_grow() -> None:
    with pytest.raises(RunError, match="E413") as ended:
        run("int_overflow", 0.6)
    partial = ended.value.partial
    assert partial is not None
    exact = 1
    for k in range(1, 34):
        exact = 3 * exact + 1
        row = np.searchsorted(partial.time, 0.01 * k + 1e-9) - 1
        assert int(partial["n"][row]) == exact and int(partial["last"][row]) == exact % 10


def test_tank_that_empties() -> None:
    result = run("tank_sqrt_empty", 4, 1e-8)
    assert np.abs(result["h"] - np.maximum(1 - result.time / 2, 0) ** 2).max() < 1e-6


# ---------------------------------------------------------------- several solutions


@pytest.mark.parametrize(("name", "stop"), [("lcp_many", 1), ("painleve_indeterminate", 0.05)])
def test_several_solutions_are_told(name: str, stop: float) -> None:
    assert codes(run(name, stop)) == ["W404"]


# ---------------------------------------------------------------- modes


def test_dead_time() -> None:
    """By hand: 40 mA in a microsecond up or down, or nothing."""
    result = run("dead_time")
    corners = [(0, 0.42), (10.5, 0), (12, 0), (30, 0.72), (40, 0.32), (42, 0.24), (60, 0.96)]
    t, i = zip(*corners, strict=True)
    assert np.abs(result["L.i"] - np.interp(result.time * 1e6, t, i)).max() < 1e-9


def test_diodes_of_seven_sources() -> None:
    result = run("diode_or_7", 1)
    k = np.arange(1, 8)[:, None]
    sources = (10 + k / 7) * np.sin(2 * np.pi * (1 + 0.1 * k) * result.time)
    assert np.abs(result["R.p.v"] - sources.max(axis=0)).max() < 1e-8


@pytest.mark.parametrize(
    ("name", "inputs"),
    [
        (
            "lcs_rank1",
            lambda t: np.array([np.sin(1.6982945478707454 * t), np.cos(3.1982887875614483 * t) - 1]),
        ),
        (
            "lcs_int72",
            lambda t: np.array(
                [np.sin(5.4274816095443805 * t) + (2 if t >= 1.5 else 0), np.cos(4.1645677406260981 * t) - 1]
            ),
        ),
    ],
)
def test_complementarity_systems(name: str, inputs: Any) -> None:
    """By an implicit method in which each step is a complementarity problem."""
    text = (MODELS / f"{name}.mo").read_text()

    def matrix(letter: str) -> np.ndarray:
        found = re.search(rf"{letter}\[\d,\d\]=\[([^\]]*)\]", text)
        assert found is not None
        return np.array([[float(x) for x in row.split(",")] for row in found[1].split(";")])

    a, b, d, e = (matrix(letter) for letter in "ABDE")

    def solved(count: int) -> np.ndarray:
        h, x = 3.1 / count, np.zeros(len(a))
        step = np.linalg.inv(np.eye(len(a)) - h * a)
        for k in range(count):
            free = step @ (x + h * e @ inputs((k + 1) * h))
            x = free + h * step @ b @ _complementary(d + h * b.T @ step @ b, b.T @ free)
        return x

    truth = 2 * solved(400) - solved(200)
    result = run(name, 3.1, 1e-8)
    found = np.array([result[f"x[{k + 1}]"][-1] for k in range(len(a))])
    assert np.abs(found - truth).max() < 1e-2 * np.abs(truth).max()


def test_rectifier_with_power_factor_correction() -> None:
    """By a separate integration of the current and the voltage, with a comparator that is looked at in every
    step. The current stays within the band around its reference."""
    stop, h = 0.002, 1e-8
    result = run("pfc_hysteresis", stop)
    i, v, on = 0.0, 150.0, True
    for k in range(round(stop / h)):
        e = 100 * abs(math.sin(W50 * k * h))
        reference = 0.04 * e + 0.05
        on = i < reference - 0.2 or (on and i < reference + 0.2)
        flows = i > 0 or on or e > v
        slope = (e if on else e - v) / 2e-3 if flows else 0.0
        i, v = max(i + h * slope, 0.0), v + h * ((0.0 if on else i) - v / 100) / 2e-4
    assert abs(result["C.v"][-1] - v) < 1e-3 * v
    reference = 4 * np.abs(np.sin(W50 * result.time)) + 0.05
    assert (result["L.i"] - reference).max() < 0.2 + 1e-6


# ---------------------------------------------------------------- sliding, contacts and Zeno


@pytest.mark.parametrize(
    ("name", "of"), [("slide_nonlinear", ("y", "q")), ("slide_nonlinear_inline", ("y",))]
)
@pytest.mark.parametrize(("sliding", "end"), [("filippov", 2.0), ("equivalent", 0.5)])
def test_one_convention(name: str, of: tuple[str, ...], sliding: str, end: float) -> None:
    result = run(name, 2, sliding=sliding)
    for variable in of:
        assert abs(result[variable][-1] - end) < 1e-6


@pytest.mark.parametrize("method", METHODS)
def test_contact_that_bounces(method: str) -> None:
    """The first impact slower than 0.05 m/s is the last one: 4.43 m/s * 0.8^21."""
    result = run("contact_bounces_rk45", 6, method=method)
    assert abs(result["m.s"][-1]) < 1e-12 and result["m.s"].min() > -1e-9
    impacts = [x.weight for x in result.impulses["m.flange_a.f"]]
    speeds = np.sqrt(2 * 9.81) * 0.8 ** np.arange(22)
    expected = 2 * speeds * np.where(speeds > 0.05, 1.8, 1.0)
    expected = expected[: int(np.argmax(speeds <= 0.05)) + 1]
    assert len(impacts) == len(expected) and np.abs(np.array(impacts) - expected).max() < 1e-5


def test_twisting() -> None:
    result = run("twisting", 6, zeno="rest")
    late = result.time > 4.4615 + 1e-3
    assert np.abs(result["x"][late]).max() < 1e-9 and np.abs(result["v"][late]).max() < 1e-9


@pytest.mark.parametrize("method", METHODS)
def test_rocking_block(method: str) -> None:
    """By hand: between two upright positions it swings up to an angle a and back, on one of its edges; with
    c = al - a, w = p sqrt(al^2 - c^2) and acosh(al/c) is p times half of that time."""
    p, al, r = 2.0, 0.3, 0.8
    a, end = 0.2, 0.0
    end += np.arccosh(al / (al - a)) / p
    w = p * np.sqrt(al**2 - (al - a) ** 2)
    for _ in range(400):
        w *= r
        end += 2 * np.arctanh(w / (p * al)) / p
    assert abs(end - 5.0621285) < 1e-6
    result = run("rocking_block_rest", 8, method=method, zeno="rest")
    late = result.time > end + 1e-4
    assert np.abs(result["th"][late]).max() < 1e-9 and np.abs(result["w"][late]).max() < 1e-9
    rests = [e.time for e in result.events if e.causes[0].kind == "resting"]
    assert abs(rests[0] - end) < 1e-4


@pytest.mark.parametrize("zeno", ["rest", "continue"])
def test_stacked_balls(zeno: str) -> None:
    result = run("stacked_zeno", 5, zeno=zeno)
    assert min(result["h1"].min(), (result["h2"] - result["h1"]).min()) > -1e-8
    assert abs(result["h1"][-1]) < 1e-9 and abs(result["h2"][-1]) < 1e-9


def test_oscillator_beside_a_zeno_point() -> None:
    result = run("zeno_taylor", 3, 1e-10, zeno="rest")
    assert np.abs(result["a"] ** 2 + result["b"] ** 2 - 1).max() < 2e-4
    assert abs(result["h"][-1]) < 1e-12
