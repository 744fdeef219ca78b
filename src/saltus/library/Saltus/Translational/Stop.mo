within Saltus.Translational;
model Stop "Free between two limits that cannot be passed"
  extends Saltus.Translational.Interfaces.TwoFlanges;
  parameter Saltus.Units.Position s_min = -1 "Smallest position of flange_b relative to flange_a";
  parameter Saltus.Units.Position s_max = 1 "Largest position of flange_b relative to flange_a";
  parameter Saltus.Units.RestitutionCoefficient e = 0
    "Speed after an impact over that before it; 0: plastic, 1: elastic";
  parameter Saltus.Units.Velocity v_rest(min = 0) = 1e-3 "Slower impacts do not rebound";
  Saltus.Translational.Contact lower(s_min = s_min, e = e, v_rest = v_rest) "The limit below"
    annotation(Placement(transformation(extent = {{-10, 20}, {10, 40}})));
  Saltus.Translational.Contact upper(s_min = -s_max, e = e, v_rest = v_rest) "The limit above"
    annotation(Placement(transformation(extent = {{10, -40}, {-10, -20}})));
equation
  connect(flange_a, lower.flange_a)
    annotation(Line(points = {{-100, 0}, {-60, 0}, {-60, 30}, {-10, 30}}, color = {0, 127, 0}));
  connect(lower.flange_b, flange_b)
    annotation(Line(points = {{10, 30}, {60, 30}, {60, 0}, {100, 0}}, color = {0, 127, 0}));
  connect(flange_a, upper.flange_b)
    annotation(Line(points = {{-100, 0}, {-60, 0}, {-60, -30}, {-10, -30}}, color = {0, 127, 0}));
  connect(upper.flange_a, flange_b)
    annotation(Line(points = {{10, -30}, {60, -30}, {60, 0}, {100, 0}}, color = {0, 127, 0}));
  annotation(Documentation(info = "<html>
<p>Two contacts back to back: <code>flange_b</code> moves freely relative to <code>flange_a</code> from
<code>s_min</code> to <code>s_max</code>, and hits what is there.</p>
<p>With <code>e = 0</code> it stays at a limit until it is drawn back; with more it rebounds. At the impact
velocities jump and the force has an impulse. Limits that yield: <code>ElasticStop</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-60, 0}, {-60, -40}, {60, -40}}, color = {0, 127, 0}),
      Line(points = {{-60, 40}, {-60, -40}}, color = {0, 127, 0}, thickness = 0.5),
      Line(points = {{60, 40}, {60, -40}}, color = {0, 127, 0}, thickness = 0.5),
      Rectangle(extent = {{-20, 20}, {20, -20}}, lineColor = {0, 127, 0}, fillColor = {214, 234, 214},
        fillPattern = FillPattern.Solid),
      Line(points = {{20, 0}, {90, 0}}, color = {0, 127, 0}),
      Text(extent = {{-150, -55}, {150, -90}}, textString = "e=%e")}));
end Stop;
