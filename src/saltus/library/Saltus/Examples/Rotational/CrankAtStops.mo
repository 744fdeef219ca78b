within Saltus.Examples.Rotational;
model CrankAtStops "A crank between stops of three kinds: elastic, plastic, and Newton's law"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine swing(amplitude = 3, f = 0.08)
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.Rotational.Sources.SignalTorque drive1
    annotation(Placement(transformation(extent = {{-60, 50}, {-40, 70}})));
  Saltus.Rotational.Inertia crank1(J = 2, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{-20, 50}, {0, 70}})));
  Saltus.Rotational.ElasticStop elastic(c = 2000, d = 20)
    annotation(Placement(transformation(extent = {{40, 50}, {20, 70}})));
  Saltus.Rotational.Fixed wall1
    annotation(Placement(transformation(extent = {{60, 50}, {80, 70}})));
  Saltus.Rotational.Sources.SignalTorque drive2
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Saltus.Rotational.Inertia crank2(J = 2, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{-20, -10}, {0, 10}})));
  Saltus.Rotational.Stop plastic
    annotation(Placement(transformation(extent = {{40, -10}, {20, 10}})));
  Saltus.Rotational.Fixed wall2
    annotation(Placement(transformation(extent = {{60, -10}, {80, 10}})));
  Saltus.Rotational.Sources.SignalTorque drive3
    annotation(Placement(transformation(extent = {{-60, -70}, {-40, -50}})));
  Saltus.Rotational.Inertia crank3(J = 2, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{-20, -70}, {0, -50}})));
  Saltus.Rotational.Stop newton(e = 0.6)
    annotation(Placement(transformation(extent = {{40, -70}, {20, -50}})));
  Saltus.Rotational.Fixed wall3
    annotation(Placement(transformation(extent = {{60, -70}, {80, -50}})));
equation
  connect(swing.y, drive1.tau)
    annotation(Line(points = {{-79, 0}, {-70, 0}, {-70, 60}, {-62, 60}}, color = {0, 0, 127}));
  connect(drive1.flange, crank1.flange_a)
    annotation(Line(points = {{-40, 60}, {-20, 60}}, color = {95, 95, 95}));
  connect(crank1.flange_b, elastic.flange_b)
    annotation(Line(points = {{0, 60}, {20, 60}}, color = {95, 95, 95}));
  connect(elastic.flange_a, wall1.flange)
    annotation(Line(points = {{40, 60}, {70, 60}}, color = {95, 95, 95}));
  connect(swing.y, drive2.tau)
    annotation(Line(points = {{-79, 0}, {-62, 0}}, color = {0, 0, 127}));
  connect(drive2.flange, crank2.flange_a)
    annotation(Line(points = {{-40, 0}, {-20, 0}}, color = {95, 95, 95}));
  connect(crank2.flange_b, plastic.flange_b)
    annotation(Line(points = {{0, 0}, {20, 0}}, color = {95, 95, 95}));
  connect(plastic.flange_a, wall2.flange)
    annotation(Line(points = {{40, 0}, {70, 0}}, color = {95, 95, 95}));
  connect(swing.y, drive3.tau)
    annotation(Line(points = {{-79, 0}, {-70, 0}, {-70, -60}, {-62, -60}}, color = {0, 0, 127}));
  connect(drive3.flange, crank3.flange_a)
    annotation(Line(points = {{-40, -60}, {-20, -60}}, color = {95, 95, 95}));
  connect(crank3.flange_b, newton.flange_b)
    annotation(Line(points = {{0, -60}, {20, -60}}, color = {95, 95, 95}));
  connect(newton.flange_a, wall3.flange)
    annotation(Line(points = {{40, -60}, {70, -60}}, color = {95, 95, 95}));
  annotation(Documentation(info = "<html>
<p>Three equal cranks are driven by the same torque, which swings, between stops at -1 and 1 rad. The first stops give
way like springs with dampers, the second ones swallow the speed, the third ones throw back 60 per cent of it.</p>
<p>What to look at: <code>crank2</code> stands at its stop, its speed and angle no states, until the torque changes
its sign; the log has the impulses. <code>crank3</code> bounces ever lower until it rests. <code>crank1</code> goes a
little beyond the stop, and takes many short steps there: the other two are events of no length.</p>
</html>"),
    experiment(StopTime = 12.5, Tolerance = 1e-7, Interval = 0.01));
end CrankAtStops;
