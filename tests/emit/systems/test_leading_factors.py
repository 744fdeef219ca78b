"""Systems whose structure is found by numbers, without a run: factors, solutions, and what is left open,
against dense linear algebra."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from saltus.emit.python.python import python_machine
from saltus.emit.systems.leading import LeadingRoutines
from saltus.expr.nodes import ONE, TIME, Symbol, const, ref
from saltus.ir.flat import Equation
from saltus.ir.native.contract import CONSISTENT
from saltus.ir.program import Layout, Routine
from saltus.ir.signature import MOST_OPEN, Pair, Signature

#: What routines return where there is no such mode.
STATUS = 7

_BY_ROW = (
    "row_levels", "column_levels", "matched_rows", "matched_places", "row_scales", "column_scales",
    "pivot_order", "pivots", "pivot_places", "row_blocks", "block_ends", "factor_starts", "lower_starts",
    "upper_starts", "factor_ends", "excess", "free", "kept", "noted", "open_since", "sums", "changes",
    "rates_found", "rest", "drifts", "bends", "values", "solution", "left_rates", "nominals", "driven",
    "sourced", "sourced_rates",
)  # fmt: skip


class System:
    """The routines of a matrix, on a memory of their own; all variables are algebraic."""

    def __init__(
        self,
        matrix: np.ndarray,
        remembered: frozenset[int] = frozenset(),
        driven: frozenset[int] = frozenset(),
    ) -> None:
        n = len(matrix)
        places = [(i, j) for i in range(n) for j in range(n) if matrix[i, j]]
        symbols = tuple(Symbol(f"v{k}") for k in range(n))
        pairs = tuple(Pair(i, j, 0, const(float(matrix[i, j]))) for i, j in places)
        equations = tuple(Equation(ref(s), ONE, None) for s in symbols)
        signature = Signature(equations, symbols, 0, pairs, frozenset(), (ONE,) * n, remembered)
        # Rows of a part lie side by side.
        self.order = [row for part in signature.parts for row in part.rows]
        assert all(len(part.rows) == len(part.columns) for part in signature.parts)
        at = {row: i for i, row in enumerate(self.order)}
        pairs = tuple(sorted((Pair(at[p.row], p.column, 0, p.slope) for p in pairs), key=lambda p: p.row))
        signature = Signature(equations, symbols, 0, pairs, frozenset(), (ONE,) * n, remembered)
        signature.verify()
        parts = len(signature.parts)
        sizes = {"time": 1, "pairs": len(pairs), "known_pairs": len(pairs), "known_structure": 3, "part": 1}
        sizes |= dict.fromkeys(("known_parts", "block_counts", "open_counts", "pattern"), parts)
        sizes |= dict.fromkeys(_BY_ROW, n) | {"nulls": MOST_OPEN * n, "has_open": 1, "nearing": 1}
        sizes |= {name: sum(signature.factor_rooms) for name in ("factors", "factor_places")}
        sizes |= {"exactness": 1, "conserved": 2, "displaced": 2}
        self._sections: dict[str, slice] = {}
        first = 0
        for name, size in sizes.items():
            self._sections[name] = slice(first, first + size)
            first += size
        sections = {name: (s.start, s.stop - s.start) for name, s in self._sections.items()}
        made = LeadingRoutines(signature, sections, STATUS, 1e-9, [0] * parts).all()
        nothing = [Routine(name, (), ()) for name in ("system_nominals", "system_sums", "system_rates")]
        routines = {routine.name: routine for routine in (*nothing, *made)}
        layout = Layout({TIME: 0}, sections, first)
        program = SimpleNamespace(name="system", functions=(), layout=layout, routines=routines)
        self._machine = python_machine(program)
        self["pairs"] = [float(p.slope.data) for p in pairs]
        self["nominals"] = 1.0
        self["driven"] = [float(row in driven) for row in self.order]
        self["known_structure"] = [0.0, 0.0, 1.0]

    def __getitem__(self, name: str) -> np.ndarray:
        return np.frombuffer(self._machine.memory)[self._sections[name]]

    def __setitem__(self, name: str, values: object) -> None:
        np.frombuffer(self._machine.memory)[self._sections[name]] = values

    def __call__(self, name: str) -> int:
        return self._machine.routines[f"system_{name}"]()

    def solved(self, right: np.ndarray) -> np.ndarray:
        self["solution"] = right[self.order]
        assert self("solve") == 0
        return self["solution"].copy()


@st.composite
def matrices(draw: st.DrawFn, most: int = 9) -> np.ndarray:
    """Sparse, of small whole numbers in units of their own; some rows are sums of others."""
    n = draw(st.integers(1, most))
    matrix = np.zeros((n, n))
    for i in range(n):
        for j in draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=4)):
            matrix[i, j] = draw(st.sampled_from([-2, -1, 1, 3]))
    for _ in range(draw(st.integers(0, 2)) if n > 2 else 0):
        i, j, k = (draw(st.integers(0, n - 1)) for _ in range(3))
        if i not in (j, k):
            matrix[i] = matrix[j] + matrix[k]
    assume(is_in_square_parts(matrix))
    return matrix


def is_in_square_parts(matrix: np.ndarray) -> bool:
    """Whether rows and columns that have entries with each other are as many of both."""
    n = len(matrix)
    reach = np.eye(2 * n, dtype=int)
    reach[:n, n:] = reach[n:, :n] = 0
    reach[:n, n:], reach[n:, :n] = matrix != 0, (matrix != 0).T
    for _ in range(5):
        reach = (reach @ reach > 0).astype(int)
    return all(row[:n].sum() == row[n:].sum() for row in reach)


def scaled(matrix: np.ndarray, data: st.DataObject) -> np.ndarray:
    """In other units: powers of two, so that ranks are what they were."""
    units = [st.lists(st.integers(-30, 30), min_size=len(matrix), max_size=len(matrix)) for _ in range(2)]
    rows, columns = (np.exp2(np.array(data.draw(u), dtype=float)) for u in units)
    return rows[:, None] * matrix * columns[None, :]


@settings(max_examples=15)
@given(matrices(), st.data())
def test_regular_systems_are_solved(matrix: np.ndarray, data: st.DataObject) -> None:
    assume(abs(np.linalg.det(matrix)) > 0.5)
    n = len(matrix)
    given_solution = np.array(data.draw(st.lists(st.integers(-9, 9), min_size=n, max_size=n)))
    matrix = scaled(matrix, data)
    system = System(matrix)
    assert system("structure") == 0 and not system["has_open"][0]
    found = system.solved(matrix @ given_solution)
    scale = np.abs(np.linalg.inv(matrix)) @ (np.abs(matrix) @ np.abs(given_solution)) + 1e-300
    assert (np.abs(found - given_solution) <= 1e-9 * np.maximum(scale, 1e-30)).all()


def test_rows_that_find_no_pivot_in_their_block_find_one_elsewhere() -> None:
    """By structure the fourth column is the one too many, but the second and the third are the same."""
    matrix = np.array([[0.0, -2, -2, -2], [-2, 0, 0, 0], [-2, 0, 0, 0], [-2, -2, -2, 0]])
    system = System(matrix)
    assert system("structure") == 0
    assert system["open_counts"].tolist() == [1.0]
    null = system["nulls"][:4] * np.sign(system["nulls"][1])
    assert np.allclose(null, [0, np.sqrt(0.5), -np.sqrt(0.5), 0])


@settings(max_examples=15)
@given(matrices(), st.data())
def test_what_is_open_has_values_of_least_change(matrix: np.ndarray, data: st.DataObject) -> None:
    n = len(matrix)
    rank = int(np.linalg.matrix_rank(matrix))
    assume(rank < n)
    _, _, basis = np.linalg.svd(matrix)
    null = basis[rank:]  # orthonormal
    numbers = st.lists(st.integers(-9, 9), min_size=n, max_size=n)
    some, kept = (np.array(data.draw(numbers), dtype=float) for _ in range(2))
    system = System(matrix)
    assert system("structure") == 0
    assert system["has_open"][0] == 1 and system["open_counts"].sum() == n - rank
    right = matrix @ some
    system["sums"] = -right[system.order]
    system["kept"], system["nearing"] = kept, 1.0
    found = system.solved(right)
    assert system("least_change") == 0
    found = system["solution"].copy()
    wanted = some + null.T @ (null @ (kept - some))
    assert np.abs(found - wanted).max() < 1e-7 * (1 + np.abs(wanted).max() + np.abs(kept).max())
    assert system("compared") == 0
    # Right sides that no values fulfil are noticed.
    left = np.linalg.svd(matrix.T)[2][rank:]
    wrong = right + 5 * left[0]
    system["sums"] = -wrong[system.order]
    system.solved(wrong)
    assert system("least_change") == 0
    assert system("compared") == STATUS


@settings(max_examples=15)
@given(matrices(), st.data())
def test_nothing_with_a_memory_is_left_open(matrix: np.ndarray, data: st.DataObject) -> None:
    n = len(matrix)
    rank = int(np.linalg.matrix_rank(matrix))
    assume(rank < n)
    column = data.draw(st.integers(0, n - 1))
    null = np.linalg.svd(matrix)[2][rank:]
    is_open = np.abs(null[:, column]).max() > 1e-9
    assert System(matrix, frozenset([column]))("structure") == (STATUS if is_open else 0)


def test_a_long_chain_fills_up_little() -> None:
    """Elimination by rows of few entries first: factors of a chain of any length have a few entries a row."""
    n = 200
    matrix = np.diag(np.full(n, 4.0)) + np.diag(np.full(n - 1, -1.0), 1) + np.diag(np.full(n - 1, -2.0), -1)
    system = System(matrix)
    assert system("structure") == 0
    assert system["factor_ends"].max() <= 4 * n
    right = np.arange(n, dtype=float)
    assert np.abs(system.solved(right) - np.linalg.solve(matrix, right)).max() < 1e-9


def test_rounding_is_no_contradiction() -> None:
    """Two sources side by side that differ by less than what counts as the same."""
    system = System(np.array([[1.0, 0, 0], [1, 0, 0], [1, 1, 1]]))
    assert system("structure") == 0
    for off, status in ((CONSISTENT / 2, 0), (CONSISTENT * 20, STATUS)):
        right = np.array([1.0, 1.0 + off, 0.0])
        system["sums"], system["nearing"] = -right, 1.0
        system.solved(right)
        assert system("least_change") == 0 and system("compared") == status


@settings(max_examples=15)
@given(matrices(), st.data())
def test_rows_that_are_left_out_follow_from_others_at_all_times(
    matrix: np.ndarray, data: st.DataObject
) -> None:
    """Whatever is on the right side of driven rows: no combination of rows that vanishes contains them."""
    n = len(matrix)
    rank = int(np.linalg.matrix_rank(matrix))
    assume(rank < n)
    driven = data.draw(st.frozensets(st.integers(0, n - 1), max_size=3))
    left = np.linalg.svd(matrix.T)[2][rank:]
    follows = all(np.abs(left[:, row]).max() < 1e-9 for row in driven)
    assert System(matrix, driven=driven)("structure") == (0 if follows else STATUS)


@pytest.mark.parametrize("n", [MOST_OPEN, MOST_OPEN + 1])
def test_as_much_as_there_is_room_for(n: int) -> None:
    matrix = np.zeros((n + 1, n + 1))
    matrix[:, 0] = 1.0
    matrix[0, :] = 1.0
    system = System(matrix)
    assert system["open_counts"].sum() == 0
    assert system("structure") == (STATUS if n - 1 > MOST_OPEN else 0)
