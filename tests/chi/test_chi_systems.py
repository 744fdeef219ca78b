"""Processes side by side: channels, and what is drawn at random."""

from __future__ import annotations

import math

import numpy as np
import pytest
from chi_examples import changes, uniform

import saltus
from saltus.core.diagnostics import ModelError

LINE = """
proc Source(a : !int, ta : real) = |[ n : int | *[ delta ta; a!n; n := n + 1 ] ]|
proc Buffer(a : ?int, b : !int, size : int) =
  |[ k, first, x : int
   | *[ k < size; a?x -> k := k + 1
     [] k > 0; b!first -> k := k - 1; first := first + 1
      ]
   ]|
proc Machine(a : ?int, b : !int, te : real) = |[ x : int | *[ a?x; delta te; b!x ] ]|
proc Exit(a : ?int) = |[ x, n : int; x := -1 | *[ a?x; n := n + 1 ] ]|
syst Line(ta, te : real, size : int) =
  |[ a, b, c : -int | Source(a, ta) || Buffer(a, b, size) || Machine(b, c, te) || Exit(c) ]|
"""


def departures(ta: float, te: float, size: int, stop: float) -> list[float]:
    """When items leave the line: a source that is blocked by a full buffer, and one machine."""
    sent: list[float] = []
    taken: list[float] = []
    left: list[float] = []
    while not left or left[-1] <= stop:
        k = len(sent)
        ready = (sent[-1] if sent else 0.0) + ta
        sent.append(max(ready, taken[k - size]) if k >= size else ready)
        taken.append(max(sent[k], left[-1]) if left else sent[k])
        left.append(taken[k] + te)
    return [t for t in left if t <= stop]


@pytest.mark.parametrize(
    ("ta", "te", "size"), [(1.0, 1.75, 3), (1.0, 0.5, 1), (0.25, 1.0, 1), (0.5, 0.625, 4)]
)
def test_a_line_with_a_buffer(ta: float, te: float, size: int) -> None:
    stop = 20.3
    result = saltus.load(LINE).simulate(stop_time=stop, set={"ta": ta, "te": te, "size": size})
    found = changes(result, "Exit.n")
    expected = departures(ta, te, size, stop)
    np.testing.assert_allclose([t for t, _ in found], expected, atol=1e-9)
    assert [n for _, n in found] == list(range(1, len(expected) + 1))
    # The items come in order, and none is lost.
    assert result["Exit.x"][-1] == len(expected) - 1
    assert max(result["Buffer.k"]) <= size


def test_sender_and_receiver_wait_for_each_other() -> None:
    text = """proc A(c : !real) = |[ x : [m], n : int; x ::= 0 | x' = 1 | delta 1; c!x; n := 1 ]|
      proc B(c : ?real) = |[ y : real | delta 3; c?y ]|
      xper Run = |[ c : -real | A(c) || B(c) ]|"""
    result = saltus.load(text).simulate(stop_time=4, tolerance=1e-9)
    assert changes(result, "A.n") == [(3.0, 1.0)]
    assert result["B.y"][-1] == pytest.approx(3, abs=1e-8)  # what x is when both meet


def test_a_channel_without_a_value_and_one_of_an_enumeration() -> None:
    text = """proc A(go : !void, c : ?{RED, GREEN}) = |[ s : {RED, GREEN}, n : int | delta 2; go!; c?s; n := 1
    ]|
      proc B(go : ?void, c : !{RED, GREEN}) = |[ s : {RED, GREEN} | go?; s := GREEN; delta 1; c!s ]|
      xper Run = |[ go : -void, c : -{RED, GREEN} | A(go, c) || B(go, c) ]|"""
    result = saltus.load(text).simulate(stop_time=4)
    assert changes(result, "A.s") == [(3.0, 2.0)] and changes(result, "A.n") == [(3.0, 1.0)]


def test_each_process_takes_part_in_one_communication_at_a_time() -> None:
    """Two senders, one receiver that takes both at the same instant, one after the other."""
    text = """proc S(c : !int, v : int) = |[ n : int | delta 1; c!v; n := 1 ]|
      proc R(a, b : ?int) = |[ x, n, sum : int | *[ a?x -> n := n + 1; sum := 10sum + x
        [] b?x -> n := n + 1; sum := 10sum + x ] ]|
      xper Run = |[ c, d : -int | p : S(d, 1) || q : S(c, 2) || R(c, d) ]|"""
    result = saltus.load(text).simulate(stop_time=2)
    assert result["R.n"][-1] == 2 and result["R.sum"][-1] == 21  # the channel that is declared first


def test_two_that_prefer_different_channels_agree() -> None:
    text = """proc P(a, b : !int) = |[ n : int | [ a!1 -> n := 1 [] b!2 -> n := 2 ] ]|
      proc Q(a, b : ?int) = |[ x, n : int | [ b?x -> n := 2 [] a?x -> n := 1 ] ]|
      xper Run = |[ a, b : -int | P(a, b) || Q(a, b) ]|"""
    result = saltus.load(text).simulate(stop_time=1)
    assert result["P.n"][-1] == result["Q.n"][-1] == result["Q.x"][-1] == 1


