within Saltus.Examples.Rotational;
model Rattle "Play between teeth makes a gear rattle"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Sine speed(amplitude = 0.5, offset = 5, f = 1)
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.Rotational.Sources.SignalSpeed engine(phi(fixed = true))
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Rotational.Gear gear(ratio = -1)
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Rotational.Backlash play(b = 0.04)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Rotational.Inertia wheel(J = 0.1, phi(fixed = true), w(start = -5, fixed = true))
    annotation(Placement(transformation(extent = {{20, -10}, {40, 10}})));
  Saltus.Rotational.Friction bearing(tau_c = 0.1)
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
  Saltus.Rotational.Fixed housing
    annotation(Placement(transformation(extent = {{80, -10}, {100, 10}})));
equation
  connect(speed.y, engine.w)
    annotation(Line(points = {{-79, 0}, {-72, 0}}, color = {0, 0, 127}));
  connect(engine.flange, gear.flange_a)
    annotation(Line(points = {{-50, 0}, {-40, 0}}, color = {95, 95, 95}));
  connect(gear.flange_b, play.flange_a)
    annotation(Line(points = {{-20, 0}, {-10, 0}}, color = {95, 95, 95}));
  connect(play.flange_b, wheel.flange_a)
    annotation(Line(points = {{10, 0}, {20, 0}}, color = {95, 95, 95}));
  connect(wheel.flange_b, bearing.flange_a)
    annotation(Line(points = {{40, 0}, {50, 0}}, color = {95, 95, 95}));
  connect(bearing.flange_b, housing.flange)
    annotation(Line(points = {{70, 0}, {90, 0}}, color = {95, 95, 95}));
  annotation(Documentation(info = "<html>
<p>The first wheel of a pair turns with a speed that swings about its mean, as that of an engine does. The second
wheel runs with it, with play between the teeth and a little friction in its bearing.</p>
<p>What to look at: the driving flank pushes until the first wheel slows down more than the friction slows the second
one; then the teeth part, <code>play.phi_rel</code> crosses the play, and they meet with a knock, on the other flank
or on the same. Each knock is an impulse in the log. With more friction (<code>bearing.tau_c = 1</code>) the teeth
never part.</p>
</html>"),
    experiment(StopTime = 4, Tolerance = 1e-8, Interval = 0.005));
end Rattle;
