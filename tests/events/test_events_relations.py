"""Relations: truth between events, the zero band, and where the crossings are found."""

from __future__ import annotations

import math

import numpy as np
import pytest
from event_runs import after, before, body, run, steps, times

SOON = 1e-7  # a relation that starts at zero leaves its band within this time at unit slope


@pytest.mark.parametrize(
    ("op", "slope", "start", "end"),
    [
        (">", 1, 0, 1),
        (">", -1, 0, 0),
        (">=", 1, 1, 1),
        (">=", -1, 1, 0),
        ("<", 1, 0, 0),
        ("<", -1, 0, 1),
        ("<=", 1, 1, 0),
        ("<=", -1, 1, 1),
    ],
)
def test_a_relation_that_is_zero_at_the_start_has_the_truth_of_zero_and_then_that_of_its_side(
    op: str, slope: int, start: int, end: int
) -> None:
    result = body("Real x(start = 0, fixed = true); Boolean b;", f"der(x) = {slope}; b = x {op} 0;")
    assert result["b"][0] == start
    assert result["b"][-1] == end
    changes = steps(result, "b")[1:]
    assert len(changes) == (start != end)
    assert all(0 < t < SOON for t, _ in changes)
    assert len(times(result)) == len(changes), "leaving the band to the presumed side is no event"


@pytest.mark.parametrize("op", [">", ">=", "<", "<="])
@pytest.mark.parametrize("slope", [1, -1])
def test_a_residue_that_stays_at_zero_keeps_its_truth_until_it_leaves(op: str, slope: int) -> None:
    result = body(
        "Real x(start = 0, fixed = true); Boolean b;",
        f"der(x) = if time < 1 then 0 else {slope}; b = x {op} 0;",
        stop_time=2,
    )
    at_zero = {"<": False, "<=": True, ">": False, ">=": True}[op]
    behind = (slope > 0) == (op in (">", ">="))
    while_zero = result.time < 1
    assert set(result["b"][while_zero]) == {float(at_zero)}
    assert result["b"][-1] == float(behind)
    expected = [1.0] if at_zero == behind else [1.0, 1.0]  # the step of the slope, and the relation
    np.testing.assert_allclose(times(result), expected, atol=SOON)


def test_crossing_then_touching_then_leaving_to_either_side_does_not_chatter() -> None:
    # 1, falls to -1 at 2, rises to 0 at 3, rests there, then goes to -1 at 5 and to +1 at 7.
    slopes = (
        "if time < 2 then -1 elseif time < 3 then 1 elseif time < 4 then 0 elseif time < 5 then -1 else 1"
    )
    result = body(
        "Real x(start = 1, fixed = true); Boolean below;",
        f"der(x) = {slopes}; below = x < 0;",
        stop_time=7,
    )
    for t, truth in ((0.5, 0), (1.5, 1), (2.9, 1), (4.5, 1), (5.9, 1), (6.1, 0)):
        assert after(result, "below", t) == truth, t
    assert len(times(result)) <= 4 + 4  # four steps of the slope; cross, touch, leave, cross
    crossings = [t for t, _ in steps(result, "below")[1:]]
    assert crossings[0] == pytest.approx(1, abs=1e-6)
    assert crossings[-1] == pytest.approx(6, abs=1e-6)


@pytest.mark.parametrize(
    ("op", "value", "truth"),
    [("<=", 0, 1), ("<", 0, 0), (">", 0, 0), (">=", 0, 1), (">", 1e-12, 1), ("<=", 1e-12, 0)],
)
def test_a_residue_that_jumps_into_its_band_is_taken_at_its_word(op: str, value: float, truth: int) -> None:
    result = body(
        "Real x(start = 5, fixed = true); Boolean b; Integer n(start = 0, fixed = true);",
        f"""der(x) = 0; b = x {op} 0;
        when time >= 0.5 then reinit(x, {value}); end when;
        when b then n = pre(n) + 1; end when;""",
    )
    assert before(result, "b", 0.5) == (op in (">", ">="))
    assert result["b"][-1] == truth
    assert result["n"][-1] == (1 if op in ("<", "<=") and truth else 0)


