"""Chains of conversions between clocks tick at the rational times that lists of ticks give.

The reference below knows nothing of periods and offsets: it splits, drops and picks ticks from a list, as the
specification tells it of each operator.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import saltus
from saltus.compiler import load_flat
from saltus.core.diagnostics import ModelError
from saltus.lower.clocks.clocks import without_clocks

Step: TypeAlias = tuple[str, int, int]

#: So many ticks of the base clock are looked at.
TICKS = 60


def split(ticks: list[Fraction], n: int) -> list[Fraction]:
    return [a + (b - a) * k / n for a, b in pairwise(ticks) for k in range(n)] + ticks[-1:]


def reference(base: Fraction, chain: list[Step]) -> list[Fraction] | None:
    """The ticks of a chain; None where one of its clocks would begin before the base clock."""
    ticks = [base * k for k in range(TICKS)]
    for name, n, resolution in chain:
        if name == "subSample":
            ticks = ticks[::n]
        elif name == "superSample":
            ticks = split(ticks, n)
        elif name == "shiftSample":
            ticks = split(ticks, resolution)[n::resolution]
        else:  # the clock whose shift gives these ticks
            part = (ticks[1] - ticks[0]) / resolution
            earlier = [t - n * part for t in ticks]
            again = split(earlier, resolution)[n::resolution]
            assert again == ticks[: len(again)]
            ticks = earlier
        if ticks[0] < 0:
            return None
    return ticks


STEPS = st.one_of(
    st.tuples(st.sampled_from(["subSample", "superSample"]), st.integers(1, 6), st.just(1)),
    st.tuples(st.sampled_from(["shiftSample", "backSample"]), st.integers(0, 5), st.integers(1, 6)),
)
CHAINS = st.lists(STEPS, min_size=1, max_size=5)
BASES = st.tuples(st.integers(1, 40), st.integers(1, 3000))


def written(chain: list[Step], argument: str) -> str:
    for name, n, resolution in chain:
        more = f", {resolution}" if name in ("shiftSample", "backSample") else ""
        argument = f"{name}({argument}, {n}{more})"
    return argument


@settings(max_examples=150, deadline=None)
@given(base=BASES, chain=CHAINS)
def test_rates_are_exact(base: tuple[int, int], chain: list[Step]) -> None:
    clock = written(chain, f"Clock({base[0]}, {base[1]})")
    text = f"model M Clock c = {clock}; Real t = sample(time, c); end M;"
    expected = reference(Fraction(*base), chain)
    if expected is None:
        with pytest.raises(ModelError, match="before its base clock"):
            without_clocks(load_flat(text))
        return
    assume(len(expected) > 2)
    (partition,) = without_clocks(load_flat(text)).partitions
    (rate,) = [s.rate for s in partition.subs if "t" in s.variables]
    assert [rate.shift + k * rate.factor for k in range(len(expected))] == expected


@settings(max_examples=15, deadline=None)
@given(base=BASES, chains=st.lists(CHAINS, min_size=4, max_size=4))
def test_runs_tick_at_these_times(base: tuple[int, int], chains: list[list[Step]]) -> None:
    """The time at each tick is the double that is nearest to the rational number, and no tick is missing."""
    unit = Fraction(*base)
    known = [(chain, reference(unit, chain)) for chain in chains]
    chains = [chain for chain, ticks in known if ticks is not None and len(ticks) > 2]
    assume(chains)
    stop = 7 * unit
    clocks = "".join(
        f"Clock c{i} = {written(chain, 'u')}; Real t{i}(start = -1); Integer n{i}(start = 0);"
        for i, chain in enumerate(chains)
    )
    whens = "".join(
        f"when c{i} then t{i} = sample(time); n{i} = previous(n{i}) + 1; end when;"
        for i in range(len(chains))
    )
    text = f"model M Clock u = Clock({base[0]}, {base[1]}); {clocks} equation {whens} end M;"
    result = saltus.load(text).simulate(stop_time=float(stop))
    for i, chain in enumerate(chains):
        ticks = [float(t) for t in reference(unit, chain) or () if float(t) <= float(stop)]
        seen = np.unique(result[f"t{i}"])
        assert seen[seen >= 0].tolist() == ticks
        assert result[f"n{i}"][-1] == len(ticks)


def test_conversions_of_signals_have_the_same_rates_as_those_of_clocks() -> None:
    """`y = subSample(shiftSample(u, 3, 2), 4)` ticks as the clock does."""
    chain = [("shiftSample", 3, 2), ("subSample", 4, 1), ("superSample", 3, 1), ("backSample", 1, 2)]
    text = (
        "model M Real u = sample(time, Clock(1, 7)); Real a(start = 0) = shiftSample(u, 3, 2);"
        "Real b = subSample(a, 4); Real c(start = 0) = superSample(b, 3);"
        "Real d = backSample(c, 1, 2); end M;"
    )
    (partition,) = without_clocks(load_flat(text)).partitions
    (rate,) = [s.rate for s in partition.subs if "d" in s.variables]
    expected = reference(Fraction(1, 7), chain)
    assert expected is not None
    assert [rate.shift, rate.shift + rate.factor] == expected[:2]


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        (
            "Real x = sample(time, Clock(2, 10)), y; equation when Clock(6, 10) then y = subSample(x); "
            "end when;",
            3,
        ),
        (
            "Real x = sample(time, Clock(6, 10)), y; equation when Clock(2, 10) then y = superSample(x); "
            "end when;",
            1,
        ),
    ],
)
def test_a_factor_that_is_not_given_is_inferred(text: str, factor: int) -> None:
    (partition,) = without_clocks(load_flat(f"model M {text} end M;")).partitions
    rates = {name: s.rate.factor for s in partition.subs for name in s.variables}
    assert rates["y"] == Fraction(2, 10) * factor
