"""Tables in models: values, derivatives, events, files. Truth is NumPy's, SciPy's, or written by hand."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import Akima1DInterpolator
from scipy.io import savemat
from table_models import (
    AKIMA,
    ALWAYS,
    AT_JUMPS,
    CONSTANT,
    FRITSCH_BUTLAND,
    FUNCTIONS,
    HOLD,
    LAST_TWO,
    LINEAR,
    MAKIMA,
    NEVER,
    NONE,
    PERIODIC,
    STEFFEN,
    matrix,
)

import saltus
from saltus.core.diagnostics import SaltusError
from saltus.result.result import Result

X = np.array([0.0, 1.0, 1.5, 3.0, 4.0, 4.5, 6.0])
Y = np.array([1.0, 3.0, 3.5, 3.0, -1.0, -1.5, 2.0])
Curve = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def asked(table: str, smoothness: int, extrapolation: int, u: str = "12*time - 3") -> Result:
    """A table of one input, asked from -3 to 9."""
    text = f"""
    {FUNCTIONS}
    model M
      parameter T.Table1D id = T.Table1D("NoName", "NoName", {table}, {{2}}, {smoothness}, {extrapolation});
      parameter Real low = T.lowest(id), high = T.highest(id);
      Real u = {u}, y = T.value1D(id, 1, u), dy = der(y), z = T.plain1D(id, 1, u), dz = der(z);
    end M;
    """
    return saltus.load(text, model="M").simulate(stop_time=1.0)


def hermite(slopes: NDArray[np.float64]) -> Curve:
    """The cubic spline with these slopes, in the basis of Hermite."""

    def curve(u: NDArray[np.float64]) -> NDArray[np.float64]:
        k = np.clip(np.searchsorted(X, u, side="right") - 1, 0, len(X) - 2)
        h = X[k + 1] - X[k]
        t = (u - X[k]) / h
        return (
            (1 + 2 * t) * (1 - t) ** 2 * Y[k]
            + t * (1 - t) ** 2 * h * slopes[k]
            + t**2 * (3 - 2 * t) * Y[k + 1]
            + t**2 * (t - 1) * h * slopes[k + 1]
        )

    return curve


def by_hand(kind: int) -> NDArray[np.float64]:
    """The slopes of monotone splines, point by point."""
    d = np.diff(Y) / np.diff(X)
    slopes = [d[0]]
    for k in range(1, len(X) - 1):
        a, b, h, g = d[k - 1], d[k], X[k] - X[k - 1], X[k + 1] - X[k]
        if a * b <= 0:
            slopes.append(0.0)
        elif kind == FRITSCH_BUTLAND:
            slopes.append(3 * (h + g) / ((2 * g + h) / a + (g + 2 * h) / b))
        else:
            p = (a * g + b * h) / (h + g)
            slopes.append((math.copysign(1, a) + math.copysign(1, b)) * min(abs(a), abs(b), abs(p) / 2))
    return np.array([*slopes, d[-1]])


CURVES: dict[int, Curve] = {
    LINEAR: lambda u: np.interp(u, X, Y),
    CONSTANT: lambda u: Y[np.searchsorted(X, u, side="right") - 1],
    AKIMA: Akima1DInterpolator(X, Y),
    MAKIMA: Akima1DInterpolator(X, Y, method="makima"),
    FRITSCH_BUTLAND: hermite(by_hand(FRITSCH_BUTLAND)),
    STEFFEN: hermite(by_hand(STEFFEN)),
}


@pytest.mark.parametrize("smoothness", CURVES)
def test_interpolation_inside(smoothness: int) -> None:
    result = asked(matrix(np.column_stack([X, Y]).tolist()), smoothness, HOLD)
    u = result["u"]
    inside = (u >= X[0]) & (u <= X[-1])
    assert inside.sum() > 200
    assert result["y"][inside] == pytest.approx(CURVES[smoothness](u[inside]), abs=1e-12)
    assert result.parameters["low"] == X[0]
    assert result.parameters["high"] == X[-1]


@pytest.mark.parametrize("smoothness", CURVES)
def test_derivatives_are_those_of_the_curve(smoothness: int) -> None:
    """Declared by the annotation, and found automatically, against differences of the truth."""
    result = asked(matrix(np.column_stack([X, Y]).tolist()), smoothness, HOLD)
    u, h = result["u"], 1e-6
    inner = (u > X[0]) & (u < X[-1]) & (np.min(np.abs(u[:, np.newaxis] - X), axis=1) > 2 * h)
    curve = CURVES[smoothness]
    slope = 12 * (curve(u[inner] + h) - curve(u[inner] - h)) / (2 * h)
    assert result["dy"][inner] == pytest.approx(slope, rel=1e-6, abs=1e-6)
    assert result["dz"] == pytest.approx(result["dy"], abs=1e-9)


@pytest.mark.parametrize("smoothness", CURVES)
@pytest.mark.parametrize("extrapolation", [HOLD, LAST_TWO, PERIODIC])
def test_extrapolation(smoothness: int, extrapolation: int) -> None:
    result = asked(matrix(np.column_stack([X, Y]).tolist()), smoothness, extrapolation)
    u, y, curve = result["u"], result["y"], CURVES[smoothness]
    low, high, period = u < X[0], u > X[-1], X[-1] - X[0]
    if extrapolation == HOLD:
        assert np.all(y[low] == Y[0])
        assert np.all(y[high] == Y[-1])
        assert np.all(result["dy"][low | high] == 0)
    elif extrapolation == PERIODIC:
        assert y[low] == pytest.approx(curve(u[low] + period), abs=1e-9)
        assert y[high] == pytest.approx(curve(u[high] - period), abs=1e-9)
    else:
        h = 1e-7
        if smoothness in (LINEAR, CONSTANT):  # straight through the last two points
            first, last = (Y[1] - Y[0]) / (X[1] - X[0]), (Y[-1] - Y[-2]) / (X[-1] - X[-2])
        else:
            first = (curve(X[:1] + h)[0] - Y[0]) / h
            last = (Y[-1] - curve(X[-1:] - h)[0]) / h
        assert y[low] == pytest.approx(Y[0] + first * (u[low] - X[0]), rel=1e-5, abs=1e-5)
        assert y[high] == pytest.approx(Y[-1] + last * (u[high] - X[-1]), rel=1e-5, abs=1e-5)


def test_no_extrapolation_is_an_error_of_the_run() -> None:
    table = matrix(np.column_stack([X, Y]).tolist())
    assert asked(table, LINEAR, NONE, "6*time")["y"][-1] == Y[-1]
    with pytest.raises(SaltusError, match="outside of its abscissas"):
        asked(table, LINEAR, NONE, "6.1*time")


def test_one_and_two_rows() -> None:
    assert np.all(asked("[2, 7]", AKIMA, LAST_TWO)["y"] == 7)
    result = asked("[0, 1; 2, 5]", AKIMA, LAST_TWO)
    assert result["y"] == pytest.approx(1 + 2 * result["u"], abs=1e-12)


def test_many_rows_at_uneven_distances() -> None:
    """The search finds the interval, whatever the distances."""
    rng = np.random.default_rng(1)
    x = np.cumsum(rng.exponential(1.0, 500) ** 4 + 1e-6)
    y = rng.normal(size=500)
    x = (x - x[0]) / (x[-1] - x[0]) * 8 - 1
    result = asked(matrix(np.column_stack([x, y]).tolist()), LINEAR, HOLD)
    assert result["y"] == pytest.approx(np.interp(result["u"], x, y), abs=1e-9)


def test_several_columns_and_parameters_without_translation() -> None:
    text = f"""
    {FUNCTIONS}
    model M
      parameter Real table[3, 3] = [0, 1, 2; 1, 2, 4; 2, 5, 6];
      parameter Real factor = 1;
      parameter T.Table1D id = T.Table1D("NoName", "NoName", factor*table, {{3, 2}}, 1, 2);
      Real a = T.value1D(id, 1, time), b = T.value1D(id, 2, time);
    end M;
    """
    model = saltus.load(text, model="M")
    first = model.simulate(stop_time=2.0)
    assert (first["a"][-1], first["b"][-1]) == (6, 5)
    second = model.simulate(stop_time=2.0, set={"table[3,2]": 9.0})
    assert (second["a"][-1], second["b"][-1]) == (6, 9)
    third = model.simulate(stop_time=2.0, set={"factor": 2.0})
    assert third["b"][-1] == pytest.approx(4.0)  # at the abscissa 2 of 0, 2, 4
    assert model.simulate(stop_time=2.0)["b"][-1] == 5
    assert "id" not in first.parameters
    assert "id" not in first.names


def test_column_that_is_not_there() -> None:
    text = f"""
    {FUNCTIONS}
    model M
      parameter Integer column = 3;
      parameter T.Table1D id = T.Table1D("NoName", "NoName", [0, 1; 1, 2], {{column}}, 1, 2);
      Real a = T.value1D(id, 1, time);
    end M;
    """
    with pytest.raises(SaltusError, match="column 3 is asked for"):
        saltus.load(text, model="M").simulate()
    text = text.replace("T.value1D(id, 1, time)", "T.value1D(id, column, time)").replace(
        "column = 3", "column = 2"
    )
    with pytest.raises(SaltusError, match="no such column"):
        saltus.load(text, model="M").simulate()


def test_abscissas_that_fall_are_refused() -> None:
    with pytest.raises(SaltusError, match="strictly increasing: 1 is followed by 1"):
        asked("[0, 0; 1, 1; 1, 2]", LINEAR, HOLD)


def test_table_in_a_loop_and_in_a_state() -> None:
    """u is found from y = f(u) by Newton's method, and a table decides about a derivative: y' = -f(y)."""
    text = f"""
    {FUNCTIONS}
    model M
      parameter T.Table1D id = T.Table1D("NoName", "NoName", [-10, -20; 0, 0; 10, 20], {{2}}, 1, 2);
      parameter T.Table1D cubic = T.Table1D("", "", [0, 0; 1, 1; 2, 8; 3, 27; 4, 64], {{2}}, 2, 2);
      Real x(start = 3, fixed = true), u(start = 1);
    equation
      der(x) = -T.value1D(id, 1, x);
      T.value1D(cubic, 1, u) + u = 2 + 60*time;
    end M;
    """
    result = saltus.load(text, model="M").simulate(stop_time=1.0, tolerance=1e-9)
    assert result["x"][-1] == pytest.approx(3 * math.exp(-2), rel=1e-7)
    akima = Akima1DInterpolator([0, 1, 2, 3, 4], [0, 1, 8, 27, 64])
    assert akima(result["u"]) + result["u"] == pytest.approx(2 + 60 * result.time, abs=1e-7)


def test_index_reduction_differentiates_a_table_twice() -> None:
    """A mass whose position is given by a table: its force needs the second derivative (`order = 2`)."""
    x = np.linspace(0, 2, 9)
    table = matrix(np.column_stack([x, x**3]).tolist())
    text = f"""
    {FUNCTIONS}
    model M
      parameter T.Table1D id = T.Table1D("NoName", "NoName", {table}, {{2}}, 2, 2);
      Real s, v, f;
    equation
      s = T.value1D(id, 1, 1 + 0.5*time);
      der(s) = v;
      der(v) = f;
    end M;
    """
    result = saltus.load(text, model="M").simulate(stop_time=1.0)
    curve = Akima1DInterpolator(x, x**3)
    u = 1 + 0.5 * result.time
    off = np.min(np.abs(u[:, np.newaxis] - x), axis=1) > 1e-9  # the second derivative jumps at the points
    assert result["v"] == pytest.approx(0.5 * curve(u, nu=1), abs=1e-9)
    assert result["f"][off] == pytest.approx(0.25 * curve(u, nu=2)[off], abs=1e-9)


@pytest.mark.parametrize("method", ["bdf", "adams", "ida"])
def test_all_integrators_and_other_modes_ask_the_same_table(method: str) -> None:
    """An inductor behind an ideal diode, at a voltage from a table, i' = u as long as i > 0: u is 1 up to 1,
    falls to -1 at 3 and stays there. So i is 1 at 1, 1.5 at 2, 1 at 3 and 0 at 4; then the diode blocks."""
    text = f"""
    {FUNCTIONS}
    model M
      parameter T.Table1D id = T.Table1D("", "", [0, 1; 1, 1; 3, -1; 4, -1], {{2}}, 1, 1);
      Real u, v, i(start = 0, fixed = true), s(start = 1);
      Boolean off = s < 0;
    equation
      u = T.value1D(id, 1, time);
      der(i) = u - v;
      v = if off then s else 0;
      i = if off then 0 else s;
    end M;
    """
    result = saltus.load(text, model="M").simulate(stop_time=5.0, tolerance=1e-9, method=method)
    i, t = result["i"], result.time
    assert np.interp([1.0, 2.0, 3.0], t, i) == pytest.approx([1, 1.5, 1], abs=1e-6)
    assert i[-1] == 0
    assert np.max(t[i > 1e-6]) == pytest.approx(4.0, abs=0.02)
    assert result["v"][-1] == pytest.approx(-1, abs=1e-9)


# ---------------------------------------------------------------- time


def source(given: str, stop: float, tolerance: float = 1e-6) -> Result:
    text = f"""
    {FUNCTIONS}
    model M
      T.Source source({given});
      Real x(start = 0, fixed = true);
      Real y = source.y;
    equation
      der(x) = y;
    end M;
    """
    return saltus.load(text, model="M").simulate(stop_time=stop, tolerance=tolerance)


def event_times(result: Result) -> list[float]:
    return [round(float(e.time), 9) for e in result.events][1:]


def test_time_table_has_events_at_its_points() -> None:
    result = source("table = [0, 0; 1, 2; 2, 2; 3, 0]", 4.0, tolerance=1e-10)
    assert result["y"] == pytest.approx(
        np.where(result.time <= 3, np.interp(result.time, [0, 1, 2, 3], [0, 2, 2, 0]), 2 * (3 - result.time)),
        abs=1e-12,
    )
    assert event_times(result) == [1, 2, 3]
    # The integrator never steps over a kink.
    assert result["x"][-1] == pytest.approx(1 + 2 + 1 - 1, abs=1e-8)


def test_jump_has_both_limits() -> None:
    """At the instant of a jump the result has a row before and one after it."""
    result = source("table = [0, 1; 1, 1; 1, 3; 2, 3]", 2.0)
    at = result["y"][result.time == 1.0]
    assert (at[0], at[-1]) == (1, 3)
    assert np.all(result["y"][result.time < 1] == 1)
    assert np.all(result["y"][result.time > 1] == 3)
    assert result["x"][-1] == pytest.approx(4, abs=1e-9)


@pytest.mark.parametrize("scale", [1.0, 0.1, 3600.0, 1 / 3])
def test_scaled_time_goes_on_after_rounding(scale: float) -> None:
    """time/scale*scale is not time: events must neither stop nor repeat."""
    result = source(
        f"table = [0, 1; 0.1, 1; 0.1, 2; 0.3, 2; 0.3, 5; 0.7, 5], extrapolation = 1, scale = {scale}", scale
    )
    assert len(event_times(result)) == 3
    late = result.time / scale
    for low, high, value in ((0, 0.1, 1), (0.1, 0.3, 2), (0.3, 1, 5)):
        between = (late > low + 1e-9) & (late < high - 1e-9)
        assert between.any()
        assert np.all(result["y"][between] == value)
    assert result["x"][-1] == pytest.approx(scale * (0.1 + 0.4 + 3.5), rel=1e-8)


def test_events_at_jumps_only_and_none() -> None:
    table = "table = [0, 0; 1, 1; 2, 0; 2, 1; 3, 1], extrapolation = 1"
    assert event_times(source(f"{table}, events = {ALWAYS}", 4.0)) == [1, 2, 3]
    assert event_times(source(f"{table}, events = {AT_JUMPS}", 4.0)) == [2, 3]
    assert event_times(source(f"{table}, events = {NEVER}", 4.0)) == [3]


@pytest.mark.parametrize("smoothness", [LINEAR, CONSTANT])
def test_periodic_time_table(smoothness: int) -> None:
    """A saw-tooth: it jumps where a period ends."""
    result = source(f"table = [0, 0; 1, 1; 2, 2], extrapolation = {PERIODIC}, smoothness = {smoothness}", 7.5)
    phase = np.mod(result.time, 2)
    off = np.abs(result.time - np.round(result.time)) > 1e-9
    truth = phase if smoothness == LINEAR else np.floor(phase)
    assert result["y"][off] == pytest.approx(truth[off], abs=1e-12)
    assert event_times(result) == [1, 2, 3, 4, 5, 6, 7]
    at = result["y"][result.time == 4.0]
    assert (at[0], at[-1]) == (2 if smoothness == LINEAR else 1, 0)


def test_start_and_shift() -> None:
    """Nothing before the start; the table begins at its shift."""
    result = source("table = [0, 1; 1, 2; 2, 5], start = 0.5, shift = -1", 2.0)
    truth = np.where(result.time < 0.5, 0, np.interp(result.time + 1, [0, 1, 2], [1, 2, 5]))
    inside = (np.abs(result.time - 0.5) > 1e-9) & (result.time < 1)
    assert result["y"][inside] == pytest.approx(truth[inside], abs=1e-12)
    at = result["y"][result.time == 0.5]
    assert (at[0], at[-1]) == (0, pytest.approx(3.5))
    assert event_times(result) == [0.5, 1]
    later = source("table = [0, 1; 1, 2], start = 1", 1.5)
    assert later["y"][-1] == pytest.approx(1.5)
    assert later["y"][0] == 0


def test_smooth_time_table_has_no_events_inside() -> None:
    t = np.linspace(0, 3, 7)
    table = matrix(np.column_stack([t, np.sin(t)]).tolist())
    result = source(f"table = {table}, smoothness = {AKIMA}, events = {NEVER}", 2.5)
    assert event_times(result) == []
    assert result["y"] == pytest.approx(Akima1DInterpolator(t, np.sin(t))(result.time), abs=1e-12)


# ---------------------------------------------------------------- two inputs


def surface(table: str, smoothness: int, extrapolation: int) -> Result:
    text = f"""
    {FUNCTIONS}
    model M
      parameter T.Table2D id = T.Table2D("NoName", "NoName", {table}, {smoothness}, {extrapolation});
      parameter Real low[2] = T.lowest2D(id), high[2] = T.highest2D(id);
      Real u = 3 + 4*sin(7*time), v = 1.5 + 3*cos(5*time);
      Real y = T.value2D(id, u, v), dy = der(y), ddy = der(dy);
    end M;
    """
    return saltus.load(text, model="M").simulate(stop_time=3.0)


U = np.array([0.0, 1.0, 2.5, 3.0, 6.0])
V = np.array([0.0, 0.5, 2.0, 3.0])
Z = np.array([[math.sin(a) + a * b**2 for b in V] for a in U])
TABLE = matrix([[0, *V], *([a, *row] for a, row in zip(U, Z, strict=True))])


def bilinear(u: float, v: float) -> float:
    i = int(np.clip(np.searchsorted(U, u, side="right") - 1, 0, len(U) - 2))
    j = int(np.clip(np.searchsorted(V, v, side="right") - 1, 0, len(V) - 2))
    a, b = (u - U[i]) / (U[i + 1] - U[i]), (v - V[j]) / (V[j + 1] - V[j])
    return float(
        (1 - a) * (1 - b) * Z[i, j]
        + a * (1 - b) * Z[i + 1, j]
        + (1 - a) * b * Z[i, j + 1]
        + a * b * Z[i + 1, j + 1]
    )


@pytest.mark.parametrize("extrapolation", [HOLD, LAST_TWO])
def test_bilinear(extrapolation: int) -> None:
    result = surface(TABLE, LINEAR, extrapolation)
    assert (result.parameters["low[1]"], result.parameters["high[2]"]) == (U[0], V[-1])
    for u, v, y in zip(result["u"], result["v"], result["y"], strict=True):
        if extrapolation == HOLD:
            u, v = float(np.clip(u, U[0], U[-1])), float(np.clip(v, V[0], V[-1]))
        assert y == pytest.approx(bilinear(u, v), abs=1e-11)


@pytest.mark.parametrize("extrapolation", [HOLD, LAST_TWO, PERIODIC])
def test_akima_surface_is_smooth_and_exact_for_what_it_must_be(extrapolation: int) -> None:
    """Of a product of two curves the bivariate Akima interpolation is the product of their interpolations:
    Akima's weights are ratios, so the other factor cancels."""
    f, g = np.array([1.0, 3.0, 2.0, 4.0, 1.0]), np.array([2.0, 1.0, 4.0, 3.0])
    rows = [[0, *V], *([a, *(p * g)] for a, p in zip(U, f, strict=True))]
    result = surface(matrix(rows), AKIMA, extrapolation)
    u, v = result["u"], result["v"]
    inside = (u >= U[0]) & (u <= U[-1]) & (v >= V[0]) & (v <= V[-1])
    assert inside.sum() > 50
    truth = _akima_1974(U, f)(u[inside]) * _akima_1974(V, g)(v[inside])
    assert result["y"][inside] == pytest.approx(truth, abs=1e-11)
    if extrapolation == HOLD:
        clipped = _akima_1974(U, f)(np.clip(u, U[0], U[-1])) * _akima_1974(V, g)(np.clip(v, V[0], V[-1]))
        assert result["y"] == pytest.approx(clipped, abs=1e-11)
    if extrapolation == LAST_TWO:
        assert result["y"] == pytest.approx(_straight_outside(U, f, u) * _straight_outside(V, g, v), abs=1e-9)


