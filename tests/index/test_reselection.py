"""States that are chosen again during the run, against coordinates in which nothing has to be chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from integrators import Simulate
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import saltus
from saltus.core.diagnostics import RunError
from saltus.result.files.eventlog import event_lines, write_events
from translated_models import translated

Rate = Callable[[float, NDArray[np.float64]], Sequence[float]]

PENDULUM = """
model Pendulum
  parameter Real g = 9.81, l = 1, k = 0, angle = 0, speed = 7;
  Real x, y(start = if cos(angle) > 0 then -l else l), u, v, f, w = (x*v - y*u)/l^2;
initial equation
  x = l*sin(angle);
  u = speed*cos(angle);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -f*x - k*u;
  der(v) = -f*y - k*v - g;
  x^2 + y^2 = l^2;
end Pendulum;
"""


def exact(rate: Rate, start: Sequence[float], times: NDArray[np.float64]) -> NDArray[np.float64]:
    """An independent integration, at times that may occur twice."""
    once, places = np.unique(times, return_inverse=True)
    found = solve_ivp(rate, (once[0], once[-1]), start, t_eval=once, rtol=1e-12, atol=1e-12, method="DOP853")
    return np.asarray(found.y)[:, places]


def swing(k: float = 0.0, g: float = 9.81) -> Rate:
    """The pendulum of length 1 in its angle."""
    return lambda t, z: [z[1], -g * np.sin(z[0]) - k * z[1]]


def switches(result: saltus.Result) -> list[saltus.result.events.events.Event]:
    return [e for e in result.events if e.causes[0].kind == "states"]


def assert_nothing_jumps(result: saltus.Result, tolerance: float = 1e-9) -> None:
    """The limits at every change of states agree, for all variables and derivatives."""
    names = [*result.names, *(f"der({n})" for n in result.names if f"der({n})" in result)]
    rows = [(r.left, r.right) for r in result.records if r.kind == "states"]
    rows = [(left, right) for left, right in rows if right == left + 1]  # otherwise with an event in between
    assert rows and all(result.time[left] == result.time[right] for left, right in rows)
    for name in names:
        values = result[name]
        for left, right in rows:
            size = max(1.0, abs(values[left]))
            assert abs(values[left] - values[right]) < tolerance * size, (name, result.time[left])


@pytest.fixture(scope="module")
def pendulum() -> saltus.Model:
    return translated(PENDULUM)


def test_a_pendulum_goes_round(simulate: Simulate, pendulum: saltus.Model) -> None:
    result = simulate(pendulum, stop_time=10, tolerance=1e-10)
    angle, speed = exact(swing(), [0, 7], result.time)
    assert angle[-1] > 7 * 2 * np.pi
    np.testing.assert_allclose(result["x"], np.sin(angle), atol=1e-5)
    np.testing.assert_allclose(result["y"], -np.cos(angle), atol=1e-5)
    np.testing.assert_allclose(result["der(x)"], speed * np.cos(angle), atol=1e-4)
    np.testing.assert_allclose(result["der(v)"], -result["f"] * result["y"] - 9.81, atol=1e-8)
    np.testing.assert_allclose(result["f"], speed**2 + 9.81 * np.cos(angle), atol=1e-3)
    x, y, u, v = (result[n] for n in "xyuv")
    assert np.abs(x**2 + y**2 - 1).max() < 1e-14
    assert np.abs(x * u + y * v).max() < 1e-12
    assert np.ptp(0.5 * (u**2 + v**2) + 9.81 * y) < 1e-5  # of 25
    assert_nothing_jumps(result)
    # Four times a turn: x, u -> y, v -> x, u -> y, v -> x, u.
    assert len(switches(result)) == pytest.approx(4 * angle[-1] / (2 * np.pi), abs=2)
    assert result.statistics["programs"] == 2
    assert result.statistics["state_choices"] == len(switches(result)) + 1


def test_the_looser_the_tolerance_the_less_exact_but_never_the_wrong_way(
    simulate: Simulate, pendulum: saltus.Model
) -> None:
    """A run that missed a singular position would turn round there."""
    for tolerance in (1e-2, 1e-3, 1e-4, 1e-6):
        for speed in (7.0, 9.0, 12.0, 20.0):
            result = simulate(pendulum, stop_time=3, tolerance=tolerance, set={"speed": speed}, interval=0.5)
            assert result["w"].min() > 0, (tolerance, speed)


def test_a_damped_pendulum_ends_up_swinging(simulate: Simulate, pendulum: saltus.Model) -> None:
    result = simulate(pendulum, stop_time=20, tolerance=1e-10, set={"k": 0.3, "speed": 12})
    angle, _ = exact(swing(k=0.3), [0, 12], result.time)
    assert angle.max() > 4 * np.pi and np.ptp(angle[result.time > 18]) < 1
    np.testing.assert_allclose(result["x"], np.sin(angle), atol=1e-6)
    np.testing.assert_allclose(result["y"], -np.cos(angle), atol=1e-6)
    assert_nothing_jumps(result)
    last = switches(result)[-1]
    assert last.time < 15  # small swings leave the states alone


@settings(max_examples=15, deadline=None)
@given(angle=st.floats(-3.1, 3.1).filter(lambda a: abs(abs(a) - np.pi / 2) > 0.05), speed=st.floats(-12, 12))
def test_from_any_position_with_any_speed(
    simulate: Simulate, pendulum: saltus.Model, angle: float, speed: float
) -> None:
    result = simulate(pendulum, stop_time=2, tolerance=1e-9, set={"angle": angle, "speed": speed})
    there, _ = exact(swing(), [angle, speed], result.time)
    np.testing.assert_allclose(result["x"], np.sin(there), atol=2e-5)
    np.testing.assert_allclose(result["y"], -np.cos(there), atol=2e-5)
    assert np.abs(result["x"] ** 2 + result["y"] ** 2 - 1).max() < 1e-13


def test_an_hour_needs_two_programs(simulate: Simulate, pendulum: saltus.Model) -> None:
    """A long pendulum goes round some hundred times."""
    length = 200.0
    values = {"l": length, "speed": 2.1 * np.sqrt(9.81 * length)}
    result = simulate(pendulum, stop_time=3600, interval=10, tolerance=1e-8, set=values)
    assert result.statistics["state_choices"] > 400
    assert result.statistics["programs"] == 2
    assert result["w"].min() > 0
    energy = 0.5 * (result["u"] ** 2 + result["v"] ** 2) + 9.81 * result["y"]
    assert np.ptp(energy) < 0.01 * energy[0]
    # Nothing is compiled for another run of the same model.
    kept = len(pendulum._translation.programs)
    simulate(pendulum, stop_time=10)
    assert len(pendulum._translation.programs) == kept == 2


def test_a_wish_is_honoured_where_it_can_be(simulate: Simulate) -> None:
    """With x preferred, y is the state only where x will not do."""
    text = PENDULUM.replace("Real x,", "Real x(stateSelect = StateSelect.prefer),")
    result = simulate(translated(text), stop_time=5, tolerance=1e-9)
    with_x = [part for part in result.recording.parts if "x" in {v.name for v in part.structure.states}]
    for part in with_x:
        x, y = (np.abs(part.rows.column(part.columns[n])) for n in "xy")
        assert np.all(y > 0.29 * x)
    angle, _ = exact(swing(), [0, 7], result.time)
    np.testing.assert_allclose(result["x"], np.sin(angle), atol=1e-4)


def test_a_state_that_is_forced_ends_the_run_where_it_fails(simulate: Simulate) -> None:
    text = PENDULUM.replace("Real x,", "Real x(stateSelect = StateSelect.always),")
    with pytest.raises(RunError, match="singular position") as caught:
        simulate(translated(text), stop_time=5)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E408" and "`y`" in diagnostic.message
    assert any("stateSelect = always" in note.message for note in diagnostic.notes)
    assert caught.value.partial is not None


def test_a_forced_state_is_kept_as_long_as_it_works(simulate: Simulate) -> None:
    """Swings to nearly a right angle: small pivots, short steps there, and the usual ones elsewhere."""
    forced = "(stateSelect = StateSelect.always)"
    model = translated(PENDULUM.replace("Real x,", f"Real x{forced},").replace(" u, v,", f" u{forced}, v,"))
    small, large = (
        simulate(model, stop_time=10, tolerance=1e-9, set={"angle": a, "speed": 0}) for a in (0.5, 1.52)
    )
    angle, _ = exact(swing(), [1.52, 0], large.time)
    np.testing.assert_allclose(large["x"], np.sin(angle), atol=1e-4)
    np.testing.assert_allclose(large["y"], -np.cos(angle), atol=1e-4)
    assert np.abs(large["y"]).min() < 0.06
    assert not switches(large) and large.statistics["programs"] == 1
    assert large.statistics["steps"] < 5 * small.statistics["steps"]


# ---------------------------------------------------------------- mechanisms


FOUR_BAR = """
model FourBar "A crank a, a coupler b and a rocker c on a base d"
  parameter Real a = 2, b = 3, c = 3.1, d = 3.2;
  Real phi(start = 1.9, fixed = true), w(start = 0, fixed = true);
  Real psi(start = 0.35), theta(start = 1.9, stateSelect = StateSelect.prefer);
  Real wt(stateSelect = StateSelect.prefer), lx, ly;
