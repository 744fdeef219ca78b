within Saltus.Examples.Translational;
model BowedString "A bow makes a string sound"
  extends Saltus.Icons.Example;
  Saltus.Translational.Sources.ConstantSpeed bow(v = 0.2)
    annotation(Placement(transformation(extent = {{-90, -50}, {-70, -30}})));
  Saltus.Translational.StribeckFriction rosin(f_c = 0.3, f_s = 1, v_s = 0.15)
    annotation(Placement(transformation(extent = {{-40, -50}, {-20, -30}})));
  Saltus.Translational.Mass string(m = 1e-3, s(start = 0, fixed = true, nominal = 1e-4), v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{10, -50}, {30, -30}})));
  Saltus.Translational.SpringDamper tension(c = 7.6e3, d = 0.02)
    annotation(Placement(transformation(extent = {{10, 10}, {30, 30}})));
  Saltus.Translational.Fixed bridge
    annotation(Placement(transformation(extent = {{70, 10}, {90, 30}})));
equation
  connect(bow.flange, rosin.flange_a) annotation(Line(points = {{-70, -40}, {-40, -40}}, color = {0, 127, 0}));
  connect(rosin.flange_b, string.flange_a) annotation(Line(points = {{-20, -40}, {10, -40}}, color = {0, 127, 0}));
  connect(string.flange_b, tension.flange_a)
    annotation(Line(points = {{30, -40}, {40, -40}, {40, -10}, {-10, -10}, {-10, 20}, {10, 20}}, color = {0, 127, 0}));
  connect(tension.flange_b, bridge.flange) annotation(Line(points = {{30, 20}, {80, 20}}, color = {0, 127, 0}));
  annotation(experiment(StopTime = 0.03, Tolerance = 1e-8, Interval = 2e-5), Documentation(info = "<html>
<p>The string is reduced to one mass that would swing with 440 Hz. The bow carries it along and lets it slip once in
each period: friction that falls with the velocity feeds the oscillation.</p>
<p>Look at <code>string.v</code>: it is never faster than the bow for long, and locks to it in every period. The
tone is lower than 440 Hz, because time goes by while the string sticks.</p>
</html>"));
end BowedString;