def test_a_residue_that_rests_at_zero_has_the_truth_of_zero_at_the_next_event() -> None:
    # x falls to 0 at 1 and rests there. `x <= 0` and `x < 0` may both hold when it arrives, being presumed;
    # when the clock looks at 2, x is zero: not less, but not more either.
    result = body(
        """Real x(start = 1, fixed = true); Boolean less; Boolean notmore;
        Integer seen(start = -1, fixed = true); Integer calm(start = -1, fixed = true);""",
        """der(x) = if time < 1 then -1 else 0; less = x < 0; notmore = x <= 0;
        when time >= 2 then reinit(x, 0); end when;
        when time >= 3 then seen = if less then 1 else 0; calm = if notmore then 1 else 0; end when;""",
        stop_time=4,
    )
    assert result["seen"][-1] == 0 and result["calm"][-1] == 1


def test_an_ideal_diode_closes_and_opens_by_voltage_and_current() -> None:
    # Source sin(t), resistor 1, and a diode in the 0/1 form with pre: i = max(sin(t), 0).
    result = body(
        "Real u; Real i; Boolean off(start = true, fixed = true);",
        """sin(time) = i + u;
        0 = if pre(off) then i else u;
        off = u <= 0 and not i > 0;""",
        stop_time=20,
        interval=0.05,
    )
    np.testing.assert_allclose(result["i"], np.maximum(np.sin(result.time), 0), atol=1e-7)
    np.testing.assert_allclose(result["u"], np.minimum(np.sin(result.time), 0), atol=1e-7)
    switches = [t for t, _ in steps(result, "off")[1:]]
    np.testing.assert_allclose(switches, [0, *(k * math.pi for k in range(1, 7))], atol=1e-7)


def test_state_relations_are_located_far_better_than_the_tolerance() -> None:
    result = body("Real x(start = 1, fixed = true); Boolean b;", "der(x) = -x; b = x < 0.5;", tolerance=1e-9)
    ((_, _), (t, value)) = steps(result, "b")
    assert value == 1 and t == pytest.approx(math.log(2), abs=1e-7)
    assert after(result, "x", t) == pytest.approx(0.5, abs=1e-13)
    assert before(result, "b", t) == 0


def test_a_relation_used_twice_switches_both_at_one_event() -> None:
    result = body(
        "Real x(start = 0, fixed = true); Real y; Boolean b; Integer n;",
        """der(x) = 1;
        y = if x > 0.25 then 1 else 0;
        b = x > 0.25;
        n = if x > 0.25 then 7 else 3;""",
    )
    (event,) = times(result)
    assert event == pytest.approx(0.25, abs=1e-9)
    for name, values in (("y", (0, 1)), ("b", (0, 1)), ("n", (3, 7))):
        assert (before(result, name, event), after(result, name, event)) == values
    assert len(result.structure.model.relations) == 1


def test_opposite_relations_never_hold_both_or_neither_outside_the_band() -> None:
    result = body(
        "Real x(start = 0, fixed = true); Boolean above; Boolean below;",
        "der(x) = cos(time); above = x > 0; below = x <= 0;",
        stop_time=20,
    )
    outside = np.abs(result["x"]) > 1e-6
    np.testing.assert_array_equal(result["above"][outside], result["x"][outside] > 0)
    np.testing.assert_array_equal(result["above"][outside], 1 - result["below"][outside])


def test_relations_of_algebraic_variables_without_states_are_found_at_the_roots() -> None:
    result = body(
        "Real y; Boolean b;", "y = sin(time); b = y >= 0;", stop_time=20, interval=0.1, tolerance=1e-8
    )
    changes = steps(result, "b")[1:]
    expected = [k * math.pi for k in range(1, 7)]
    np.testing.assert_allclose([t for t, _ in changes], expected, atol=1e-8)
    assert [v for _, v in changes] == [0, 1] * 3


