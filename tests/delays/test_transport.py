"""`spatialDistribution`: plug flow in closed form, there and back; what is carried is conserved."""

from __future__ import annotations

import ctypes
import struct

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq

import saltus
from saltus.core.diagnostics import ModelError, RunError
from saltus.emit.llvm.jit import compile_text
from saltus.emit.python import recall
from saltus.emit.support.histories import question_name
from saltus.emit.support.remember import histories_text
from saltus.ir.native.transport import ANYWHERE, CARRIER
from saltus.result.result import Result
from saltus.run.past.contents import Content

TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10)


def run(declarations: str, equations: str, **options: object) -> Result:
    text = f"model M\n{declarations}\nequation\n{equations}\nend M;"
    return saltus.load(text).simulate(**options)  # type: ignore[arg-type]


def times(result: Result) -> list[float]:
    return [e.time for e in result.events if e.causes[0].kind != "initial"]


def limits(result: Result, name: str, time: float) -> tuple[float, float]:
    """Left and right limit at the event nearest to a time."""
    event = min(times(result), key=lambda t: abs(t - time))
    assert event == pytest.approx(time, abs=1e-8)
    (rows,) = np.nonzero(result.time == event)
    return float(result[name][rows[0]]), float(result[name][rows[1]])


# ---------------------------------------------------------------- one way


@pytest.mark.parametrize("method", ["bdf", "adams", "ida", "rk45"])
def test_a_signal_comes_out_after_the_time_of_passage(method: str) -> None:
    result = run(
        "Real x(start = 0, fixed = true), out0, out1;",
        """der(x) = 0.5;
        (out0, out1) = spatialDistribution(sin(3*time), 0, x, true, {0, 1}, {7, 7});""",
        stop_time=6,
        tolerance=1e-8,
        method=method,
    )
    inside = np.abs(result.time - 2) > 1e-7
    exact = np.where(result.time < 2, 7.0, np.sin(3 * (result.time - 2)))
    assert np.abs(result["out1"] - exact)[inside].max() < 1e-7
    assert np.array_equal(result["out0"], np.sin(3 * result.time))
    assert limits(result, "out1", 2.0) == pytest.approx((7.0, 0.0), abs=1e-8)


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_flow_that_grows(tolerance: float) -> None:
    """x = t + t^2/2: what leaves at t has entered when x was 1 less."""
    result = run(
        "Real x(start = 0, fixed = true), out1;",
        "der(x) = 1 + time; (, out1) = spatialDistribution(cos(2*time), 0, x, true);",
        stop_time=5,
        tolerance=tolerance,
    )
    t = result.time
    entered = np.sqrt(np.maximum(1 + 2 * (t + t**2 / 2 - 1), 1.0)) - 1
    exact = np.where(t + t**2 / 2 < 1, 0.0, np.cos(2 * entered))
    clear = np.abs(t + t**2 / 2 - 1) > 10 * tolerance
    assert np.abs(result["out1"] - exact)[clear].max() < 100 * tolerance


def test_jumps_come_out_as_jumps() -> None:
    result = run(
        "Real u, x(start = 3, fixed = true), out0, out1;",
        """u = if time < 0.5 then 1 elseif time < 0.75 then 3 else -1;
        der(x) = 0.5;
        (out0, out1) = spatialDistribution(u, 0, x, true, {0, 0.5, 0.5, 1}, {7, 7, 5, 5});""",
        stop_time=4,
    )
    assert [round(t, 9) for t in times(result)] == [0.5, 0.75, 1.0, 2.0, 2.5, 2.75]
    for time, values in ((1.0, (5.0, 7.0)), (2.0, (7.0, 1.0)), (2.5, (1.0, 3.0)), (2.75, (3.0, -1.0))):
        assert limits(result, "out1", time) == values
    assert set(result["out1"]) == {5.0, 7.0, 1.0, 3.0, -1.0}


