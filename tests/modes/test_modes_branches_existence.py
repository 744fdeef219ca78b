"""If-equations whose branches have different numbers of equations: variables that exist now and then."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from branch_readings import assert_exists, at
from scipy.integrate import solve_ivp

from saltus.show.listings.visited import modes_text
from translated_models import translated

ROCKET = """
model Rocket "Drops its first stage, which falls to the ground and is gone"
  parameter Real g = 10, thrust = 30, after = 25;
  Boolean separated = time >= 2, landed(start = false, fixed = true);
  Real h(start = 0, fixed = true), v(start = 0, fixed = true);
  Real h1 "of the stage", v1;
  discrete Real impact(start = 0, fixed = true), moment(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = (if separated then after else thrust) - g;
  if separated and not landed then
    der(h1) = v1;
    der(v1) = -g;
  end if;
  when separated then
    reinit(h1, h);
    reinit(v1, v - 1);
  end when;
  when separated and h1 <= 0 then
    landed = true;
    impact = pre(v1);
    moment = time;
  end when;
  annotation(experiment(StopTime = 14));
end Rocket;
"""


@pytest.mark.parametrize("method", ["bdf", "adams", "ida", "rk45"])
def test_a_stage_exists_between_separation_and_landing(method: str) -> None:
    result = translated(ROCKET).simulate(tolerance=1e-9, method=method)
    # At 2 s both are 40 m high; the rocket has 40 m/s, the stage 39.
    landing = 2 + (39 + np.sqrt(39**2 + 2 * 10 * 40)) / 10
    assert_exists(result, "h1", 2.0, landing)
    assert_exists(result, "v1", 2.0, landing)
    # With an error of 4e-7 m, which the tolerance allows in 10 s, it lands 1e-8 s earlier or later.
    flight = (result.time > 2) & (result.time < landing - 1e-8)
    t = result.time[flight] - 2
    assert result["h1"][flight] == pytest.approx(40 + 39 * t - 5 * t**2, rel=1e-7, abs=1e-5)
    assert result["v1"][flight] == pytest.approx(39 - 10 * t, rel=1e-7, abs=1e-6)
    assert at(result, 14.0, "h", "impact", "moment") == pytest.approx(
        [40 + 40 * 12 + 7.5 * 144, 39 - 10 * (landing - 2), landing], rel=1e-7
    )


PENDULUM = """
model Pendulum "Its rope is cut, and it is caught again"
  parameter Real g = 9.81, L = 1.5, cutting = 0.7, catching = 1.1;
  Boolean free = time >= cutting and time < catching;
  Real phi(start = 1, fixed = true), w(start = 0, fixed = true);
  Real x, y, vx, vy, r;
equation
  if free then
    der(x) = vx;
    der(y) = vy;
    der(vx) = 0;
    der(vy) = -g;
    r^2 = x^2 + y^2;
  else
    der(phi) = w;
    der(w) = -g/L*sin(phi);
  end if;
  when free then
    reinit(x, L*sin(pre(phi)));
    reinit(y, -L*cos(pre(phi)));
    reinit(vx, L*pre(w)*cos(pre(phi)));
    reinit(vy, L*pre(w)*sin(pre(phi)));
  elsewhen not free then
    reinit(phi, atan2(pre(x), -pre(y)));
    reinit(w, (pre(vy)*pre(x) - pre(vx)*pre(y))/(pre(x)^2 + pre(y)^2));
  end when;
  annotation(experiment(StopTime = 2));
end Pendulum;
"""


def test_a_pendulum_that_is_cut_and_caught_changes_its_coordinates() -> None:
    result = translated(PENDULUM).simulate(tolerance=1e-9)
    g, length = 9.81, 1.5

    def swing(start: list[float], span: float) -> list[float]:
        found = solve_ivp(
            lambda t, s: [s[1], -g / length * np.sin(s[0])], (0, span), start, rtol=1e-11, atol=1e-12
        )
        return [float(s) for s in found.y[:, -1]]

    phi, w = swing([1.0, 0.0], 0.7)
    x, y = length * np.sin(phi), -length * np.cos(phi)
    vx, vy = length * w * np.cos(phi), length * w * np.sin(phi)
    assert at(result, 1.0, "x", "y", "vx", "vy") == pytest.approx(
        [x + 0.3 * vx, y + 0.3 * vy - g / 2 * 0.09, vx, vy - 0.3 * g], abs=1e-6
    )
    x, y, vy = x + 0.4 * vx, y + 0.4 * vy - g / 2 * 0.16, vy - 0.4 * g
    caught = [float(np.arctan2(x, -y)), (vy * x - vx * y) / (x**2 + y**2)]
    assert at(result, 2.0, "phi", "w") == pytest.approx(swing(caught, 0.9), abs=1e-6)
    assert_exists(result, "x", 0.7, 1.1)
    assert_exists(result, "r", 0.7, 1.1)
    gap = (result.time > 0.7 + 1e-9) & (result.time < 1.1 - 1e-9)
    assert np.isnan(result["phi"][gap]).all() and not np.isnan(result["phi"][~gap]).all()


TANK = """
model Tank "Has a level only while it is open; it is emptied when it is closed"
  parameter Real q = 1, A = 2;
  Boolean open(start = true, fixed = true);
  Real level(start = 0.5, fixed = true), outflow;
  Integer fillings(start = 0, fixed = true);
equation
  if open then
    A*der(level) = q - outflow;
    outflow = 0.5*level;
  end if;
  when level >= 1 then
    open = false;
    fillings = pre(fillings) + 1;
  elsewhen sample(3, 3) then
    open = true;
    fillings = pre(fillings);
  end when;
  annotation(experiment(StopTime = 10));
end Tank;
"""


def test_a_state_that_comes_back_begins_with_its_start_value() -> None:
    result = translated(TANK).simulate(tolerance=1e-9)
    full = 4 * np.log(1.5)  # level = 2 - 1.5*exp(-t/4)
    exists = ~np.isnan(result["level"])
    starts, t = np.array([0.0, 3.0, 6.0, 9.0]), result.time
    since = t - starts[np.searchsorted(starts, t, side="right") - 1]
    inside, outside = since < full - 1e-6, since > full + 1e-6
    assert exists[inside].sum() == inside.sum() - 3  # left limits at 3, 6 and 9: not yet
    assert not exists[outside].any()
    known = exists & inside
    assert result["level"][known] == pytest.approx(2 - 1.5 * np.exp(-since[known] / 4), abs=1e-7)
    assert result["outflow"][known] == pytest.approx(result["level"][known] / 2)
    assert at(result, 10.0, "fillings") == [3]


FORCE = """
model Force "The force of the rope exists only while it is taut: index 1 and 3"
  parameter Real g = 10, L = 1, m = 2;
  Real x(start = 0.6, fixed = true), y(start = -0.5, fixed = true);
  Real vx(start = 0, fixed = true), vy(start = 0, fixed = true), F;
  Boolean taut(start = false, fixed = true);
equation
  when x^2 + y^2 >= L^2 then
    taut = true;
  end when;
  der(x) = vx;
  der(y) = vy;
  if taut then
    x^2 + y^2 = L^2;
    m*der(vx) = -F*x;
    m*der(vy) = -F*y - m*g;
  else
    der(vx) = 0;
    der(vy) = -g;
  end if;
  annotation(experiment(StopTime = 0.6));
end Force;
"""


def test_a_force_that_exists_only_in_a_mode_of_index_three() -> None:
    result = translated(FORCE).simulate(tolerance=1e-9)
    fall = np.sqrt(2 * 0.3 / 10)
    start = [np.arctan2(0.6, 0.8), -10 * fall * 0.6]
    phi, w = solve_ivp(lambda t, s: [s[1], -10 * np.sin(s[0])], (fall, 0.6), start, rtol=1e-11, atol=1e-12).y[
        :, -1
    ]
    assert at(result, 0.6, "x", "y") == pytest.approx([np.sin(phi), -np.cos(phi)], abs=1e-7)
    assert at(result, 0.6, "F") == pytest.approx([2 * (w**2 + 10 * np.cos(phi))], abs=1e-5)
    assert_exists(result, "F", fall, 0.6)
    # The rope takes the radial momentum, 2*10*fall*0.8.
    assert [i.weight for i in result.impulses["F"]] == pytest.approx([2 * 10 * fall * 0.8], rel=1e-6)


BEAD = """
model Bead "As many equations on the rail as off it, for other variables"
  parameter Real g = 10, R = 2;
  Boolean off = time >= 0.5;
  Real s(start = 0.1, fixed = true), u(start = 0, fixed = true), h, v;
equation
  if off then
    der(h) = v;
    der(v) = -g;
  else
    der(s) = u;
    der(u) = g/R*s;
  end if;
  when off then
    reinit(h, R - pre(s)^2/(2*R));
    reinit(v, -pre(s)*pre(u)/R);
  end when;
end Bead;
"""


def test_branches_of_equal_length_for_different_variables() -> None:
    result = translated(BEAD).simulate(tolerance=1e-9)
    rate = np.sqrt(5)
    s, u = 0.1 * np.cosh(rate / 2), 0.1 * rate * np.sinh(rate / 2)
    h = 2 - s**2 / 4 - s * u / 2 * 0.5 - 5 * 0.25
    assert at(result, 1.0, "h", "v") == pytest.approx([h, -s * u / 2 - 5], abs=1e-6)
    assert at(result, 0.4, "s") == pytest.approx([0.1 * np.cosh(0.4 * rate)], abs=1e-7)
    assert_exists(result, "s", 0.0, 0.5)
    assert_exists(result, "h", 0.5, 1.0)


STAGES = """
model Stages
  type Phase = enumeration(first, second, third);
  Phase phase(start = Phase.first, fixed = true);
  Real x[3](start = {1, 2, 3}), y[3];
equation
  when time >= 1 then
    phase = Phase.second;
  elsewhen time >= 2 then
    phase = Phase.third;
  end when;
  for k in 1:3 loop
    if Integer(phase) >= k then
      der(x[k]) = -x[k];
      if phase == Phase.third then
        y[k] = 2*x[k];
      end if;
    end if;
  end for;
  annotation(experiment(StopTime = 3));
end Stages;
"""


def test_phases_in_a_loop_with_branches_inside_branches() -> None:
    result = translated(STAGES).simulate(tolerance=1e-9)
    for k in range(3):
        assert_exists(result, f"x[{k + 1}]", float(k), 3.0)
        assert_exists(result, f"y[{k + 1}]", 2.0, 3.0)
        end = (k + 1) * np.exp(-(3 - k))
        assert at(result, 3.0, f"x[{k + 1}]", f"y[{k + 1}]") == pytest.approx([end, 2 * end], rel=1e-7)


PLANT = """
package Plant
  connector Port
    Real p;
    flow Real q;
  end Port;
  model Source
    Port port;
    parameter Real p = 4;
  equation
    port.p = p;
  end Source;
  partial model Switched
    parameter Real from = 1, to = 2;
    Boolean on = time >= from and time < to;
  end Switched;
  model Vessel "Filled through a valve while it is there"
    extends Switched;
    Port port;
    parameter Real C = 1, R = 1;
    Real content(start = 0.5), p;
  equation
    if on then
      der(content) = port.q;
      content = C*p;
      port.p - p = R*port.q;
    else
      port.q = 0;
    end if;
  end Vessel;
  model Works
    parameter Integer n = 3;
    Source source;
    Vessel vessel[n](from = {1, 1.5, 2}, to = {2, 2.5, 3}, C = {1, 2, 4});
  equation
    for k in 1:n loop
      connect(source.port, vessel[k].port);
    end for;
    annotation(experiment(StopTime = 4));
  end Works;
end Plant;
"""


def test_an_array_of_components_with_connectors_each_of_which_exists_for_a_while() -> None:
    result = translated(PLANT, model="Plant.Works").simulate(tolerance=1e-9)
    total = np.zeros(len(result.time))
    for k, (start, size) in enumerate([(1.0, 1), (1.5, 2), (2.0, 4)], 1):
        assert_exists(result, f"vessel[{k}].p", start, start + 1)
        inside = (result.time > start + 1e-9) & (result.time < start + 1 - 1e-9)
        p = 4 + (0.5 / size - 4) * np.exp(-(result.time[inside] - start) / size)
        assert result[f"vessel[{k}].p"][inside] == pytest.approx(p, rel=1e-6)
        total[inside] += 4 - p
    away = np.all([np.abs(result.time - t) > 1e-9 for t in (1, 1.5, 2, 2.5, 3)], axis=0)
    assert result["source.port.q"][away] == pytest.approx(-total[away], abs=1e-6)


JOINED = """
model Joined "A clutch that closes while a third shaft exists"
  Real w1(start = 4, fixed = true), w2(start = 0, fixed = true), w3(start = 7), tau, t3;
  Boolean third = time >= 0.5 and time < 2.5;
equation
  der(w1) = -tau;
  3*der(w2) = tau - (if third then 1 else 0);
  if time >= 1 and time < 2 then
    w1 = w2;
  else
    tau = 0;
  end if;
  if third then
    2*der(w3) = t3;
    t3 = 1;
  end if;
  annotation(experiment(StopTime = 3));
end Joined;
"""


def test_modes_of_another_structure_while_something_exists() -> None:
    result = translated(JOINED).simulate(tolerance=1e-9)
    common = (4 - 3 * (0.5 / 3)) / 4
    assert at(result, 1.5, "w1", "w2", "tau") == pytest.approx([common - 0.125] * 2 + [0.25], rel=1e-8)
    end = common - 0.25
    assert at(result, 3.0, "w1", "w2") == pytest.approx([end, end - 0.5 / 3], rel=1e-8)
    assert at(result, 1.8, "w3") == pytest.approx([7 + 1.3 / 2], rel=1e-8)
    assert_exists(result, "w3", 0.5, 2.5)


@pytest.mark.parametrize(("limit", "begins"), [(0.5, 0.5), (2.0, 0.0), (-1.0, None)])
def test_a_parameter_has_a_say_in_what_exists(limit: float, begins: float | None) -> None:
    text = """
    model Late
      parameter Real limit = 0.5;
      parameter Boolean wanted(fixed = false);
      Real x(start = 1, fixed = true), y(start = 7);
    initial equation
      wanted = limit > 0;
    equation
      der(x) = -1;
      if x < limit and wanted then
        der(y) = 2*x;
      end if;
    end Late;
    """
    result = translated(text).simulate(set={"limit": limit}, tolerance=1e-9)
    if begins is None:
        assert np.isnan(result["y"]).all()
        return
    assert_exists(result, "y", begins, 1.0)
    assert at(result, 1.0, "y") == pytest.approx([7 + (1 - begins) ** 2], rel=1e-7)


def test_the_start_of_a_run_may_be_in_any_mode() -> None:
    """The start values suggest the mode in which nothing has to be initialised."""
    text = """
    model Later
      Real x(start = 3, fixed = true), y(start = 2, fixed = true);
      Boolean high = x > 1;
    equation
      der(x) = -2;
      if high then
        der(y) = -y;
      end if;
    end Later;
    """
    result = translated(text).simulate(tolerance=1e-9, stop_time=2)
    assert_exists(result, "y", 0.0, 1.0)
    assert at(result, 0.8, "y") == pytest.approx([2 * np.exp(-0.8)], rel=1e-7)


def test_cells_of_what_does_not_exist_are_empty(tmp_path: Path) -> None:
    result = translated(BEAD).simulate()
    result.to_csv(tmp_path / "bead.csv")
    with (tmp_path / "bead.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["h"] == rows[0]["v"] == "" and float(rows[0]["s"]) == 0.1
    assert rows[-1]["s"] == rows[-1]["u"] == "" and float(rows[-1]["h"]) == pytest.approx(result["h"][-1])
    before, after = (row for row in rows if float(row["time"]) == 0.5)
    assert before["h"] == after["s"] == "" and float(before["s"]) == pytest.approx(result["s"][250])


def test_what_happened_is_told() -> None:
    result = translated(ROCKET).simulate()
    states = [mode.states for mode in result.modes.visited]
    assert states == [("h", "v"), ("h", "v", "h1", "v1"), ("h", "v")]
    assert [v.name for v in result.modes.visited[0].structure.model.absent] == ["h1", "v1"]
    assert "h1" not in {c.name for e in result.events for c in e.reinitialised}
    listing = modes_text(result)
    assert listing.count("absent          2: h1, v1") == 2
    assert "separated: needed, it determines which equations the model has" in listing
    dump = translated(ROCKET).dump("hybrid")
    assert "der(h1) = v1   (while separated and not landed)" in dump


BALL = """
model Ball "There twice; it comes to rest each time"
  Boolean there = time >= 1 and time < 3 or time >= 3.5;
  Real h(start = 1), v;
equation
  if there then
    der(h) = v;
    der(v) = -10;
  end if;
  when there and h <= 0 then
    reinit(v, -0.5*pre(v));
  end when;
  annotation(experiment(StopTime = 6));
end Ball;
"""


def test_a_ball_that_rests_ceases_to_exist_and_begins_anew() -> None:
    result = translated(BALL).simulate(tolerance=1e-9, zeno="rest")
    first = np.sqrt(0.2)  # falls from 1 m; then 2*first*(1/2 + 1/4 + ...) until it rests
    for start, stop in ((1.0, 3.0), (3.5, 6.0)):
        t = result.time - start
        falling, up = (t > 0) & (t < first), (t > first + 1e-6) & (t < 2 * first - 1e-6)
        resting = (t > 3 * first + 1e-3) & (result.time < stop)
        assert result["h"][falling] == pytest.approx(1 - 5 * t[falling] ** 2, abs=1e-7)
        speed, since = 5 * first, t[up] - first
        assert result["h"][up] == pytest.approx(speed * since - 5 * since**2, abs=1e-7)
        assert resting.any() and np.abs(result["h"][resting]).max() < 1e-9
    gap = (result.time > 3 + 1e-9) & (result.time < 3.5 - 1e-9)
    assert np.isnan(result["h"][gap]).all() and np.isnan(result["h"][result.time < 1]).all()
    assert result.statistics["resting"] == 2


def test_what_slides_ceases_to_exist_and_begins_anew() -> None:
    text = """
    model Slider
      Boolean there = time >= 1 and time < 2 or time >= 2.5;
      Real x(start = 0.5);
    equation
      if there then
        der(x) = if x > 0 then -1 else 1;
      end if;
      annotation(experiment(StopTime = 4));
    end Slider;
    """
    result = translated(text).simulate(tolerance=1e-9)
    starts = np.where(result.time < 2.25, 1.0, 2.5)
    known = ~np.isnan(result["x"])
    assert not known[(result.time < 1) | ((result.time > 2) & (result.time < 2.5))].any()
    expected = np.maximum(0.5 - (result.time - starts), 0)
    assert result["x"][known] == pytest.approx(expected[known], abs=1e-7)
    assert result.statistics["sliding"] == 2


def test_start_values_that_reinit_replaces_need_not_make_sense() -> None:
    """1/h, the logarithm and the loop have no value for h = 0, with which the body would begin."""
    text = """
    model Late
      Boolean there = time >= 0.5;
      Real x(start = 2, fixed = true), h, inverse, size, root(start = 1);
    equation
      der(x) = 1;
      if there then
        der(h) = -h;
        inverse = 1/h;
        size = log(h);
        root^3 + root = 1/h;
      end if;
      when there then
        reinit(h, x);
      end when;
    end Late;
    """
    result = translated(text).simulate(tolerance=1e-9)
    h, inverse, size, root = at(result, 1.0, "h", "inverse", "size", "root")
    assert h == pytest.approx(2.5 * np.exp(-0.5), rel=1e-7)
    assert [inverse, size, root**3 + root] == pytest.approx([1 / h, np.log(h), 1 / h], rel=1e-8)
