within Saltus.Translational;
model OneWay "Drives one way, lets go the other: a ratchet with infinitely fine teeth"
  extends Saltus.Translational.Interfaces.CompliantWithVelocity;
  Saltus.Units.Force s "Place on the curve: the force while it locks; the velocity by which flange_b is ahead";
  Boolean free "flange_b runs ahead";
protected
  constant Saltus.Units.TranslationalDampingConstant unit = 1 "How s counts velocities";
equation
  free = s > 0;
  unit*v_rel = if free then s else 0;
  f = if free then 0 else s;
  annotation(Documentation(info = "<html>
<p><code>flange_b</code> may run ahead of <code>flange_a</code>, but never falls back relative to it. The curve is
that of a diode: no force while <code>v_rel</code> is positive, no velocity while <code>f</code> is negative.</p>
<p>It locks where <code>flange_b</code> becomes as slow as <code>flange_a</code>; if it is struck so that it would
be slower, it locks with an impulse. With a <code>Fixed</code> at <code>flange_a</code> it is a pawl that keeps a
load from sinking.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-30, 0}}, color = {0, 127, 0}),
      Line(points = {{30, 0}, {90, 0}}, color = {0, 127, 0}),
      Line(points = {{-30, -30}, {-30, 30}, {-10, 0}, {-10, 30}, {10, 0}, {10, 30}, {30, 0}, {30, -30}, {-30, -30}},
        color = {0, 127, 0}),
      Polygon(points = {{-20, 60}, {20, 45}, {-20, 30}, {-20, 60}}, lineColor = {200, 60, 30},
        fillColor = {200, 60, 30},
        fillPattern = FillPattern.Solid)}));
end OneWay;
