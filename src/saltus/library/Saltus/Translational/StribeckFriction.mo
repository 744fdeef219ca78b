within Saltus.Translational;
model StribeckFriction "Dry friction that weakens as it begins to slide"
  extends Saltus.Translational.Interfaces.FrictionCurve;
  parameter Saltus.Units.Force f_c(min = 0) = 1 "Force of dry (Coulomb) friction";
  parameter Saltus.Units.Force f_s(min = 0) = 1.5 "Force at break-away; at least f_c";
  parameter Saltus.Units.Velocity v_s(min = 0) = 0.1 "Velocity at which most of the difference has gone";
equation
  f_stick = f_s;
  f_slide = f_c + (f_s - f_c)*exp(-(v_rel/v_s)^2);
  annotation(Documentation(info = "<html>
<p>At rest it takes any force up to <code>f_s</code>. From there the force falls with the velocity to
<code>f_c</code>: <code>f_c + (f_s - f_c)*exp(-(v_rel/v_s)^2) + d*abs(v_rel)</code>.</p>
<p>Where the curve falls, friction feeds oscillations instead of damping them: a bow makes a string sound, a door
creaks.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-60, -76}, {-30, -72}, {-14, -76}, {0, -88}, {0, -32}, {14, -44}, {30, -48}, {60, -44}},
        color = {200, 60, 30}),
      Line(points = {{-60, -60}, {60, -60}}, color = {190, 190, 190})}));
end StribeckFriction;