def test_the_content_at_the_start_is_piecewise_linear() -> None:
    result = run(
        "Real x(start = 0, fixed = true), out1;",
        """der(x) = 1;
        (, out1) = spatialDistribution(0, 0, x, true,
          initialPoints = {0.1, 0.4, 0.4, 0.8}, initialValues = {1, 4, 2, 6});""",
        stop_time=0.999,
        interval=0.001,
    )
    where = 1 - result.time
    exact = np.interp(where, [0.1, 0.4 - 1e-12, 0.4 + 1e-12, 0.8], [1, 4, 2, 6])
    clear = np.abs(where - 0.4) > 1e-9
    assert np.abs(result["out1"] - exact)[clear].max() < 1e-8
    assert np.allclose(times(result), [0.2, 0.6, 0.9], atol=1e-9)  # a kink, a jump, a kink


def test_while_nothing_moves_nothing_enters() -> None:
    """The flow stands from 1 to 2: what is offered meanwhile does not get in, and makes a jump."""
    result = run(
        "Real x(start = 0, fixed = true), v, out1;",
        """v = if time < 1 then 1 elseif time < 2 then 0 else 1;
        der(x) = v;
        (, out1) = spatialDistribution(time, 0, x, v >= 0);""",
        stop_time=4,
        tolerance=1e-8,
        interval=0.01,
    )
    t = result.time
    exact = np.where(t < 2, 0.0, np.where(t < 3, t - 2, t - 1))
    clear = (np.abs(t - 2) > 1e-6) & (np.abs(t - 3) > 1e-6)
    assert np.abs(result["out1"] - exact)[clear].max() < 1e-6
    assert limits(result, "out1", 3.0) == pytest.approx((1.0, 2.0), abs=1e-6)


def test_what_goes_round_in_a_circle_comes_back() -> None:
    """Ten times round: out of the end into the begin. Jumps stay jumps, and where they belong."""
    result = run(
        "Real x(start = 0, fixed = true), inflow, out1;",
        """der(x) = 1;
        inflow = out1;
        (, out1) = spatialDistribution(inflow, 0, x, true, {0, 0.3, 0.3, 1}, {1, 1, 2, 2});""",
        stop_time=10,
        interval=0.01,
        tolerance=1e-8,
    )
    where = 1 - result.time % 1.0
    clear = np.minimum(np.abs(where - 0.3), np.minimum(where, 1 - where)) > 1e-6
    assert np.array_equal(result["out1"][clear], np.where(where < 0.3, 1.0, 2.0)[clear])


def test_vectors_flow_together() -> None:
    result = run(
        "Real x(start = 0, fixed = true), u[2], w[2], a[2], b[2];",
        """der(x) = 1; u = {time, 2*time}; w = {0, 0};
        (a, b) = spatialDistribution(u, w, x, true, {0, 1}, {{5, 5}, {6, 6}});""",
        stop_time=3,
    )
    for k, first in ((1, 5.0), (2, 6.0)):
        exact = np.where(result.time < 1, first, k * (result.time - 1))
        clear = np.abs(result.time - 1) > 1e-6
        assert np.abs(result[f"b[{k}]"] - exact)[clear].max() < 1e-7


def test_without_events_of_the_velocity() -> None:
    result = run(
        "Real x(start = 0, fixed = true), out1;",
        "der(x) = 1; (, out1) = spatialDistribution(time, 0, x, noEvent(der(x) >= 0));",
        stop_time=3,
        interval=0.01,
    )
    clear = np.abs(result.time - 1) > 1e-3
    assert np.abs(result["out1"] - (result.time - 1).clip(0))[clear].max() < 1e-6


# ---------------------------------------------------------------- there and back


