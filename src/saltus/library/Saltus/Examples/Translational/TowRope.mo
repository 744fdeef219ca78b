within Saltus.Examples.Translational;
model TowRope "A tractor at constant speed sets a sledge in motion over an elastic rope"
  extends Saltus.Icons.Example;
  Saltus.Translational.Mass rear(m = 20)
    annotation(Placement(transformation(extent = {{-96, -10}, {-76, 10}})));
  Saltus.Translational.Rod bar(L = 1.5)
    annotation(Placement(transformation(extent = {{-68, -10}, {-48, 10}})));
  Saltus.Translational.Mass front(m = 60, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Translational.SpringDamper rope(c = 2000, d = 400)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Translational.Sensors.ForceSensor force
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Translational.Sources.ConstantSpeed tractor(v = 2)
    annotation(Placement(transformation(extent = {{90, -10}, {70, 10}})));
equation
  connect(rear.flange_b, bar.flange_a) annotation(Line(points = {{-76, 0}, {-68, 0}}, color = {0, 127, 0}));
  connect(bar.flange_b, front.flange_a) annotation(Line(points = {{-48, 0}, {-40, 0}}, color = {0, 127, 0}));
  connect(front.flange_b, rope.flange_a) annotation(Line(points = {{-20, 0}, {-10, 0}}, color = {0, 127, 0}));
  connect(rope.flange_b, force.flange_a) annotation(Line(points = {{10, 0}, {30, 0}}, color = {0, 127, 0}));
  connect(force.flange_b, tractor.flange) annotation(Line(points = {{50, 0}, {70, 0}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 3, Tolerance = 1e-8, Interval = 0.01), Documentation(info = "<html>
<p>The tractor moves with 2 m/s from the first instant. The rope stretches, and 80 kg follow.</p>
<p>Look at <code>force.f</code>: the first pull is the damping of the rope, 800 N (negative, because the sensor
counts what pushes), and the elastic part comes after it. <code>rear</code> has no states: the bar makes it one body
with <code>front</code>.</p>
</html>"));
end TowRope;
