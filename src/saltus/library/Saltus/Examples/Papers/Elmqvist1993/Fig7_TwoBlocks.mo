within Saltus.Examples.Papers.Elmqvist1993;
model Fig7_TwoBlocks "A block on a block on the ground, both pushed, with friction as a state machine"
  extends Saltus.Icons.Example;
  Parts.Inertial i "The environment"
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Parts.Friction f1(R0 = 1, Rm = 1, Rv = 0.3, p(start = 0, fixed = true), v(start = 0, fixed = true))
    "Between the environment and block 1"
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Parts.TransBody m1(m = 1) "Lower block"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Parts.Friction f2(R0 = 0.6, Rm = 0.6, Rv = 0.1, p(start = 0, fixed = true), v(start = 0, fixed = true))
    "Between both blocks"
    annotation(Placement(transformation(extent = {{-10, 40}, {10, 60}})));
  Parts.TransBody m2(m = 0.5) "Upper block"
    annotation(Placement(transformation(extent = {{40, 40}, {60, 60}})));
  Parts.ExtForce fe1 "Pushes the lower block"
    annotation(Placement(transformation(extent = {{-60, -50}, {-40, -30}})));
  Parts.ExtForce fe2 "Pushes the upper block"
    annotation(Placement(transformation(extent = {{-10, 70}, {10, 90}})));
  Saltus.Units.Force u1 "On the lower block";
  Saltus.Units.Force u2 "On the upper block";
  parameter Saltus.Units.Force U1 = 2.2 "Largest force on the lower block";
  parameter Saltus.Units.Force U2 = 1.3 "Largest force on the upper block";
  parameter Saltus.Units.AngularFrequency w1 = 1 "Of the first force";
  parameter Saltus.Units.AngularFrequency w2 = 2.3 "Of the second force";
equation
  u1 = U1*sin(w1*time);
  u2 = U2*sin(w2*time);
  fe1.f = u1;
  fe2.f = u2;
  connect(i.c, f1.c1) annotation(Line(points = {{-80, 0}, {-60, 0}}, color = {0, 127, 0}));
  connect(f1.c2, m1.c) annotation(Line(points = {{-40, 0}, {-10, 0}}, color = {0, 127, 0}));
  connect(m1.c, f2.c1) annotation(Line(points = {{-10, 0}, {-20, 0}, {-20, 50}, {-10, 50}}, color = {0, 127, 0}));
  connect(f2.c2, m2.c) annotation(Line(points = {{10, 50}, {40, 50}}, color = {0, 127, 0}));
  connect(fe1.c, m1.c) annotation(Line(points = {{-40, -40}, {-20, -40}, {-20, 0}, {-10, 0}}, color = {0, 127, 0}));
  connect(fe2.c, m2.c) annotation(Line(points = {{10, 80}, {30, 80}, {30, 50}, {40, 50}}, color = {0, 127, 0}));
  annotation(
    experiment(StopTime = 20, Tolerance = 1e-9, Interval = 0.05),
    Documentation(info = "<html>
<p>The model <code>TwoBlock</code> of the paper of its own parts: relative positions and velocities are the states,
absolute ones follow from them.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 8, figure 7, models TwoBlock, TransBody, Inertial, ExtForce, TransForce, Friction",
      passage = "Two blocks slide on each other and on the ground, with forces on both and dry friction in both
contacts. Bodies obey Newton's law; all that is difficult is hidden in the friction element, a state machine with six
states, of which several may be passed through at one event. The paper warns that the iteration need not converge when
several elements change at once.",
      look = "Both contacts stick and slide, and some events change both at the same instant. The values are ours,
since the paper gives none; the motion agrees with an integration that tries all combinations of sticking and sliding
at each event.",
      plot = {"f1.v", "f2.v", "f1.Stuck", "f2.Stuck"}, modes = false, log = false)));
end Fig7_TwoBlocks;
