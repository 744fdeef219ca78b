"""Tables against NumPy's interpolation, with random points and inputs, and the integral over corners."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.interpolate
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus

COVERS = (
    "Saltus.Blocks.Tables.Table1D",
    "Saltus.Blocks.Tables.Table2D",
    "Saltus.Blocks.Tables.Curve1D",
)

LINE = """
model Line "A sweep over a table of five points, with both ways to go on"
  parameter Real points[5, 2] = [-1, 2; 0, 0; 0.5, 1; 2, -1; 3, 0];
  parameter Real from = -3, to = 5;
  Real u = from + (to - from)*time, integral(start = 0, fixed = true);
  Saltus.Blocks.Tables.Table1D hold(table = points, u = u);
  Saltus.Blocks.Tables.Table1D go(table = points, u = u,
    extrapolation = Saltus.Blocks.Tables.Extrapolation.linear);
  Saltus.Blocks.Tables.Table1D two(u = u);
equation
  der(integral) = hold.y;
  annotation(experiment(StopTime = 1, Tolerance = 1e-9, Interval = 0.02));
end Line;
"""

CURVES = """
model Curves "One set of points, joined in three ways"
  import Saltus.Blocks.Tables.*;
  parameter Real points[6, 2] = [0, 0; 1, 1; 2, 1; 3, 4; 5, 3; 6, 3.5];
  Real u = -1 + 8*time, slope = der(monotone.y);
  Curve1D lines(table = points, u = u, interpolation = Interpolation.lines);
  Curve1D Akima(table = points, u = u, interpolation = Interpolation.Akima);
  Curve1D go(table = points, u = u, interpolation = Interpolation.Akima,
    extrapolation = Extrapolation.linear);
  Curve1D monotone(table = points, u = u);
  annotation(experiment(StopTime = 1, Interval = 0.002));
end Curves;
"""

SURFACE = """
model Surface "A curve over a grid of four rows and three columns"
  parameter Real grid[5, 4] = [0, -1, 0.5, 2; 0, 1, 2, 3; 1, 0, -1, 4; 2, 5, 1, 1; 4, -2, 0, 3];
  parameter Real r1 = 3.5, r2 = 3, w = 5;
  Real u1 = 2 + r1*sin(w*time), u2 = 0.5 + r2*cos(3*time);
  Saltus.Blocks.Tables.Table2D hold(table = grid, u1 = u1, u2 = u2);
  Saltus.Blocks.Tables.Table2D go(table = grid, u1 = u1, u2 = u2,
    extrapolation = Saltus.Blocks.Tables.Extrapolation.linear);
  Saltus.Blocks.Tables.Table2D small(u1 = u1, u2 = u2);
  annotation(experiment(StopTime = 2, Tolerance = 1e-9, Interval = 0.02));