equation
  der(phi) = w;
  der(theta) = wt;
  der(w) = 0.5 + a*(sin(phi)*lx - cos(phi)*ly);
  2*der(wt) = c*(cos(theta)*ly - sin(theta)*lx);
  0 = sin(psi)*lx - cos(psi)*ly;
  a*cos(phi) + b*cos(psi) = d + c*cos(theta);
  a*sin(phi) + b*sin(psi) = c*sin(theta);
end FourBar;
"""


def rocker(phi: NDArray[np.float64], a: float, b: float, c: float, d: float) -> NDArray[np.float64]:
    """The angle of the rocker in the triangle of its bearing, the crank's end and its own end."""
    x, y = a * np.cos(phi) - d, a * np.sin(phi)
    side = np.hypot(x, y)
    angle = np.arctan2(y, x) % (2 * np.pi) - np.arccos((side**2 + c**2 - b**2) / (2 * side * c))
    return np.asarray(angle)


def test_a_four_bar_linkage_through_full_turns(simulate: Simulate) -> None:
    """The rocker's angle is preferred as the state, and fails at the first of its dead points."""
    result = simulate(translated(FOUR_BAR), stop_time=8, tolerance=1e-10)
    phi, theta = result["phi"], result["theta"]
    assert phi[-1] - 1.9 > 2 * np.pi
    lengths = 2.0, 3.0, 3.1, 3.2
    np.testing.assert_allclose(theta, rocker(phi, *lengths), atol=1e-10)
    step = 1e-4
    slope = (rocker(phi + step, *lengths) - rocker(phi - step, *lengths)) / (2 * step)
    # The drive's work is the energy of the crank (inertia 1) and of the rocker (inertia 2).
    np.testing.assert_allclose(result["w"] ** 2 * (0.5 + slope**2), 0.5 * (phi - 1.9), atol=1e-5)
    np.testing.assert_allclose(result["wt"], slope * result["w"], atol=1e-6)
    (change,) = switches(result)  # the crank's angle, once it is the state, never fails
    assert change.causes[0].text == "states chosen again: theta, wt -> phi, w"
    assert_nothing_jumps(result)


