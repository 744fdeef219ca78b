within Saltus.Translational;
model Gravity "What pulls a body down, straight or along an incline"
  parameter Saltus.Units.Mass m = 1 "Mass that is pulled";
  parameter Saltus.Units.Angle angle = 1.5707963267948966
    "Of the line to the horizontal: a quarter turn is straight up";
  parameter Saltus.Units.Acceleration g = Saltus.Units.g "Acceleration of gravity";
  Saltus.Translational.Interfaces.Flange flange "Of the body"
    annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
equation
  flange.f = m*g*sin(angle);
  annotation(Documentation(info = "<html>
<p>The weight of a body as far as it acts along the line: <code>m*g*sin(angle)</code>, towards smaller
<code>s</code>. The line counts upwards, so <code>s</code> is a height when <code>angle</code> is a quarter
turn.</p>
<p>Connect it to the <code>Mass</code> it belongs to, and give both the same <code>m</code>. Friction on an incline
has the normal force <code>m*g*cos(angle)</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{0, 90}, {0, -40}}, color = {0, 127, 0}),
      Polygon(points = {{0, -70}, {-20, -35}, {20, -35}, {0, -70}}, lineColor = {0, 127, 0}, fillColor = {0, 127, 0},
        fillPattern = FillPattern.Solid),
      Text(extent = {{10, 30}, {70, -20}}, textString = "g"),
      Text(extent = {{-150, -80}, {150, -120}}, textString = "%name", textColor = {0, 0, 255})}));
end Gravity;
