within Saltus.Rotational;
model Differential "One shaft drives two, which may turn at different speeds"
  parameter Saltus.Units.Ratio ratio = 1 "Turns of the input for one of the cage";
  Saltus.Rotational.Interfaces.Flange flange_in "The shaft that drives"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Saltus.Rotational.Interfaces.OtherFlange flange_left "Shaft of one wheel"
    annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
  Saltus.Rotational.Interfaces.OtherFlange flange_right "Shaft of the other wheel"
    annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
equation
  flange_in.phi = ratio*(flange_left.phi + flange_right.phi)/2;
  flange_left.tau = -ratio*flange_in.tau/2;
  flange_right.tau = -ratio*flange_in.tau/2;
  annotation(Documentation(info = "<html>
<p>The cage, which the input turns with <code>ratio</code>, has the mean of the speeds of both wheels, and each wheel
gets half of its torque. It has no losses and no inertia.</p>
<p>The wheel that slips therefore decides on the torque of the other one; a <code>Clutch</code> between the wheels
locks the differential.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-40, 50}, {40, -50}}, lineColor = {95, 95, 95}, fillColor = {225, 228, 235},
        fillPattern = FillPattern.Solid, radius = 6),
      Polygon(points = {{-20, 40}, {20, 40}, {8, 15}, {-8, 15}, {-20, 40}}, lineColor = {95, 95, 95},
        fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Polygon(points = {{-20, -40}, {20, -40}, {8, -15}, {-8, -15}, {-20, -40}}, lineColor = {95, 95, 95},
        fillColor = {200, 205, 215}, fillPattern = FillPattern.Solid),
      Line(points = {{-100, 0}, {-40, 0}}, color = {95, 95, 95}),
      Line(points = {{0, 40}, {0, 100}}, color = {95, 95, 95}),
      Line(points = {{0, -40}, {0, -100}}, color = {95, 95, 95}),
      Text(extent = {{20, 100}, {180, 60}}, textString = "%name", textColor = {0, 0, 255})}));
end Differential;
