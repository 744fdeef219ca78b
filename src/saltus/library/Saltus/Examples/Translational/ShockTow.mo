within Saltus.Examples.Translational;
model ShockTow "A car is towed off with a rope that is not taut"
  extends Saltus.Icons.Example;
  Saltus.Translational.Mass broken(m = 1200, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Translational.Friction tyres(f_c = 300)
    annotation(Placement(transformation(extent = {{-70, -50}, {-50, -30}})));
  Saltus.Translational.Fixed road
    annotation(Placement(transformation(extent = {{-30, -70}, {-10, -50}})));
  Saltus.Translational.Rope rope(L = 5)
    annotation(Placement(transformation(extent = {{-20, -10}, {0, 10}})));
  Saltus.Translational.Mass tug(m = 1800, s(start = 4, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Translational.Sources.SignalForce engine(f = if time < 4 then 1500 else -1000)
    annotation(Placement(transformation(origin = {80, -30}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
equation
  connect(road.flange, tyres.flange_b)
    annotation(Line(points = {{-20, -60}, {-20, -40}, {-50, -40}}, color = {0, 127, 0}));
  connect(tyres.flange_a, broken.flange_a)
    annotation(Line(points = {{-70, -40}, {-80, -40}, {-80, 0}, {-70, 0}, {-70, 0}}, color = {0, 127, 0}));
  connect(broken.flange_b, rope.flange_a) annotation(Line(points = {{-50, 0}, {-20, 0}}, color = {0, 127, 0}));
  connect(rope.flange_b, tug.flange_a) annotation(Line(points = {{0, 0}, {30, 0}}, color = {0, 127, 0}));
  connect(tug.flange_b, engine.flange) annotation(Line(points = {{50, 0}, {80, 0}, {80, -20}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 6, Tolerance = 1e-8, Interval = 0.01), Documentation(info = "<html>
<p>The tug starts with a metre of slack. When the rope goes taut, both cars have one speed at once, and the friction
of the tyres is overcome by the jerk. When the tug brakes, the rope goes slack again and the broken car rolls
on.</p>
<p>Look at <code>tug.v</code> and <code>broken.v</code>: they jump to one value, momentum is kept, and
<code>rope.f</code> has an impulse. <code>rope.slack</code> tells when it pulls.</p>
</html>"));
end ShockTow;
