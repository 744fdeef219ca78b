within Saltus.Translational;
model ElasticStop "Free between two limits that yield"
  extends Saltus.Translational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.Position s_min = -1 "Where the lower buffer begins";
  parameter Saltus.Units.Position s_max = 1 "Where the upper buffer begins";
  parameter Saltus.Units.TranslationalSpringConstant c = 1e3 "Stiffness of the buffers";
  parameter Saltus.Units.TranslationalDampingConstant d = 0 "Damping constant of the buffers";
  Saltus.Units.Length x "How far a buffer is pressed in: positive the upper, negative the lower one";
  Saltus.Units.Force f_in "What spring and damper would push with, or pull";
  Boolean pressed "A buffer pushes";
equation
  x = if s_rel > s_max then s_rel - s_max elseif s_rel < s_min then s_rel - s_min else 0;
  f_in = c*x + d*v_rel;
  pressed = s_rel > s_max and f_in > 0 or s_rel < s_min and f_in < 0;
  f = if pressed then f_in else 0;
  annotation(Documentation(info = "<html>
<p>Between the limits there is no force; beyond them a spring and a damper push back. A buffer does not pull: where
the damper would hold the body back on its way out, the body leaves it.</p>
<p>With <code>d = 0</code> nothing is lost. The stiffer it is, the more it is like a <code>Stop</code>, and the
smaller are the steps of the integration.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-80, 0}, {-80, -40}, {80, -40}, {80, 30}}, color = {0, 127, 0}),
      Line(points = {{-80, 30}, {-80, -40}}, color = {0, 127, 0}),
      Line(points = {{-80, 0}, {-74, 10}, {-66, -10}, {-58, 10}, {-50, -10}, {-44, 0}}, color = {0, 127, 0}),
      Line(points = {{80, 0}, {74, 10}, {66, -10}, {58, 10}, {50, -10}, {44, 0}}, color = {0, 127, 0}),
      Rectangle(extent = {{-20, 20}, {20, -20}}, lineColor = {0, 127, 0}, fillColor = {214, 234, 214},
        fillPattern = FillPattern.Solid),
      Line(points = {{20, 15}, {90, 15}, {90, 0}}, color = {0, 127, 0}),
      Text(extent = {{-150, -55}, {150, -90}}, textString = "c=%c")}));
end ElasticStop;