def entry(t: float, x: NDArray[np.float64], grid: NDArray[np.float64]) -> tuple[float, int] | None:
    """When and at which end what leaves at time t came in, by following its label back; None for what was
    there from the start. For x = 2 sin(t)."""
    end = 1.0 if np.cos(t) >= 0 else 0.0
    label = end - 2 * np.sin(t)
    before = grid < t - 1e-9
    where = label + x[before]
    (outside,) = np.nonzero((where < 0) | (where > 1))
    if not len(outside):
        return None
    k = outside[-1]
    side = 0 if where[k] < 0 else 1
    after = grid[k + 1] if k + 1 < before.sum() else t
    return float(brentq(lambda s: label + 2 * np.sin(s) - side, grid[k], after, xtol=1e-15)), side


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_a_flow_that_turns_round(tolerance: float) -> None:
    """In comes the time (at 1: minus the time), so what comes out says when it went in."""
    result = run(
        "Real x(start = 0, fixed = true), v, out0, out1;",
        """v = 2*cos(time); der(x) = v;
        (out0, out1) = spatialDistribution(time, -time, x, v >= 0);""",
        stop_time=12,
        tolerance=tolerance,
        interval=0.07,
    )
    of_state = np.abs(result["x"] - 2 * np.sin(result.time)).max()
    assert of_state < 1000 * tolerance  # hundreds of steps, each with an error of its own
    grid = np.linspace(0, 12, 120001)
    x = 2 * np.sin(grid)
    checked = 0
    for row, t in enumerate(result.time.tolist()):
        if min(abs(t - e) for e in times(result)) < 1e-3:
            continue
        found = entry(t, x, grid)
        leaving = result["out1" if np.cos(t) >= 0 else "out0"][row]
        if found is None:
            assert leaving == 0.0
            continue
        when, side = found
        # An error of the displacement is one of the time of entry: the larger, the slower the flow was.
        speed = abs(2 * np.cos(when))
        assert abs(leaving - (when if side == 0 else -when)) * speed < 3 * of_state + 10 * tolerance
        checked += 1
    assert checked > 100
    turns = (np.arange(4) + 0.5) * np.pi
    assert all(min(abs(t - e) for e in times(result)) < 1e-8 for t in turns)


def carried(turns: list[float], inflows: tuple[float, float], first: float) -> float:
    """The whole content after displacements from one turn to the next, for constant inflows."""
    content = [(0.0, 1.0, first)]
    for way in np.diff(turns):
        content = [(a + way, b + way, value) for a, b, value in content]
        content.append((0.0, way, inflows[0]) if way > 0 else (1 + way, 1.0, inflows[1]))
        content = [(max(a, 0.0), min(b, 1.0), value) for a, b, value in content]
        content = [(a, b, value) for a, b, value in content if b > a]
    return sum((b - a) * value for a, b, value in content)


@pytest.mark.parametrize("amplitude", [0.3, 0.8, 2.5])
def test_what_goes_in_and_does_not_come_out_is_inside(amplitude: float) -> None:
    result = run(
        f"""parameter Real A = {amplitude};
        Real x(start = 0, fixed = true), m(start = 3, fixed = true), v, out0, out1;""",
        """v = A*cos(time); der(x) = v;
        (out0, out1) = spatialDistribution(1, 5, x, v >= 0, {0, 1}, {3, 3});
        der(m) = v*(out0 - out1);""",
        stop_time=10,
        tolerance=1e-9,
    )
    turns = [0.0, amplitude, -amplitude, amplitude, amplitude * float(np.sin(10))]
    assert result["m"][-1] == pytest.approx(carried(turns, (1.0, 5.0), 3.0), abs=1e-7)


def test_two_pipes_in_a_row_are_one_that_is_longer() -> None:
    """What comes out of one goes into the other, whichever way it flows: an algebraic loop by its looks."""
    result = run(
        "Real x(start = 0, fixed = true), half, v, a0, a1, b0, b1, c0, c1;",
        """v = 3*cos(time); der(x) = v; half = x/2;
        (a0, a1) = spatialDistribution(sin(2*time), b0, x, v >= 0);
        (b0, b1) = spatialDistribution(a1, cos(time), x, v >= 0);
        (c0, c1) = spatialDistribution(sin(2*time), cos(time), half, v >= 0);""",
        stop_time=12,
        tolerance=1e-8,
    )
    clear = np.array([min(abs(t - e) for e in times(result)) > 1e-4 for t in result.time])
    assert np.abs(result["b1"] - result["c1"])[clear].max() < 1e-7
    assert np.abs(result["a0"] - result["c0"])[clear].max() < 1e-7
    assert np.ptp(result["c1"]) > 1.5


