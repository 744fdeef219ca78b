"""The mode in which a run begins, for blocks with declarative friction: it follows from start values, from
initial equations, or from the forces.

Truth: the modes are clear, and what follows is compared with the integration event by event.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from friction_cases import one_block
from friction_elements import ONE_BLOCK, changes, with_law
from friction_reference import Contacts, Vector, integrate

import saltus
from translated_models import translated

STOP = 8.0


def started(law: str, extra: str, **values: float) -> saltus.Result:
    """One block whose velocity at the start is left to `extra`."""
    rig = ONE_BLOCK.replace("v(start = velocity, fixed = true)", "v(start = 0)")
    assert rig != ONE_BLOCK
    text = with_law(law, f"{rig}\nmodel Begun\n  extends OneBlock(f1 = 0.5);\n{extra}\nend Begun;")
    return translated(text).simulate(stop_time=STOP, tolerance=1e-10, interval=0.05, set=values)


def agrees(result: saltus.Result, velocity: float, contacts: Contacts | None = None) -> None:
    motion = integrate(contacts or one_block(0.5), np.zeros(1), np.array([velocity]), STOP)
    found = changes(result, "friction")
    assert [modes for _, modes in found] == [modes for _, modes in motion.changes]
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in motion.changes], atol=1e-7)
    np.testing.assert_allclose(result["body.v"], motion.at(np.asarray(result.time))[:, 1], atol=1e-7)


def first_mode(result: saltus.Result) -> int:
    return int(result["friction.forward"][0]) - int(result["friction.backward"][0])


@pytest.mark.parametrize("law", ["Friction", "BranchFriction"])
@pytest.mark.parametrize(("velocity", "mode"), [(1.0, 1), (-0.4, -1), (0.0, 0)])
def test_initial_equation_for_the_velocity(law: str, velocity: float, mode: int) -> None:
    result = started(law, "initial equation\n  body.v = velocity;", velocity=velocity)
    assert first_mode(result) == mode
    agrees(result, velocity)


def test_initial_equation_for_a_parameter() -> None:
    """Kinetic energy is given, and which way it goes."""
    extra = """
  parameter Real energy = 2;
  parameter Real begin(fixed = false, start = -1);
initial equation
  begin^2/2 = energy;
  body.v = begin;
"""
    result = started("Friction", extra)
    assert first_mode(result) == -1
    agrees(result, -2.0)


def test_steady_state() -> None:
    """No acceleration at the start: the block sticks."""
    result = started("Friction", "initial equation\n  der(body.v) = 0;")
    assert first_mode(result) == 0
    agrees(result, 0.0)


@pytest.mark.parametrize("law", ["Friction", "ForceFriction", "BranchFriction", "FactorFriction"])
@pytest.mark.parametrize("sign", [1, -1])
def test_at_rest_but_pushed_too_hard(law: str, sign: int) -> None:
    """The velocity is zero at the start, but not a moment later: it does not begin with sticking."""
    rig = ONE_BLOCK.replace("amplitude*sin(time)", "amplitude*cos(time)")
    result = translated(with_law(law, rig)).simulate(
        set={"amplitude": 2.0 * sign, "f1": 0.5}, stop_time=STOP, tolerance=1e-10, interval=0.05
    )

    def force(t: float, x: Vector, v: Vector) -> Vector:
        return np.array([2.0 * sign * math.cos(t)])

    one = np.ones(1)
    contacts = Contacts(one, force, np.eye(1), one, 0.5 * one, one, np.zeros(1))
    assert first_mode(result) == sign
    agrees(result, 0.0, contacts)
    assert result.time[1] > 0  # one row for the start: nothing has happened there


def test_start_values_that_hold_in_no_mode_are_refused() -> None:
    """The clutch is closed from the start, whatever the speeds are: nothing says that they should jump."""
    text = """
    model Shafts
      Real w1(start = 1, fixed = true);
      Real w2(start = 0, fixed = true);
      Real tau;
      Boolean closed = time < 1;
    equation
      2*der(w1) = -tau;
      3*der(w2) = tau;
      0 = if closed then w1 - w2 else tau;
    end Shafts;
    """
    with pytest.raises(saltus.SaltusError) as refusal:
        translated(text).simulate()
    assert "w1" in str(refusal.value) and "w2" in str(refusal.value)


def test_a_poor_guess_of_the_mode_at_the_start_is_not_told() -> None:
    """With its start values alone both contacts would stick, which cannot be. Everything else is given."""
    model = translated(
        """model Held "A body between the ground and a cable that runs"
          Saltus.Translational.Mass car(s(start = 5, fixed = true), v(start = 4, fixed = true));
          Saltus.Translational.Friction brake, grip;
          Saltus.Translational.Sources.ConstantSpeed cable;
          Saltus.Translational.Fixed ground;
        equation
          connect(ground.flange, brake.flange_a);
          connect(brake.flange_b, car.flange_b);
          connect(cable.flange, grip.flange_a);
          connect(grip.flange_b, car.flange_a);
        end Held;"""
    )
    assert not model.warnings
    result = model.simulate()
    assert not result.warnings
    assert result["car.s"][0] == 5.0 and result["car.v"][0] == 4.0
