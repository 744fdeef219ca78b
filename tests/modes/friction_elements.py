"""Dry friction as an ordinary component, in Modelica: the declarative law and the papers' state machines.

All laws have the same two flanges and the same parameters, so that a rig takes any of them. `v` is the
velocity of flange b relative to flange a, `f` the force with which the element brakes b and drags a.

Declarative: a curve of v and f with the parameter s, as papers 001 and 003 write it and say that no tool can
simulate it.
State machines: paper 003 (four states, and the peak), papers 000 and 001 (six states).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import saltus

FLANGES = """
connector Flange "A point of a body that moves along a line"
  Real v "Velocity";
  flow Real f "Force on the element";
end Flange;

model Mass "Newton's law"
  parameter Real m = 1;
  Flange flange;
  Real v(start = 0);
  Real x(start = 0);
equation
  v = flange.v;
  der(x) = v;
  m*der(v) = flange.f;
end Mass;

model Wall "Does not move"
  Flange flange;
equation
  flange.v = 0;
end Wall;

model Belt "Moves with a given velocity"
  parameter Real velocity = 1;
  Flange flange;
equation
  flange.v = velocity;
end Belt;

model Drive "Moves as it is told, whatever force that takes"
  input Real velocity;
  Flange flange;
equation
  flange.v = velocity;
end Drive;

model Push "Force on a body, as a function of time"
  input Real force;
  Flange flange;
equation
  flange.f = -force;
end Push;

partial model TwoFlanges "Force between two bodies"
  Flange a;
  Flange b;
  Real v "Velocity of b relative to a";
  Real f "Force that b exerts on the element";
equation
  v = b.v - a.v;
  f = b.f;
  a.f + b.f = 0;
end TwoFlanges;

model Spring "Elastic force"
  extends TwoFlanges;
  parameter Real c = 1;
  Real l(start = 0, fixed = true) "Elongation";
equation
  der(l) = v;
  f = c*l;
end Spring;

model Damper "Viscous force"
  extends TwoFlanges;
  parameter Real d = 1;
equation
  f = d*v;
end Damper;

partial model AnyFriction "What all friction laws have in common"
  extends TwoFlanges;
  parameter Real f0 = 1 "Sliding force at v = 0";
  parameter Real f1 = 0 "Viscous part";
  parameter Real peak = 1 "Largest sticking force, relative to f0";
  Boolean forward "Slides, b ahead of a";
  Boolean backward "Slides, b behind a";
  Real lost(start = 0, fixed = true) "Energy that has become heat";
equation
  der(lost) = f*v;
end AnyFriction;
"""

DECLARATIVE = """
model Friction "Papers 001 and 003: a curve with the parameter s, without dimension"
  extends AnyFriction;
  Real s;
equation
  forward = s > 1;
  backward = s < -1;
  v = if forward then s - 1 elseif backward then s + 1 else 0;
  f = if forward then f0 + f1*(s - 1) elseif backward then -f0 + f1*(s + 1) else f0*s;
end Friction;

model ForceFriction "The same with a parameter that is a force; the relations are where they are used"
  extends AnyFriction;
  Real s;
equation
  forward = s > f0;
  backward = s < -f0;
  v = if s > f0 then s - f0 elseif s < -f0 then s + f0 else 0;
  f = if s > f0 then f0 + f1*(s - f0) elseif s < -f0 then -f0 + f1*(s + f0) else s;
end ForceFriction;

model BranchFriction "The same with an if-equation: its branches have different structure"
  extends AnyFriction;
  Real s;
equation
  forward = s > 1;
  backward = s < -1;
  if forward then
    v = s - 1;
    f = f0 + f1*v;
  elseif backward then
    v = s + 1;
    f = -f0 + f1*v;
  else
    v = 0;
    f = f0*s;
  end if;
end BranchFriction;

model FactorFriction "The same with a discrete variable that multiplies"
  extends AnyFriction;
  Real s;
  Integer direction "1, 0 or -1";
equation
  forward = s > 1;
  backward = s < -1;
  direction = if forward then 1 elseif backward then -1 else 0;
  v = direction*direction*(s - direction);
  f = direction*(f0 + f1*direction*v) + (1 - direction*direction)*f0*s;
