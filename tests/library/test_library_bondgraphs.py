"""The parts of `Saltus.BondGraphs` against their laws and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus
from translated_models import translated

COVERS = tuple(
    f"Saltus.BondGraphs.{name}"
    for name in (
        "Se", "Sf", "MSe", "MSf", "C", "I", "R", "MR", "NonlinearC", "NonlinearI", "NonlinearR", "NonlinearG",
        "TF", "MTF", "GY", "MGY", "J0", "J1", "X0", "X1", "De", "Df", "NamedBond",
    )
)  # fmt: skip


def simulated(name: str) -> saltus.Result:
    return translated(f"Saltus.Examples.BondGraphs.{name}").simulate()


def limits(result: saltus.Result, name: str, time: float) -> tuple[float, float]:
    rows = np.flatnonzero(np.abs(result.time - time) < 1e-9)
    return float(result[name][rows[0]]), float(result[name][rows[-1]])


def test_shared_momentum() -> None:
    """With a ratio m the weight is accelerated as a mass 1 + m^2; p + m*L is conserved."""
    result = simulated("SharedMomentum")
    (p, p_after), (el, el_after) = (limits(result, f"{n}.p", 1) for n in ("weight", "body"))
    assert (p, el) == pytest.approx((0.98 + 4.9, 1.96), abs=1e-8)
    assert (p_after, el_after) == pytest.approx((1.96, 3.92), abs=1e-8)
    assert limits(result, "torque.e", 0.5)[1] == 0
    np.testing.assert_allclose(result["torque.f"], result["body.f"])


def test_braked_motor() -> None:
    result = simulated("BrakedMotor")
    free = solve_ivp(
        lambda t, x: [(12 - 0.5 * x[0] - 0.1 * x[1]) / 0.01, (0.1 * x[0] - 0.002 * x[1]) / 0.001],
        (0, 0.3), [0, 0], rtol=1e-10, atol=1e-10,
    ).y[:, -1]  # fmt: skip
    assert limits(result, "coil.f", 0.3) == pytest.approx((free[0], free[0]), rel=1e-6)
    assert limits(result, "rotor.f", 0.3) == pytest.approx((free[1], 0), rel=1e-6)
    held = 24 - (24 - free[0]) * np.exp(-0.5 / 0.01 * 0.1)
    assert limits(result, "coil.f", 0.4)[1] == pytest.approx(held, rel=1e-6)
    (impulse,) = result.impulses["rotor.e"]
    assert impulse.weight == pytest.approx(-0.001 * free[1], rel=1e-6)


def test_modulation() -> None:
    """The laws of modulated parts along a run, and body and tank integrated by hand."""
    result = simulated("Modulation")
    t = result.time
    push, m = 5 * np.sin(2 * np.pi * 0.3 * t), 1 + 0.5 * np.sin(2 * np.pi * 0.1 * t)
    r, d = 1 + t / 10, 0.5 + t / 5
    np.testing.assert_allclose(result["force.e"], push, atol=1e-12)
    np.testing.assert_allclose(result["crank.f_out"], m * result["crank.f_in"], atol=1e-9)
    np.testing.assert_allclose(result["crank.e_in"], m * result["crank.e_out"], atol=1e-9)
    np.testing.assert_allclose(result["pump.e_out"], r * result["pump.f_in"], atol=1e-9)
    np.testing.assert_allclose(result["pump.e_in"], r * result["pump.f_out"], atol=1e-9)
    np.testing.assert_allclose(result["damper.e"], d * result["damper.f"], atol=1e-9)
    np.testing.assert_array_equal(result["measured.y"], result["body.f"])

    def rate(time: float, y: np.ndarray) -> list[float]:
        ratio, field, grip = 1 + 0.5 * np.sin(0.2 * np.pi * time), 1 + time / 10, 0.5 + time / 5
        back = ratio * field * y[0]  # the effort that the body's speed puts on the lever
        flow = (5 * np.sin(0.6 * np.pi * time) - back) / 0.5
        return [(field * ratio * flow - grip * y[0]) / 2, 0.2 * np.sin(np.pi * time) + 0.1]

    speed, volume = solve_ivp(rate, (0, 10), [0, 0], rtol=1e-10, atol=1e-11).y[:, -1]
    assert result["body.f"][-1] == pytest.approx(speed, abs=1e-6)
    assert result["pressure.y"][-1] == pytest.approx(volume / 2, abs=1e-6)


def test_characteristics() -> None:
    result = simulated("Characteristics")
    q, f = (
        solve_ivp(
            lambda t, y: [
                1 + np.sin(t) - np.sinh(y[0] + y[0] ** 3) / 10,
                2 - (y[1] / np.sqrt(1 + y[1] ** 2)) ** 2,
            ],
            (0, 5), [0, 0], rtol=1e-10, atol=1e-11,
        ).y[:, -1]
    )  # fmt: skip
    assert result["spring.q"][-1] == pytest.approx(q, abs=1e-6)
    assert result["body.p"][-1] == pytest.approx(f, abs=1e-6)
    assert result["body.f"].max() < 1


def test_storage_with_a_characteristic_keeps_energy() -> None:
    """A hardening spring and a heavier and heavier body swing for ever: V(q) + H(p) stays."""
    result = saltus.load("""
    model Swing
      Saltus.BondGraphs.NonlinearC spring(effort = spring.q + spring.q^3, q0 = 1, q(fixed = true));
      Saltus.BondGraphs.NonlinearI body(velocity = body.p/sqrt(1 + body.p^2), p(fixed = true));
      Saltus.BondGraphs.J1 both(nOut = 2);
    equation
      connect(both.out[1], spring.bond);
      connect(both.out[2], body.bond);
      annotation(experiment(StopTime = 20, Tolerance = 1e-10));
    end Swing;
    """).simulate()
    q, p = result["spring.q"], result["body.p"]
    energy = q**2 / 2 + q**4 / 4 + np.sqrt(1 + p**2)
    assert np.abs(energy - energy[0]).max() < 1e-7
    assert q.min() < -0.99


@pytest.mark.parametrize(("kind", "what"), [("X0", "e"), ("X1", "f")])
def test_controlled_junctions(kind: str, what: str) -> None:
    """On they are junctions; off all bonds have no effort, or no flow."""
    result = saltus.load(f"""
    model Switched
      Saltus.BondGraphs.Se source(value = 4);
      Saltus.BondGraphs.J1 mesh(nIn = 1, nOut = 2);
      Saltus.BondGraphs.R first(R = 1), second(R = 3);
      Saltus.BondGraphs.{kind} junction(nIn = 1, nOut = 1, on = time < 0.5);
    equation
      connect(source.bond, mesh.into[1]);
      connect(mesh.out[1], first.bond);
      connect(mesh.out[2], junction.into[1]);
      connect(junction.out[1], second.bond);
    end Switched;
    """).simulate()
    on, off = result.time < 0.5, result.time > 0.5
    assert np.abs(result["second.e"][on] - 3).max() < 1e-12
    assert np.abs(result[f"second.{what}"][off]).max() == 0
    assert np.abs(result["first.f"][off] - (4 if kind == "X0" else 0)).max() < 1e-12


def test_an_inward_source_counts_the_other_way() -> None:
    result = saltus.load("""
    model Inward
      Saltus.BondGraphs.Sf sink(value = 2, inward = true);
      Saltus.BondGraphs.C store(C = 1, q0 = 5, q(fixed = true));
      Saltus.BondGraphs.J0 node(nOut = 2);
    equation
      connect(node.out[1], sink.bond);
      connect(node.out[2], store.bond);
    end Inward;
    """).simulate()
    assert result["sink.f"][-1] == 2 and result["store.q"][-1] == pytest.approx(3)
