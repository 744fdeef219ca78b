"""Continuous and discrete equations, when-clauses and jumps in one order: small models that are easy to get
wrong, against what the Modelica specification says of each."""

from __future__ import annotations

import numpy as np
import pytest
from event_runs import after, before, body, run, steps, times


def test_a_chain_of_pre_passes_one_link_a_round() -> None:
    """Everything happens at one instant, in four rounds; in none of them two links at once."""
    result = body(
        "Boolean a, b, c, d; Integer n(start = 0), seen(start = 0);",
        """a = pre(b); b = pre(c); c = pre(d); d = time >= 0.5;
        n = (if a then 1 else 0) + (if b then 1 else 0) + (if c then 1 else 0) + (if d then 1 else 0);
        when change(n) then seen = pre(seen) + 1; end when;""",
    )
    assert times(result) == [0.5]
    assert after(result, "n", 0.5) == 4 and before(result, "n", 0.5) == 0
    # n is 1, 2, 3, 4 in four rounds, but change(n) stays true throughout: one rising edge
    assert after(result, "seen", 0.5) == 1


def test_an_edge_is_true_for_one_round() -> None:
    result = body(
        "Boolean b, e, f; Integer n(start = 0), m(start = 0);",
        """b = time >= 0.25; e = edge(b); f = edge(e);
        when e then n = pre(n) + 1; end when;
        when f then m = pre(m) + 1; end when;""",
    )
    assert result["n"][-1] == 1 and result["m"][-1] == 1
    assert not result["e"].any() and not result["f"].any()  # over when the event is


def test_change_of_everything_that_changes() -> None:
    result = body(
        "Integer n(start = 0, fixed = true), ups(start = 0); discrete Real x(start = 0, fixed = true);",
        """when sample(0.1, 0.1) then
          n = pre(n) + 1;
          x = pre(x) + (if mod(n, 2) == 0 then 1.5 else 0);
        end when;
        when change(x) then ups = pre(ups) + 1; end when;""",
        stop_time=1.05,
    )
    assert result["n"][-1] == 10 and result["x"][-1] == 7.5 and result["ups"][-1] == 5


def test_elsewhen_has_lower_priority() -> None:
    # At 0.3 both become true: the first branch. At 0.6 only the second does, at 0.8 only the first.
    result = body(
        "Integer x(start = 0); Boolean a, b;",
        """a = (time >= 0.3 and time < 0.5) or time >= 0.8; b = (time >= 0.3 and time < 0.5) or time >= 0.6;
        when a then x = pre(x) + 1; elsewhen b then x = pre(x) + 10; end when;""",
    )
    assert steps(result, "x") == [(0, 0), (0.3, 1), (0.6, 11), (0.8, 12)]


def test_elsewhen_in_an_algorithm_has_lower_priority() -> None:
    result = run(
        """model M Integer x(start = 0), y(start = 0); Boolean a, b;
        algorithm
          a := time >= 0.3; b := time >= 0.3 or time >= 0.6;
          when a then x := pre(x) + 1; elsewhen b then x := pre(x) + 10; y := x; end when;
        end M;"""
    )
    assert result["x"][-1] == 1 and result["y"][-1] == 0


def test_an_array_of_conditions_fires_for_each_edge() -> None:
    """Two edges at the same instant fire once; an edge while another condition is true fires, too."""
    declarations = "Integer n(start = 0), m(start = 0); Boolean a, b;"
    equations = """a = time >= 0.2; b = time >= 0.2 and time < 0.4 or time >= 0.6;
        when {a, b, time >= 0.8} then n = pre(n) + 1; end when;
        when a or b or time >= 0.8 then m = pre(m) + 1; end when;"""
    result = body(declarations, equations)
    assert steps(result, "n") == [(0, 0), (0.2, 1), (0.6, 2), (0.8, 3)]
    assert steps(result, "m") == [(0, 0), (0.2, 1)]


def test_clauses_with_the_same_condition_see_new_values_in_any_order() -> None:
    result = body(
        "Integer a(start = 0), b(start = 0), c(start = 0); discrete Real r(start = 0);",
        """when sample(0.5, 1) then c = b + 1; end when;
        when sample(0.5, 1) then r = c/2; end when;
        when sample(0.5, 1) then b = 2*a; end when;
        when sample(0.5, 1) then a = pre(a) + 1 + pre(c); end when;""",
        stop_time=3,
    )
    a = b = c = 0
    for k in range(3):
        a = a + 1 + c
        b = 2 * a
        c = b + 1
        assert [after(result, name, k + 0.5) for name in "abc"] == [a, b, c]
        assert after(result, "r", k + 0.5) == c / 2


def test_a_condition_on_what_another_clause_assigns_fires_at_once() -> None:
    result = body(
        "Integer n(start = 0), m(start = 0); Boolean full;",
        """when full then m = pre(m) + 1; end when;
        full = n >= 3;
        when sample(0.1, 0.1) then n = if pre(full) then 0 else pre(n) + 1; end when;""",
        stop_time=1.25,
    )
    assert [v for _, v in steps(result, "n")] == [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0]
    assert [t for t, _ in steps(result, "m")] == pytest.approx([0, 0.3, 0.7, 1.1])


