"""Offsets of a signature with numbers, against those that are found before a run."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from saltus.analyse.index.offsets import offsets
from saltus.core.source import Span
from saltus.expr.nodes import ONE, Symbol, ref
from saltus.ir.flat import Equation
from saltus.ir.signature import NoOffsets, Pair, Signature

SPAN: Span | None = None


def signature(size: int, states: int, entries: dict[tuple[int, int], int]) -> Signature:
    """One with these orders, by row and column."""
    symbols = tuple(Symbol(f"v{k}") for k in range(size))
    equations = tuple(Equation(ref(s), ONE, SPAN) for s in symbols)
    pairs = tuple(Pair(row, column, order, ONE) for (row, column), order in sorted(entries.items()))
    return Signature(equations, symbols, states, pairs, frozenset(), (ONE,) * size)


@st.composite
def structures(draw: st.DrawFn) -> tuple[int, int, dict[tuple[int, int], int]]:
    size = draw(st.integers(1, 7))
    states = draw(st.integers(0, size))
    entries: dict[tuple[int, int], int] = {}
    for row in range(size):
        for column in draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=4)):
            entries[row, column] = draw(st.integers(0, 1)) if column < states else 0
    return size, states, entries


@given(structures())
def test_offsets_are_the_smallest(structure: tuple[int, int, dict[tuple[int, int], int]]) -> None:
    """With one equation more for each state, in which its rate is, states have at least the first derivative;
    that is what a signature takes for granted."""
    size, states, entries = structure
    orders: list[dict[int, int]] = [{} for _ in range(size)]
    for (row, column), order in entries.items():
        orders[row][column] = order
    more = [{size + k: 0, k: 1} for k in range(states)]
    expected = offsets([*orders, *more], size + states)
    made = signature(size, states, entries)
    if expected is None or any(c > most for c, most in zip(expected[0], made.most_times, strict=False)):
        with pytest.raises(NoOffsets):
            made.offsets([True] * len(made.pairs))
        return
    found = made.offsets([True] * len(made.pairs))
    assert list(found.c) == expected[0][:size]
    assert list(found.d) == expected[1][:size]
    assert sorted(found.column_of) == list(range(size))
    for row, column in enumerate(found.column_of):
        assert found.d[column] - found.c[row] == entries[row, column]


@given(structures())
def test_rows_that_are_blamed_have_too_few_variables(
    structure: tuple[int, int, dict[tuple[int, int], int]],
) -> None:
    """Where not even differentiation helps: without the other rows there is no solution either."""
    size, states, entries = structure
    made = signature(size, states, entries)
    columns = {row: {c for (r, c) in entries if r == row} for row in range(size)}
    try:
        made.offsets([True] * len(made.pairs))
    except NoOffsets as problem:
        used = set().union(*(columns[row] for row in problem.rows))
        assume(len(used) < len(problem.rows))  # else they would have to be differentiated too often
        assert len(set(problem.rows)) == len(problem.rows)


@given(structures(), structures())
def test_parts_are_matched_by_themselves(
    one: tuple[int, int, dict[tuple[int, int], int]], other: tuple[int, int, dict[tuple[int, int], int]]
) -> None:
    """Two systems side by side: each has the offsets that it has alone, whether the other has any or not."""
    (m, states, entries), (n, _, _) = one, other
    # Of the other one no variable is a state, so that those of the first come first.
    beside = {(m + row, m + column): 0 for row, column in other[2]}
    whole = signature(m + n, states, entries | beside)
    found, without = whole.offsets_of_parts([True] * len(whole.pairs))
    alone = signature(m, states, entries)
    expected, missing = alone.offsets_of_parts([True] * len(alone.pairs))
    blamed = {frozenset(problem.rows) for own in without.values() for problem in own}
    assert {frozenset(problem.rows) for own in missing.values() for problem in own} <= blamed
    if not missing:
        assert found.c[:m] == expected.c and found.d[:m] == expected.d


def test_diode_and_inductor() -> None:
    """Kirchhoff's law v = u, L i' = v, and a diode that blocks. Variables i, v, u, s."""
    i, v, u, s = range(4)
    rows = {(0, v): 0, (0, u): 0, (1, i): 1, (1, v): 0, (2, i): 0, (3, u): 0, (3, s): 0}
    blocks = signature(4, 1, rows)
    found = blocks.offsets([True] * len(blocks.pairs))
    assert found.c == (0, 0, 1, 0) and found.d == (1, 0, 0, 0)
    assert found.column_of == (u, v, i, s)
    assert blocks.given_up([True] * len(blocks.pairs)) == {i}
    rows = {(0, v): 0, (0, u): 0, (1, i): 1, (1, v): 0, (2, i): 0, (2, s): 0, (3, u): 0}
    conducts = signature(4, 1, rows)
    assert conducts.offsets([True] * len(conducts.pairs)).c == (0, 0, 0, 0)
    assert conducts.given_up([True] * len(conducts.pairs)) == set()


def test_a_stop_gives_up_position_and_speed() -> None:
    """x' = v, m v' = F, and a stop that holds x, or none. Variables x, v, F."""
    x, v, force = range(3)
    rows = {(0, x): 1, (0, v): 0, (1, v): 1, (1, force): 0}
    held = signature(3, 2, {**rows, (2, x): 0})
    found = held.offsets([True] * len(held.pairs))
    assert found.c == (1, 0, 2) and found.d == (2, 1, 0)
    assert held.given_up([True] * len(held.pairs)) == {x, v}
    free = signature(3, 2, {**rows, (2, force): 0})
    assert free.offsets([True] * len(free.pairs)).c == (0, 0, 0)
    assert free.given_up([True] * len(free.pairs)) == set()


def test_parts_have_no_variable_in_common() -> None:
    made = signature(5, 2, {(0, 0): 1, (1, 4): 0, (2, 0): 0, (2, 2): 0, (3, 1): 1, (3, 3): 0, (4, 3): 0})
    assert [(part.rows, part.columns) for part in made.parts] == [
        ([0, 2], [0, 2]),
        ([1], [4]),
        ([3, 4], [1, 3]),
    ]
