"""`Modelica.Math.Matrices`, against NumPy and SciPy, or by the equation that a result must satisfy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import linalg
from tools.library_functions.judge import Case, case, holds

_A = np.array([[4.0, 1.0, 2.0], [1.0, 3.0, 0.5], [0.5, -1.0, 5.0]])
_SYMMETRIC = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
_STABLE = np.array([[-1.0, 2.0, 0.0], [0.0, -3.0, 1.0], [0.5, 0.0, -2.0]])
_INSIDE = np.array([[0.5, 0.2, 0.0], [0.0, 0.3, 0.1], [0.1, 0.0, -0.4]])
_TALL = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
_B3 = np.array([[1.0], [0.5], [2.0]])
_B32 = np.array([[1.0, 0.0], [0.5, 1.0], [2.0, -1.0]])
_b = np.array([1.0, 2.0, 3.0])
_SINGULAR = np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]])
_M = "Matrices."
_33 = "Real[3,3]"


def matrix_cases() -> Iterator[Case]:
    """One case at least for each function."""
    yield from _solving()
    yield from _decompositions()
    yield from _properties()
    yield from _exponentials()
    yield from _control()
    yield from _order()


def _solving() -> Iterator[Case]:
    yield case(_M + "solve", [_A, _b], np.linalg.solve(_A, _b))
    yield case(_M + "solve2", [_A, _B32], np.linalg.solve(_A, _B32))
    x = np.linalg.lstsq(_TALL, _b, rcond=None)[0]
    yield case(_M + "leastSquares", [_TALL, _b], x, 2)
    yield case(_M + "leastSquares2", [_TALL, _B32], np.linalg.lstsq(_TALL, _B32, rcond=None)[0], 2)
    # Least squares with x1 + x2 = 1: the Lagrange equations.
    c, d = np.array([[1.0, 1.0]]), np.array([1.0])
    lagrange = np.block([[2 * _TALL.T @ _TALL, c.T], [c, np.zeros((1, 1))]])
    exact = np.linalg.solve(lagrange, np.concatenate([2 * _TALL.T @ _b, d]))[:2]
    yield case(_M + "equalityLeastSquares", [_TALL, _b, c, d], exact)
    lu, pivots = linalg.lu_factor(_A)
    yield case(_M + "LU", [_A], lu, pivots.astype(int) + 1, 0)
    yield case(_M + "LU_solve", [lu, pivots.astype(int) + 1, _b], np.linalg.solve(_A, _b))
    yield case(_M + "LU_solve2", [lu, pivots.astype(int) + 1, _B32], np.linalg.solve(_A, _B32))
    yield case(_M + "inv", [_A], np.linalg.inv(_A))


def _decompositions() -> Iterator[Case]:
    values = np.linalg.eigvals(_A)

    def eigen(found: list[np.ndarray]) -> object:
        pairs = found[0][:, 0] + 1j * found[0][:, 1]
        return [np.abs(np.sort_complex(pairs) - np.sort_complex(values))]

    yield holds(_M + "eigenValues", [_A], ["Real[3,2]", _33], eigen)  # type: ignore[arg-type]
    yield holds(
        _M + "eigenValues", [_SYMMETRIC], ["Real[3,2]", _33],
        lambda y: _SYMMETRIC @ y[1] - y[1] @ np.diag(y[0][:, 0]),
    )  # fmt: skip
    pairs = np.array([[1.0, 2.0], [1.0, -2.0], [3.0, 0.0]])
    yield case(_M + "eigenValueMatrix", [pairs], [[1.0, 2.0, 0.0], [-2.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
    yield holds(
        _M + "singularValues", [_TALL], ["Real[2]", _33, "Real[2,2]"],
        lambda y: [y[0] - np.linalg.svd(_TALL)[1], y[1][:, :2] @ np.diag(y[0]) @ y[2] - _TALL],
    )  # fmt: skip
    yield holds(
        _M + "QR", [_A, False], [_33, _33, "Integer[3]"],
        lambda y: [y[0] @ y[1] - _A, y[0].T @ y[0] - np.eye(3), np.tril(y[1], -1)],
    )  # fmt: skip
    yield holds(
        _M + "QR", [_A, True], [_33, _33, "Integer[3]"],
        lambda y: [y[0] @ y[1] - _A[:, y[2].astype(int) - 1], y[0].T @ y[0] - np.eye(3)],
    )  # fmt: skip
    yield holds(
        _M + "hessenberg", [_A], [_33, _33],
        lambda y: [y[1] @ y[0] @ y[1].T - _A, y[1].T @ y[1] - np.eye(3), y[0][2, 0]],
    )  # fmt: skip
    yield holds(
        _M + "realSchur", [_A], [_33, _33, "Real[3]", "Real[3]"],
        lambda y: [y[1] @ y[0] @ y[1].T - _A, np.sort(y[2]) - np.sort(values.real)],
    )  # fmt: skip
    yield case(_M + "cholesky", [_SYMMETRIC, True], np.linalg.cholesky(_SYMMETRIC).T)
    yield case(_M + "cholesky", [_SYMMETRIC, False], np.linalg.cholesky(_SYMMETRIC))
    spread = np.array([[1.0, 1e3, 1e5], [1e-3, 2.0, 1e2], [1e-5, 1e-2, 3.0]])
    yield holds(
        _M + "balance", [spread], ["Real[3]", _33],
        lambda y: y[1] - spread * y[0][None, :] / y[0][:, None],
    )  # fmt: skip
    c = np.array([[1.0, 2.0, 3.0]])
    yield holds(
        _M + "balanceABC", [spread, _B3, c], ["Real[3]", _33, "Real[3,1]", "Real[1,3]"],
        lambda y: [
            y[1] - spread * y[0][None, :] / y[0][:, None],
            y[2] - _B3 / y[0][:, None],
            y[3] - c * y[0][None, :],
        ],
    )  # fmt: skip


def _properties() -> Iterator[Case]:
    yield case(_M + "trace", [_A], 12.0)
    yield case(_M + "det", [_A], float(np.linalg.det(_A)))
    yield case(_M + "rank", [_SINGULAR], 2)
    yield case(_M + "rank", [_A], 3)
    yield case(_M + "conditionNumber", [_A], float(np.linalg.cond(_A)))
    yield case(_M + "conditionNumber", [_A, 1.0], float(np.linalg.cond(_A, 1)))
    yield holds(
        _M + "rcond", [_A], ["Real", "Integer"], lambda y: [y[0] - 1 / np.linalg.cond(_A, 1), y[1]], 1e-6
    )
    for p in (1.0, 2.0):
        yield case(_M + "norm", [_A, p], float(np.linalg.norm(_A, p)))
    yield case(_M + "norm", [_A, "Modelica.Constants.inf"], float(np.linalg.norm(_A, np.inf)))
    yield case(_M + "frobeniusNorm", [_A], float(np.linalg.norm(_A)))
    yield holds(
        _M + "nullSpace", [_SINGULAR], ["Real[3,1]", "Integer"],
        lambda y: [_SINGULAR @ y[0], np.linalg.norm(y[0]) - 1, y[1] - 1],
    )  # fmt: skip


def _exponentials() -> Iterator[Case]:
    phi = linalg.expm(_STABLE * 0.7)
    yield case(_M + "exp", [_STABLE, 0.7], phi)
    gamma = np.linalg.solve(_STABLE, (phi - np.eye(3)) @ _B3)
    yield case(_M + "integralExp", [_STABLE, _B3, 0.7], phi, gamma)
    # x' = A x + B u, u(t) = t: exponential of the system that contains u.
    large = np.zeros((5, 5))
    large[:3, :3], large[:3, 3:4], large[3, 4] = _STABLE * 0.7, _B3 * 0.7, 0.7
    whole = linalg.expm(large)
    yield case(_M + "integralExpT", [_STABLE, _B3, 0.7], phi, whole[:3, 3:4], whole[:3, 4:5])


def _control() -> Iterator[Case]:
    c = np.array([[1.0, 2.0, 0.0], [2.0, -1.0, 1.0], [0.0, 1.0, 3.0]])
    yield holds(
        _M + "continuousLyapunov", [_STABLE, c], [_33], lambda y: y[0] @ _STABLE + _STABLE.T @ y[0] - c
    )
    yield holds(
        _M + "continuousSylvester", [_STABLE, -_A, c], [_33], lambda y: _STABLE @ y[0] - y[0] @ _A - c
    )
    yield holds(_M + "discreteLyapunov", [_INSIDE, c], [_33], lambda y: _INSIDE.T @ y[0] @ _INSIDE + y[0] - c)
    yield holds(
        _M + "discreteSylvester", [_INSIDE, _STABLE, c], [_33], lambda y: _INSIDE @ y[0] @ _STABLE + y[0] - c
    )
    q, r = np.diag([1.0, 2.0, 3.0]), np.diag([1.0, 0.5])
    vectors = ["Real[3]", "Real[3]"]
    continuous = linalg.solve_continuous_are(_STABLE, _B32, q, r)
    discrete = linalg.solve_discrete_are(_INSIDE, _B32, q, r)
    real6 = ["Real[6]", "Real[6]"]
    yield holds(
        _M + "continuousRiccati", [_STABLE, _B32, r, q], [_33, *real6], lambda y: y[0] - continuous, 1e-8
    )
    yield holds(_M + "discreteRiccati", [_INSIDE, _B32, r, q], [_33, *real6], lambda y: y[0] - discrete, 1e-8)
    u = _M + "Utilities."
    yield holds(
        u + "continuousRiccatiIterative", [_STABLE, _B32, r, q, continuous + 0.01 * np.eye(3)], [_33, "Real"],
        lambda y: y[0] - continuous, 1e-6,
    )  # fmt: skip
    yield holds(
        u + "discreteRiccatiIterative", [_INSIDE, _B32, r, q, discrete + 0.01 * np.eye(3)], [_33, "Real"],
        lambda y: y[0] - discrete, 1e-6,
    )  # fmt: skip
    hessenberg = linalg.hessenberg(_A)
    yield holds(
        u + "toUpperHessenberg", [_A], [_33, _33, "Real[2]", "Integer"],
        lambda y: [np.abs(np.sort_complex(np.linalg.eigvals(y[0])) - np.sort_complex(np.linalg.eigvals(_A)))],
    )  # fmt: skip
    yield holds(
        u + "eigenvaluesHessenberg", [hessenberg], ["Real[3,2]", "Integer"],
        lambda y: np.abs(
            np.sort_complex(y[0][:, 0] + 1j * y[0][:, 1]) - np.sort_complex(np.linalg.eigvals(_A))
        ),
    )  # fmt: skip
    upper = np.array([[1.0, 2.0, 0.5], [0.0, -3.0, 1.0], [0.0, 0.0, -2.0]])
    yield holds(
        u + "reorderRSF", [upper, np.eye(3), np.diag(upper), np.zeros(3)], [_33, _33, *vectors],
        lambda y: [y[1] @ y[0] @ y[1].T - upper, np.minimum(0, -y[2][:2] - 1)],
    )  # fmt: skip


def _order() -> Iterator[Case]:
    rows = np.array([[2.0, 1.0, -1.0], [2.0, 0.0, 0.0], [1.0, 5.0, 3.0]])
    order = np.lexsort(rows.T[::-1])
    yield case(_M + "sort", [rows], rows[order], order.astype(int) + 1)
    yield case(_M + "flipLeftRight", [rows], rows[:, ::-1])
    yield case(_M + "flipUpDown", [rows], rows[::-1])
    yield case(_M + "isEqual", [rows, rows + 1e-12, 1e-9], True)
    yield case(_M + "isEqual", [rows, rows + 1e-6, 1e-9], False)
