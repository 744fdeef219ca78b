within Saltus.Examples.Papers.Elmqvist1993;
model Sec3_Causality "Three circuits: index 0, an algebraic loop, and one degree of freedom less"
  extends Saltus.Icons.Example;
  Parts.VSource U0(u0 = 10) "Feeds all three"
    annotation(Placement(transformation(origin = {-80, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor R1(R = 100) "Unique causality"
    annotation(Placement(transformation(extent = {{-60, 20}, {-40, 40}})));
  Parts.Capacitor C1(C = 1e-3, u(start = 0, fixed = true)) "A state"
    annotation(Placement(transformation(origin = {-30, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor R2(R = 60) "Part of a loop"
    annotation(Placement(transformation(extent = {{-10, 50}, {10, 70}})));
  Parts.Resistor R3(R = 40) "Part of the same loop"
    annotation(Placement(transformation(origin = {20, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor R4(R = 100) "Charges both capacitors"
    annotation(Placement(transformation(extent = {{20, 70}, {40, 90}})));
  Parts.Capacitor C2(C = 1e-3, u(start = 0, fixed = true)) "In parallel with the next one"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Capacitor C3(C = 1e-3) "Has the voltage of the one before: no state of its own"
    annotation(Placement(transformation(origin = {90, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Common common "Ground"
    annotation(Placement(transformation(extent = {{-10, -70}, {10, -50}})));
equation
  connect(U0.A, R1.A) annotation(Line(points = {{-80, 10}, {-80, 30}, {-60, 30}}, color = {0, 0, 255}));
  connect(U0.A, R2.A) annotation(Line(points = {{-80, 10}, {-80, 60}, {-10, 60}}, color = {0, 0, 255}));
  connect(U0.A, R4.A) annotation(Line(points = {{-80, 10}, {-80, 80}, {20, 80}}, color = {0, 0, 255}));
  connect(R1.B, C1.A) annotation(Line(points = {{-40, 30}, {-30, 30}, {-30, 10}}, color = {0, 0, 255}));
  connect(R2.B, R3.A) annotation(Line(points = {{10, 60}, {20, 60}, {20, 10}}, color = {0, 0, 255}));
  connect(R4.B, C2.A) annotation(Line(points = {{40, 80}, {60, 80}, {60, 10}}, color = {0, 0, 255}));
  connect(C2.A, C3.A) annotation(Line(points = {{60, 10}, {60, 30}, {90, 30}, {90, 10}}, color = {0, 0, 255}));
  connect(U0.B, common.P)
    annotation(Line(points = {{-80, -10}, {-80, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  connect(C1.B, common.P)
    annotation(Line(points = {{-30, -10}, {-30, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  connect(R3.B, common.P) annotation(Line(points = {{20, -10}, {20, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  connect(C2.B, common.P) annotation(Line(points = {{60, -10}, {60, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  connect(C3.B, common.P) annotation(Line(points = {{90, -10}, {90, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 0.5, Tolerance = 1e-9, Interval = 1e-3),
    Documentation(info = "<html>
<p>A resistor with a capacitor: each equation has one unknown left. Two resistors in series: none of their equations
can be solved alone. Two capacitors in parallel: one state is lost. <code>saltus explain</code> shows all three.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 3",
      passage = "Where each equation can be assigned its unknown in one way only, the problem has index 0. Sets in
which every equation has two unknowns or more are algebraic loops and belong to index 1. If a connection takes degrees
of freedom away, not all integrators can stay states, which is a higher index; Dymola reduces it automatically.",
      look = "C1 charges with a time constant of 0.1 s, C2 and C3 together with 0.2 s; C3.u is no state, and both have
the same voltage. The loop divides 10 V into 6 V and 4 V. The paper has no example here; the values are ours.",
      plot = {"C1.u", "C2.u", "C3.u", "R3.u"}, modes = false, log = false)));
end Sec3_Causality;
