within Saltus.Translational;
model PeakFriction "Dry friction that holds more than it brakes"
  extends Saltus.Translational.Interfaces.FrictionCurve;
  parameter Saltus.Units.Force f_c(min = 0) = 1 "Force of dry (Coulomb) friction";
  parameter Saltus.Units.Force f_s(min = 0) = 1.5 "Force at break-away; at least f_c";
equation
  f_stick = f_s;
  f_slide = f_c;
  annotation(Documentation(info = "<html>
<p>At rest it takes any force up to <code>f_s</code>; once it slides it brakes with <code>f_c +
d*abs(v_rel)</code>.</p>
<p>At break-away the force leaps from <code>f_s</code> to <code>f_c</code>, and the acceleration with it: motions at
a creep go by jerks. With <code>f_s = f_c</code> it is <code>Friction</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-60, -72}, {0, -72}}, color = {200, 60, 30}),
      Line(points = {{0, -86}, {0, -34}}, color = {200, 60, 30}),
      Line(points = {{0, -48}, {60, -48}}, color = {200, 60, 30}),
      Line(points = {{-60, -60}, {60, -60}}, color = {190, 190, 190})}));
end PeakFriction;
