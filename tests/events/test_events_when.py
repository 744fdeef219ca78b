"""When-clauses: edges, order, chains at one instant, reinit."""

from __future__ import annotations

import math

import numpy as np
import pytest
from event_runs import after, before, body, run, steps, times


def test_a_when_fires_at_the_edge_only_and_sees_pre_values() -> None:
    result = body(
        "Real x(start = 0, fixed = true); Integer n(start = 0, fixed = true); Real caught(start = -1);",
        """der(x) = 1;
        when x > 0.5 then n = pre(n) + 1; caught = x; end when;""",
    )
    (event,) = times(result)
    assert (before(result, "n", event), after(result, "n", event)) == (0, 1)
    assert before(result, "caught", event) == -1
    assert after(result, "caught", event) == pytest.approx(0.5, abs=1e-9)
    assert result["n"][-1] == 1


def test_a_condition_true_from_the_start_does_not_fire_until_it_rises_again() -> None:
    # Specification 8.6: at initialisation a when is active only through initial().
    result = body(
        "Real x; Integer n(start = 0, fixed = true); Integer m(start = 0, fixed = true);",
        """x = cos(time);
        when x > 0.5 then n = pre(n) + 1; end when;
        when {initial(), x > 0.5} then m = pre(m) + 1; end when;""",
        stop_time=6,
        interval=0.1,
    )
    assert result["n"][0] == 0 and result["m"][0] == 1
    np.testing.assert_allclose(steps(result, "n")[1:], [(2 * math.pi - math.acos(0.5), 1)], atol=1e-8)
    assert result["m"][-1] == 2


def test_when_initial_only() -> None:
    result = body("Real c;", "when initial() then c = 42; end when;")
    assert set(result["c"]) == {42.0}


def test_edge_and_change_of_discrete_variables() -> None:
    result = body(
        """Boolean b; Integer k;
        Integer rises(start = 0, fixed = true); Integer falls(start = 0, fixed = true);
        Integer both(start = 0, fixed = true); Integer moves(start = 0, fixed = true);""",
        """b = sin(time) > 0.5;
        k = if time < 1 then 5 elseif time < 2 then 5 elseif time < 4 then 8 else 5;
        when edge(b) then rises = pre(rises) + 1; end when;
        when not b then falls = pre(falls) + 1; end when;
        when change(b) then both = pre(both) + 1; end when;
        when change(k) then moves = pre(moves) + 1; end when;""",
        stop_time=4 * math.pi,
        interval=0.1,
    )
    assert [result[n][-1] for n in ("rises", "falls", "both", "moves")] == [2, 2, 4, 2]


def test_elsewhen_gives_the_first_branch_priority_at_one_instant() -> None:
    result = body(
        "Integer n(start = 0, fixed = true); Integer m(start = 0, fixed = true);",
        """when time >= 1 then n = 10;
        elsewhen time >= 1 then n = 20;
        elsewhen time >= 2 then n = 30; end when;
        when time >= 2 then m = 1; elsewhen time >= 1 then m = 2; end when;""",
        stop_time=3,
    )
    assert steps(result, "n") == [(0, 0), (1, 10), (2, 30)]
    assert steps(result, "m") == [(0, 0), (1, 2), (2, 1)]


def test_a_vector_fires_for_each_edge_even_while_another_element_is_true() -> None:
    # Specification 8.3.5.1: a vector when is not `when a or b`.
    result = body(
        "Integer v(start = 0, fixed = true); Integer o(start = 0, fixed = true);",
        """when {time >= 1, time >= 2, time >= 2} then v = pre(v) + 1; end when;
        when time >= 1 or time >= 2 then o = pre(o) + 1; end when;""",
        stop_time=3,
    )
    assert steps(result, "v") == [(0, 0), (1, 1), (2, 2)]
    assert steps(result, "o") == [(0, 0), (1, 1)]


