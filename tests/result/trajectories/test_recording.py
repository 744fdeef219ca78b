"""Rows of two layouts, put together in the order of time."""

from __future__ import annotations

import numpy as np
import pytest
from changing_programs import switched_off
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import saltus
from saltus.expr.nodes import Expr, Symbol, der, ref
from saltus.ir.program import Layout
from saltus.ir.structure import Structure
from saltus.result.trajectories.recording import Part, Recording, leaf_name
from saltus.result.trajectories.rows import Rows

X, Y, RATE = ref(Symbol("x")), ref(Symbol("y")), ref(Symbol("der(x)"))


@pytest.fixture(scope="module")
def structure() -> Structure:
    return saltus.load("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;").structure


def part(structure: Structure, *leaves: Expr) -> tuple[Part, NDArray[np.float64]]:
    memory = np.zeros(len(leaves))
    layout = Layout({leaf: k for k, leaf in enumerate(leaves)}, {"states": (0, len(leaves))}, len(leaves))
    return Part(structure, Rows(memory, layout)), memory


def test_parts_take_turns(structure: Structure) -> None:
    """x is integrated in one part, y in the other; der(x) is a derivative here and a variable there."""
    a, memory_a = part(structure, X, der(X), Y)
    b, memory_b = part(structure, Y, RATE, X)
    recording = Recording(a)
    truth = []
    for turn in range(5):
        part_now, memory, order = ((a, memory_a, [0, 1, 2]), (b, memory_b, [2, 1, 0]))[turn % 2]
        if turn:
            recording.turn(part_now)
        for k in range(turn + 1):
            x, rate, y = 10.0 * turn + k, 100.0 + turn, -1.0 * k
            memory[:] = np.array([x, rate, y])[order]
            part_now.rows.append(0.1 * len(truth))
            truth.append((x, rate, y))
            assert len(recording) == len(truth) == recording.offset + part_now.rows.count
    assert recording.parts == [a, b]
    np.testing.assert_array_equal(recording.times, 0.1 * np.arange(15))
    for name, values in zip(("x", "der(x)", "y"), np.array(truth).T, strict=True):
        np.testing.assert_array_equal(recording.column(name), values)
    for row, (x, _, _) in enumerate(truth):
        found, local = recording.locate(row)
        assert found.rows.values[local, found.columns["x"]] == x
        assert found.rows.times[local] == pytest.approx(0.1 * row)
    assert recording.column("z") is None


def test_a_state_that_is_the_derivative_of_another(structure: Structure) -> None:
    """It has two places in a row; both hold the same, and its own is taken."""
    both, memory = part(structure, X, der(X), RATE)
    memory[:] = 1.0, 2.0, 2.0
    both.rows.append(0.0)
    assert both.columns["der(x)"] == 2
    np.testing.assert_array_equal(Recording(both).column("der(x)"), [2.0])


def test_a_variable_of_one_part_only(structure: Structure) -> None:
    """It has no value elsewhere, whether the part that has it comes first or later."""
    for first, second, expected in (((X, Y), (X,), [1.0, np.nan]), ((X,), (X, Y), [np.nan, 1.0])):
        a, memory_a = part(structure, *first)
        b, memory_b = part(structure, *second)
        memory_a[:], memory_b[:] = 1.0, 1.0
        recording = Recording(a)
        a.rows.append(0.0)
        recording.turn(b)
        b.rows.append(1.0)
        np.testing.assert_array_equal(recording.column("y"), expected)
        np.testing.assert_array_equal(recording.column("x"), [1.0, 1.0])
        assert recording.has("y") and not recording.has("z") and recording.column("z") is None


STAYS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1)


@given(st.lists(STAYS, min_size=1, max_size=12), st.data())
def test_many_turns_at_once(
    structure: Structure, followed: list[list[tuple[int, int]]], data: st.DataObject
) -> None:
    """Turns that are counted, many together, against a list of all rows; the last turn may go on."""
    parts = [part(structure, X)[0] for _ in range(3)]
    recording, truth, counted = Recording(parts[0]), [], [0, 0, 0]

    def one_row(own: int) -> None:
        parts[own].rows.room(1)
        truth.append((parts[own], counted[own]))
        counted[own] += 1

    for stays in followed:
        for own, rows in stays:
            for _ in range(rows):
                one_row(own)
        whose, counts = (np.array(column, dtype=np.int64) for column in zip(*stays, strict=True))
        recording.follow(parts, whose, counts)
        if data.draw(st.booleans()):
            one_row(stays[-1][0])
            parts[stays[-1][0]].rows.take(1)
        if truth:
            row = data.draw(st.integers(0, len(truth) - 1))
            assert recording.locate(row) == truth[row]
    assert [recording.locate(row) for row in range(len(truth))] == truth


@pytest.mark.parametrize("enough", [0.5, 3.0, np.inf])
def test_the_largest_of_each_variable_is_that_of_its_rows_put_in_order(enough: float) -> None:
    """In several programs, with an alias, a derivative, and one that exists in some rows only."""
    result = switched_off()
    model = result.structure.model
    leaves = [ref(v.symbol) for v in (*model.states, *model.algebraics)]
    compared = 0
    for leaf in (*leaves, der(leaves[0])):
        values = result[leaf_name(leaf)]
        expected = np.abs(values[np.isfinite(values)]).max(initial=0.0)
        found = result.largest(leaf, enough)
        assert found == expected if expected < enough else enough <= found <= expected
        compared += expected > 0.0
    assert compared >= 4