def test_states_exchange_their_values() -> None:
    result = body(
        "Real x(start = 1, fixed = true), y(start = 5, fixed = true), z(start = 3, fixed = true);",
        """der(x) = 0; der(y) = 0; der(z) = 1;
        when time >= 0.5 then reinit(x, pre(y)); reinit(y, pre(x)); end when;""",
    )
    assert after(result, "x", 0.5) == 5 and after(result, "y", 0.5) == 1
    assert after(result, "z", 0.5) == pytest.approx(3.5)


def test_only_the_states_that_hit_are_reinitialised() -> None:
    """Three balls that bounce at 1, 1/2 and 1/3 times the height: falling from h takes sqrt(2*h/g)."""
    result = run(
        """model M
          parameter Integer n = 3;
          Real h[n](start = {1, 1/2, 1/3}, each fixed = true), v[n](each start = 0, each fixed = true);
          Integer hits[n](each start = 0);
        equation
          for i in 1:n loop
            der(h[i]) = v[i]; der(v[i]) = -2;
            when h[i] <= 0 then reinit(v[i], -pre(v[i])); hits[i] = pre(hits[i]) + 1; end when;
          end for;
        end M;""",
        stop_time=4.9,
        tolerance=1e-9,
    )
    for i, height in enumerate((1, 1 / 2, 1 / 3), start=1):
        fall = np.sqrt(height)
        expected = [fall * (2 * k + 1) for k in range(10) if fall * (2 * k + 1) < 4.9]
        assert [t for t, _ in steps(result, f"hits[{i}]")][1:] == pytest.approx(expected, abs=1e-6)


def test_reinit_under_a_condition_and_in_elsewhen() -> None:
    result = body(
        "Real x(start = 0, fixed = true), y(start = 0, fixed = true); parameter Boolean both = false;",
        """der(x) = 1; der(y) = 1;
        when time >= 0.5 then reinit(x, 10); if both then reinit(y, 20); end if;
        elsewhen time >= 0.7 then reinit(y, 30 + x); end when;""",
    )
    assert after(result, "x", 0.5) == 10 and after(result, "y", 0.5) == pytest.approx(0.5)
    assert after(result, "y", 0.7) == pytest.approx(30 + 10.2, abs=1e-6)


def test_a_jump_makes_another_clause_fire_at_the_same_instant() -> None:
    result = body(
        "Real x(start = 0, fixed = true), y(start = 0, fixed = true); Integer n(start = 0); Boolean high;",
        """der(x) = 1; der(y) = 0; high = y > 2;
        when x >= 0.5 then reinit(y, 3); end when;
        when high then reinit(x, -pre(x)); n = pre(n) + 1; end when;""",
        tolerance=1e-9,
    )
    assert times(result) == pytest.approx([0.5], abs=1e-8)
    t = times(result)[0]
    assert after(result, "x", t) == pytest.approx(-0.5, abs=1e-8) and after(result, "y", t) == 3
    assert result["n"][-1] == 1


def test_statements_in_an_algorithm_with_when() -> None:
    """Statements are carried out in order: what is assigned before is used after, within one instant."""
    result = run(
        """model M
          Integer a(start = 0), b(start = 0), c(start = 0);
          Real r(start = 0);
          Boolean big(start = false);
        algorithm
          when sample(0.1, 0.1) then
            a := pre(a) + 1;
            b := a*a;
            for i in 1:3 loop
              b := b + i;
            end for;
            if b > 20 then
              big := true;
              c := pre(c) + b;
            end if;
          end when;
          r := if big then b/2 else -1;
        end M;""",
        stop_time=0.65,
    )
    c = 0
    for k in range(1, 7):
        b = k * k + 6
        c += b if b > 20 else 0
        t = k / 10
        assert [after(result, name, t) for name in "abc"] == [k, b, c]
        assert after(result, "r", t) == (b / 2 if b > 20 else -1)


def test_a_jump_uses_what_an_algorithm_computes_at_the_same_instant() -> None:
    result = run(
        """model M Real x(start = 0, fixed = true); Integer n(start = 0); Real to(start = 0);
        equation
          der(x) = 1;
          when x >= 0.25 then reinit(x, to); end when;
        algorithm
          when x >= 0.25 then n := pre(n) + 1; to := 0.05*n; end when;
        end M;""",
        stop_time=0.65,
        tolerance=1e-9,
    )
    # 0.25, then 0.25 - 0.05 later, then 0.25 - 0.1 later
    assert [t for t, _ in steps(result, "n")][1:] == pytest.approx([0.25, 0.45, 0.6], abs=1e-7)