def test_whens_at_one_instant_are_sorted_by_what_they_need_not_by_their_order() -> None:
    # c uses b uses a: written backwards, computed forwards, in one round.
    result = body(
        "Real a(start = 0); Real b(start = 0); Real c(start = 0); Real d(start = 0);",
        """when time >= 1 then c = b + 1; end when;
        when time >= 1 then b = a + 1; end when;
        when time >= 1 then a = 10; end when;
        when time >= 1 then d = pre(c) + 100; end when;""",
        stop_time=2,
    )
    assert [after(result, n, 1.0) for n in "abcd"] == [10, 11, 12, 100]


def test_a_chain_of_whens_runs_through_at_one_instant() -> None:
    links = 8
    declarations = "".join(
        f"Boolean b{k}(start = false, fixed = true); Integer n{k}(start = 0);" for k in range(links)
    )
    equations = "when time >= 1 then b0 = true; n0 = 1; end when;"
    for k in range(1, links):
        equations += f"when pre(b{k - 1}) then b{k} = true; n{k} = pre(n{k - 1}) + 1; end when;\n"
    result = body(declarations, equations, stop_time=2)
    assert times(result) == [1.0]
    for k in range(links):
        assert before(result, f"b{k}", 1.0) == 0
        assert after(result, f"n{k}", 1.0) == k + 1
    (event,) = [e for e in result.events if e.time == 1.0]
    assert event.rounds >= links


def test_whens_without_pre_in_a_chain_need_one_round() -> None:
    result = body(
        """Boolean a(start = false, fixed = true); Boolean b(start = false, fixed = true);
        Integer n(start = 0);""",
        """when time >= 1 then a = true; end when;
        when a then b = true; end when;
        when b then n = pre(n) + 1; end when;""",
        stop_time=2,
    )
    assert steps(result, "n") == [(0, 0), (1, 1)]


def test_rounds_go_on_at_one_instant_until_pre_values_agree() -> None:
    # From 1 on the counter runs, one count a round, until it stands at 3.
    result = body(
        "Integer n(start = 0, fixed = true); Boolean go(start = false, fixed = true);",
        """when time >= 1 then go = true; end when;
        n = if go and pre(n) < 3 then pre(n) + 1 else pre(n);""",
        stop_time=2,
    )
    assert steps(result, "n") == [(0, 0), (1, 3)]


def test_reinit_of_two_states_uses_the_left_limits_of_both() -> None:
    # An elastic impact of equal masses exchanges the velocities.
    result = body(
        """Real x(start = 0, fixed = true); Real y(start = 1, fixed = true);
        Real v(start = 3, fixed = true); Real w(start = 1, fixed = true);""",
        """der(x) = v; der(y) = w; der(v) = 0; der(w) = 0;
        when x > y then reinit(v, pre(w)); reinit(w, pre(v)); end when;""",
        stop_time=2,
        tolerance=1e-9,
    )
    hit = next(e.time for e in result.events if e.reinitialised)
    assert hit == pytest.approx(0.5, abs=1e-8)
    assert [after(result, n, hit) for n in "vw"] == pytest.approx([1, 3])
    assert [before(result, n, hit) for n in "vw"] == pytest.approx([3, 1])
    # Momentum and energy are kept, and the second body runs ahead.
    assert result["x"][-1] == pytest.approx(1.5 + 1.5, abs=1e-6)
    assert result["y"][-1] == pytest.approx(1.5 + 4.5, abs=1e-6)


def test_reinit_in_elsewhen_and_priority() -> None:
    result = body(
        "Real x(start = 0, fixed = true);",
        """der(x) = 1;
        when time >= 1 then reinit(x, 10); elsewhen {time >= 1, time >= 2} then reinit(x, 20); end when;""",
        stop_time=3,
        tolerance=1e-9,
    )
    assert after(result, "x", 1.0) == 10 and before(result, "x", 1.0) == pytest.approx(1)
    assert after(result, "x", 2.0) == 20 and before(result, "x", 2.0) == pytest.approx(11)
    assert result["x"][-1] == pytest.approx(21)


