"""Shafts, gears, springs and motors: the Modelica text of rotational components."""

ROTATIONAL = """
connector Flange
  Real phi;
  flow Real tau;
end Flange;
model Inertia
  parameter Real J = 1;
  Flange flange;
  Real phi, w, a;
equation
  phi = flange.phi;
  w = der(phi);
  a = der(w);
  J*a = flange.tau;
end Inertia;
model Gear
  parameter Real ratio = 1;
  Flange a, b;
equation
  a.phi = ratio*b.phi;
  0 = ratio*a.tau + b.tau;
end Gear;
model Planetary "Sun and ring share the motion of the carrier"
  parameter Real ratio = 2 "teeth of the ring over teeth of the sun";
  Flange sun, carrier, ring;
equation
  (1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi;
  ring.tau = ratio*sun.tau;
  carrier.tau = -(1 + ratio)*sun.tau;
end Planetary;
model Spring
  parameter Real c = 1;
  Flange flange;
equation
  flange.tau = c*flange.phi;
end Spring;
model Torque
  parameter Real tau = 1;
  Flange flange;
equation
  flange.tau = -tau;
end Torque;
"""
