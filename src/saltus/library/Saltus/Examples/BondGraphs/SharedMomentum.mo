within Saltus.Examples.BondGraphs;
model SharedMomentum "A clutch between a weight and an inertia that share their momentum when it closes"
  extends Saltus.Icons.Example;
  Saltus.BondGraphs.Se gravity(value = 9.8) "On the weight"
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.BondGraphs.J1 falling(nIn = 1, nOut = 2) "The weight and what hangs on it"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.BondGraphs.I weight(I = 1, p(fixed = true)) "Falls"
    annotation(Placement(transformation(extent = {{-40, -50}, {-20, -30}})));
  Saltus.BondGraphs.TF wheel(m = 2) "With the rope round it"
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.BondGraphs.X0 clutch(on(start = true), nIn = 1, nOut = 1) "Closed while it is on"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.BondGraphs.NamedBond torque "Through the clutch"
    annotation(Placement(transformation(extent = {{20, -10}, {40, 10}})));
  Saltus.BondGraphs.I body(I = 1, p(fixed = true)) "Behind the clutch"
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
  Saltus.Logic.Sources.BooleanTable shift(table = {0.5, 1}, before = true) "Opens the clutch and closes it"
    annotation(Placement(transformation(extent = {{-40, 40}, {-20, 60}})));
equation
  connect(gravity.bond, falling.into[1])
    annotation(Line(points = {{-80, 0}, {-70, 0}}, color = {30, 30, 30}));
  connect(falling.out[1], weight.bond)
    annotation(Line(points = {{-50, 0}, {-45, 0}, {-45, -40}, {-40, -40}}, color = {30, 30, 30}));
  connect(falling.out[2], wheel.into)
    annotation(Line(points = {{-50, 0}, {-40, 0}}, color = {30, 30, 30}));
  connect(wheel.out, clutch.into[1])
    annotation(Line(points = {{-20, 0}, {-10, 0}}, color = {30, 30, 30}));
  connect(clutch.out[1], torque.into)
    annotation(Line(points = {{10, 0}, {20, 0}}, color = {30, 30, 30}));
  connect(torque.out, body.bond)
    annotation(Line(points = {{40, 0}, {50, 0}}, color = {30, 30, 30}));
  connect(shift.y, clutch.on)
    annotation(Line(points = {{-19, 50}, {0, 50}, {0, 12}}, color = {255, 0, 255}));
  annotation(
    experiment(StopTime = 1.5, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>The clutch is a controlled 0-junction. Open, weight and body have a state each; closed they have one together, and
what both had is shared.</p>
<p>What to look at: at 1 s 5.88 and 1.96 become 1.96 and 3.92. With the ratio 2 of the wheel it is <code>weight.p +
2*body.p</code> that is conserved.</p>
</html>"));
end SharedMomentum;
