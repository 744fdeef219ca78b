within Saltus.Electrical;
model Conductor "Ohm's law, with a conductance"
  extends Saltus.Electrical.Interfaces.TwoPin;
  parameter Saltus.Units.Conductance G = 1 "Conductance";
  parameter Boolean useHeatPort = false "The heat goes to heatPort, not out of the model" annotation(Evaluate = true);
  Saltus.Thermal.Interfaces.HeatPort heatPort(Q_flow = -G*v^2) if useHeatPort "Where the heat goes"
    annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
equation
  i = G*v;
  annotation(Documentation(info = "<html>
<p>A <code>Resistor</code> that is described by its conductance: <code>i = G*v</code>. The power <code>G*v^2</code>
becomes heat. It leaves the model, or, with <code>useHeatPort = true</code>, flows out at <code>heatPort</code>.</p>
<p><code>G = 0</code> is an interruption: good for leaks that may be absent.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-60, 25}, {60, -25}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
      Line(points = {{60, 0}, {90, 0}}, color = {0, 0, 255}),
      Text(extent = {{-150, -40}, {150, -80}}, textString = "G=%G")}));
end Conductor;
