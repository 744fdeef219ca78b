within Saltus.Rotational;
model Fixed "The housing: a flange that does not turn"
  parameter Saltus.Units.Angle phi0 = 0 "The angle at which it is held";
  Saltus.Rotational.Interfaces.Flange flange "Where to hold on"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
equation
  flange.phi = phi0;
  annotation(Documentation(info = "<html>
<p>Takes any torque and stays at the angle <code>phi0</code>. With it, a part between two flanges becomes one
to the housing: a friction becomes the friction of a bearing, a spring one that is bolted to the floor.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{0, 0}, {0, -40}}, color = {95, 95, 95}),
      Line(points = {{-80, -40}, {80, -40}}, color = {95, 95, 95}, thickness = 1),
      Line(points = {{-60, -80}, {-20, -40}}, color = {95, 95, 95}),
      Line(points = {{-20, -80}, {20, -40}}, color = {95, 95, 95}),
      Line(points = {{20, -80}, {60, -40}}, color = {95, 95, 95}),
      Text(extent = {{-150, 60}, {150, 20}}, textString = "%name", textColor = {0, 0, 255})}));
end Fixed;
