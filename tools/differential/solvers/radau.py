"""Radau IIA with three stages for `mass*z' + matrix*z = force(t)`, many steps of one length at once.

Hairer and Wanner, Solving Ordinary Differential Equations II, section IV.5: of order five and stiffly
accurate. The matrix of its coefficients has one real and two complex eigenvalues, so that a step takes one
real and one complex system of the size of z (section IV.8). As the equations are linear, the solutions of
these systems are matrices, which are kept for the lengths that come again and again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float64]
_Complex: TypeAlias = NDArray[np.complex128]

_ROOT = np.sqrt(6.0)
NODES = np.array([(4 - _ROOT) / 10, (4 + _ROOT) / 10, 1.0])
_COEFFICIENTS = np.array([
    [(88 - 7 * _ROOT) / 360, (296 - 169 * _ROOT) / 1800, (-2 + 3 * _ROOT) / 225],
    [(296 + 169 * _ROOT) / 1800, (88 + 7 * _ROOT) / 360, (-2 - 3 * _ROOT) / 225],
    [(16 - _ROOT) / 36, (16 + _ROOT) / 36, 1 / 9],
])  # fmt: skip


def _eigen() -> tuple[_Complex, _Complex, _Complex]:
    """Eigenvalues of the inverse of the coefficients, the real one first, then one of the pair; the vectors,
    those of the pair doubled, since the real part of one stands for both; and the rows of their inverse."""
    values, vectors = np.linalg.eig(np.linalg.inv(_COEFFICIENTS))
    rows = np.linalg.inv(vectors)
    real = int(np.argmin(np.abs(values.imag)))
    pair = int(np.argmax(values.imag))
    return values[[real, pair]], vectors[:, [real, pair]] * np.array([1.0, 2.0]), rows[[real, pair]]


_VALUES, _VECTORS, _INVERSE = _eigen()
_SUMS = _INVERSE.sum(axis=1)

#: From values at 0 and at the nodes to the coefficients of the cubic through them, the constant one first.
CUBIC = np.linalg.inv(np.vander(np.array([0.0, *NODES]), increasing=True))


def cubic(points: Vector) -> Vector:
    """The coefficients of the curve through what a step began with and its three stages."""
    found: Vector = np.tensordot(CUBIC, points, axes=1)
    return found


def on_cubic(points: Vector, fractions: Vector) -> Vector:
    """The values of the curves of several steps (their points), each at one fraction of it."""
    weights = np.vander(fractions, 4, increasing=True) @ CUBIC
    found: Vector = np.einsum("kp,kpn->kn", weights, points)
    return found


@dataclass(frozen=True)
class _Steps:
    """Of one length: the stages, side by side, from the value before (`start`) and from the forces at the
    three nodes."""

    start: Vector
    forces: Vector


class Flow:
    """How z moves while the matrix is the same."""

    def __init__(self, mass: Vector, matrix: Vector) -> None:
        self._mass, self._matrix = mass, matrix
        self._kept: dict[float, _Steps] = {}

    def stages(self, z: Vector, forces: Vector, h: float) -> Vector:
        """One step of any length: its three stages. `forces` are those at the nodes."""
        scaled = _VALUES[:, None, None] / h * self._mass
        right = _INVERSE @ forces + _SUMS[:, None] * (scaled @ z)
        found = np.linalg.solve(scaled + self._matrix, right[:, :, None])[:, :, 0]
        stages: Vector = (_VECTORS @ found).real
        return stages

    def steps(self, z: Vector, forces: Vector, h: float) -> Vector:
        """As many steps as there are `forces`: of each, the value before and its stages."""
        count, size = len(forces), len(z)
        kept = self._steps(h)
        stages = forces.reshape(count, 3 * size) @ kept.forces
        last, ends = kept.start[:, 2 * size :].T, stages[:, 2 * size :]
        points = np.empty((count, 4, size))
        for k in range(count):
            points[k, 0] = z
            z = last @ z + ends[k]
        points[:, 1:] = (stages + points[:, 0] @ kept.start).reshape(count, 3, size)
        return points

    def _steps(self, h: float) -> _Steps:
        found = self._kept.get(h)
        if found is None:
            size = len(self._mass)
            scaled = _VALUES[:, None, None] / h * self._mass
            inverse = np.linalg.inv(scaled + self._matrix)
            start = np.einsum("ke,enm,e->mkn", _VECTORS, inverse @ scaled, _SUMS).real
            forces = np.einsum("ke,enm,ej->jmkn", _VECTORS, inverse, _INVERSE).real
            found = _Steps(start.reshape(size, 3 * size).copy(), forces.reshape(3 * size, 3 * size).copy())
            self._kept[h] = found
        return found
