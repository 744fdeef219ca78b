within Saltus.Examples.Papers.Cellier2013;
partial model BlockOnTable "A block on a rough table, pushed to and fro; the law of its friction is missing"
  parameter Saltus.Units.Mass m = 1 "Of the block";
  parameter Saltus.Units.Force push = 2 "Amplitude of the force that pushes";
  parameter Saltus.Units.AngularFrequency omega = 1 "Of the force that pushes";
  parameter Saltus.Units.TranslationalDampingConstant c_f = 0.5 "Viscous part of the friction";
  parameter Saltus.Units.Force F_d = 1 "Friction at the beginning of a slide";
  Saltus.Units.Position x(start = 0, fixed = true) "Of the block";
  Saltus.Units.Velocity v(start = 0, fixed = true) "Of the block";
  Saltus.Units.Acceleration a "Of the block";
  Saltus.Units.Force f "That pushes";
  Saltus.Units.Force F "Friction, against the motion";
protected
  constant Saltus.Units.Velocity v_1 = 1 "Unit of velocity along a curve";
  constant Saltus.Units.Acceleration a_1 = 1 "Unit of acceleration along a curve";
equation
  v = der(x);
  a = der(v);
  f = push*sin(omega*time);
  m*a = f - F;
  annotation(Documentation(info = "<html>
<p>A mass, a force that goes to and fro, and a friction force <code>F</code> that the models of the lecture give in
different ways. The lecture has no data: these are ours.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, -40}, {90, -40}}),
      Rectangle(extent = {{-40, 30}, {40, -40}}, lineColor = {60, 60, 60}, fillColor = {220, 220, 220},
        fillPattern = FillPattern.Solid)}));
end BlockOnTable;
