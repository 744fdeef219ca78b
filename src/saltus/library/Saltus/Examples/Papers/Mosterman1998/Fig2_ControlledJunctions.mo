within Saltus.Examples.Papers.Mosterman1998;
model Fig2_ControlledJunctions "Junctions of bond graphs that are switched on and off"
  extends Saltus.Icons.Example;

  partial model Bonds "Three bonds, counted into the junction"
    Real e[3](each unit = "V") "Efforts, here voltages";
    Real f[3](each unit = "A") "Flows, here currents";
    input Boolean on "Works as a junction";
    annotation(Documentation(info = "<html><p>What both kinds of junctions have in common.</p></html>"));
  end Bonds;

  model Zero "Equal efforts, or none"
    extends Bonds;
  equation
    if on then
      e[1] = e[2];
      e[2] = e[3];
      sum(f) = 0;
    else
      e = zeros(3);
    end if;
    annotation(Documentation(info = "<html>
<p>Off, it has no effort on any bond: an ideal source of effort zero for each.</p>
</html>"));
  end Zero;

  model One "Equal flows, or none"
    extends Bonds;
  equation
    if on then
      f[1] = f[2];
      f[2] = f[3];
      sum(e) = 0;
    else
      f = zeros(3);
    end if;
    annotation(Documentation(info = "<html>
<p>Off, it has no flow on any bond: an ideal source of flow zero for each.</p>
</html>"));
  end One;

  parameter Real R(unit = "Ohm") = 1 "Of the resistors";
  parameter Real E(unit = "V") = 3 "Of the sources";
  parameter Real C(unit = "F") = 0.2 "Of the storage at the junction of efforts";
  parameter Real L(unit = "H") = 0.2 "Of the storage at the junction of flows";
  Boolean on "Both junctions are on";
  Zero zero(on = on) "Source with resistor, resistor, and storage of efforts, side by side"
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  One one(on = on) "Source, resistor, and storage of flows, in a row"
    annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
  Real u(unit = "V", start = 0, fixed = true) "Effort of the storage, behind a resistor of its own";
  Real i(unit = "A", start = 0, fixed = true) "Flow of the storage, beside a resistor of its own";
equation
  on = time < 1 or time >= 2;
  // 0-junction: a source with a resistor, a resistor to ground, and a capacitor behind a resistor
  E - zero.e[1] = R*zero.f[1];
  zero.e[2] = -R*zero.f[2];
  u - zero.e[3] = R*zero.f[3];
  C*der(u) = -zero.f[3];
  // 1-junction: a source, a resistor, and an inductor with a resistor beside it
  one.e[1] = E;
  one.e[2] = -R*one.f[2];
  one.e[3] = -R*(one.f[3] - i);
  L*der(i) = -one.e[3];
  annotation(
    experiment(StopTime = 3, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>A junction of equal efforts (0) and one of equal flows (1). On, they are junctions; off, efforts or flows of all
bonds are zero.</p>
<p>What to look at: while the 0-junction is off, its storage discharges through its resistor into an effort of zero;
while the 1-junction is off, the flow of its storage goes round through the resistor beside it. Both are loops that
no longer know anything of the rest.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figure 2",
      passage = "A controlled junction behaves as a usual junction while it is on. While it is off, a controlled
0-junction enforces effort zero on all of its connections and a controlled 1-junction flow zero.",
      look = "From 1 s to 2 s all efforts of the 0-junction and all flows of the 1-junction are exactly zero, and
both storages decay with the time constants R C and L/R of their own loops. The circuits around the junctions are
ours.",
      plot = {"zero.e[3]", "one.f[3]", "u", "i"}, modes = true, log = true)));
end Fig2_ControlledJunctions;