def test_a_state_machine_with_an_enumeration() -> None:
    """A thermostat with a mode of its own: it heats from 18 up to 22, towards 26, then it rests and cools,
    towards 10; both with a time constant of 4."""
    result = run(
        """model M
          type Mode = enumeration(off, heating, resting);
          Mode mode(start = Mode.off, fixed = true);
          Real T(start = 20, fixed = true);
          Integer starts(start = 0);
        equation
          4*der(T) = (if mode == Mode.heating then 26 else 10) - T;
          mode = if pre(mode) <> Mode.heating and T < 18 then Mode.heating
            elseif pre(mode) == Mode.heating and T > 22 then Mode.resting else pre(mode);
          when mode == Mode.heating then starts = pre(starts) + 1; end when;
        end M;""",
        stop_time=20,
        tolerance=1e-9,
    )
    t, expected = 4 * np.log(10 / 8), []
    while t < 20:
        expected.append(t)
        t += 4 * np.log(8 / 4)  # from 18 to 22 towards 26
        expected.append(t)
        t += 4 * np.log(12 / 8)  # from 22 to 18 towards 10
    found = [when for when, _ in steps(result, "mode")][1:]
    assert found == pytest.approx([e for e in expected if e < 20], abs=1e-6)
    assert result["starts"][-1] == sum(1 for e in expected[::2] if e < 20)


def test_two_machines_that_wait_for_each_other() -> None:
    """A hand-over: one asks, the other grants, the first releases, the second takes the grant back. All four
    steps happen at one instant, in rounds."""
    result = body(
        "Boolean ask(start = false), grant(start = false); Integer turns(start = 0);",
        """ask = if pre(grant) then false else time >= 0.5 and pre(turns) == 0 or pre(ask);
        grant = pre(ask);
        when not grant then turns = pre(turns) + 1; end when;""",
    )
    assert times(result) == [0.5]
    assert result["turns"][-1] == 1 and not result["ask"][-1] and not result["grant"][-1]


def test_types_are_sorted_together() -> None:
    """Real from Integer from Boolean from Real from Integer ... in the reverse of the order of evaluation."""
    result = body(
        "Real e, f; Integer d; Boolean c; discrete Real b(start = 0); Integer a(start = 0, fixed = true);",
        """f = e^2 + time; e = d + 0.5; d = if c then 3 else 4; c = b > 1;
        when change(a) then b = a/2; end when;
        when sample(0.1, 0.1) then a = pre(a) + 1; end when;""",
        stop_time=0.5,
    )
    a = result["a"]
    e = np.where(a / 2 > 1, 3.5, 4.5)
    np.testing.assert_allclose(result["f"], e**2 + result.time, rtol=1e-14)


def test_three_rates_at_one_instant() -> None:
    """A fast loop, a slow one and a slower one: where they coincide, each sees what the others have just
    computed, unless it says pre."""
    result = body(
        "Integer fast(start = 0), slow(start = 0), slower(start = 0), lag(start = 0), k(start = 0);",
        """when sample(0, 1) then fast = pre(fast) + 1; k = slow; end when;
        when sample(0, 2) then slow = fast; lag = pre(fast); end when;
        when sample(0, 6) then slower = slow + fast; end when;""",
        stop_time=12.5,
    )
    fast = slow = slower = lag = k = 0
    for t in range(13):
        old, fast = fast, fast + 1
        if t % 2 == 0:
            slow, lag = fast, old
        if t % 6 == 0:
            slower = slow + fast
        k = slow
        found = [after(result, name, t) for name in ("fast", "slow", "slower", "lag", "k")]
        assert found == [fast, slow, slower, lag, k], t


def test_when_with_pre_in_its_condition_fires_a_round_later() -> None:
    result = body(
        "Boolean b; Integer n(start = 0), m(start = 0);",
        """b = time >= 0.5;
        when b then n = 1; end when;
        when pre(b) then m = 10*pre(n) + n; end when;""",
    )
    assert after(result, "n", 0.5) == 1 and after(result, "m", 0.5) == 11


def test_conditions_that_use_what_they_guard() -> None:
    """The condition depends on the variable that the clause assigns, by pre: a counter that stops itself."""
    result = body(
        "Integer n(start = 0, fixed = true); Boolean run;",
        """run = pre(n) < 4 and time >= 0.3;
        when {run and mod(pre(n), 2) == 0, run and mod(pre(n), 2) == 1} then n = pre(n) + 1; end when;""",
    )
    assert times(result) == [0.3] and after(result, "n", 0.3) == 4


def test_a_jump_that_depends_on_an_algebraic_loop() -> None:
    """The value of the jump comes from a loop that depends on a discrete variable of the same instant."""
    result = body(
        "Real x(start = 0, fixed = true), p, q; Integer n(start = 1, fixed = true);",
        """der(x) = 1; p + q = n; p - n*q = x;
        when x >= 0.5 then n = pre(n) + 2; reinit(x, p); end when;""",
        tolerance=1e-9,
    )
    # with n = 3 and x = 0.5: q = (3 - 0.5)/4, p = 3 - q
    t = times(result)[0]
    assert after(result, "x", t) == pytest.approx(3 - 2.5 / 4, abs=1e-8)