def _akima_1974(x: NDArray[np.float64], y: NDArray[np.float64]) -> Curve:
    """Akima's end conditions of 1974 are those of 1970, which SciPy has."""
    curve: Curve = Akima1DInterpolator(x, y)
    return curve


def _straight_outside(
    x: NDArray[np.float64], y: NDArray[np.float64], u: NDArray[np.float64]
) -> NDArray[np.float64]:
    curve = Akima1DInterpolator(x, y)
    clipped = np.clip(u, x[0], x[-1])
    result: NDArray[np.float64] = curve(clipped) + curve(clipped, nu=1) * (u - clipped)
    return result


def test_derivatives_of_a_surface() -> None:
    """der(y) and der(der(y)) of f(u) g(v), by the rules of products and chains."""
    f, g = np.array([1.0, 3.0, 2.0, 4.0, 1.0]), np.array([2.0, 1.0, 4.0, 3.0])
    rows = [[0, *V], *([a, *(p * g)] for a, p in zip(U, f, strict=True))]
    result = surface(matrix(rows), AKIMA, LAST_TWO)
    t, u, v = result.time, result["u"], result["v"]
    inside = (u > U[0]) & (u < U[-1]) & (v > V[0]) & (v < V[-1])
    t, u, v = t[inside], u[inside], v[inside]
    assert len(t) > 50
    (f0, f1, f2), (g0, g1, g2) = (
        [Akima1DInterpolator(x, y)(at, nu=k) for k in range(3)] for x, y, at in ((U, f, u), (V, g, v))
    )
    du, dv = 28 * np.cos(7 * t), -15 * np.sin(5 * t)
    ddu, ddv = -196 * np.sin(7 * t), -75 * np.cos(5 * t)
    assert result["dy"][inside] == pytest.approx(f1 * g0 * du + f0 * g1 * dv, rel=1e-9, abs=1e-9)
    second = f2 * g0 * du**2 + f0 * g2 * dv**2 + 2 * f1 * g1 * du * dv + f1 * g0 * ddu + f0 * g1 * ddv
    assert result["ddy"][inside] == pytest.approx(second, rel=1e-9, abs=1e-7)