def test_a_limiter_without_states() -> None:
    # Paper 000: y = if u > uMax then uMax else if u < uMin then uMin else u.
    result = body(
        "Real u; Real y;",
        "u = 2*sin(time); y = if u > 1 then 1 else if u < -1 then -1 else u;",
        stop_time=2 * math.pi,
    )
    np.testing.assert_allclose(result["y"], np.clip(2 * np.sin(result.time), -1, 1), atol=1e-9)
    sixth = math.pi / 6
    np.testing.assert_allclose(times(result), [sixth, 5 * sixth, 7 * sixth, 11 * sixth], atol=1e-8)


def test_hysteresis_has_different_thresholds_up_and_down() -> None:
    result = body(
        "Real u; Boolean on(start = false, fixed = true);",
        "u = sin(time); on = u > 0.5 or pre(on) and u > -0.5;",
        stop_time=4 * math.pi,
        interval=0.1,
    )
    up, down = math.asin(0.5), math.pi + math.asin(0.5)
    expected = [(0, 0), (up, 1), (down, 0), (up + 2 * math.pi, 1), (down + 2 * math.pi, 0)]
    found = steps(result, "on")
    np.testing.assert_allclose(found, expected, atol=1e-8)


def test_relations_inside_nested_ifs_give_the_right_piece_everywhere() -> None:
    result = body(
        "Real x; Real y;",
        """x = 3*sin(time);
        y = if x > 0 then (if x > 1 then (if x > 2 then 3 else 2) else 1)
          else (if x < -1 then -2 else -1);""",
        stop_time=10,
        interval=0.05,
    )
    x = 3 * np.sin(result.time)
    clear = np.min(np.abs(x[:, None] - [0, 1, 2, -1]), axis=1) > 1e-6
    expected = np.select([x > 2, x > 1, x > 0, x < -1], [3, 2, 1, -2], -1)
    np.testing.assert_array_equal(result["y"][clear], expected[clear])


def test_two_relations_that_cross_at_one_instant() -> None:
    result = body(
        """Real x(start = 0, fixed = true); Real z(start = 1, fixed = true);
        Integer n(start = 0, fixed = true);""",
        """der(x) = 1; der(z) = -1;
        when {x > 0.5, z < 0.5} then n = pre(n) + 1; end when;""",
    )
    # Both become true at 0.5, up to rounding: the vector fires at each edge that is an event of its own.
    assert 1 <= result["n"][-1] <= 2
    np.testing.assert_allclose(times(result), 0.5, atol=1e-9)


def test_an_if_equation_switches_both_of_its_equations_together() -> None:
    result = body(
        "Real x(start = 0, fixed = true); Real y; Real z;",
        "der(x) = 1; if x < 0.5 then y = x; z = 1; else y = 2*x; z = y + 1; end if;",
    )
    low = result["x"] < 0.5 - 1e-9
    high = result["x"] > 0.5 + 1e-9
    np.testing.assert_allclose(result["y"][low], result["x"][low])
    np.testing.assert_allclose(result["z"][low], 1)
    np.testing.assert_allclose(result["y"][high], 2 * result["x"][high])
    np.testing.assert_allclose(result["z"][high], 2 * result["x"][high] + 1)


def test_no_event_makes_no_event_and_still_computes() -> None:
    result = body(
        "Real x(start = 1, fixed = true); Real y;",
        "der(x) = -1; y = noEvent(if x > 0 then sqrt(x) else 0);",
        stop_time=2,
    )
    assert times(result) == [] and not result.structure.model.relations
    np.testing.assert_allclose(result["y"], np.sqrt(np.maximum(1 - result.time, 0)), atol=1e-6)


