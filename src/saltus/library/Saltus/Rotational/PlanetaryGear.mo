within Saltus.Rotational;
model PlanetaryGear "Sun, ring, and planets on a carrier"
  parameter Saltus.Units.Ratio ratio(min = 1) = 2 "Teeth of the ring over teeth of the sun";
  Saltus.Rotational.Interfaces.Flange sun "Shaft of the sun wheel"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Saltus.Rotational.Interfaces.Flange carrier "Shaft of the carrier, on which the planets turn"
    annotation(Placement(transformation(extent = {{-110, 50}, {-90, 70}})));
  Saltus.Rotational.Interfaces.OtherFlange ring "Shaft of the ring wheel"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
equation
  (1 + ratio)*carrier.phi = sun.phi + ratio*ring.phi;
  ring.tau = ratio*sun.tau;
  carrier.tau = -(1 + ratio)*sun.tau;
  annotation(Documentation(info = "<html>
<p>Three shafts with one condition between their angles, <code>(1 + ratio)*carrier.phi = sun.phi +
ratio*ring.phi</code>, and torques that are always in the same proportion. There are no losses, and the planets have
no inertia of their own.</p>
<p>Hold one shaft with a <code>Brake</code> and the others are a gear; lock two of them with a <code>Clutch</code> and
all turn as one. That is how automatic gearboxes change gears.</p>
</html>"),
    Icon(graphics = {
      Ellipse(extent = {{-80, 80}, {80, -80}}, lineColor = {95, 95, 95}, fillColor = {225, 228, 235},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-64, 64}, {64, -64}}, lineColor = {95, 95, 95}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-26, 26}, {26, -26}}, lineColor = {95, 95, 95}, fillColor = {225, 228, 235},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-19, 64}, {19, 26}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-58, -3}, {-20, -41}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{20, -3}, {58, -41}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Line(points = {{-100, 0}, {-26, 0}}, color = {95, 95, 95}),
      Line(points = {{-100, 60}, {0, 60}, {0, 45}}, color = {95, 95, 95}),
      Line(points = {{80, 0}, {100, 0}}, color = {95, 95, 95}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255}),
      Text(extent = {{-150, -85}, {150, -115}}, textString = "%ratio")}));
end PlanetaryGear;
