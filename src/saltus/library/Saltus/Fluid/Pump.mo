within Saltus.Fluid;
model Pump "A centrifugal pump"
  extends Saltus.Fluid.Interfaces.TwoPorts;
  parameter Saltus.Units.Pressure p_max = 2e5 "Pressure against which it delivers nothing any more, at full speed";
  parameter Saltus.Units.VolumeFlowRate q_max = 1e-3 "Flow that it delivers against no pressure, at full speed";
  Saltus.Units.Ratio x "Flow over q_max";
  Saltus.Blocks.Interfaces.RealInput speed(final unit = "1") "0 stands, 1 full speed"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
equation
  x = q/q_max;
  -dp = p_max*(speed^2 - x*abs(x));
  annotation(Documentation(info = "<html>
<p>It raises the pressure by <code>p_max*(speed^2 - (q/q_max)^2)</code>: a parabola that grows with the speed, as
pumps of this kind have it. Against more than it can give, liquid runs back through it; when it stands, it is an
<code>Orifice</code>.</p>
<p>Put a <code>CheckValve</code> behind it where nothing shall run back.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-50, 0}}, color = {0, 90, 180}),
      Line(points = {{50, 0}, {90, 0}}, color = {0, 90, 180}),
      Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {0, 90, 180}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Polygon(points = {{-25, 43}, {50, 0}, {-25, -43}, {-25, 43}}, lineColor = {0, 90, 180},
        fillColor = {180, 215, 245},
        fillPattern = FillPattern.Solid),
      Line(points = {{0, -50}, {0, -100}}, color = {0, 0, 127})}));
end Pump;