def test_constant_surface_and_thin_tables() -> None:
    result = surface(TABLE, CONSTANT, HOLD)
    for u, v, y in zip(result["u"], result["v"], result["y"], strict=True):
        i = max(int(np.searchsorted(U, u, side="right")) - 1, 0)
        j = max(int(np.searchsorted(V, v, side="right")) - 1, 0)
        assert y == Z[i, j]
    thin = surface(matrix([[0, *V], [1, *Z[2]]]), AKIMA, HOLD)
    assert thin["y"] == pytest.approx(Akima1DInterpolator(V, Z[2])(np.clip(thin["v"], 0, 3)), abs=1e-11)


@pytest.mark.parametrize("extrapolation", [HOLD, LAST_TWO])
@pytest.mark.parametrize("along", ["u", "v"])
def test_constant_in_a_table_that_varies_in_one_direction_only(along: str, extrapolation: int) -> None:
    """It is what a table of one input is: constant from point to point, outside held or straight on."""
    x, z = np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 4.0, 9.0, 16.0])
    rows = [[0, 1], *([a, b] for a, b in zip(x, z, strict=True))]
    if along == "v":
        rows = [list(column) for column in zip(*rows, strict=True)]
    result = surface(matrix(rows), CONSTANT, extrapolation)
    at = result[along]
    inside = (at >= x[0]) & (at < x[-1])
    assert 0 < inside.sum() < len(at)
    steps = z[np.clip(np.searchsorted(x, at, side="right") - 1, 0, 3)]
    assert result["y"][inside] == pytest.approx(steps[inside])
    outside = steps
    if extrapolation == LAST_TWO:
        outside = np.where(at < x[0], z[0] + 3 * (at - x[0]), z[3] + 7 * (at - x[3]))
    assert result["y"][~inside] == pytest.approx(outside[~inside])


