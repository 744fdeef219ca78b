"""Clocks tick at exact rational times."""

import math
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from saltus.run.schedule.clocks import TABLE, Clocks, exact


def test_a_tenth_is_a_tenth():
    assert exact(0.1) == Fraction(1, 10) and exact(1e-7) == Fraction(1, 10**7)


def test_no_clocks_never_tick():
    assert Clocks([], [], 0.0).next_time == math.inf


@given(
    st.lists(st.tuples(st.integers(-20, 20), st.integers(1, 50)), min_size=1, max_size=4),
    st.integers(-10, 10),
)
def test_ticks_are_those_of_rational_arithmetic(clocks, begin):
    # tenths: start a/10, interval b/10
    now = begin / 10
    made = Clocks([a / 10 for a, _ in clocks], [b / 10 for _, b in clocks], now)
    seen = []
    while made.next_time < now + 3:
        seen.append((made.next_time, made.due(made.next_time)))
    expected = {}
    for i, (a, b) in enumerate(clocks):
        for k in range(10_000):
            tick = Fraction(a + k * b, 10)
            if tick >= Fraction(begin, 10) and float(tick) < now + 3:
                expected.setdefault(float(tick), []).append(i)
            if float(tick) >= now + 3:
                break
    assert seen == sorted(expected.items())


@given(
    st.lists(st.tuples(st.integers(-(2**40), 2**40), st.integers(1, 10**9)), min_size=1, max_size=2),
    st.sampled_from([1, 10, 3, 7 * 10**6, 10**12]),
    st.sampled_from([0.0, -3.7, 1e9]),
)
def test_tables_for_native_code_have_the_same_ticks(clocks, scale, begin):
    """Also where the whole numbers that ticks are, or their denominators, are beyond those of doubles."""
    starts, intervals = [a / scale for a, _ in clocks], [b / scale for _, b in clocks]
    made = Clocks(starts, intervals, begin)
    table, used = Clocks(starts, intervals, begin).table()
    assert used == 0 and len(table) == TABLE
    for k in range(TABLE):
        now = made.next_time
        assert table.times[k] == now
        assert table.clocks[table.first[k] : table.first[k + 1]].tolist() == made.due(now)


@given(
    st.lists(st.tuples(st.integers(-20, 20), st.integers(1, 400)), min_size=2, max_size=12),
    st.lists(st.integers(1, 60), min_size=1, max_size=8),
)
def test_tables_of_several_clocks_are_what_they_tick_one_by_one(clocks, parts):
    """Ticks are taken from tables, some at a time, as native code does it."""
    starts, steps = [Fraction(a, 7) for a, _ in clocks], [Fraction(b, 300) for _, b in clocks]
    made, other = Clocks(starts, steps, 0.0), Clocks(starts, steps, 0.0)
    for part in parts:
        table, used = made.table()
        for k in range(used, min(used + part, len(table))):
            own = table.clocks[table.first[k] : table.first[k + 1]].tolist()
            assert (table.times[k], own) == (other.next_time, other.due(other.next_time))
        made.skip_to(min(used + part, len(table)))
        assert made.ticks == other.ticks and made.next_time == other.next_time
