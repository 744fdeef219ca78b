"""Random networks of inductors, sources and ideal diodes, against a reference that knows no Modelica.

Branches of a source, a resistor and an inductor, and diodes, lie between random nodes. With x the currents of
the branches, d those of the diodes and u the potentials of the nodes,

    B x + D d = 0,    L x' = e(t) - R x + B^T u,    d >= 0,    D^T u <= 0,    d . (D^T u) = 0.

The rates x' minimise a strictly convex function under linear inequalities, so they are unique. In a mode,
conducting diodes join nodes (u = N y, where the columns of N are the joined nodes) and B x = 0 holds for each
of these. The mode after an event is found by trying all of them. The diodes make no rings, in which the last
one would have no voltage whether it conducts or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest
from electrical_elements import Vector, circuit, conserved, run
from event_by_event import Guard, Walk

F = 50.0
W, T = 2 * np.pi * F, 1 / F
STOP = 0.03


@dataclass(frozen=True, eq=False)
class Network:
    """Branches and diodes as pairs of nodes; node 0 is the ground."""

    branches: tuple[tuple[int, int], ...]
    diodes: tuple[tuple[int, int], ...]
    inductances: Vector
    resistances: Vector
    amplitudes: Vector
    phases: Vector

    @classmethod
    def of(cls, seed: int) -> Network:
        """All nodes are joined by branches; a few diodes lie between any two, without rings."""
        random = np.random.default_rng(seed)
        count = int(random.integers(2, 5))
        branches = [(k, int(random.integers(0, k))) for k in range(1, count + 1)]
        branches += [_pair(random, count) for _ in range(int(random.integers(0, 3)))]
        diodes = _without_rings([_pair(random, count) for _ in range(8)], count)
        size = len(branches)
        return cls(
            tuple(branches),
            diodes,
            random.uniform(2e-3, 2e-2, size),
            random.uniform(1, 10, size),
            random.uniform(2, 20, size),
            random.uniform(0.2, 6.0, size),
        )

    @property
    def nodes(self) -> int:
        return 1 + max(max(pair) for pair in self.branches)

    def sources(self, t: float) -> Vector:
        return np.asarray(self.amplitudes * np.sin(W * t + self.phases))

    def modelica(self) -> str:
        lines = [f"  IdealDiode D[{len(self.diodes)}];\n"]
        joined: dict[int, list[str]] = {0: ["ground.p"]}
        for k, (a, b) in enumerate(self.branches, 1):
            v, phase = float(self.amplitudes[k - 1]), float(self.phases[k - 1])
            lines.append(f"  SineVoltage V{k}(V = {v!r}, f = {F}, phase = {phase!r});\n")
            lines.append(f"  Resistor R{k}(R = {float(self.resistances[k - 1])!r});\n")
            inductance = float(self.inductances[k - 1])
            lines.append(f"  Inductor L{k}(L = {inductance!r}, i(start = 0, fixed = true));\n")
            joined.setdefault(a, []).append(f"V{k}.n")
            joined[-k] = [f"V{k}.p", f"R{k}.p"]
            joined[-k - 100] = [f"R{k}.n", f"L{k}.p"]
            joined.setdefault(b, []).append(f"L{k}.n")
        for k, (a, b) in enumerate(self.diodes, 1):
            joined.setdefault(a, []).append(f"D[{k}].p")
            joined.setdefault(b, []).append(f"D[{k}].n")
        connections = [f"  connect({pins[0]}, {pin});\n" for pins in joined.values() for pin in pins[1:]]
        return circuit("".join(lines), "".join(connections))

    def incidence(self, pairs: tuple[tuple[int, int], ...]) -> Vector:
        """Currents from the first node to the second: what leaves each node but the ground."""
        found = np.zeros((self.nodes, len(pairs)))
        for k, (a, b) in enumerate(pairs):
            found[a, k] += 1
            found[b, k] -= 1
        return found[1:]


def _pair(random: np.random.Generator, count: int) -> tuple[int, int]:
    a, b = random.choice(count + 1, 2, replace=False)
    return int(a), int(b)


def _without_rings(pairs: list[tuple[int, int]], count: int) -> tuple[tuple[int, int], ...]:
    """Those that join what the ones before have not joined."""
    group, found = list(range(count + 1)), []
    for a, b in pairs:
        if group[a] != group[b]:
            found.append((a, b))
            group = [group[a] if g == group[b] else g for g in group]
    return tuple(found)


class Phase:
    """A network in one mode: which diodes conduct."""

    def __init__(self, network: Network, conducts: tuple[bool, ...]) -> None:
        self.network, self.on = network, np.array(conducts)
        self.b, self.d = network.incidence(network.branches), network.incidence(network.diodes)
        _, sizes, rows = np.linalg.svd(self.d[:, self.on].T)
        self.joined = rows[int(np.sum(sizes > 1e-9)) :].T
        self.constraint = self.joined.T @ self.b
        self.sharing = -np.linalg.pinv(self.d[:, self.on]) @ self.b
        inverse = self.constraint / network.inductances
        self.reaction = -np.linalg.pinv(inverse @ self.constraint.T) @ inverse

    def push(self, t: float, x: Vector) -> Vector:
        return np.asarray(self.network.sources(t) - self.network.resistances * x)

    def rate(self, t: float, x: Vector) -> Vector:
        push = self.push(t, x)
        return np.asarray((push + self.constraint.T @ self.reaction @ push) / self.network.inductances)

    def voltages(self, t: float, x: Vector) -> Vector:
        """Of all diodes."""
        return np.asarray(self.d.T @ self.joined @ self.reaction @ self.push(t, x))

    def currents(self, x: Vector) -> Vector:
        found = np.zeros(len(self.on))
        found[self.on] = self.sharing @ x
        return found

    def consistent(self, t: float, x: Vector) -> bool:
        """Whether it holds at an instant, and goes on to hold."""
        if np.abs(self.constraint @ x).max(initial=0) > 1e-7 or self.currents(x).min(initial=0) < -1e-7:
            return False
        later = x + 1e-6 * self.rate(t, x)
        forward = self.voltages(t + 1e-6, later).max(initial=0)
        return bool(forward < 1e-6 and self.currents(later).min(initial=0) > -1e-9)

    def guard(self, k: int) -> Guard:
        if self.on[k]:
            return lambda t, x: -float(self.currents(x)[k])
        return lambda t, x: float(self.voltages(t, x)[k])


def walk_of(network: Network) -> Walk:
    walk, count = Walk([0.0] * len(network.branches), T / 100), len(network.diodes)
    phase: Phase | None = None
    while walk.time < STOP:
        found = [Phase(network, on) for on in product((False, True), repeat=count)]
        fitting = [p for p in found if p.consistent(walk.time, walk.state)]
        old = phase.on if phase is not None else np.zeros(count)
        assert fitting, f"no mode at {walk.time}"
        # Several may be the same but for diodes that carry nothing.
        phase = min(fitting, key=lambda p: int(np.sum(p.on != old)))
        walk.follow(phase.rate, STOP, *(phase.guard(k) for k in range(count)))
    return walk


@pytest.mark.parametrize("seed", range(5))
def test_random_network(seed: int) -> None:
    network = Network.of(seed)
    walk = walk_of(network)
    result = run(network.modelica(), STOP, points=200)
    expected = walk.after(result.time)
    for k in range(len(network.branches)):
        np.testing.assert_allclose(result[f"L{k + 1}.i"], expected[k], atol=2e-6)
    conserved(result, **{f"L{k + 1}_i": float(size) for k, size in enumerate(network.inductances)})