def test_reinit_with_an_algebraic_value_is_seen_by_everything_after_it() -> None:
    result = body(
        "Real x(start = 1, fixed = true); Real y; Boolean high; Integer n(start = 0, fixed = true);",
        """der(x) = -1; y = 2*x; high = y > 3;
        when x < 0.5 then reinit(x, 2); end when;
        when high then n = pre(n) + 1; end when;""",
        stop_time=1,
    )
    first = next(e for e in result.events if e.reinitialised)
    assert first.time == pytest.approx(0.5, abs=1e-8)
    assert after(result, "y", first.time) == 4
    assert after(result, "high", first.time) == 1
    assert result["n"][-1] == 1


def test_a_reinit_may_trigger_the_next_at_the_same_instant() -> None:
    result = body(
        "Real x(start = 0, fixed = true); Real y(start = 0, fixed = true); Real z(start = 0, fixed = true);",
        """der(x) = 1; der(y) = 0; der(z) = 0;
        when x > 1 then reinit(x, -1); reinit(y, 5); end when;
        when y > 4 then reinit(z, pre(x) + y); end when;""",
        stop_time=2,
        tolerance=1e-9,
    )
    jumps = [e for e in result.events if e.reinitialised]
    assert len(jumps) == 1
    assert after(result, "x", jumps[0].time) == -1
    assert after(result, "y", jumps[0].time) == 5
    assert after(result, "z", jumps[0].time) == 4  # the second reinit sees the states after the first


def test_discrete_real_holds_and_continuous_real_does_not() -> None:
    result = body(
        "Real x; discrete Real held(start = 7, fixed = true);",
        "x = time^2; when sample(0.5, 0.5) then held = x; end when;",
        stop_time=2,
    )
    assert steps(result, "held") == [(0, 7), (0.5, 0.25), (1, 1), (1.5, 2.25), (2, 4)]
    np.testing.assert_allclose(result["x"], result.time**2, rtol=1e-12)


def test_an_integer_state_machine() -> None:
    # 1 -> 2 -> 3 -> 1 ... each half second, one transition per tick although all conditions hold in turn.
    result = body(
        "Integer state(start = 1, fixed = true);",
        """when sample(0.5, 0.5) then
          state = if pre(state) == 1 then 2 elseif pre(state) == 2 then 3 else 1;
        end when;""",
        stop_time=3.2,
    )
    assert steps(result, "state") == [(0, 1), (0.5, 2), (1, 3), (1.5, 1), (2, 2), (2.5, 3), (3, 1)]


def test_if_expressions_of_discrete_booleans() -> None:
    result = body(
        "Boolean a; Boolean b; Real y;",
        "a = time >= 1; b = time >= 2; y = if a and not b then 1 elseif b then 2 else 0;",
        stop_time=3,
    )
    assert steps(result, "y") == [(0, 0), (1, 1), (2, 2)]


def test_an_enumeration_state_machine_with_a_timer() -> None:
    result = run(
        """model Light
          type Colour = enumeration(red, green, amber);
          Colour colour(start = Colour.red, fixed = true);
          discrete Real next(start = 3, fixed = true);
        equation
          when time >= pre(next) then
            colour = if pre(colour) == Colour.red then Colour.green
              elseif pre(colour) == Colour.green then Colour.amber else Colour.red;
            next = time + (if colour == Colour.amber then 1 elseif colour == Colour.red then 3 else 4);
          end when;
        end Light;""",
        stop_time=12,
    )
    assert steps(result, "colour") == [(0, 1), (3, 2), (7, 3), (8, 1), (11, 2)]
    names = [c.new for e in result.events for c in e.changes if c.name == "colour"]
    assert names == ["green", "amber", "red", "green"]


def test_algorithm_whens_run_in_their_order() -> None:
    result = run(
        """model M
          Integer n(start = 0, fixed = true);
          Integer twice(start = 0, fixed = true);
        algorithm
          when sample(0, 0.5) then
            n := pre(n) + 1;
            twice := 2*n;
            n := n + 10;
          end when;
        end M;""",
        stop_time=1,
    )
    # 1 then +10, and so on: n = 11, 22, 33; twice = 2, 24, 46.
    assert steps(result, "n") == [(0, 0), (0, 11), (0.5, 22), (1, 33)]
    assert steps(result, "twice") == [(0, 0), (0, 2), (0.5, 24), (1, 46)]
