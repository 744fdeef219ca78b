within Saltus.Fluid;
model Ambient "The open air: a drain, or a lake"
  extends Saltus.Fluid.Interfaces.Boundary;
equation
  port.p = 0;
  annotation(Documentation(info = "<html>
<p>Gives and takes any amount of liquid at the pressure of the air, which counts as zero.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 20}, {80, -60}}, lineColor = {180, 215, 245}, fillColor = {180, 215, 245},
        fillPattern = FillPattern.Solid),
      Line(points = {{-80, 20}, {-50, 30}, {-20, 20}, {10, 30}, {40, 20}, {80, 30}}, color = {0, 90, 180})}));
end Ambient;