end FactorFriction;

model PeakFriction "The largest sticking force is higher than the sliding force: the curve has a leap"
  extends AnyFriction;
  Real s;
equation
  forward = s > peak;
  backward = s < -peak;
  v = if forward then s - peak elseif backward then s + peak else 0;
  f = if forward then f0 + f1*v elseif backward then -f0 + f1*v else f0*s;
end PeakFriction;
"""

STATE_MACHINES = """
model FourStates "Paper 003: at rest the curve is one of acceleration and force; sliding is waited for"
  // The paper has a = sa - 1 for any peak. With that startForward contradicts itself at break-away where the
  // acceleration, which leaps from zero, is less than peak - 1. Without a peak it is the same.
  extends AnyFriction(v(stateSelect = StateSelect.prefer));
  Integer mode "1 forward, 0 stuck, -1 backward";
  Boolean startForward(start = false, fixed = true);
  Boolean startBackward(start = false, fixed = true);
  Real a_rel "Acceleration of b relative to a";
  Real sa;
initial equation
  pre(mode) = if v > 0 then 1 elseif v < 0 then -1 else 0;
equation
  a_rel = der(v);
  startForward = pre(mode) == 0 and (sa > peak or pre(startForward) and sa > 1);
  startBackward = pre(mode) == 0 and (sa < -peak or pre(startBackward) and sa < -1);
  forward = pre(mode) == 1 or startForward;
  backward = pre(mode) == -1 or startBackward;
  a_rel = if forward then sa - peak elseif backward then sa + peak else 0;
  f = if forward then f0 + f1*v elseif backward then -f0 + f1*v else f0*sa;
  mode = if forward and v > 0 then 1 elseif backward and v < 0 then -1 else 0;
end FourStates;

model SixStates "Papers 000 and 001, with pre() where the slide needs it, and a start that ends"
  // The papers leave startForward if a <= 0. It is zero at break-away, exactly: this must not lead back.
  extends AnyFriction(v(stateSelect = StateSelect.prefer));
  Boolean start(start = true, fixed = true);
  Boolean isForward(start = false, fixed = true);
  Boolean isBackward(start = false, fixed = true);
  Boolean startForward(start = false, fixed = true);
  Boolean startBackward(start = false, fixed = true);
  Boolean sticking(start = false, fixed = true);
  Real a_rel "Acceleration of b relative to a";
  Real fc "Force of constraint while it sticks";
equation
  a_rel = der(v);
  isForward = pre(start) and v > 0 or pre(startForward) and v > 0 or pre(isForward) and not v <= 0;
  isBackward = pre(start) and v < 0 or pre(startBackward) and v < 0 or pre(isBackward) and not v >= 0;
  startForward = pre(sticking) and fc > peak*f0
    or pre(startForward) and not (v > 0 or a_rel < 0 and not v > 0);
  startBackward = pre(sticking) and fc < -peak*f0
    or pre(startBackward) and not (v < 0 or a_rel > 0 and not v < 0);
  start = false;
  sticking = not (start or isForward or startForward or isBackward or startBackward);
  forward = isForward or startForward;
  backward = isBackward or startBackward;
  f = if pre(isForward) then f0 + f1*v elseif pre(isBackward) then -f0 + f1*v
    elseif pre(startForward) then f0 elseif pre(startBackward) then -f0 else fc;
  0 = if pre(sticking) or pre(start) then a_rel else fc;
  when sticking and not start then
    reinit(v, 0);
  end when;
end SixStates;
"""

ELEMENTS = FLANGES + DECLARATIVE + STATE_MACHINES

ONE_BLOCK = """
model OneBlock "A block on a rough table, pushed to and fro"
  parameter Real amplitude = 2;
  parameter Real f0 = 1;
  parameter Real f1 = 0;
  parameter Real peak = 1;
  parameter Real velocity = 0 "At the start";
  parameter Real m = 1;
  Wall table;
  Mass body(m = m, v(start = velocity, fixed = true), x(fixed = true));
  Law friction(f0 = f0, f1 = f1, peak = peak);
  Push push(force = amplitude*sin(time));
  Real work(start = 0, fixed = true) "Done by the push";
