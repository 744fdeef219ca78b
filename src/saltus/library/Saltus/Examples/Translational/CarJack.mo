within Saltus.Examples.Translational;
model CarJack "A pawl keeps what a pumping arm has lifted"
  extends Saltus.Icons.Example;
  Saltus.Translational.Sources.SignalForce arm(f = 9000*sin(3*time))
    annotation(Placement(transformation(extent = {{-80, 10}, {-60, 30}})));
  Saltus.Translational.Mass car(m = 600, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-20, 10}, {0, 30}})));
  Saltus.Translational.Gravity weight(m = 600)
    annotation(Placement(transformation(extent = {{30, -30}, {50, -10}})));
  Saltus.Translational.Damper oil(d = 20e3)
    annotation(Placement(transformation(extent = {{-40, -50}, {-20, -30}})));
  Saltus.Translational.OneWay pawl
    annotation(Placement(transformation(extent = {{-40, -90}, {-20, -70}})));
  Saltus.Translational.Fixed ground
    annotation(Placement(transformation(extent = {{-90, -70}, {-70, -50}})));
equation
  connect(arm.flange, car.flange_a) annotation(Line(points = {{-60, 20}, {-20, 20}}, color = {0, 127, 0}));
  connect(car.flange_b, weight.flange) annotation(Line(points = {{0, 20}, {40, 20}, {40, -10}}, color = {0, 127, 0}));
  connect(ground.flange, oil.flange_a)
    annotation(Line(points = {{-80, -60}, {-60, -60}, {-60, -40}, {-40, -40}}, color = {0, 127, 0}));
  connect(oil.flange_b, car.flange_b)
    annotation(Line(points = {{-20, -40}, {10, -40}, {10, 20}, {0, 20}}, color = {0, 127, 0}));
  connect(ground.flange, pawl.flange_a)
    annotation(Line(points = {{-80, -60}, {-60, -60}, {-60, -80}, {-40, -80}}, color = {0, 127, 0}));
  connect(pawl.flange_b, car.flange_b)
    annotation(Line(points = {{-20, -80}, {10, -80}, {10, 20}, {0, 20}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 8, Tolerance = 1e-8, Interval = 0.02), Documentation(info = "<html>
<p>600 kg are lifted by an arm that pushes up and pulls down, against the oil in the cylinder. While it cannot lift,
the pawl carries the load.</p>
<p>Look at <code>car.s</code>: it only rises, by steps. While <code>pawl.free</code> is false the car stands and has
no states, and <code>pawl.f</code> is what the arm leaves of the weight.</p>
</html>"));
end CarJack;
