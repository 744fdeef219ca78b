within Saltus.Examples.Translational;
model Buffers "Three wagons run against three kinds of buffers"
  extends Saltus.Icons.Example;
  Saltus.Translational.Fixed wall1
    annotation(Placement(transformation(extent = {{-90, 40}, {-70, 60}})));
  Saltus.Translational.Stop plastic(s_min = 0, s_max = 10)
    annotation(Placement(transformation(extent = {{-50, 40}, {-30, 60}})));
  Saltus.Translational.Mass wagon1(m = 1000, s(start = 2, fixed = true), v(start = -1, fixed = true))
    annotation(Placement(transformation(extent = {{-10, 40}, {10, 60}})));
  Saltus.Translational.Sources.ConstantForce slope1(f = -200)
    annotation(Placement(transformation(extent = {{70, 40}, {50, 60}})));
  Saltus.Translational.Fixed wall2
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.Translational.Stop newton(s_min = 0, s_max = 10, e = 0.5)
    annotation(Placement(transformation(extent = {{-50, -10}, {-30, 10}})));
  Saltus.Translational.Mass wagon2(m = 1000, s(start = 2, fixed = true), v(start = -1, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Translational.Sources.ConstantForce slope2(f = -200)
    annotation(Placement(transformation(extent = {{70, -10}, {50, 10}})));
  Saltus.Translational.Fixed wall3
    annotation(Placement(transformation(extent = {{-90, -60}, {-70, -40}})));
  Saltus.Translational.ElasticStop elastic(s_min = 0, s_max = 10, c = 40e3, d = 3e3)
    annotation(Placement(transformation(extent = {{-50, -60}, {-30, -40}})));
  Saltus.Translational.Mass wagon3(m = 1000, s(start = 2, fixed = true), v(start = -1, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
  Saltus.Translational.Sources.ConstantForce slope3(f = -200)
    annotation(Placement(transformation(extent = {{70, -60}, {50, -40}})));
equation
  connect(wall1.flange, plastic.flange_a) annotation(Line(points = {{-80, 50}, {-50, 50}}, color = {0, 127, 0}));
  connect(plastic.flange_b, wagon1.flange_a) annotation(Line(points = {{-30, 50}, {-10, 50}}, color = {0, 127, 0}));
  connect(wagon1.flange_b, slope1.flange) annotation(Line(points = {{10, 50}, {50, 50}}, color = {0, 127, 0}));
  connect(wall2.flange, newton.flange_a) annotation(Line(points = {{-80, 0}, {-50, 0}}, color = {0, 127, 0}));
  connect(newton.flange_b, wagon2.flange_a) annotation(Line(points = {{-30, 0}, {-10, 0}}, color = {0, 127, 0}));
  connect(wagon2.flange_b, slope2.flange) annotation(Line(points = {{10, 0}, {50, 0}}, color = {0, 127, 0}));
  connect(wall3.flange, elastic.flange_a) annotation(Line(points = {{-80, -50}, {-50, -50}}, color = {0, 127, 0}));
  connect(elastic.flange_b, wagon3.flange_a) annotation(Line(points = {{-30, -50}, {-10, -50}}, color = {0, 127, 0}));
  connect(wagon3.flange_b, slope3.flange) annotation(Line(points = {{10, -50}, {50, -50}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 20, Tolerance = 1e-8, Interval = 0.01), Documentation(info = "<html>
<p>Each wagon rolls down a slight slope to a buffer at 0. The first one is stopped at once (plastic), the second one
rebounds with half its speed (Newton's law of impact), the third one is caught by a spring with a damper.</p>
<p>Look at <code>wagon1.s</code>, <code>wagon2.s</code> and <code>wagon3.s</code>: rigid buffers are never passed,
the elastic one is. The log (<code>--log-events</code>) tells the impulses of the rigid ones.</p>
</html>"));
end Buffers;