equation
  connect(table.flange, friction.a);
  connect(friction.b, body.flange);
  connect(push.flange, body.flange);
  der(work) = push.force*body.v;
  annotation(experiment(StopTime = 12.566370614359172, Tolerance = 1e-9, Interval = 0.05));
end OneBlock;
"""


STACKED = """
model Stacked "Blocks on top of each other, the lowest on a table (paper 000, Fig. 7), each pushed to and fro"
  parameter Integer n = 2;
  parameter Real m[n];
  parameter Real amplitude[n];
  parameter Real omega[n];
  parameter Real f0[n];
  parameter Real f1[n];
  parameter Real peak[n] = ones(n);
  parameter Real velocity[n] = zeros(n) "At the start";
  Wall table;
  Mass body[n](m = m, v(start = velocity, each fixed = true), x(each fixed = true));
  Law friction[n](f0 = f0, f1 = f1, peak = peak) "Between each block and what it lies on";
  Push push[n](force = {amplitude[i]*sin(omega[i]*time) for i in 1:n});
  Real work(start = 0, fixed = true) "Done by the pushes";
equation
  connect(table.flange, friction[1].a);
  for i in 1:n loop
    connect(friction[i].b, body[i].flange);
    connect(push[i].flange, body[i].flange);
  end for;
  for i in 2:n loop
    connect(body[i - 1].flange, friction[i].a);
  end for;
  der(work) = sum(push[i].force*body[i].v for i in 1:n);
end Stacked;

model TwoBlocks
  extends Stacked(n = 2, m = {1, 0.5}, amplitude = {2.2, 1.3}, omega = {1, 2.3},
    f0 = {1, 0.6}, f1 = {0.3, 0.1});
  annotation(experiment(StopTime = 20, Tolerance = 1e-9, Interval = 0.05));
end TwoBlocks;

model ThreeBlocks
  extends Stacked(n = 3, m = {1, 0.5, 0.3}, amplitude = {2.2, 1.3, 0.7}, omega = {1, 2.3, 1.7},
    f0 = {1, 0.6, 0.25}, f1 = {0.3, 0.1, 0.05});
  annotation(experiment(StopTime = 12, Tolerance = 1e-9, Interval = 0.05));
end ThreeBlocks;
"""

BELT = """
model OnBelt "A block on a moving belt, held by a spring"
  parameter Real velocity = 0.5 "Of the belt";
  parameter Real m = 1;
  parameter Real c = 1;
  parameter Real f0 = 1;
  parameter Real f1 = 0;
  parameter Real peak = 1;
  parameter Real stretch = 0 "Of the spring at the start";
  Belt belt(velocity = velocity);
  Wall wall;
  Spring spring(c = c, l(start = stretch));
  Mass body(m = m, v(fixed = true), x(fixed = true));
  Law friction(f0 = f0, f1 = f1, peak = peak);
equation
  connect(belt.flange, friction.a);
  connect(friction.b, body.flange);
  connect(wall.flange, spring.a);
  connect(spring.b, body.flange);
  annotation(experiment(StopTime = 30, Tolerance = 1e-9, Interval = 0.05));
end OnBelt;
"""


def with_law(law: str, rig: str) -> str:
    """Text of a rig whose friction elements, written as `Law`, are of this law."""
    return f"{ELEMENTS}\nmodel Law = {law};\n{rig}"


def changes(result: saltus.Result, *elements: str) -> list[tuple[float, tuple[int, ...]]]:
    """When friction elements change their modes, and to which: 1 forward, 0 stuck, -1 backward."""
    time = np.asarray(result.time)
    columns = [
        np.asarray(result[f"{e}.forward"], dtype=int) - np.asarray(result[f"{e}.backward"], dtype=int)
        for e in elements
    ]
    modes = np.array(columns).T
    rows = np.flatnonzero(np.any(np.diff(modes, axis=0) != 0, axis=1)) + 1
    return [(float(time[row]), tuple(int(mode) for mode in modes[row])) for row in rows]


def stuck(result: saltus.Result, element: str) -> NDArray[np.bool_]:
    """In which rows a friction element sticks."""
    slides = [np.asarray(result[f"{element}.{way}"], dtype=bool) for way in ("forward", "backward")]
    return ~(slides[0] | slides[1])
