"""Gear trains with many rigid couplings, against generalised coordinates in closed form.

All angles are linear in a few of them, phi = T q. With inertias J, springs K and torques Q the train is

    (T' J T) q'' + (T' K T) q = T' Q

whatever the couplings do inside; its solution is a sum of oscillations, or a parabola without springs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from integrators import Simulate
from numpy.typing import NDArray
from rotational_models import ROTATIONAL
from scipy.linalg import eigh, null_space

from translated_models import translated

Matrix = NDArray[np.float64]


class Train:
    """A train under construction: shafts with an inertia each, couplings as rows of angles that vanish."""

    def __init__(self, inertias: Sequence[float]) -> None:
        self.inertias = np.array(inertias)
        self.rows: list[Matrix] = []
        self.stiffness = np.zeros(len(inertias))
        self.torque = np.zeros(len(inertias))
        self.declared = [f"  Inertia m{k}(J = {j});" for k, j in enumerate(inertias)]
        self.connected: list[str] = []

    def _add(self, declared: str, ports: Mapping[str, int], angles: Mapping[int, float] | None) -> None:
        name = f"c{len(self.declared)}"
        self.declared.append(f"  {declared.replace('NAME', name)};")
        self.connected += [f"  connect({name}.{port}, m{k}.flange);" for port, k in ports.items()]
        if angles is not None:
            row = np.zeros(len(self.inertias))
            for k, factor in angles.items():
                row[k] += factor
            self.rows.append(row)

    def gear(self, a: int, b: int, ratio: float) -> None:
        self._add(f"Gear NAME(ratio = {ratio})", {"a": a, "b": b}, {a: 1.0, b: -ratio})

    def planetary(self, sun: int, carrier: int, ring: int, ratio: float) -> None:
        ports = {"sun": sun, "carrier": carrier, "ring": ring}
        angles = {carrier: 1 + ratio, sun: -1.0, ring: -ratio}
        self._add(f"Planetary NAME(ratio = {ratio})", ports, angles)

    def spring(self, at: int, c: float) -> None:
        self.stiffness[at] += c
        self._add(f"Spring NAME(c = {c})", {"flange": at}, None)

    def drive(self, at: int, tau: float) -> None:
        self.torque[at] += tau
        self._add(f"Torque NAME(tau = {tau})", {"flange": at}, None)

    def text(self, initial: Sequence[str]) -> str:
        lines = [ROTATIONAL, "model Train", *self.declared, "initial equation"]
        lines += [f"  {e};" for e in initial]
        return "\n".join([*lines, "equation", *self.connected, "end Train;", ""])

    def motions(self) -> Matrix:
        """T: an orthonormal basis of the motions that the couplings allow."""
        return np.asarray(null_space(np.array(self.rows)))

    def closed_form(self, angles: Matrix, speeds: Matrix, times: Matrix) -> tuple[Matrix, Matrix]:
        """Angles and speeds of all shafts at all times, mode by mode."""
        t = self.motions()
        mass = t.T @ np.diag(self.inertias) @ t
        squares, modes = eigh(t.T @ np.diag(self.stiffness) @ t, mass)
        force = modes.T @ t.T @ self.torque
        q0, v0 = (modes.T @ mass @ (t.T @ z) for z in (angles, speeds))
        q, v = np.zeros((len(squares), len(times))), np.zeros((len(squares), len(times)))
        for k, square in enumerate(squares):
            if square < 1e-12 * max(squares.max(), 1.0):
                q[k] = q0[k] + v0[k] * times + force[k] * times**2 / 2
                v[k] = v0[k] + force[k] * times
            else:
                w, rest = np.sqrt(square), force[k] / square
                q[k] = rest + (q0[k] - rest) * np.cos(w * times) + v0[k] / w * np.sin(w * times)
                v[k] = -(q0[k] - rest) * w * np.sin(w * times) + v0[k] * np.cos(w * times)
        return t @ modes @ q, t @ modes @ v


def check(train: Train, initial: Mapping[str, float], simulate: Simulate, index: int = 3) -> None:
    model = translated(train.text([f"{name} = {value}" for name, value in initial.items()]))
    count = len(train.inertias)
    assert len(model.structure.states) == 2 * (count - len(train.rows))
    assert model.structure.reduction is not None and model.structure.reduction.index == index
    result = simulate(model, stop_time=4.0, interval=0.1, tolerance=1e-9)
    phi = np.array([result[f"m{k}.phi"] for k in range(count)])
    w = np.array([result[f"m{k}.w"] for k in range(count)])
    a = np.array([result[f"m{k}.a"] for k in range(count)])
    np.testing.assert_allclose(np.array(train.rows) @ phi, 0, atol=1e-9)  # no drift
    np.testing.assert_allclose(np.array(train.rows) @ w, 0, atol=1e-9)
    exact_phi, exact_w = train.closed_form(phi[:, 0], w[:, 0], result.time)
    np.testing.assert_allclose(phi, exact_phi, atol=2e-6)
    np.testing.assert_allclose(w, exact_w, atol=2e-6)
    # What the inertias take up, seen along the motions, is what springs and torques give: momentum.
    t = train.motions()
    given = train.torque[:, None] - train.stiffness[:, None] * phi
    np.testing.assert_allclose(t.T @ (train.inertias[:, None] * a - given), 0, atol=1e-7)
    energy = 0.5 * train.inertias @ w**2 + 0.5 * train.stiffness @ phi**2 - train.torque @ phi
    assert np.ptp(energy) < 1e-5
    assert np.ptp(phi, axis=1).max() > 0.1
    for name, value in initial.items():
        assert result[name][0] == pytest.approx(value, abs=1e-9)


def test_planetary_gear_with_three_free_shafts(simulate: Simulate) -> None:
    train = Train([0.1, 1.0, 0.4])
    train.planetary(0, 1, 2, ratio=3.0)
    train.drive(0, 0.2)
    train.drive(1, -0.5)
    check(train, {"m0.phi": 0.0, "m0.w": 1.0, "m2.phi": 0.0, "m2.w": 0.5}, simulate)


def test_planetary_gear_on_springs(simulate: Simulate) -> None:
    train = Train([0.5, 1.0, 0.8])
    train.planetary(0, 1, 2, ratio=2.5)
    train.spring(0, 2.0)
    train.spring(2, 5.0)
    check(train, {"m0.phi": 0.3, "m0.w": 0.0, "m1.phi": -0.2, "m1.w": 0.0}, simulate)


def test_two_planetary_gears_that_share_two_shafts(simulate: Simulate) -> None:
    """A compound of four shafts: suns joined, the carrier of the one is the ring of the other."""
    train = Train([0.3, 1.0, 0.6, 2.0])
    train.planetary(0, 1, 2, ratio=1.8)
    train.planetary(0, 3, 1, ratio=2.6)
    train.drive(0, 1.0)
    train.spring(3, 4.0)
    check(train, {"m0.phi": 0.0, "m1.phi": 0.1, "m0.w": 0.0, "m1.w": 0.0}, simulate)


def test_train_of_gears_and_planetary_gears(simulate: Simulate) -> None:
    """Ten shafts, seven couplings, three degrees of freedom."""
    train = Train([1.0, 0.5, 0.2, 0.9, 1.4, 0.3, 0.7, 2.0, 0.4, 1.1])
    train.gear(0, 1, 2.0)
    train.planetary(1, 2, 3, ratio=2.0)
    train.gear(3, 4, -1.5)
    train.planetary(4, 5, 6, ratio=3.0)
    train.gear(6, 7, 0.5)
    train.gear(7, 8, -1.25)
    train.gear(5, 9, 3.0)
    train.spring(0, 3.0)
    train.spring(9, 2.0)
    train.spring(2, 1.0)
    train.drive(8, 0.7)
    start = {f"m{k}.{what}": value for k in (0, 2, 5) for what, value in (("phi", 0.1 * k), ("w", 0.0))}
    check(train, start, simulate)


@pytest.mark.parametrize("shafts", [5, 12])
def test_shafts_in_one_row(simulate: Simulate, shafts: int) -> None:
    """Gear after gear: one degree of freedom, and as many index-3 couplings as gears."""
    train = Train([1.0 + 0.1 * k for k in range(shafts)])
    for k in range(shafts - 1):
        train.gear(k, k + 1, (-1.0) ** k * (1.1 + 0.05 * k))
    train.spring(shafts - 1, 6.0)
    train.drive(0, 0.5)
    check(train, {"m0.phi": 0.2, f"m{shafts - 1}.w": 0.1}, simulate)