def test_a_position_that_nothing_leads_out_of_ends_the_run(simulate: Simulate) -> None:
    """A mass is lifted along a sphere. At the top, where its circle has shrunk to a point, neither x nor y
    tells where it is, and nothing could go on."""
    text = """
    model Lifted
      Real x(start = 0.6, fixed = true), y(start = 0.6), z, u(start = 0.1, fixed = true), v, w, f, n;
    equation
      der(x) = u;
      der(y) = v;
      der(z) = w;
      der(u) = -f*x;
      der(v) = -f*y;
      der(w) = -f*z + n;
      x^2 + y^2 + z^2 = 1;
      z = 0.5 + 0.25*time;
    end Lifted;
    """
    with pytest.raises(RunError, match="singular position") as caught:
        simulate(translated(text), stop_time=4, tolerance=1e-8)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "E408" and diagnostic.span is not None
    partial = caught.value.partial
    assert isinstance(partial, saltus.Result)
    assert partial.time[-1] == pytest.approx(2.0, abs=1e-3)
    radius = np.hypot(partial["x"], partial["y"])
    np.testing.assert_allclose(radius**2, 1 - (0.5 + 0.25 * partial.time) ** 2, atol=1e-9)
    momentum = partial["x"] * partial["v"] - partial["y"] * partial["u"]  # no moment about the axis
    early = partial.time < 1.9
    np.testing.assert_allclose(momentum[early], momentum[0], atol=1e-5)


