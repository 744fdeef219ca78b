"""What statements do, each against what the words of the language say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from chi_examples import changes

import saltus
from saltus.compiler import load_flat
from saltus.core.diagnostics import ModelError
from saltus.show.listings.flat import flat_text


def run(text: str, stop: float = 10.0, **settings) -> saltus.Result:
    return saltus.load(text).simulate(stop_time=stop, **settings)


def test_time_passes_by_delta() -> None:
    result = run("proc P() = |[ n : int | *[ delta 1.5; n := n + 1; delta 0.5; n := n + 10 ] ]|", 4.9)
    assert changes(result, "n") == [(1.5, 1.0), (2.0, 11.0), (3.5, 12.0), (4.0, 22.0)]


def test_statements_in_a_row_see_each_other() -> None:
    result = run(
        "proc P() = |[ a, b : int, x : real | a := 3; b := 2a + 1; a := a - b; x := a/b; delta 1 ]|", 1
    )
    assert [result[n][-1] for n in ("a", "b", "x")] == [-4, 7, pytest.approx(-4 / 7)]


def test_a_repetition_with_guards_ends() -> None:
    """Euclid, at one instant."""
    text = """proc P(p, q : int) = |[ a, b : int; a := p; b := q
      | delta 1; *[ a > b -> a := a - b [] b > a -> b := b - a ]; delta 1; b := 0 ]|"""
    for p, q in ((12, 18), (35, 64), (7, 7)):
        result = run(text, 3, set={"p": p, "q": q})
        assert changes(result, "a")[-1:] == ([(1.0, math.gcd(p, q))] if p != q else [])
        assert changes(result, "b")[-1] == (2.0, 0.0)


def test_the_first_of_what_happens_is_taken() -> None:
    text = """proc P(t : real) = |[ x : [m], n : int; x ::= 0 | x' = 1
      | [ nabla x > 2 -> n := 1 [] delta t -> n := 2 ]; delta 1; n := 0 ]|"""
    assert changes(run(text, set={"t": 1.0}), "n") == [(1.0, 2.0), (2.0, 0.0)]
    late = changes(run(text, set={"t": 3.0}), "n")
    assert [n for _, n in late] == [1.0, 0.0]
    np.testing.assert_allclose([t for t, _ in late], [2.0, 3.0], atol=1e-6)


def test_a_guard_in_front_of_an_event_is_asked_when_the_wait_begins() -> None:
    """x is above 1 when the wait begins and falls; its guard stays open."""
    text = """proc P() = |[ x : [m], n : int; x ::= 2 | x' = -1
      | [ x > 1; nabla x < 0.5 -> n := 1 [] x <= 1; nabla x < 1.5 -> n := 2 ] ]|"""
    ((time, value),) = changes(run(text), "n")
    assert value == 1 and time == pytest.approx(1.5, abs=1e-6)


def test_equality_waits_for_a_crossing_from_either_side() -> None:
    text = """proc P() = |[ x : [m], n : int | x = cos tau | *[ nabla x = 0.5; n := n + 1; delta 0.1 ] ]|"""
    found = changes(run(text, 8, tolerance=1e-10), "n")
    third = math.pi / 3
    expected = [third, 2 * math.pi - third, 2 * math.pi + third]
    np.testing.assert_allclose([t for t, _ in found], expected, atol=1e-7)


def test_equality_holds_at_once_where_it_holds() -> None:
    """At the start, and again at the instant of a crossing: two waits in a row end together."""
    text = """proc P() = |[ x : [m], n : int; x ::= 0 | x' = 1 - tau
      | nabla x = 0; n := 1; delta 1; nabla x = 0; n := 2; nabla x = 0; n := 3; delta 1; n := 4 ]|"""
    found = changes(run(text, tolerance=1e-10), "n")
    times = {n: t for t, n in found}
    assert times[1.0] == 0
    assert times[3.0] == pytest.approx(2, abs=1e-7)  # x = t - t^2/2
    assert times[4.0] == pytest.approx(3, abs=1e-7)


def test_equations_are_solved_before_a_statement_reads_what_they_say() -> None:
    """y is 2n: the second statement reads it behind the first, and the wait behind that sees it, too."""
    text = """proc P() = |[ y : [-], z : [-], n, m : int, r : real; z ::= 0 | y = 2n + z, z' = 0
      | n := 1; r := y; [ y > 1 -> m := 1 [] y <= 1 -> m := 2 ]; z ::= 5; r := r + y; nabla y > 6; n := 7
      ]|"""
    result = run(text, 1)
    assert [result[n][-1] for n in ("r", "m", "z", "n")] == [2 + 7, 1, 5, 7]


def test_a_ball_is_thrown_back_by_an_assignment() -> None:
    """Between impacts the flight is a parabola; the k-th one is at t0 (1 + 2 (c + c^2 + ...))."""
    text = """proc Ball(c : real) = |[ h : [m], v : [m/s], n : int; h ::= 1; v ::= 0 | h' = v, v' = -10
      | *[ nabla h < 0; v ::= -cv; n := n + 1; nabla h > 0 ] ]|"""
    found = changes(run(text, 1.5, set={"c": 0.8}, tolerance=1e-9), "n")
    first = math.sqrt(0.2)
    expected = [first * (1 + 2 * sum(0.8**k for k in range(1, n))) for n in range(1, 4)]
    expected = [t for t in expected if t < 1.5]
    np.testing.assert_allclose([t for t, _ in found][: len(expected)], expected, atol=1e-6)


def test_a_choice_inside_of_a_choice() -> None:
    text = """proc P() = |[ n, k : int, b : bool; n := 0
      | *[ k < 20 -> [ mod(k, 2) = 0 -> b := true [] mod(k, 2) /= 0 -> b := false ]
         ; [ b -> n := n + k [] not b -> skip ]; k := k + 1 ] ]|"""
    result = run(text, 1)
    assert result["n"][-1] == sum(range(0, 20, 2)) and result["k"][-1] == 20


def test_the_flat_model_grows_with_the_statements_and_not_with_their_square() -> None:
    """Each variable depends on the statements that assign it, and no value goes through all of them."""

    def size(count: int) -> int:
        waits = "; ".join(f"delta 1; x{k} := x{k} + 1; nabla tau > x{k}" for k in range(count))
        variables = ", ".join(f"x{k}" for k in range(count))
        return len(flat_text(load_flat(f"proc P() = |[ {variables} : int | *[ {waits} ] ]|")))

    assert size(24) < 2.5 * size(12)


def test_a_long_process_runs() -> None:
    steps = "; ".join(f"delta 0.25; x{k % 7} := x{k % 7} + {k}" for k in range(150))
    variables = ", ".join(f"x{k}" for k in range(7))
    result = run(f"proc P() = |[ {variables} : int | {steps} ]|", 40)
    assert [result[f"x{k}"][-1] for k in range(7)] == [sum(range(k, 150, 7)) for k in range(7)]


@pytest.mark.parametrize("duration", ["n - 2", "-1", "sample normal(-3, 0.1)"])
def test_time_does_not_pass_backwards(duration: str) -> None:
    with pytest.raises(saltus.RunError, match="waits for a time that is negative"):
        run(f"proc P() = |[ n : int | delta 1; n := 1; delta {duration}; n := 2 ]|")


def test_no_time_passes_by_zero() -> None:
    assert changes(run("proc P() = |[ n : int | delta 1; delta n; n := 2 ]|"), "n") == [(1.0, 2.0)]


def test_no_guard_open_in_a_selection() -> None:
    text = "proc P() = |[ n : int | delta 1; n := 5; [ n < 3 -> n := 0 [] n > 7 -> n := 1 ] ]|"
    with pytest.raises(saltus.RunError, match=r"no guard is open: \[ n < 3 \[\] n > 7 \], with n = 5"):
        run(text)


def test_what_never_waits_is_refused() -> None:
    with pytest.raises(ModelError, match="never waits"):
        saltus.load("proc P() = |[ n : int | *[ n := n + 1 ] ]|")


def test_a_repetition_of_which_a_guard_is_always_open_never_ends() -> None:
    with pytest.raises(ModelError, match="never reached"):
        saltus.load("proc P() = |[ n : int | *[ n > 0 -> delta 1 [] n <= 0 -> delta 2; n := 1 ]; n := 5 ]|")


def test_what_is_never_reached_is_refused() -> None:
    with pytest.raises(ModelError, match="never reached"):
        saltus.load("proc P() = |[ n : int | *[ delta 1 ]; n := 1 ]|")
