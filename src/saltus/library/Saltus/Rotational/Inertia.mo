within Saltus.Rotational;
model Inertia "A rigid body that turns about its axis"
  extends Saltus.Rotational.Interfaces.TwoFlanges;
  parameter Saltus.Units.Inertia J = 1 "Moment of inertia";
  Saltus.Units.Angle phi(start = 0) "Angle";
  Saltus.Units.AngularVelocity w(start = 0) "Angular velocity";
  Saltus.Units.AngularAcceleration a "Angular acceleration";
equation
  phi = flange_a.phi;
  phi = flange_b.phi;
  w = der(phi);
  a = der(w);
  J*a = flange_a.tau + flange_b.tau;
  annotation(Documentation(info = "<html>
<p>Both flanges are ends of one stiff shaft; the torques on them accelerate it: <code>J*der(w) = flange_a.tau +
flange_b.tau</code>.</p>
<p>The speed jumps only if a torque has an impulse, as when a clutch locks or a stop is hit; then <code>J</code> times
the jump is the impulse. Give <code>w(start = ..., fixed = true)</code> where the speed at the start is known.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 10}, {-40, -10}}, lineColor = {95, 95, 95}, fillColor = {220, 220, 220},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{40, 10}, {90, -10}}, lineColor = {95, 95, 95}, fillColor = {220, 220, 220},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-40, 70}, {40, -70}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid, radius = 8),
      Text(extent = {{-150, -80}, {150, -110}}, textString = "J = %J")}));
end Inertia;
