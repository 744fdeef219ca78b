within Saltus.Translational;
model Fixed "A point of the ground"
  parameter Saltus.Units.Position s0 = 0 "Where it is";
  Saltus.Translational.Interfaces.OtherFlange flange "Held in place"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
equation
  flange.s = s0;
  annotation(Documentation(info = "<html>
<p>Does not move, whatever force that takes.</p>
<p>Springs, dampers, stops and friction elements have two flanges; this is what the other one is connected to.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{0, 0}, {0, -40}}, color = {0, 127, 0}),
      Line(points = {{-60, -40}, {60, -40}}, color = {0, 127, 0}),
      Line(points = {{-60, -60}, {-40, -40}}, color = {0, 127, 0}),
      Line(points = {{-30, -60}, {-10, -40}}, color = {0, 127, 0}),
      Line(points = {{0, -60}, {20, -40}}, color = {0, 127, 0}),
      Line(points = {{30, -60}, {50, -40}}, color = {0, 127, 0}),
      Text(extent = {{-150, -70}, {150, -110}}, textString = "%name", textColor = {0, 0, 255})}));
end Fixed;
