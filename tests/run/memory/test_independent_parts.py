"""Which states have to do with each other, against perturbations of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import saltus
from saltus.run.memory.dependence import numbers_in_parts

#: x, y: by a derivative; z: alone, though all share a switch of time and the time; u, v: by a residue only;
#: p, q, r: by a loop.
PARTS = """
model Parts
  Real x(start = 1), y(start = 1), z(start = 1), u(start = 1), v(start = 1);
  Real p(start = 1), q(start = 1), r(start = 1);
  Real a, b, w;
  Boolean on, near;
equation
  on = sin(time) > 0;
  near = u > v;
  w = cos(time);
  der(x) = if on then -x else y;
  der(y) = -y*w;
  der(z) = if on then -z*w else w;
  der(u) = -u*w;
  der(v) = if near then 0 else -v;
  a = p + 0.5*b;
  b = q - 0.5*a;
  der(p) = -a;
  der(q) = w;
  der(r) = b - r;
end Parts;
"""


def test_states_are_numbered_in_parts_that_have_nothing_to_do_with_each_other() -> None:
    structure = saltus.load(PARTS).structure
    names = [v.symbol.name for v in structure.states]
    numbers = dict(zip(names, numbers_in_parts(structure).tolist(), strict=True))
    parts = ("xy", "z", "uv", "pqr")
    assert {k: sorted(numbers[x] for x in part) for k, part in enumerate(parts)} == {
        k: list(range(len(part))) for k, part in enumerate(parts)
    }


@pytest.mark.parametrize("seed", range(20))
def test_what_is_in_one_part_covers_what_depends_on_each_other(seed: int) -> None:
    """Random linear systems: states that a derivative depends on together have different numbers."""
    random = np.random.default_rng(seed)
    n = 8
    uses = (random.random((n, n)) < 0.12) | np.eye(n, dtype=bool)
    sums = [" - ".join(f"x[{j + 1}]" for j in np.flatnonzero(row)) for row in uses]
    lines = [f"  der(x[{i + 1}]) = {total};" for i, total in enumerate(sums)]
    structure = saltus.load(
        "\n".join(["model Random", f"  Real x[{n}](each start = 1);", "equation", *lines, "end Random;"])
    ).structure
    names = [v.symbol.name for v in structure.states]
    numbers = dict(zip(names, numbers_in_parts(structure).tolist(), strict=True))
    together = (uses | uses.T).astype(int)
    reach = np.linalg.matrix_power(together, n) > 0
    for i, j in itertools.combinations(range(n), 2):
        if reach[i, j]:
            assert numbers[f"x[{i + 1}]"] != numbers[f"x[{j + 1}]"]
    sizes = {tuple(np.flatnonzero(row)) for row in reach}
    assert max(numbers.values()) + 1 == max(map(len, sizes))
