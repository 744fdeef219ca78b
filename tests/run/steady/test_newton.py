"""Positions at rest of linear systems x' = A x + b, against the algebra of their ranges and kernels."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.linalg import null_space

from saltus.run.steady.newton import AtRest, NoRest, at_rest

Matrix = NDArray[np.float64]


@st.composite
def systems(draw: st.DrawFn) -> tuple[Matrix, Matrix]:
    """A square matrix of a rank that is drawn, and a vector: in its range, or anywhere."""
    n = draw(st.integers(1, 5))
    rank = draw(st.integers(0, n))
    entry = st.integers(-3, 3)
    left = np.array([[draw(entry) for _ in range(rank)] for _ in range(n)], dtype=float).reshape(n, rank)
    right = np.array([[draw(entry) for _ in range(n)] for _ in range(rank)], dtype=float).reshape(rank, n)
    a = left @ right
    inside = draw(st.booleans())
    b = np.array([draw(entry) for _ in range(n)], dtype=float)
    return a, a @ b if inside else b


def sought(a: Matrix, b: Matrix, *, drift: bool) -> AtRest | NoRest:
    n = len(b)
    try:
        return at_rest(
            lambda x: a @ x + b, lambda x: a, np.zeros(n), np.ones(n), np.full(n, drift, dtype=bool)
        )
    except NoRest as failure:
        return failure


def in_span(b: Matrix, columns: Matrix) -> bool:
    if not columns.size:
        return bool(np.abs(b).max() < 1e-9)
    left = b - columns @ np.linalg.lstsq(columns, b, rcond=None)[0]
    return bool(np.abs(left).max() < 1e-9 * max(1.0, np.abs(b).max()))


@settings(max_examples=300, deadline=None)
@given(systems())
def test_without_drift(system: tuple[Matrix, Matrix]) -> None:
    a, b = system
    found, kernel = sought(a, b, drift=False), null_space(a)
    if in_span(b, a):
        assert isinstance(found, AtRest)
        assert np.abs(a @ found.x + b).max() < 1e-7 * max(1.0, np.abs(b).max())
        assert len(found.free) == kernel.shape[1] and not found.drifts.any()
        for group in found.free:  # in each there is a direction along which nothing changes
            others = [k for k in range(len(b)) if k not in group]
            alone = null_space(np.vstack([a, np.eye(len(b))[others]]))
            assert alone.shape[1] >= 1
    else:
        assert isinstance(found, NoRest) and found.stuck
        for weights in found.stuck:
            assert np.abs(weights @ a).max() < 1e-7 * np.abs(weights).max() * max(1.0, np.abs(a).max())
            assert abs(weights @ b) > 1e-9


@settings(max_examples=300, deadline=None)
@given(systems())
def test_with_drift(system: tuple[Matrix, Matrix]) -> None:
    """What is left is a motion along which nothing changes."""
    a, b = system
    found = sought(a, b, drift=True)
    if in_span(b, np.hstack([a, null_space(a)])):
        assert isinstance(found, AtRest)
        left = a @ found.x + b
        assert np.abs(left - found.drifts).max() < 1e-6 * max(1.0, np.abs(b).max())
        assert np.abs(a @ found.drifts).max() < 1e-6 * max(1.0, np.abs(b).max()) * max(1.0, np.abs(a).max())
    else:
        assert isinstance(found, NoRest)
