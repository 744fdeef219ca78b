within Saltus.Fluid;
model DisplacementPump "A pump that delivers what its speed says"
  extends Saltus.Fluid.Interfaces.TwoPorts;
  parameter Saltus.Units.VolumeFlowRate q_nom = 1e-3 "Flow at full speed";
  Saltus.Blocks.Interfaces.RealInput speed(final unit = "1") "0 stands, 1 full speed; negative: backwards"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
equation
  q = q_nom*speed;
  annotation(Documentation(info = "<html>
<p>Pistons or gears move <code>q_nom*speed</code>, whatever pressure that takes. When it stands it is shut.</p>
<p>Never shut a valve behind it: there must be somewhere to go, an <code>Accumulator</code> or a way back. Constant
flow: <code>DisplacementPump pump(speed = 1)</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-50, 0}}, color = {0, 90, 180}),
      Line(points = {{50, 0}, {90, 0}}, color = {0, 90, 180}),
      Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 90, 180}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Polygon(points = {{20, 20}, {50, 0}, {20, -20}, {20, 20}}, lineColor = {0, 90, 180}, fillColor = {0, 90, 180},
        fillPattern = FillPattern.Solid),
      Line(points = {{0, -50}, {0, -100}}, color = {0, 0, 127})}));
end DisplacementPump;