BODY = """
model Body "A free rigid body; its attitude is a unit quaternion"
  parameter Real Ix = 1, Iy = 2, Iz = 3.5;
  Real q[4](start = {1, 0, 0, 0}, fixed = {true, true, true, false}), stretch;
  Real wx(start = 0.1, fixed = true), wy(start = 3, fixed = true), wz(start = 0.2, fixed = true);
equation
  der(q[1]) = 0.5*(-q[2]*wx - q[3]*wy - q[4]*wz) + stretch*q[1];
  der(q[2]) = 0.5*(q[1]*wx - q[4]*wy + q[3]*wz) + stretch*q[2];
  der(q[3]) = 0.5*(q[4]*wx + q[1]*wy - q[2]*wz) + stretch*q[3];
  der(q[4]) = 0.5*(-q[3]*wx + q[2]*wy + q[1]*wz) + stretch*q[4];
  q*q = 1;
  Ix*der(wx) = (Iy - Iz)*wy*wz;
  Iy*der(wy) = (Iz - Ix)*wz*wx;
  Iz*der(wz) = (Ix - Iy)*wx*wy;
end Body;
"""


def test_a_tumbling_body(simulate: Simulate) -> None:
    """Turning about the middle axis is unstable: the body turns over again and again."""
    result = simulate(translated(BODY), stop_time=20, tolerance=1e-10)

    def rate(t: float, z: NDArray[np.float64]) -> list[float]:
        a, b, c, d, p, q, r = z
        turn = [-b * p - c * q - d * r, a * p - d * q + c * r, d * p + a * q - b * r, -c * p + b * q + a * r]
        return [*(0.5 * s for s in turn), -1.5 * q * r, 1.25 * r * p, -p * q / 3.5]

    truth = exact(rate, [1, 0, 0, 0, 0.1, 3, 0.2], result.time)
    q = np.array([result[f"q[{i}]"] for i in range(1, 5)])
    w = np.array([result[n] for n in ("wx", "wy", "wz")])
    np.testing.assert_allclose(q, truth[:4], atol=1e-6)
    np.testing.assert_allclose(w, truth[4:], atol=1e-6)
    assert np.abs((q**2).sum(axis=0) - 1).max() < 1e-14
    inertia = np.array([[1.0], [2.0], [3.5]])
    assert np.ptp((inertia * w**2).sum(axis=0)) < 1e-6
    # The angular momentum in space is that in the body, turned by the quaternion.
    scalar, vector, momentum = q[0], q[1:], inertia * w
    twice = 2 * np.cross(vector, momentum, axis=0)
    in_space = momentum + scalar * twice + np.cross(vector, twice, axis=0)
    assert np.ptp(in_space, axis=1).max() < 1e-5
    given_up = {e.causes[0].text for e in switches(result)}
    assert len(given_up) >= 3 and 3 <= result.statistics["programs"] <= 4
    assert_nothing_jumps(result)


