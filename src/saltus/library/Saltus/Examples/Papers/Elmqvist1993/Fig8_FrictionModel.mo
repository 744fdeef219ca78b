within Saltus.Examples.Papers.Elmqvist1993;
model Fig8_FrictionModel "Force over velocity of the friction element"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Force R0 = 1.5 "Largest force while it sticks";
  parameter Saltus.Units.Force Rm = 1 "Force at the beginning of a slide";
  parameter Saltus.Units.TranslationalDampingConstant Rv = 0.4 "Viscous part";
  parameter Saltus.Units.Force U = 2 "Largest push";
  parameter Saltus.Units.AngularFrequency w = 1 "Of the push";
  Parts.Inertial i "The environment"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Parts.Friction f1(R0 = R0, Rm = Rm, Rv = Rv, p(start = 0, fixed = true), v(start = 0, fixed = true)) "Dry friction"
    annotation(Placement(transformation(extent = {{-20, -10}, {0, 10}})));
  Parts.TransBody m1(m = 1) "A block"
    annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
  Parts.ExtForce fe1 "Pushes it to and fro"
    annotation(Placement(transformation(extent = {{-20, -50}, {0, -30}})));
equation
  fe1.f = U*sin(w*time);
  connect(i.c, f1.c1) annotation(Line(points = {{-60, 0}, {-20, 0}}, color = {0, 127, 0}));
  connect(f1.c2, m1.c) annotation(Line(points = {{0, 0}, {40, 0}}, color = {0, 127, 0}));
  connect(fe1.c, m1.c) annotation(Line(points = {{0, -40}, {20, -40}, {20, 0}, {40, 0}}, color = {0, 127, 0}));
  annotation(
    experiment(StopTime = 12, Tolerance = 1e-9, Interval = 0.02),
    Documentation(info = "<html>
<p>One block, pushed to and fro, runs through the whole characteristic: up to <code>R0</code> while it sticks,
<code>Rm + Rv v</code> while it slides.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 8, figure 8, and the table of the five regions",
      passage = "While it slides, friction is a known force, Rv v + Rm against the velocity. At rest there is a
constraint v = 0 instead, with an unknown force that ends the rest when it exceeds R0. A simulator of that time cannot
add and remove unknowns, so a dummy equation makes the force of constraint zero while it slides.",
      look = "At rest fr follows the push up to 1.5 N and then leaps down to 1 N; sliding it is 1 + 0.4 v. The numbers
are ours, as the figure is missing from our copy.",
      plot = {"f1.v", "f1.fr"}, modes = false, log = false)));
end Fig8_FrictionModel;
