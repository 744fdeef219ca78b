within Saltus.Thermal;
package Sources "Temperatures and heat flows that are given"
  extends Saltus.Icons.Package;

  model FixedTemperature "Surroundings whose temperature nothing changes"
    Saltus.Thermal.Interfaces.HeatPort port "What has the temperature"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Saltus.Units.Temperature T = 293.15 "Temperature";
  equation
    port.T = T;
    annotation(Documentation(info = "<html>
<p>The port has the temperature <code>T</code>, whatever heat flows: the air outside, a lake. In kelvin: 20 degrees
Celsius are 293.15.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-80, 60}, {60, -60}}, lineColor = {191, 0, 0}, fillColor = {240, 225, 225},
          fillPattern = FillPattern.Solid),
        Line(points = {{60, 0}, {90, 0}}, color = {191, 0, 0}),
        Text(extent = {{-70, 25}, {50, -25}}, textString = "%T K"),
        Text(extent = {{-150, 120}, {150, 80}}, textString = "%name", textColor = {0, 0, 255})}));
  end FixedTemperature;

  model PrescribedTemperature "A temperature that a signal gives"
    Saltus.Thermal.Interfaces.HeatPort port "What has the temperature"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Blocks.Interfaces.RealInput T(unit = "K") "Temperature"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  equation
    port.T = T;
    annotation(Documentation(info = "<html>
<p>The port has the temperature of the signal <code>T</code>, in kelvin, whatever heat flows: day and night outside a
house.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {191, 0, 0}, fillColor = {240, 225, 225},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-60, 0}}, color = {0, 0, 127}),
        Line(points = {{60, 0}, {90, 0}}, color = {191, 0, 0}),
        Text(extent = {{-40, 25}, {40, -25}}, textString = "T"),
        Text(extent = {{-150, 120}, {150, 80}}, textString = "%name", textColor = {0, 0, 255})}));
  end PrescribedTemperature;

  model FixedHeatFlow "A heater that never rests"
    Saltus.Thermal.Interfaces.HeatPort port "Where the heat comes out"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Saltus.Units.HeatFlowRate Q_flow = 1 "Heat flow rate out of the port; negative: it cools";
  equation
    port.Q_flow = -Q_flow;
    annotation(Documentation(info = "<html>
<p>The heat <code>Q_flow</code>, in watts, flows out of the port into whatever is connected, at any temperature.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, 20}, {60, 20}}, color = {191, 0, 0}),
        Line(points = {{-80, -20}, {60, -20}}, color = {191, 0, 0}),
        Polygon(points = {{60, 45}, {90, 0}, {60, -45}, {60, 45}}, lineColor = {191, 0, 0}, fillColor = {191, 0, 0},
          fillPattern = FillPattern.Solid),
        Text(extent = {{-150, -50}, {150, -90}}, textString = "%Q_flow W"),
        Text(extent = {{-150, 100}, {150, 60}}, textString = "%name", textColor = {0, 0, 255})}));
  end FixedHeatFlow;

  model PrescribedHeatFlow "A heater that a signal controls"
    Saltus.Thermal.Interfaces.HeatPort port "Where the heat comes out"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Blocks.Interfaces.RealInput Q_flow(unit = "W") "Heat flow rate out of the port; negative: it cools"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  equation
    port.Q_flow = -Q_flow;
    annotation(Documentation(info = "<html>
<p>The heat of the signal <code>Q_flow</code>, in watts, flows out of the port into whatever is connected, at any
temperature.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-100, 0}, {-60, 0}}, color = {0, 0, 127}),
        Line(points = {{-60, 20}, {60, 20}}, color = {191, 0, 0}),
        Line(points = {{-60, -20}, {60, -20}}, color = {191, 0, 0}),
        Polygon(points = {{60, 45}, {90, 0}, {60, -45}, {60, 45}}, lineColor = {191, 0, 0}, fillColor = {191, 0, 0},
          fillPattern = FillPattern.Solid),
        Text(extent = {{-150, 100}, {150, 60}}, textString = "%name", textColor = {0, 0, 255})}));
  end PrescribedHeatFlow;

  annotation(Documentation(info = "<html>
<p>Where heat comes from and where it goes.</p>
</html>"));
end Sources;