def test_a_displacement_that_jumps_carries_what_flows_in() -> None:
    result = run(
        "Real x(start = 0, fixed = true), out1;",
        """der(x) = 1; when time >= 0.5 then reinit(x, 1.0); end when;
        (, out1) = spatialDistribution(if time < 0.5 then 2 else 3, 0, x, true);""",
        stop_time=1.4,
    )
    # At 0.5 the first half leaves at once, and another half of what flowed in before takes its place.
    assert limits(result, "out1", 0.5) == pytest.approx((0.0, 2.0))
    assert result["out1"][-1] == 2.0


# ---------------------------------------------------------------- contents in Python


def test_native_code_and_python_find_the_same_in_a_content() -> None:
    content = Content(np.zeros(CARRIER, dtype=np.int64))
    content.begin([0.0, 0.2, 0.2, 0.7, 1.0], [1.0, 2.0, 5.0, -1.0, 4.0], 0.3, (0.0, 0.0))
    (handle,) = struct.unpack("d", struct.pack("q", content.header.ctypes.data))
    engine = compile_text(histories_text(), {})
    kind = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_double] * 3)
    for name in ("content", "content.gradient"):
        native = kind(engine.get_function_address(question_name(name)))
        for label in np.linspace(-0.5, 1.0, 61):
            for segment in (0.0, 1.0, 2.0, ANYWHERE):
                expected = recall.QUESTIONS[name](handle, segment, label)
                assert native(handle, segment, label) == pytest.approx(expected, abs=1e-9)
    for label, value in ((-0.3, 1.0), (-0.2, 1.5), (-0.05, 4.4), (0.4, -1.0), (0.7, 4.0)):
        assert recall.content(handle, ANYWHERE, label) == pytest.approx(value)
    saved = content.save()
    other = Content(np.zeros(CARRIER, dtype=np.int64))
    other.restore(saved)
    again = other.save()
    assert np.array_equal(again.panels, saved.panels) and np.array_equal(again.segments, saved.segments)
    assert again.first == saved.first and np.array_equal(again.numbers, saved.numbers)


@pytest.mark.parametrize("way", [1, -1])
def test_a_long_run_forgets_what_has_left(way: int) -> None:
    """Five hundred lengths pass, with a jump in each."""
    results = "(, out)" if way > 0 else "(out, )"
    inflows = "u, 0" if way > 0 else "0, u"
    result = run(
        "Real x(start = 0, fixed = true), out; discrete Real u(start = 0, fixed = true);",
        f"""der(x) = {way}; when sample(0.5, 1) then u = pre(u) + 1; end when;
        {results} = spatialDistribution({inflows}, x, {"true" if way > 0 else "false"});""",
        stop_time=500,
        interval=0.5,
        tolerance=1e-8,
    )
    t = result.time
    clear = np.abs((t - 0.5) % 1.0 - 0.5) < 0.4  # between the jumps
    assert np.array_equal(result["out"][clear], np.maximum(np.floor(t - 0.5), 0.0)[clear])


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("call", "code", "words"),
    [
        ("spatialDistribution(0, 0, x)", "E212", "positiveVelocity"),
        ("spatialDistribution(0, 0, x, 1)", "E205", "must be a Boolean"),
        ("spatialDistribution(0, 0, x, true, {0, 1}, {1, 2, 3})", "E206", "2 initial points, but 3"),
        ("spatialDistribution({0, 1}, 0, x, true)", "E206", "of the same size"),
        ("spatialDistribution(0, 0, x, true, {0, 1}, {x, 2})", "E211", "must be a parameter"),
    ],
)
def test_a_wrong_call_is_refused(call: str, code: str, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        run("Real x(start = 0, fixed = true), a, b;", f"der(x) = 1; (a, b) = {call};")
    (found,) = caught.value.diagnostics
    assert found.code == code and words in found.message and found.span is not None


def test_points_that_do_not_rise_end_the_run() -> None:
    with pytest.raises(RunError) as caught:
        run(
            "Real x(start = 0, fixed = true), a, b; parameter Real p[2] = {1, 0};",
            "der(x) = 1; (a, b) = spatialDistribution(0, 0, x, true, p, {1, 2});",
        )
    (found,) = caught.value.diagnostics
    assert found.code == "E407" and "they are 1, 0" in found.message and found.span is not None
