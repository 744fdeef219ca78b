within Saltus.Translational;
model RackAndPinion "Turns rotation into motion along a line, and back"
  parameter Saltus.Units.Length r = 1 "Radius of the pinion, or of the wheel";
  Saltus.Rotational.Interfaces.Flange pinion "Shaft of the pinion"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Saltus.Translational.Interfaces.OtherFlange rack "The rack"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  rack.s = r*pinion.phi;
  0 = pinion.tau + r*rack.f;
  annotation(Documentation(info = "<html>
<p>A pinion that meshes with a rack, a wheel that rolls without slip, or a drum with a rope that stays taut: <code>s
= r*phi</code>, and the torque is the force times the radius. No work is lost.</p>
<p>A mass <code>m</code> on the rack is to the shaft an inertia of <code>m*r^2</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-20, 0}}, color = {95, 95, 95}),
      Ellipse(extent = {{-60, 40}, {20, -40}}, lineColor = {95, 95, 95}, fillColor = {235, 235, 235},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-26, 6}, {-14, -6}}, lineColor = {95, 95, 95}, fillColor = {95, 95, 95},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-70, -40}, {70, -60}}, lineColor = {0, 127, 0}, fillColor = {214, 234, 214},
        fillPattern = FillPattern.Solid),
      Line(points = {{70, -50}, {90, -50}, {90, 0}}, color = {0, 127, 0}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255}),
      Text(extent = {{-150, -65}, {150, -100}}, textString = "r=%r")}));
end RackAndPinion;
