"""Where nets can come to: counted by hand, and every marking of random plays is among what is found."""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings

from saltus.core.diagnostics import UsageError
from saltus.core.source import Source
from saltus.ir.automata.net import Net
from saltus.ir.automata.reachable import Reachable
from saltus.read.petri.files import nets as nets_of
from saltus.show.listings.reachable import reachable_text
from saltus.transform.reachability import reachable

sys.path.append(str(Path(__file__).parents[1] / "petri"))
from random_nets import RandomNet, nets

EXAMPLES = Path(__file__).parents[2] / "examples" / "nets"


def read(text: str) -> Net:
    return nets_of(Source("test.pn", text))[-1]


def of_example(name: str) -> Reachable:
    return reachable(read((EXAMPLES / f"{name}.pn").read_text()))


@settings(max_examples=150)
@given(nets().filter(RandomNet.ends))
def test_every_marking_of_a_run_is_found_with_its_step(net: RandomNet) -> None:
    try:
        found = reachable(read(net.text + "\n"))
    except UsageError:
        return
    if found.growing:
        return
    numbers = {tuple(sorted(m.items())): k for k, m in enumerate(found.situations)}
    steps = {(s.source, s.target, frozenset(s.transitions)) for s in found.steps}
    played = [(0.0, net.marking, ()), *net.played()]
    for (_, before, _), (_, after, fired) in pairwise(played):
        ends = (numbers[tuple(sorted(m.items()))] for m in (before, after))
        assert (*ends, frozenset(fired)) in steps
    for place, most in found.bounds.items():
        assert most >= max(marking[place] for _, marking, _ in played)


def test_philosophers_have_one_deadlock_all_with_one_fork() -> None:
    found = of_example("Philosophers")
    (dead,) = found.deadlocks
    held = {place for place, n in found.situations[dead].items() if n}
    assert held == {f"waits{k}" for k in range(1, 6)}
    assert set(found.bounds.values()) == {1}
    fired = {name for step in found.way_to(dead) for name in step.transitions}
    assert {f"left{k}" for k in range(1, 6)} <= fired
    assert not found.never
    # No fork is used twice: a philosopher who eats has both neighbours without one of theirs.
    for marking in found.situations:
        for k in range(1, 6):
            assert not (marking[f"eats{k}"] and marking[f"eats{k % 5 + 1}"])


def test_traffic_lights_are_never_green_together_whatever_the_times() -> None:
    found = of_example("TrafficLight")
    assert not found.deadlocks
    for marking in found.situations:
        assert sum(marking[p] for p in ("nsGreen", "nsYellow", "ewGreen", "ewYellow", "clear")) == 1


def test_a_mutual_exclusion_has_as_many_markings_as_one_counts() -> None:
    # Two processes with one key: both outside, one of them inside; never both.
    rules = [f"transition in{k}(delay = 1): out{k} + key -> inside{k}" for k in (1, 2)]
    rules += [f"transition leave{k}(delay = 1): inside{k} -> out{k} + key" for k in (1, 2)]
    places = ["place key(tokens = 1)", *(f"place out{k}(tokens = 1)\nplace inside{k}" for k in (1, 2))]
    found = reachable(read("\n".join(["net N", *places, *rules, "end N", ""])))
    assert len(found.situations) == 3
    assert len(found.steps) == 4


def test_what_grows_without_bound_is_told() -> None:
    text = "net N\nplace a(tokens = 1)\nplace b\ntransition t(delay = 1): a -> a + b\nend N\n"
    found = reachable(read(text))
    assert found.growing == {"b": ("t",)}
    assert "without bound: b, by t" in reachable_text(found)


def test_what_never_fires_is_told() -> None:
    text = "net N\nplace a(tokens = 1)\nplace b\ntransition t: a -> b\ntransition u: 2*b -> a\nend N\n"
    told = reachable_text(reachable(read(text)))
    assert "NEVER FIRES: `u`" in told
    assert "DEADLOCKS: 1\n  1: b\n      by t" in told


def test_numbers_that_are_not_known_are_refused() -> None:
    text = "net N\nparameter Integer n = integer(2.5)\nplace a(tokens = n)\ntransition t: a ->\nend N\n"
    with pytest.raises(UsageError) as caught:
        reachable(read(text))
    assert "only when the net is run" in str(caught.value)


def test_what_grows_in_a_long_circle_is_found() -> None:
    """A token goes round through a hundred places, and leaves one more each time."""
    places = "".join(f"place p{k}{'(tokens = 1)' if k == 0 else ''}\n" for k in range(100))
    ways = "".join(f"transition t{k}: p{k} -> p{k + 1}\n" for k in range(99))
    found = reachable(read(f"net N\n{places}place c\n{ways}transition t99: p99 -> p0 + c\nend N\n"))
    assert list(found.growing) == ["c"]


def test_a_long_way_is_given_up_soon() -> None:
    """A marking is compared with a few of those before, not with all, which takes far longer."""
    rules = "transition t: a -> b\ntransition u: 2*b -> a"
    began = process_time()
    with pytest.raises(UsageError, match="more than 20000 markings"):
        reachable(read(f"net N\nplace a(tokens = 2147483648)\nplace b\n{rules}\nend N\n"))
    assert process_time() - began < 10
