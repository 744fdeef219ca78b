"""Tables with narrow peaks, of time and of a state that grows: as external objects, and written by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
from scipy.interpolate import Akima1DInterpolator
from tools.lost_events.cases import Case, Draw, Signal, model_text
from tools.lost_events.truth import Grid, Vector, even

POINTS = 9

_EXTERNAL = """
class Table
extends ExternalObject;
function constructor
  input String tableName;
  input String fileName;
  input Real table[:, :];
  input Integer columns[:];
  input Integer smoothness;
  input Integer extrapolation;
  output Table table1D;
  external "C" table1D = ModelicaStandardTables_CombiTable1D_init2(fileName, tableName, table,
    size(table, 1), size(table, 2), columns, size(columns, 1), smoothness, extrapolation, false);
end constructor;
function destructor
  input Table table1D;
  external "C" ModelicaStandardTables_CombiTable1D_close(table1D);
end destructor;
end Table;
function value
  input Table table;
  input Integer column;
  input Real u;
  output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(table, column, u);
end value;
"""

_BY_HAND = """
function value
  input Real points[:, 2];
  input Real u;
  output Real y;
protected
  Integer i;
algorithm
  if u <= points[1, 1] then
    y := points[1, 2];
  elseif u >= points[end, 1] then
    y := points[end, 2];
  else
    i := 1;
    while u > points[i + 1, 1] loop
      i := i + 1;
    end while;
    y := points[i, 2] + (points[i + 1, 2] - points[i, 2])*(u - points[i, 1])
      /(points[i + 1, 1] - points[i, 1]);
  end if;
end value;
"""


def _points(draw: Draw, stop: float) -> tuple[Vector, Vector]:
    """Points at random, three of which are the foot, the top and the foot of a narrow peak."""
    width = stop * draw.decades(1e-4, 1e-1)
    top = draw.uniform(0.02 * stop + width, 0.98 * stop - width)
    others = np.array([0.0, *draw.sorted(POINTS - 4, 0.01 * stop, 1.1 * stop)])
    spread = np.where(np.abs(others - top) > 1.01 * width, others, np.nan)
    kept = others[~np.isnan(spread)]
    peak = top + width * np.array([-1.0, draw.uniform(-0.8, 0.8), 1.0])
    x = np.unique(np.concatenate([kept, peak]))
    while len(x) < POINTS:  # points that the peak has pushed away are put behind the end
        x = np.append(x, x[-1] + 0.1 * stop)
    y = np.array([draw.uniform(0.0, 0.5) for _ in x])
    y[np.searchsorted(x, peak[1])] = draw.uniform(0.6, 1.0)
    return x, y


def _table(kind: str, place: str, draw: Draw) -> Case:
    stop = draw.decades(1e-2, 1e4) if draw.yes() else float(draw.whole(1, 1000))
    x, y = _points(draw, stop)
    threshold = draw.uniform(0.1, 0.99)
    smooth = kind == "Akima"
    if kind == "ByHand":
        classes, call, parameter = _BY_HAND, "value(points, u)", ""
    else:
        classes, call = _EXTERNAL, "value(table, 1, u)"
        parameter = (
            f'parameter Table table = Table("NoName", "NoName", points, {{2}}, {2 if smooth else 1}, 1);'
        )
    rows = "; ".join(f"{i}, 0" for i in range(POINTS))
    variables = f"parameter Real points[{POINTS}, 2] = [{rows}];\n{parameter}\nReal y1;"
    if place == "State":
        variables, equation = f"{variables}\nReal u(start = 0, fixed = true);", "der(u) = 1;"
    else:
        variables, equation = f"{variables}\nReal u;", "u = time;"
    if place == "Beside":
        variables, equation = f"{variables}\nReal z(start = 1, fixed = true);", f"{equation}\nder(z) = -k*z;"
    text = model_text(kind + place, "k c1", variables, f"{equation}\ny1 = {call};", classes=classes)
    parameters = {"c1": threshold, "k": draw.decades(0.01, 10.0) / stop}
    parameters |= {f"points[{i + 1},1]": float(x[i]) for i in range(POINTS)}
    parameters |= {f"points[{i + 1},2]": float(y[i]) for i in range(POINTS)}
    spline = Akima1DInterpolator(x, y)

    def formula(t: Vector) -> Vector:
        if smooth:
            return np.asarray(spline(np.clip(t, x[0], x[-1])))
        return np.asarray(np.interp(t, x, y))

    accuracy = 1e-6 * stop / float(np.diff(x).min()) if place == "State" else 0.0
    return Case(
        f"{kind} {place}", text, parameters, stop, [Signal(formula, _grid(x, stop), threshold, accuracy)]
    )


def _grid(x: Vector, stop: float) -> Grid:
    """Dense between any two points; the time scale is the distance of neighbours."""
    inner = [a + (b - a) * np.linspace(0, 1, 33) for a, b in pairwise(x)]
    times = np.concatenate([even(stop, stop).times, *inner])
    times = np.unique(times[times <= stop])
    cells = np.clip(np.searchsorted(x, times, side="right") - 1, 0, len(x) - 2)
    return Grid(times, np.diff(x)[cells])


def _tables(*kinds: str) -> tuple[Callable[[Draw], Case], ...]:
    return tuple(partial(_table, kind, place) for kind in kinds for place in ("Alone", "Beside", "State"))


TABLES = _tables("Linear", "Akima")
HANDMADE = _tables("ByHand")
