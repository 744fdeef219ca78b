"""Clocks after very many ticks: what coincides goes on coinciding, and times are those of exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saltus.run.schedule.clocks import Clocks, exact

FAR = 10_000_000


def look(clocks: Clocks, count: int) -> list[tuple[float, list[int]]]:
    """The next so many instants, and who ticks then."""
    seen = []
    for _ in range(count):
        now = clocks.next_time
        seen.append((now, clocks.due(now)))
    return seen


def truth(
    starts: list[Fraction], periods: list[Fraction], begin: Fraction, count: int
) -> list[tuple[float, list[int]]]:
    """The same with fractions: per clock the first tick that is not before `begin`, and those after it."""
    ticks: dict[Fraction, list[int]] = {}
    for i, (start, period) in enumerate(zip(starts, periods, strict=True)):
        first = max(0, math.ceil((begin - start) / period))
        for k in range(first, first + count):
            ticks.setdefault(start + k * period, []).append(i)
    return [(float(t), ticks[t]) for t in sorted(ticks)[:count]]


@pytest.mark.parametrize("tick", [0, 1, 999_999, FAR - 1, FAR, 10 * FAR + 7])
def test_three_rates_after_ten_million_periods(tick: int) -> None:
    periods = [Fraction(2, 100), Fraction(3, 100), Fraction(5, 100)]
    begin = tick * periods[0]
    made = Clocks([0.0] * 3, [float(p) for p in periods], float(begin))
    assert look(made, 100) == truth([Fraction(0)] * 3, periods, begin, 100)


def test_a_tenth_and_a_third_meet_at_every_second_ten_million_seconds_on() -> None:
    made = Clocks([0.0, 0.0], [0.1, 1 / 3], float(FAR))
    seen = look(made, 12 * 20 + 1)  # 12 instants a second
    both = [t for t, who in seen if who == [0, 1]]
    assert both == [float(FAR + k) for k in range(21)]


def test_a_million_ticks_one_by_one_do_not_drift() -> None:
    made = Clocks([0.0, 0.05], [0.1, 0.15], 0.0)
    count = 0
    for k in range(1_000_000):
        now = made.next_time
        count += len(made.due(now))
        if k in (1, 1000, 999_999):
            later = Clocks([0.0, 0.05], [0.1, 0.15], now)
            later.due(now)
            assert later.next_time == made.next_time
    # Of the twentieths 0, 2, 4, ... and 1, 4, 7, ...: both tick at 4, 10, 16, ... : 4 instants in 6, 5 ticks.
    assert count == pytest.approx(1_000_000 * 5 / 4, abs=2)
    assert made.next_time == float(Fraction(1_000_000 // 4 * 6, 20))


@given(
    st.lists(
        st.tuples(
            st.fractions(-5, 5, max_denominator=60), st.fractions(Fraction(1, 60), 3, max_denominator=60)
        ),
        min_size=1,
        max_size=5,
    ),
    st.integers(0, 10**9),
)
def test_simple_fractions_far_away(clocks: list[tuple[Fraction, Fraction]], far: int) -> None:
    """Starts and periods are divided in doubles by the model, as `sample(a/b, c/d)`."""
    starts, periods = [s for s, _ in clocks], [p for _, p in clocks]
    made = Clocks([float(s) for s in starts], [float(p) for p in periods], float(far))
    assert look(made, 30) == truth(starts, periods, Fraction(far), 30)


@given(st.lists(st.integers(1, 10**9), min_size=1, max_size=4), st.integers(0, 12), st.integers(0, 10**7))
def test_decimals_far_away(numerators: list[int], digits: int, far: int) -> None:
    """Periods as people write them: decimal numbers with up to nine digits."""
    periods = [Fraction(n, 10**digits) for n in numerators]
    begin = far * periods[0]
    made = Clocks([0.0] * len(periods), [float(p) for p in periods], float(begin))
    first, who = look(made, 1)[0]
    # The time of a run is a double: it may be a rounding off the tick, but then it is the tick that is meant.
    expected, meant = truth([Fraction(0)] * len(periods), periods, exact(float(begin)), 1)[0]
    assert (first, who) == (expected, meant)


@given(st.integers(1, 1000), st.integers(1, 1000))
def test_a_quotient_of_small_numbers_is_recognised(p: int, q: int) -> None:
    assert exact(p / q) == Fraction(p, q)


@given(st.integers(1, 10**15), st.integers(-20, 5))
def test_a_decimal_number_is_recognised(n: int, exponent: int) -> None:
    """As what is written, unless a simple fraction rounds to the same double."""
    number = float(f"{n}e{exponent}")
    found = exact(number)
    assert float(found) == number
    assert found == Fraction(n) * Fraction(10) ** exponent or found.denominator <= 1000