def rods(count: int) -> str:
    """A chain of rods in Cartesian coordinates, thrown from an inclined position."""
    declared = ", ".join(f"{name}[{count}]" for name in "xyuvf")
    lines = [f"model Rods\n  parameter Real g = 9.81;\n  Real {declared};\nequation"]
    for k in range(1, count + 1):
        x0, y0 = (f"x[{k - 1}]", f"y[{k - 1}]") if k > 1 else ("0", "0")
        below = f" + f[{k + 1}]*(x[{k + 1}] - x[{k}])" if k < count else ""
        lines += [
            f"  der(x[{k}]) = u[{k}];",
            f"  der(y[{k}]) = v[{k}];",
            f"  der(u[{k}]) = -f[{k}]*(x[{k}] - {x0}){below};",
            f"  der(v[{k}]) = -f[{k}]*(y[{k}] - {y0}){below.replace('x[', 'y[')} - g;",
            f"  (x[{k}] - {x0})^2 + (y[{k}] - {y0})^2 = 1;",
        ]
    lines.append("initial equation")
    lines += [f"  x[{k}] = {0.6 * k};\n  u[{k}] = 0;" for k in range(1, count + 1)]
    text = "\n".join([*lines, "end Rods;"])
    starts = ", ".join(str(0.8 * k) for k in range(1, count + 1))
    return text.replace(f"y[{count}],", f"y[{count}](start = {{{starts}}}),", 1)


def test_a_double_pendulum_falls_over(simulate: Simulate) -> None:
    result = simulate(translated(rods(2)), stop_time=3, tolerance=1e-11)

    def rate(t: float, z: NDArray[np.float64]) -> list[float]:
        a, b, wa, wb = z
        mass = np.array([[2.0, np.cos(a - b)], [np.cos(a - b), 1.0]])
        force = [-np.sin(a - b) * wb**2 - 2 * 9.81 * np.sin(a), np.sin(a - b) * wa**2 - 9.81 * np.sin(b)]
        return [wa, wb, *np.linalg.solve(mass, force)]

    start = np.pi - np.arcsin(0.6)
    a, b, _, _ = exact(rate, [start, start, 0, 0], result.time)
    np.testing.assert_allclose(result["x[2]"], np.sin(a) + np.sin(b), atol=1e-5)
    np.testing.assert_allclose(result["y[2]"], -np.cos(a) - np.cos(b), atol=1e-5)
    assert len(switches(result)) >= 4
    assert_nothing_jumps(result, 1e-8)


def test_a_chain_of_six_rods(simulate: Simulate) -> None:
    """Constraints in larger sets than anybody writes determinants of."""
    model = translated(rods(6))
    assert not model.warnings
    result = simulate(model, stop_time=1, tolerance=1e-9)
    x, y, u, v = (np.array([result[f"{n}[{k}]"] for k in range(1, 7)]) for n in "xyuv")
    assert np.ptp((0.5 * (u**2 + v**2) + 9.81 * y).sum(axis=0)) < 1e-4  # of 165
    long_x, long_y = np.diff(x, axis=0, prepend=0.0), np.diff(y, axis=0, prepend=0.0)
    assert np.abs(long_x**2 + long_y**2 - 1).max() < 1e-12
    assert switches(result)
    assert_nothing_jumps(result, 1e-7)


# ---------------------------------------------------------------- with events


EVENTS = """
model Struck "A pendulum that goes round, is struck by a wall of one side, and is sampled"
  parameter Real e = 0.9;
  Real x(start = 0, fixed = true), y(start = -1), u(start = 8, fixed = true), v, f, w = x*v - y*u;
  discrete Real held(start = -7);
  Integer high(start = 0), hits(start = 0);
  Real since(start = 0, fixed = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -f*x;
  der(v) = -f*y - 9.81;
  x^2 + y^2 = 1;
  der(since) = 1;
  when sample(0.05, 0.1) then
    held = y;
  end when;
  when y > 0.5 then
    high = pre(high) + 1;
  end when;
  when x < -0.6 then
    hits = pre(hits) + 1;
    reinit(u, -e*pre(u));
  end when;
  when time >= 1.75 then
    reinit(since, 0);
  end when;
  when hits >= 4 then
    terminate("enough");
  end when;
end Struck;
"""


