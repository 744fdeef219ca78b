within Saltus.Electrical;
model Resistor "Ohm's law"
  extends Saltus.Electrical.Interfaces.TwoPin;
  parameter Saltus.Units.Resistance R = 1 "Resistance";
  parameter Boolean useHeatPort = false "The heat goes to heatPort, not out of the model" annotation(Evaluate = true);
  Saltus.Thermal.Interfaces.HeatPort heatPort(Q_flow = -R*i^2) if useHeatPort "Where the heat goes"
    annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
equation
  v = R*i;
  annotation(Documentation(info = "<html>
<p>Voltage and current are proportional: <code>v = R*i</code>. The power <code>R*i^2</code> becomes heat. It leaves
the model, or, with <code>useHeatPort = true</code>, flows out at <code>heatPort</code> to whatever is connected
there.</p>
<p><code>R = 0</code> is a piece of wire. For a part that may also be an interruption take a
<code>Conductor</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-60, 25}, {60, -25}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
      Line(points = {{60, 0}, {90, 0}}, color = {0, 0, 255}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "R=%R")}));
end Resistor;