# ---------------------------------------------------------------- files

TEXT = """#1
# a comment
double first(2, 2)   # and another one
 0  1
 1  2
float tab(3, 3)
0, 1, 2
1; 2; 4.5e0
2.0\t5 6.
"""


def from_file(path: Path, name: str) -> Result:
    text = f"""
    {FUNCTIONS}
    model M
      parameter String file = "{path.as_posix()}";
      parameter T.Table1D id = T.Table1D("{name}", file, fill(0.0, 0, 2), {{3, 2}}, 1, 2);
      parameter Real high = T.highest(id);
      Real a = T.value1D(id, 1, time), b = T.value1D(id, 2, time);
    end M;
    """
    return saltus.load(text, model="M").simulate(stop_time=1.0)


def test_text_file(tmp_path: Path) -> None:
    path = tmp_path / "tables.txt"
    path.write_text(TEXT)
    result = from_file(path, "tab")
    assert (result["a"][-1], result["b"][-1], result.parameters["high"]) == (4.5, 2, 2)
    with pytest.raises(SaltusError, match=r"no table `tub`.*`first`, `tab`"):
        from_file(path, "tub")
    with pytest.raises(SaltusError, match="cannot be read"):
        from_file(tmp_path / "missing.txt", "tab")
    path.write_text(TEXT.replace("5 6.", ""))
    with pytest.raises(SaltusError, match="3 times 3 numbers, but there are 7"):
        from_file(path, "tab")
    path.write_text(TEXT.replace("#1", "1"))
    with pytest.raises(SaltusError, match="`#1`"):
        from_file(path, "tab")


