"""Random trains of inertias, gears, clutches and brakes that open and close at random: the closed form.

A train is a tree: each inertia but the first hangs on an earlier one by a gear, which always holds, or by a
clutch and a gear. Some inertias have brakes. Brakes and clutches that would hold a shaft twice are not drawn.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from leap_readings import event_times
from mechanical_elements import ANGLE_ELEMENTS, SPEED_ELEMENTS
from numpy.typing import NDArray
from rigid_shafts import Phase, RigidShafts
from shaft_checks import check_shafts

import saltus

Vector = NDArray[np.float64]

STOP = 2.5
TIMES = [0.5, 1.0, 1.5, 2.0]


@dataclass
class Train:
    """The text of a train, and its rows."""

    inertias: Vector
    speeds: Vector
    torques: Vector
    declared: list[str] = field(default_factory=list)
    connected: list[str] = field(default_factory=list)
    always: dict[str, Vector] = field(default_factory=dict)
    locks: dict[str, Vector] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # of the torques of all locks

    def add(self, rng: np.random.Generator) -> None:
        """All the couplings."""
        count = len(self.inertias)
        for b in range(1, count):
            a = int(rng.integers(b))
            ratio = float(rng.choice([-2.0, -1.0, 0.5, 1.0, 1.5]))
            row = np.zeros(count)
            row[a], row[b] = 1.0, -ratio
            self.declared.append(f"  Gear g{b}(ratio = {ratio});")
            self.connected.append(f"  connect(g{b}.b, j[{b + 1}].flange);")
            if rng.random() < 0.3:
                self.connected.append(f"  connect(j[{a + 1}].flange, g{b}.a);")
                self.always[f"g{b}"], self.names[f"g{b}"] = row, f"-g{b}.a.tau"
            else:
                self.declared.append(f"  Clutch c{b}(locked = PATTERN_c{b});")
                self.connected += [f"  connect(j[{a + 1}].flange, c{b}.a);", f"  connect(c{b}.b, g{b}.a);"]
                self.locks[f"c{b}"], self.names[f"c{b}"] = row, f"-c{b}.tau"
        for k in np.flatnonzero(rng.random(count) < 0.4).tolist():
            row = np.zeros(count)
            row[k] = 1.0
            self.declared.append(f"  Brake b{k}(locked = PATTERN_b{k});")
            self.connected.append(f"  connect(b{k}.flange, j[{k + 1}].flange);")
            self.locks[f"b{k}"], self.names[f"b{k}"] = row, f"-b{k}.flange.tau"

    def drawn(self, rng: np.random.Generator, shares: float) -> dict[str, Vector]:
        """Locks that hold together, none of them redundant."""
        found = dict(self.always)
        for name in rng.permutation(sorted(self.locks)):
            rows = np.array([*found.values(), self.locks[name]])
            if rng.random() < shares and np.linalg.matrix_rank(rows) == len(rows):
                found[str(name)] = self.locks[name]
        return found

    def text(self, phases: list[Phase], *, angles: bool) -> str:
        """The model, with these phases as conditions on the time."""
        count = len(self.inertias)
        body = "\n".join([*self.declared, "equation", *self.connected])
        for name in self.locks:
            spans = [
                f"time >= {p.start} and time < {end}"
                for p, end in zip(phases, [*TIMES, 2 * STOP], strict=True)
                if name in p.locks
            ]
            body = body.replace(f"PATTERN_{name})", (" or ".join(spans) or "time < 0") + ")")
        free = np.ones(count, dtype=bool)
        for name in self.always:
            free[int(name[1:])] = False  # follows from the one that it hangs on

        def listed(values: Vector) -> str:
            return "{" + ", ".join(map(repr, map(float, values))) + "}"

        fixed = "{" + ", ".join("true" if f else "false" for f in free) + "}"
        start = f"w(start = {listed(self.speeds)}, fixed = {fixed})"
        if angles:
            start += f", phi(each start = 0, fixed = {fixed})"
        return (
            (ANGLE_ELEMENTS if angles else SPEED_ELEMENTS)
            + f"model Train\n  Inertia j[{count}](J = {listed(self.inertias)}, {start});\n"
            + f"  Torque t[{count}](tau = {listed(self.torques)});\n"
            + body
            + f"\n  for k in 1:{count} loop\n    connect(t[k].flange, j[k].flange);\n  end for;\n"
            + f"  annotation(experiment(StopTime = {STOP}));\nend Train;\n"
        )


def random_train(seed: int) -> tuple[Train, list[Phase]]:
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 6))
    train = Train(
        np.round(rng.uniform(0.5, 3, count), 2),
        np.round(rng.uniform(-5, 5, count), 2),
        np.round(rng.uniform(-2, 2, count), 2),
    )
    train.add(rng)
    phases = [Phase(0.0, dict(train.always), train.torques)]
    phases += [Phase(t, train.drawn(rng, 0.5), train.torques) for t in TIMES]
    for name, row in sorted(train.always.items(), key=lambda item: int(item[0][1:])):  # consistent starts
        child = int(name[1:])
        parent = next(k for k in np.flatnonzero(row) if k != child)
        train.speeds[child] = row[parent] * train.speeds[parent] / -row[child]
    return train, phases


@pytest.mark.parametrize(
    ("seed", "angles"), [(0, False), (1, False), (2, False), (3, False), (4, True), (5, True)]
)
def test_random_train(seed: int, angles: bool) -> None:
    train, phases = random_train(seed)
    result = saltus.load(train.text(phases, angles=angles)).simulate(tolerance=1e-10)
    motion = RigidShafts(train.inertias.tolist(), train.speeds.tolist(), phases)
    names = [f"j[{k + 1}]" for k in range(len(train.inertias))]
    check_shafts(result, motion, names, train.names, angles=angles)
    changed = [p.start for p, q in zip(phases[1:], phases, strict=False) if set(p.locks) != set(q.locks)]
    assert set(changed) <= set(event_times(result)) <= set(TIMES)
    modes = {tuple(sorted(p.locks)) for p in phases}
    assert result.statistics["programs"] <= len(modes)