def test_smooth_of_order_one_makes_no_event_and_of_order_zero_may() -> None:
    for order, expected in ((1, 0), (0, 1)):
        result = body(
            "Real x(start = -1, fixed = true); Real y;",
            f"der(x) = 1; y = smooth({order}, if x > 0 then x^2 else 0);",
            stop_time=2,
        )
        assert len(times(result)) == expected
        np.testing.assert_allclose(result["y"], np.maximum(result.time - 1, 0) ** 2, atol=1e-8)


def test_the_spring_at_the_wall_is_restarted_although_nothing_jumps() -> None:
    # Free flight from x = 1 with v = -1, contact at t = 1, half a period of contact, flight again.
    stiffness = 1e4
    result = body(
        "Real x(start = 1, fixed = true); Real v(start = -1, fixed = true); parameter Real k = 1e4;",
        "der(x) = v; der(v) = if x < 0 then -k*x else 0;",
        stop_time=2,
        tolerance=1e-10,
    )
    contact, release = times(result)
    assert contact == pytest.approx(1, abs=1e-9)
    assert release == pytest.approx(1 + math.pi / math.sqrt(stiffness), abs=1e-7)
    assert result["v"][-1] == pytest.approx(1, abs=1e-6)
    assert result["x"].min() == pytest.approx(-1 / math.sqrt(stiffness), rel=1e-2)


def test_an_event_that_changes_nothing_continuous_leaves_the_steps_alone() -> None:
    equations = "der(x) = -x; when sample(0.05, 0.1) then n = pre(n) + 1; end when;"
    clocked = body(
        "Real x(start = 1, fixed = true); Integer n(start = 0, fixed = true);", equations, tolerance=1e-8
    )
    plain = body("Real x(start = 1, fixed = true);", "der(x) = -x;", tolerance=1e-8)
    np.testing.assert_allclose(clocked["x"], np.exp(-clocked.time), rtol=1e-6)
    assert clocked["n"][-1] == 10
    # No restart: a restart at first order takes some ten steps, and there are ten events.
    assert clocked.statistics["steps"] <= plain.statistics["steps"] + 20


def test_a_clocked_value_in_the_differential_equation_restarts_the_integration() -> None:
    result = body(
        "Real x(start = 0, fixed = true); discrete Real u(start = 0, fixed = true);",
        "der(x) = u; when sample(0, 0.25) then u = 1 + pre(u); end when;",
        tolerance=1e-10,
    )
    # u is 1, 2, 3, 4 over quarters; at 1 it becomes 5.
    knots = np.array([0, 0.25, 0.75, 1.5, 2.5])
    np.testing.assert_allclose(result["x"], np.interp(result.time, np.arange(5) / 4, knots), atol=1e-9)
    assert result["u"][-1] == 5


def test_a_stiff_equation_switches_where_its_slow_part_does() -> None:
    # x follows cos(t) with a lag of a microsecond: it is zero a microsecond after pi/2.
    result = body(
        "Real x(start = 1, fixed = true); Boolean b;",
        "der(x) = -1e6*(x - cos(time)); b = x < 0;",
        stop_time=3,
        tolerance=1e-8,
    )
    (_, (t, _)) = steps(result, "b")
    assert t == pytest.approx(math.pi / 2 + 1e-6, abs=1e-7)
    assert result.statistics["steps"] < 2000


def test_scales_far_from_one_second() -> None:
    # An RC circuit of a nanosecond, and the same of ten million seconds: the switch opens at RC*log(2).
    for unit in (1e-9, 1e7):
        result = run(
            f"""model M
              parameter Real T = {unit!r};
              Real u(start = 0, fixed = true);
              Boolean full;
            equation
              T*der(u) = 1 - u;
              full = u > 0.5;
            end M;""",
            stop_time=5 * unit,
            tolerance=1e-8,
        )
        (_, (t, _)) = steps(result, "full")
        assert t / unit == pytest.approx(math.log(2), rel=1e-6)
        np.testing.assert_allclose(result["u"], 1 - np.exp(-result.time / unit), atol=1e-6)
