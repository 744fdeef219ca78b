within Saltus.Rotational;
model Freewheel "Drives one way, overruns the other"
  extends Saltus.Rotational.Interfaces.CompliantWithVelocity;
  Saltus.Units.Torque s "Place on the curve: the torque while it locks; the velocity by which flange_b is ahead";
  Boolean free "It overruns";
protected
  constant Saltus.Units.RotationalDampingConstant unit = 1 "How s counts velocities";
equation
  free = s > 0;
  unit*w_rel = if free then s else 0;
  tau = if free then 0 else s;
  annotation(Documentation(info = "<html>
<p>Flange <code>a</code> can drive <code>b</code> in positive direction, and <code>b</code> may run ahead of it
freely. The curve is that of a diode: no torque while <code>w_rel</code> is positive, no velocity while
<code>tau</code> is negative.</p>
<p>It locks where <code>b</code> falls back to the speed of <code>a</code>; if it is struck so that it would be
slower, it locks with an impulse. In a starter it lets the engine run away from the motor.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-30, 0}}, color = {95, 95, 95}),
      Line(points = {{30, 0}, {100, 0}}, color = {95, 95, 95}),
      Rectangle(extent = {{-30, 60}, {-10, -60}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{10, 60}, {30, -60}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Polygon(points = {{-10, 20}, {10, 0}, {-10, -20}, {-10, 20}}, lineColor = {200, 60, 30}, fillColor = {200, 60,
        30},
        fillPattern = FillPattern.Solid)}));
end Freewheel;
