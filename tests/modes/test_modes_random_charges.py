"""Random networks of capacitors and ideal switches: whatever is joined shares its charge.

Capacitors lie between nodes and the ground, switches between any two nodes, each closed for a time of its
own. Between the switchings nothing flows. By hand: where switches close, all nodes that closed switches join
get one voltage, that of their common charge. In a ring of closed switches it is open how the charge goes
round; the voltages are not.
"""

from __future__ import annotations

import numpy as np
import pytest
from electrical_elements import Vector, circuit, leaps, nodes, run

STOP = 1.0


class Network:
    """Capacities and first voltages of the nodes; switches as (node, node, closes, opens)."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        count = int(random.integers(3, 6))
        self.sizes, self.starts = random.uniform(0.5, 4, count), random.uniform(-5, 5, count)
        self.switches: list[tuple[int, int, float, float]] = []
        for _ in range(int(random.integers(3, 6))):
            a, b = (int(k) for k in random.choice(count, 2, replace=False))
            closes, opens = (float(t) for t in np.round(np.sort(random.uniform(0.05, 0.95, 2)), 3))
            self.switches.append((a, b, closes, opens))

    def modelica(self) -> str:
        lines = [
            f"  Capacitor C{k}(C = {float(size)!r}, v(start = {float(start)!r}, fixed = true));\n"
            for k, (size, start) in enumerate(zip(self.sizes, self.starts, strict=True))
        ]
        joined = [f"C{k}.p" for k in range(len(self.sizes))]
        for k, (a, b, closes, opens) in enumerate(self.switches):
            lines.append(f"  IdealSwitch S{k}(closed = time >= {closes!r} and time < {opens!r});\n")
            joined[a] += f" S{k}.p"
            joined[b] += f" S{k}.n"
        ground = "ground.p " + " ".join(f"C{k}.n" for k in range(len(self.sizes)))
        return circuit("".join(lines), nodes(ground, *joined))

    def voltages(self) -> list[tuple[float, Vector]]:
        """From when on, and what the voltages are."""
        found = [(0.0, self.starts)]
        for t in sorted({t for _, _, *times in self.switches for t in times}):
            group = list(range(len(self.sizes)))
            for a, b, closes, opens in self.switches:
                if closes <= t < opens:
                    group = [group[a] if g == group[b] else g for g in group]
            v = found[-1][1].copy()
            for g in set(group):
                members = [k for k, other in enumerate(group) if other == g]
                v[members] = np.dot(self.sizes[members], v[members]) / self.sizes[members].sum()
            found.append((t, v))
        return found


@pytest.mark.parametrize("seed", range(6))
def test_random_switching(seed: int) -> None:
    network = Network(seed)
    result = run(network.modelica(), STOP, points=20)
    history = network.voltages()
    count = len(network.sizes)
    found = np.array([result[f"C{k}.v"] for k in range(count)])
    moments = np.array([t for t, _ in history])
    for row, t in enumerate(result.time):
        if np.abs(moments[1:] - t).min() > 1e-9:
            expected = history[int(np.searchsorted(moments, t, side="right")) - 1][1]
            np.testing.assert_allclose(found[:, row], expected, rtol=1e-9, atol=1e-12)
    charge = network.sizes @ found
    np.testing.assert_allclose(
        charge, charge[0], rtol=1e-10, atol=1e-10 * np.abs(network.sizes @ abs(found)).max()
    )
    given = np.zeros(count)
    for left, right in leaps(result):
        given += network.sizes * (found[:, right] - found[:, left])
    weights = [sum(i.weight for i in result.impulses[f"C{k}.i"]) for k in range(count)]
    np.testing.assert_allclose(weights, given, atol=1e-9)
