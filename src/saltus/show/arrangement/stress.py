"""Points of the plane that are as far apart as nodes are along a graph.

Stress majorisation (Gansner, Koren, North, "Graph drawing by stress majorization", GD 2004), from the
principal coordinates of the distances. Nothing is random: the same graph has the same points.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]

_ROUNDS = 60  # of the majorisation


def distances(count: int, edges: Sequence[tuple[int, int]]) -> Array:
    """Along the graph; what is not connected is somewhat further away than all else."""
    near: list[list[int]] = [[] for _ in range(count)]
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    found = np.full((count, count), np.inf)
    for start in range(count):
        found[start, start] = 0
        queue = deque([start])
        while queue:
            at = queue.popleft()
            for other in near[at]:
                if np.isinf(found[start, other]):
                    found[start, other] = found[start, at] + 1
                    queue.append(other)
    finite = found[np.isfinite(found)]
    found[np.isinf(found)] = finite.max() + 1
    return found


def majorised(distances: Array, across: Array | None = None) -> Array:
    """Points with these distances, as far as a plane has them; `across` are their x, if these are known."""
    count = len(distances)
    if count == 1:
        return np.zeros((1, 2))
    centre = np.eye(count) - 1 / count
    values, vectors = np.linalg.eigh(-centre @ distances**2 @ centre / 2)
    points: Array = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0.01))
    # Signs of eigenvectors are arbitrary, and equal leaves would fall together.
    points *= np.where(points[np.abs(points).argmax(axis=0), [0, 1]] < 0, -1, 1)
    points += 0.05 * np.column_stack([np.sin(np.arange(count)), np.cos(np.arange(count))])
    wanted = np.where(distances > 0, distances, 1)
    weights = np.where(distances > 0, 1 / wanted**2, 0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse: Array = np.linalg.pinv(laplacian)
    if across is not None:
        points[:, 0] = across
    for _ in range(_ROUNDS):
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)
        ratio = weights * distances / np.where(apart > 1e-9, apart, 1)
        points[:] = inverse @ ((np.diag(ratio.sum(axis=1)) - ratio) @ points)
        if across is not None:
            points[:, 0] = across
    return points


def upright(points: Array) -> Array:
    """Turned so that it is as wide as possible; the first node is in the left half."""
    points = points - points.mean(axis=0)
    _, _, turn = np.linalg.svd(points, full_matrices=False)
    turned: Array = points @ turn.T if turn.shape == (2, 2) else points
    if turned[0, 0] > 0:
        turned[:, 0] *= -1
    return turned
