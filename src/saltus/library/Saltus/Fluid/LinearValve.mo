within Saltus.Fluid;
model LinearValve "A control valve with laminar flow"
  extends Saltus.Fluid.Interfaces.TwoPorts;
  parameter Saltus.Units.HydraulicResistance R = 1e8 "Resistance, fully open";
  Saltus.Blocks.Interfaces.RealInput opening(final unit = "1") "0 shut, 1 fully open"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
equation
  0 = if opening <= 0 then q else opening*dp - R*q;
  annotation(Documentation(info = "<html>
<p>The flow is <code>opening*dp/R</code>; shut, nothing flows. It suits thick liquids, small passages, and courses
in control, where everything has to be linear.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-50, 0}}, color = {0, 90, 180}),
      Line(points = {{50, 0}, {90, 0}}, color = {0, 90, 180}),
      Polygon(points = {{-50, 35}, {50, -35}, {50, 35}, {-50, -35}, {-50, 35}}, lineColor = {0, 90, 180},
        fillColor = {180, 215, 245}, fillPattern = FillPattern.Solid),
      Line(points = {{0, 0}, {0, -100}}, color = {0, 0, 127})}));
end LinearValve;