end Surface;
"""


@pytest.fixture(scope="module")
def line() -> saltus.Model:
    return saltus.load(LINE)


@pytest.fixture(scope="module")
def curves() -> saltus.Model:
    return saltus.load(CURVES)


@pytest.fixture(scope="module")
def surface() -> saltus.Model:
    return saltus.load(SURFACE)


steps = st.lists(st.floats(0.05, 2), min_size=4, max_size=4)
heights = st.lists(st.floats(-5, 5), min_size=5, max_size=5)
ends = st.tuples(st.floats(-4, 0), st.floats(2, 9))


@settings(max_examples=30)
@given(steps=steps, values=heights, ends=ends, backwards=st.booleans())
def test_table_is_interpolation(
    line: saltus.Model, steps: list[float], values: list[float], ends: tuple[float, float], backwards: bool
) -> None:
    x = -1 + np.concatenate([[0.0], np.cumsum(steps)])
    begin, end = reversed(ends) if backwards else ends
    points = np.column_stack([x, values]).tolist()
    result = line.simulate(set={"points": points, "from": begin, "to": end})
    u = result["u"]
    assert np.abs(result["hold.y"] - np.interp(u, x, values)).max() < 1e-7
    straight = scipy.interpolate.interp1d(x, values, fill_value="extrapolate")(u)
    assert np.abs(result["go.y"] - straight).max() < 1e-7
    assert np.abs(result["two.y"] - np.clip(u, 0, 1)).max() < 1e-7
    corners = np.unique(np.concatenate([[begin, end], x[(x > min(ends)) & (x < max(ends))]]))
    area = np.trapezoid(np.interp(corners, x, values), corners) / (max(ends) - min(ends))
    assert result["integral"][-1] == pytest.approx(area, abs=1e-7)


def test_every_point_is_an_event(line: saltus.Model) -> None:
    result = line.simulate()
    crossed = sorted({round(8 * event.time - 3, 6) for event in result.events if 0 < event.time < 1})
    assert crossed == [-1, 0, 0.5, 1, 2, 3]  # five points; the table of two points has its ends at 0 and 1


@settings(max_examples=20)
@given(
    rows=st.lists(st.floats(0.3, 2), min_size=3, max_size=3),
    columns=st.lists(st.floats(0.3, 2), min_size=2, max_size=2),
    values=st.lists(st.floats(-5, 5), min_size=12, max_size=12),
)
def test_surface_is_interpolation(
    surface: saltus.Model, rows: list[float], columns: list[float], values: list[float]
) -> None:
    x, y = np.concatenate([[0.0], np.cumsum(rows)]), -1 + np.concatenate([[0.0], np.cumsum(columns)])
    z = np.reshape(values, (4, 3))
    grid = np.block([[np.array([[99.0]]), y[None, :]], [x[:, None], z]])
    result = surface.simulate(set={"grid": grid.tolist()})
    u1, u2 = result["u1"], result["u2"]
    inside = scipy.interpolate.RegularGridInterpolator((x, y), z)
    held = inside(np.column_stack([np.clip(u1, x[0], x[-1]), np.clip(u2, y[0], y[-1])]))
    assert np.abs(result["hold.y"] - held).max() < 1e-6
    beyond = scipy.interpolate.RegularGridInterpolator((x, y), z, bounds_error=False, fill_value=None)
    assert np.abs(result["go.y"] - beyond(np.column_stack([u1, u2]))).max() < 1e-6
    assert np.abs(result["small.y"] - np.clip(u1, 0, 1) * np.clip(u2, 0, 1)).max() < 1e-6


@settings(max_examples=25)
@given(
    steps=st.lists(st.floats(0.2, 2), min_size=5, max_size=5),
    values=st.lists(st.integers(-8, 8).map(float), min_size=6, max_size=6),
)
def test_curves(curves: saltus.Model, steps: list[float], values: list[float]) -> None:
    x = np.concatenate([[0.0], np.cumsum(steps)])
    result = curves.simulate(set={"points": np.column_stack([x, values]).tolist()})
    u = result["u"]
    held, inside = np.clip(u, x[0], x[-1]), (u > x[1]) & (u < x[-2])
    assert np.abs(result["lines.y"] - np.interp(u, x, values)).max() < 1e-9
    assert np.abs(result["Akima.y"] - scipy.interpolate.Akima1DInterpolator(x, values)(held)).max() < 1e-9
    pchip = scipy.interpolate.PchipInterpolator(x, values)
    if inside.any():
        assert np.abs(result["monotone.y"] - pchip(u))[inside].max() < 1e-9
        assert np.abs(result["slope"] - 8 * pchip(u, 1))[inside].max() < 1e-6
    for k in range(5):  # between two points it stays between their values
        piece = (u >= x[k]) & (u <= x[k + 1])
        between = result["monotone.y"][piece]
        assert (between >= min(values[k], values[k + 1]) - 1e-9).all()
        assert (between <= max(values[k], values[k + 1]) + 1e-9).all()
    beyond = u > x[-1]
    if beyond.sum() > 2:  # straight on
        assert np.abs(np.diff(result["go.y"][beyond], 2)).max() < 1e-6
