"""Friction elements that have nothing to do with each other, that are all alike, that share a load; and a
table that shakes.

What is independent must behave as if it were alone, at whatever moment the others change their modes; what is
alike changes at the same instant; programs are as many as there are modes visited.
"""

from __future__ import annotations

import math

import numpy as np
from friction_cases import one_block, slide_times
from friction_elements import changes, stuck, with_law
from friction_reference import Contacts, Vector, integrate

import saltus

STOP = 4 * math.pi

ALIKE = """
model Alike "Blocks side by side, all pushed in the same way"
  parameter Integer n = 8;
  Wall table;
  Mass body[n](v(each fixed = true), x(each fixed = true));
  Law friction[n](each f1 = 0.5);
  Push push[n](each force = 2*sin(time));
equation
  for i in 1:n loop
    connect(table.flange, friction[i].a);
    connect(friction[i].b, body[i].flange);
    connect(push[i].flange, body[i].flange);
  end for;
  annotation(experiment(StopTime = 12.566370614359172, Tolerance = 1e-10, Interval = 0.05));
end Alike;
"""

APART = """
model Apart "Blocks side by side, each pushed in its own way"
  parameter Integer n = 4;
  parameter Real amplitude[n] = {2, 1.5, 1.2, 0.8};
  Wall table;
  Mass body[n](v(each fixed = true), x(each fixed = true));
  Law friction[n](each f1 = 0.5);
  Push push[n](force = {amplitude[i]*sin(time) for i in 1:n});
equation
  for i in 1:n loop
    connect(table.flange, friction[i].a);
    connect(friction[i].b, body[i].flange);
    connect(push[i].flange, body[i].flange);
  end for;
  annotation(experiment(StopTime = 12.566370614359172, Tolerance = 1e-10, Interval = 0.05));
end Apart;
"""

SHAKEN = """
model Shaken "A block on a table that moves to and fro"
  Drive table(velocity = 1.6*sin(time) + 0.4*sin(3*time));
  Mass body(v(fixed = true), x(fixed = true));
  Law friction(f0 = 1, f1 = 0.2);
equation
  connect(table.flange, friction.a);
  connect(friction.b, body.flange);
  annotation(experiment(StopTime = 12.566370614359172, Tolerance = 1e-10, Interval = 0.05));
end Shaken;
"""


def test_all_break_away_and_stick_at_the_same_instants() -> None:
    result = saltus.load(with_law("Friction", ALIKE)).simulate()
    found = changes(result, *(f"friction[{i + 1}]" for i in range(8)))
    assert [modes for _, modes in found] == [(k,) * 8 for k in (1, 0, -1, 0, 1, 0, -1)]
    np.testing.assert_allclose([t for t, _ in found], slide_times(0.5, STOP), atol=1e-7)
    assert result.statistics["programs"] <= 4
    for i in range(2, 9):
        np.testing.assert_allclose(result[f"body[{i}].v"], result["body[1].v"], rtol=0, atol=1e-9)


def test_each_goes_its_own_way() -> None:
    result = saltus.load(with_law("Friction", APART)).simulate()
    time = np.asarray(result.time)
    for i, amplitude in enumerate((2.0, 1.5, 1.2, 0.8)):
        motion = integrate(one_block(0.5, amplitude), np.zeros(1), np.zeros(1), STOP)
        found = changes(result, f"friction[{i + 1}]")
        assert [modes for _, modes in found] == [modes for _, modes in motion.changes]
        np.testing.assert_allclose([t for t, _ in found], [t for t, _ in motion.changes], atol=1e-6)
        np.testing.assert_allclose(result[f"body[{i + 1}].v"], motion.at(time)[:, 1], atol=1e-6)
        rests = stuck(result, f"friction[{i + 1}]")
        assert np.abs(np.asarray(result[f"body[{i + 1}].v"])[rests]).max() < 1e-12


def test_shaken_table() -> None:
    """Seen from the table a force acts on the block: its mass times the acceleration of the table, backwards.
    The program in which it sticks has to differentiate the table's velocity."""

    def force(t: float, x: Vector, v: Vector) -> Vector:
        return np.array([-1.6 * np.cos(t) - 1.2 * np.cos(3 * t)])

    one = np.ones(1)
    contacts = Contacts(one, force, np.eye(1), one, 0.2 * one, one, np.zeros(1))
    motion = integrate(contacts, np.zeros(1), np.zeros(1), STOP)
    result = saltus.load(with_law("Friction", SHAKEN)).simulate()
    found = changes(result, "friction")
    assert [modes for _, modes in found] == [modes for _, modes in motion.changes]
    assert 0 in {mode for _, (mode,) in found}
    np.testing.assert_allclose([t for t, _ in found], [t for t, _ in motion.changes], atol=1e-6)
    np.testing.assert_allclose(result["friction.v"], motion.at(np.asarray(result.time))[:, 1], atol=1e-6)
    assert np.abs(np.asarray(result["friction.v"])[stuck(result, "friction")]).max() < 1e-12


PADS = """
model Pad "Friction without books: the heat f*v would have a memory of a force that is not determined"
  extends TwoFlanges;
  parameter Real f0 = 1;
  parameter Real f1 = 0;
  Real s;
  Boolean forward = s > 1;
  Boolean backward = s < -1;
equation
  v = if forward then s - 1 elseif backward then s + 1 else 0;
  f = if forward then f0 + f1*(s - 1) elseif backward then -f0 + f1*(s + 1) else f0*s;
end Pad;

model Pads "A block on two pads: while it sticks only the sum of their forces is determined"
  Wall table;
  Mass body(v(fixed = true), x(fixed = true));
  Pad friction[2](f0 = {0.6, 0.4}, each f1 = 0.25);
  Push push(force = 2*sin(time));
equation
  for i in 1:2 loop
    connect(table.flange, friction[i].a);
    connect(friction[i].b, body.flange);
  end for;
  connect(push.flange, body.flange);
  annotation(experiment(StopTime = 12.566370614359172, Tolerance = 1e-10, Interval = 0.05));
end Pads;
"""


def test_two_pads_brake_like_one() -> None:
    """Their limits add up to 1 and their viscous parts to 0.5. Which of them is at its limit first is not
    determined; the block breaks away when both are."""
    result = saltus.load(with_law("Friction", PADS)).simulate()
    motion = integrate(one_block(0.5), np.zeros(1), np.zeros(1), STOP)
    time = np.asarray(result.time)
    np.testing.assert_allclose(result["body.v"], motion.at(time)[:, 1], atol=1e-6)
    total = np.asarray(result["friction[1].f"]) + np.asarray(result["friction[2].f"])
    rests = stuck(result, "friction[1]") | stuck(result, "friction[2]")
    assert np.count_nonzero(rests) > 20
    np.testing.assert_allclose(total[rests], 2 * np.sin(time[rests]), rtol=0, atol=1e-9)
    for i, limit in enumerate((0.6, 0.4)):
        assert np.abs(np.asarray(result[f"friction[{i + 1}].f"])[rests]).max() <= limit + 1e-9
