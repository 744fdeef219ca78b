"""The Modelica text of ideal mechanical elements: shafts, gears, clutches, brakes, one-way clutches.

They come at two levels. At the speed level a flange has a speed; at the angle level it has an angle, and a
clutch may hold the difference of speeds or that of angles. Torques are counted into an element. The torque
`tau` of an element with two flanges is what it hands on from `a` to `b`.

No element has an epsilon or a stiffness; none but the clutch that holds any angle remembers anything.
"""

SPEED_ELEMENTS = """
connector Flange
  Real w;
  flow Real tau;
end Flange;
model Inertia
  parameter Real J = 1;
  Flange flange;
  Real w;
equation
  w = flange.w;
  J*der(w) = flange.tau;
end Inertia;
model Fixed
  Flange flange;
equation
  flange.w = 0;
end Fixed;
model Torque "Drives a shaft"
  input Real tau;
  Flange flange;
equation
  flange.tau = -tau;
end Torque;
model Speed "Forces its speed upon a shaft"
  input Real w;
  Flange flange;
equation
  flange.w = w;
end Speed;
model Gear
  parameter Real ratio = 1;
  Flange a, b;
equation
  a.w = ratio*b.w;
  0 = ratio*a.tau + b.tau;
end Gear;
model Planetary
  parameter Real ratio = 2 "teeth of the ring over teeth of the sun";
  Flange sun, carrier, ring;
equation
  (1 + ratio)*carrier.w = sun.w + ratio*ring.w;
  ring.tau = ratio*sun.tau;
  carrier.tau = -(1 + ratio)*sun.tau;
end Planetary;
partial model TwoFlanges
  Flange a, b;
  Real w_rel;
  Real tau;
equation
  w_rel = b.w - a.w;
  a.tau = tau;
  b.tau = -tau;
end TwoFlanges;
partial model Engaged "What is locked by a Boolean"
  extends TwoFlanges;
  input Boolean locked;
end Engaged;
model Clutch
  extends Engaged;
equation
  if locked then
    w_rel = 0;
  else
    tau = 0;
  end if;
end Clutch;
model ExpressedClutch "The same by an if-expression"
  extends Engaged;
equation
  0 = if locked then w_rel else tau;
end ExpressedClutch;
model CoefficientClutch "The same by a factor that is 0 or 1"
  extends Engaged;
  Integer m = if locked then 1 else 0;
  Real s;
equation
  w_rel = (1 - m)*s;
  tau = m*s;
end CoefficientClutch;
model Brake
  Flange flange;
  input Boolean locked;
equation
  if locked then
    flange.w = 0;
  else
    flange.tau = 0;
  end if;
end Brake;
model Freewheel "Hands on positive torques only; b may run ahead"
  extends TwoFlanges;
  Real s "along the curve of torque over speed";
  Boolean free = s > 0;
equation
  w_rel = if free then s else 0;
  tau = if free then 0 else -s;
end Freewheel;
"""

ANGLE_ELEMENTS = """
connector Flange
  Real phi;
  flow Real tau;
end Flange;
model Inertia
  parameter Real J = 1;
  Flange flange;
  Real phi, w;
equation
  phi = flange.phi;
  w = der(phi);
  J*der(w) = flange.tau;
end Inertia;
model Torque "Drives a shaft"
  input Real tau;
  Flange flange;
equation
  flange.tau = -tau;
end Torque;
model Spring "To the housing"
  parameter Real c = 1;
  Flange flange;
equation
  flange.tau = c*flange.phi;
end Spring;
model Gear
  parameter Real ratio = 1;
  Flange a, b;
equation
  a.phi = ratio*b.phi;
  0 = ratio*a.tau + b.tau;
end Gear;
model Planetary
  parameter Real ratio = 2 "teeth of the ring over teeth of the sun";
  Flange sun, carrier, ring;
equation
  (1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi;
  ring.tau = ratio*sun.tau;
  carrier.tau = -(1 + ratio)*sun.tau;
end Planetary;
partial model TwoFlanges
  Flange a, b;
  Real phi_rel;
  Real tau;
equation
  phi_rel = b.phi - a.phi;
  a.tau = tau;
  b.tau = -tau;
end TwoFlanges;
partial model Engaged "What is locked by a Boolean"
  extends TwoFlanges;
  input Boolean locked;
end Engaged;
model Clutch "Locks speeds"
  extends Engaged;
  Real w_rel = der(phi_rel);
equation
  if locked then
    w_rel = 0;
  else
    tau = 0;
  end if;
end Clutch;
model ToothedClutch "Locks angles: its teeth must meet"
  extends Engaged;
equation
  if locked then
    phi_rel = 0;
  else
    tau = 0;
  end if;
end ToothedClutch;
model HoldingClutch "Locks angles as they are when it closes"
  extends Engaged;
  discrete Real held(start = 0, fixed = true);
equation
  when locked then
    held = pre(phi_rel);
  end when;
  if locked then
    phi_rel = held;
  else
    tau = 0;
  end if;
end HoldingClutch;
model Brake
  Flange flange;
  input Boolean locked;
  Real w = der(flange.phi);
equation
  if locked then
    w = 0;
  else
    flange.tau = 0;
  end if;
end Brake;
"""
