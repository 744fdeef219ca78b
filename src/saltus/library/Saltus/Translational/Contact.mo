within Saltus.Translational;
model Contact "Two bodies that can hit, push and leave each other"
  extends Saltus.Translational.Interfaces.CompliantWithVelocity;
  parameter Saltus.Units.Length s_min = 0 "Distance of the flanges at which they touch: flange_b stays that far ahead";
  parameter Saltus.Units.RestitutionCoefficient e = 0
    "Speed after an impact over that before it; 0: plastic, 1: elastic";
  parameter Saltus.Units.Velocity v_rest(min = 0) = 1e-3 "Slower impacts do not rebound";
  Saltus.Units.Force s "Place on the curve: the distance that is left; or the force while they touch, negative";
  Boolean touching "There is no distance left";
  Boolean hit(start = false, fixed = true) "In the instant of an impact";
  discrete Saltus.Units.Velocity v_out(start = 0, fixed = true) "Relative velocity after the last impact";
protected
  constant Saltus.Units.TranslationalSpringConstant unit = 1 "How s counts distances";
equation
  touching = s < 0;
  s = if touching then f else unit*(s_rel - s_min);
  hit = edge(touching) and not initial();
  when touching then
    v_out = if abs(pre(v_rel)) > v_rest then -e*pre(v_rel) else 0;
  end when;
  0 = if hit then v_rel - v_out elseif touching then s_rel - s_min else f;
  annotation(Documentation(info = "<html>
<p>The bodies are apart and nothing acts between them, or they touch and push. They never pull, and never pass.</p>
<p>In the instant of an impact the relative velocity turns round, <code>e</code> times as large (Newton's law of
impact), and <code>f</code> has the impulse that does it: momentum is conserved whatever hangs on the flanges. With
<code>e = 0</code> they stay together until something draws them apart.</p>
<p>A ball that jumps ever lower would jump infinitely often in a finite time: impacts slower than
<code>v_rest</code> are plastic.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-30, 0}}, color = {0, 127, 0}),
      Line(points = {{30, 0}, {90, 0}}, color = {0, 127, 0}),
      Line(points = {{-30, 50}, {-20, 25}, {-17, 0}, {-20, -25}, {-30, -50}}, color = {0, 127, 0}, thickness = 0.5),
      Line(points = {{30, 50}, {20, 25}, {17, 0}, {20, -25}, {30, -50}}, color = {0, 127, 0}, thickness = 0.5),
      Text(extent = {{-150, -60}, {150, -95}}, textString = "e=%e")}));
end Contact;
