within Saltus.Examples.Translational;
model LooseLink "A slider that is moved to and fro through a link with play"
  extends Saltus.Icons.Example;
  Saltus.Translational.Sources.SignalPosition crank(s = 0.05*(1 - cos(2*time)))
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.Translational.Backlash play(b = 0.02)
    annotation(Placement(transformation(extent = {{-50, -10}, {-30, 10}})));
  Saltus.Translational.Mass slider(m = 2, s(start = 0, fixed = true), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Translational.Damper guide(d = 10)
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Translational.Fixed frame
    annotation(Placement(transformation(extent = {{70, -10}, {90, 10}})));
equation
  connect(crank.flange, play.flange_a) annotation(Line(points = {{-70, 0}, {-50, 0}}, color = {0, 127, 0}));
  connect(play.flange_b, slider.flange_a) annotation(Line(points = {{-30, 0}, {-10, 0}}, color = {0, 127, 0}));
  connect(slider.flange_b, guide.flange_a) annotation(Line(points = {{10, 0}, {30, 0}}, color = {0, 127, 0}));
  connect(guide.flange_b, frame.flange) annotation(Line(points = {{50, 0}, {80, 0}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.01), Documentation(info = "<html>
<p>A crank moves a slider through a pin with 20 mm of play. The oil in the guide slows the slider down whenever the
crank does not push it.</p>
<p>Look at <code>slider.s</code> over <code>crank.s</code>: a loop. At each turn the slider first runs on by itself,
then the pin has crossed the play and strikes it: its velocity jumps, and <code>play.lower.f</code> or
<code>play.upper.f</code> has an impulse.</p>
</html>"));
end LooseLink;
