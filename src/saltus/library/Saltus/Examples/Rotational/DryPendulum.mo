within Saltus.Examples.Rotational;
model DryPendulum "A torsion pendulum that dry friction brings to rest in straight lines"
  extends Saltus.Icons.Example;
  Saltus.Rotational.Fixed wall
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Rotational.Spring spring(c = 100)
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Rotational.Inertia body(J = 1, phi(start = 1, fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Rotational.Friction bearing(tau_c = 8)
    annotation(Placement(transformation(extent = {{20, -10}, {40, 10}})));
  Saltus.Rotational.Fixed housing
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
equation
  connect(wall.flange, spring.flange_a)
    annotation(Line(points = {{-60, 0}, {-40, 0}}, color = {95, 95, 95}));
  connect(spring.flange_b, body.flange_a)
    annotation(Line(points = {{-20, 0}, {-10, 0}}, color = {95, 95, 95}));
  connect(body.flange_b, bearing.flange_a)
    annotation(Line(points = {{10, 0}, {20, 0}}, color = {95, 95, 95}));
  connect(bearing.flange_b, housing.flange)
    annotation(Line(points = {{40, 0}, {60, 0}}, color = {95, 95, 95}));
  annotation(Documentation(info = "<html>
<p>An inertia hangs on a torsion spring; a bearing with dry friction holds against every motion. It starts at 1
rad.</p>
<p>What to look at: each half swing takes <code>pi*sqrt(J/c)</code>, about 0.314 s, and loses <code>2*tau_c/c</code> =
0.16 rad, so the envelope of <code>body.phi</code> is a straight line, not an exponential. It stops where the spring
is too weak to break away, and not at zero: at 0.04 rad. From then on its speed is no state any more.</p>
</html>"),
    experiment(StopTime = 3, Tolerance = 1e-8, Interval = 0.005));
end DryPendulum;