@pytest.mark.parametrize("version", ["4", "5"])
@pytest.mark.parametrize("compressed", [False, True])
def test_mat_file(tmp_path: Path, version: str, compressed: bool) -> None:
    table = np.array([[0, 1, 2], [1, 2, 4.5], [2, 5, 6]])
    path = tmp_path / "tables.mat"
    savemat(
        path, {"tab": table, "other": np.eye(2)}, format=version, do_compression=compressed and version == "5"
    )
    result = from_file(path, "tab")
    assert (result["a"][-1], result["b"][-1], result.parameters["high"]) == (4.5, 2, 2)
    with pytest.raises(SaltusError, match="no table `tub`"):
        from_file(path, "tub")


def test_mat_file_with_a_structure(tmp_path: Path) -> None:
    path = tmp_path / "tables.mat"
    savemat(path, {"s": {"tab": np.array([[0, 1, 2], [1, 2, 4.5], [2, 5, 6]])}})
    assert from_file(path, "s.tab")["a"][-1] == 4.5


def test_a_file_may_be_another_one(tmp_path: Path) -> None:
    """A String that a table is made of translates the model again."""
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text(TEXT)
    two.write_text(TEXT.replace("4.5e0", "7"))
    text = f"""
    {FUNCTIONS}
    model M
      parameter String file = "{one.as_posix()}";
      parameter T.Table1D id = T.Table1D("tab", file, fill(0.0, 0, 2), {{3}}, 1, 2);
      Real a = T.value1D(id, 1, time);
    end M;
    """
    model = saltus.load(text, model="M")
    assert model.simulate(stop_time=1.0)["a"][-1] == 4.5
    assert model.simulate(stop_time=1.0, set={"file": two.as_posix()})["a"][-1] == 7