def test_a_time_out_beside_a_channel() -> None:
    text = """proc S(c : !int, t : real) = |[ n : int | delta t; c!5; n := 1 ]|
      proc R(c : ?int) = |[ x : int | [ c?x -> skip [] delta 2 -> x := -1 ]; delta 9 ]|
      xper Run(t : real) = |[ c : -int | S(c, t) || R(c) ]|"""
    model = saltus.load(text)
    early, late = (model.simulate(stop_time=4, set={"t": t}) for t in (1.0, 3.0))
    assert changes(early, "R.x") == [(1.0, 5.0)] and changes(early, "S.n") == [(1.0, 1.0)]
    assert changes(late, "R.x") == [(2.0, -1.0)] and changes(late, "S.n") == []


def test_a_controller_for_a_tank() -> None:
    """Continuous variables lead from one process to another; the sum is the one process of the paper."""
    text = """proc Tank(A, h0, K : real, Qi : ?[m3/s], level : ![m]) =
        |[ h : [m]; h ::= h0 | Ah' = Qi - K sqrt(h), level = h ]|
      proc Valve(low, high, Qset : real, h : ?[m], Q : ![m3/s]) =
        |[ n : int | Q = nQset | *[ nabla h < low; n := 1; nabla h > high; n := 0 ] ]|
      xper Run = |[ q : -[m3/s], h : -[m]
        | Tank(0.1, 1, 1e-4*sqrt(9810), q, h) || Valve(0.6, 0.8, 0.02, h, q) ]|"""
    whole = """proc P() = |[ h : [m], n : int; h ::= 1 | 0.1*h' = 0.02*n - 1e-4*sqrt(9810)*sqrt(h)
      | *[ nabla h < 0.6; n := 1; nabla h > 0.8; n := 0 ] ]|"""
    two, one = (saltus.load(t).simulate(stop_time=20, tolerance=1e-9) for t in (text, whole))
    moved = [[t for t, _ in changes(two, "Valve.n")], [t for t, _ in changes(one, "n")]]
    assert len(moved[0]) == len(moved[1]) > 5
    np.testing.assert_allclose(*moved, atol=1e-7)


# ---------------------------------------------------------------- chance


@pytest.mark.parametrize("seed", [1, 7])
def test_samples_follow_from_the_seed(seed: int) -> None:
    text = """proc P() = |[ x, y, z : real, b : bool, n : int
      | *[ n < 4 -> x := sample exponential(2); delta sample uniform(1, 3); y := σ normal(5, 0.5)
         ; b := sample bernoulli(0.3); z := z + x + y; n := n + 1 ] ]|
      xper Run = |[ P() || P() ]|"""
    result = saltus.load(text).simulate(stop_time=20, set={"seed": seed})
    for stream in (1, 2):
        numbers = uniform(seed, stream)
        t = z = 0.0
        expected = []
        for n in range(4):
            x = -2 * math.log(next(numbers))
            t += 1 + 2 * next(numbers)
            radius = math.sqrt(-2 * math.log(next(numbers)))
            y = 5 + 0.5 * radius * math.cos(2 * math.pi * next(numbers))
            b = next(numbers) < 0.3
            z += x + y
            expected.append((t, n + 1, z, b))
        name = f"P_{stream}"
        found = changes(result, f"{name}.n")
        np.testing.assert_allclose([time for time, _ in found], [e[0] for e in expected], rtol=1e-12)
        assert result[f"{name}.z"][-1] == pytest.approx(z, rel=1e-12)
        assert bool(result[f"{name}.b"][-1]) is b


def test_samples_have_the_distribution() -> None:
    """Mean and deviation of a thousand numbers, with a chance of less than 1e-4 to be outside."""
    text = """proc P() = |[ x, s, q : real, n : int
      | *[ n < 1000 -> x := sample exponential(3); s := s + x; q := q + x*x; n := n + 1; delta 0.001 ] ]|"""
    result = saltus.load(text).simulate(stop_time=2)
    n, mean = 1000, result["s"][-1] / 1000
    assert result["n"][-1] == n
    assert abs(mean - 3) < 4 * 3 / math.sqrt(n)
    assert abs(math.sqrt(result["q"][-1] / n - mean**2) - 3) < 0.6


# ---------------------------------------------------------------- what does not fit


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("a, b : -int | P(a) || Q(a)", "no process sends through the channel `b`"),
        ("a : -int | P(a) || p : P(a) || Q(a)", "a second process sends"),
        ("a : -real | P(a) || Q(a)", "same type"),
        ("P() || Q()", "is joined to no channel"),
        ("a : -int | P(a) || Q(b)", "`b` is not declared"),
        ("a : -int | P(a) || R(a)", "there is no process `R`"),
        ("a : -int | P(a, 1) || Q(a)", "`P` has 1 parameter"),
        ("a : -int | p : P(a) || p : Q(a)", "stands twice"),
    ],
)
def test_what_does_not_fit_together_is_refused(system: str, words: str) -> None:
    text = "proc P(c : !int) = |[ n : int | c!n ]| proc Q(c : ?int) = |[ n : int | c?n ]|\n"
    with pytest.raises(ModelError, match=words):
        saltus.load(f"{text}xper Run = |[ {system} ]|")