def struck() -> tuple[list[float], list[tuple[float, float, NDArray[np.float64]]]]:
    """Times of the blows, and pieces of the motion between them: from when to when, start values."""
    now, state, hits, pieces = 0.0, np.array([0.0, 8.0]), [], []

    def wall(t: float, z: NDArray[np.float64]) -> float:
        return float(np.sin(z[0]) + 0.6)

    wall.terminal, wall.direction = True, -1  # type: ignore[attr-defined]
    while len(hits) < 4:
        found = solve_ivp(
            swing(), (now, now + 10), state, events=wall, rtol=1e-12, atol=1e-12, method="DOP853"
        )
        pieces.append((now, float(found.t[-1]), state))
        now, state = float(found.t[-1]), found.y[:, -1] * [1, -0.9]
        hits.append(now)
    return hits, pieces


def test_events_happen_across_the_changes(simulate: Simulate) -> None:
    model = translated(EVENTS)
    result = simulate(model, stop_time=20, tolerance=1e-10)
    hits, pieces = struck()
    assert result.time[-1] == pytest.approx(hits[-1], abs=1e-6)
    assert "enough" in result.warnings[-1].message
    blows = [e for e in result.events if any(c.name == "u" for c in e.reinitialised)]
    np.testing.assert_allclose([e.time for e in blows], hits, atol=1e-6)
    assert len(switches(result)) >= 4
    kinds = {tuple(v.name for v in part.structure.states) for part in result.recording.parts}
    assert len(kinds) >= 2
    height = np.full(len(result), np.nan)
    for begin, end, state in pieces:
        inside = (result.time >= begin) & (result.time <= end + 1e-6)  # the last blow may be a little later
        times = np.concatenate([[begin], result.time[inside]])
        height[inside] = -np.cos(exact(swing(), state, times)[0, 1:])
    np.testing.assert_allclose(result["y"], height, atol=1e-5)
    # The sampled value is that of the last tick.
    ticks = [e.time for e in result.events if any(c.kind == "clock" for c in e.causes)]
    np.testing.assert_allclose(ticks, 0.05 + 0.1 * np.arange(len(ticks)), atol=1e-12)
    for begin, end in pairwise(ticks):
        inside = (result.time > begin) & (result.time < end)
        at = np.flatnonzero(result.time == begin)[-1]
        assert np.all(result["held"][inside] == result["held"][at])
        assert result["held"][at] == pytest.approx(result["y"][at], abs=1e-9)
    rising = np.flatnonzero((height[1:] > 0.5) & (height[:-1] <= 0.5))
    assert result["high"][-1] == len(rising)
    expected = np.where(result.time > 1.75, result.time - 1.75, result.time)
    away = np.abs(result.time - 1.75) > 1e-9
    np.testing.assert_allclose(result["since"][away], expected[away], atol=1e-9)
    assert_nothing_jumps(result)


def test_ctrl_c_after_a_change(pendulum: saltus.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("saltus.run.engine.progress.PROGRESS_EVERY", 0.0)
    seen: list[tuple[float, int]] = []

    def progress(part: float, events: int) -> None:
        seen.append((part, events))
        if events > 6:
            raise KeyboardInterrupt

    result = pendulum.simulate(stop_time=10, progress=progress)
    assert result.interrupted and 0.5 < result.time[-1] < 5
    assert [part for part, _ in seen] == sorted(part for part, _ in seen)
    assert len(result["x"]) == len(result.time) and len(switches(result)) >= 5


def test_the_log(pendulum: saltus.Model, tmp_path: Path) -> None:
    result = pendulum.simulate(stop_time=1)
    first = switches(result)[0]
    assert str(first).endswith("states chosen again: x, u -> y, v")
    assert first.changes == first.relations == first.reinitialised == ()
    lines = list(event_lines(result))
    assert f"States chosen again at time = {first.time:.6g}: x, u -> y, v" in lines
    assert not any("pivot" in line for line in lines)
    write_events(result, tmp_path / "events.jsonl")
    text = (tmp_path / "events.jsonl").read_text()
    assert '"kind": "states", "text": "states chosen again: x, u -> y, v"' in text
    result.to_csv(tmp_path / "out.csv")
    table = np.genfromtxt(tmp_path / "out.csv", delimiter=",", names=True)
    for name in ("x", "y", "u", "v", "f", "w"):
        np.testing.assert_array_equal(table[name], result[name])
    assert "$pivot1.floor" not in result.parameters
