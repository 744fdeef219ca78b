"""Gaussian elimination for small systems in native code, against NumPy."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from saltus.emit.llvm.jit import compile_text
from saltus.emit.support.small_solve import SMALL, small_solve, small_solve_text

_SOLVE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p)


@pytest.fixture(scope="module")
def engine() -> object:
    texts = "\n".join(small_solve_text(n) for n in range(1, SMALL + 1))
    return compile_text(
        "declare double @llvm.fabs.f64(double)\n" + texts.replace("define internal", "define"), {}
    )


def solve(engine: object, matrix: np.ndarray, right: np.ndarray) -> tuple[int, np.ndarray]:
    a, b = np.array(matrix, dtype=float, order="C"), np.array(right, dtype=float)
    function = _SOLVE(engine.get_function_address(small_solve(len(b))))  # type: ignore[attr-defined]
    return function(a.ctypes.data, b.ctypes.data), b


@pytest.mark.parametrize("size", range(1, SMALL + 1))
def test_as_numpy(engine: object, size: int) -> None:
    random = np.random.default_rng(size)
    for _ in range(20):
        matrix, right = random.normal(size=(size, size)), random.normal(size=size)
        matrix[random.random((size, size)) < 0.3] = 0.0
        matrix += 1e-3 * random.normal(size=(size, size))
        status, found = solve(engine, matrix, right)
        assert status == 0
        residual = np.abs(matrix @ found - right).max()
        assert residual < 1e-12 * size * np.abs(matrix).max() * np.abs(found).max()
        np.testing.assert_allclose(found, np.linalg.solve(matrix, right), rtol=1e-13 * np.linalg.cond(matrix))


def test_rows_are_exchanged(engine: object) -> None:
    """Without pivoting the first of these divides by zero, and the second loses all digits."""
    status, found = solve(engine, np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([2.0, 3.0]))
    assert status == 0 and found.tolist() == [3.0, 2.0]
    status, found = solve(engine, np.array([[1e-20, 1.0], [1.0, 1.0]]), np.array([1.0, 2.0]))
    assert status == 0 and found.tolist() == [1.0, 1.0]


def test_a_singular_matrix_is_told(engine: object) -> None:
    assert solve(engine, np.array([[1.0, 2.0], [2.0, 4.0]]), np.ones(2))[0] == 2
    assert solve(engine, np.zeros((3, 3)), np.ones(3))[0] == 1


def test_what_is_not_a_number_is_no_solution(engine: object) -> None:
    _, found = solve(engine, np.array([[np.nan, 1.0], [1.0, 1.0]]), np.ones(2))
    assert np.isnan(found).any()
