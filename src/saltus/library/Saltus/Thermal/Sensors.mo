within Saltus.Thermal;
package Sensors "Thermometers that take no heat"
  extends Saltus.Icons.Package;

  model TemperatureSensor "Temperature of a point"
    Saltus.Thermal.Interfaces.HeatPort port "Where the temperature is measured"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Saltus.Blocks.Interfaces.RealOutput T(unit = "K") "Temperature"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    T = port.T;
    port.Q_flow = 0;
    annotation(Documentation(info = "<html>
<p>The signal <code>T</code> is the temperature of the port, in kelvin. No heat flows.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-25, -40}, {25, -90}}, lineColor = {191, 0, 0}, fillColor = {191, 0, 0},
          fillPattern = FillPattern.Solid),
        Rectangle(extent = {{-12, 80}, {12, -45}}, lineColor = {191, 0, 0}, radius = 12),
        Line(points = {{0, -45}, {0, 30}}, color = {191, 0, 0}, thickness = 1),
        Line(points = {{-90, 0}, {-12, 0}}, color = {191, 0, 0}),
        Line(points = {{12, 0}, {100, 0}}, color = {0, 0, 127}),
        Text(extent = {{-150, 130}, {150, 90}}, textString = "%name", textColor = {0, 0, 255})}));
  end TemperatureSensor;

  model RelativeTemperatureSensor "Difference of two temperatures"
    Saltus.Thermal.Interfaces.HeatPort port_a "Left port"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Saltus.Thermal.Interfaces.OtherHeatPort port_b "Right port"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Blocks.Interfaces.RealOutput dT(unit = "K") "Temperature of port_a less that of port_b"
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = 270)));
  equation
    dT = port_a.T - port_b.T;
    port_a.Q_flow = 0;
    port_b.Q_flow = 0;
    annotation(Documentation(info = "<html>
<p>The signal <code>dT</code> says how much warmer <code>port_a</code> is than <code>port_b</code>. No heat flows. A
thermocouple measures like that.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {191, 0, 0}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-90, 0}, {-60, 0}}, color = {191, 0, 0}),
        Line(points = {{60, 0}, {90, 0}}, color = {191, 0, 0}),
        Line(points = {{0, -60}, {0, -100}}, color = {0, 0, 127}),
        Text(extent = {{-50, 25}, {50, -25}}, textString = "dT"),
        Text(extent = {{-150, 110}, {150, 70}}, textString = "%name", textColor = {0, 0, 255})}));
  end RelativeTemperatureSensor;

  model HeatFlowSensor "Heat that flows through it"
    Saltus.Thermal.Interfaces.HeatPort port_a "Where the heat flows in"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Saltus.Thermal.Interfaces.OtherHeatPort port_b "Where it flows out"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Blocks.Interfaces.RealOutput Q_flow(unit = "W") "Heat flow rate from port_a to port_b"
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = 270)));
  equation
    port_a.T = port_b.T;
    port_a.Q_flow + port_b.Q_flow = 0;
    Q_flow = port_a.Q_flow;
    annotation(Documentation(info = "<html>
<p>Put it between two parts. Both sides have one temperature.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {191, 0, 0}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-90, 0}, {-60, 0}}, color = {191, 0, 0}),
        Line(points = {{60, 0}, {90, 0}}, color = {191, 0, 0}),
        Line(points = {{0, -60}, {0, -100}}, color = {0, 0, 127}),
        Text(extent = {{-40, 30}, {40, -30}}, textString = "W"),
        Text(extent = {{-150, 110}, {150, 70}}, textString = "%name", textColor = {0, 0, 255})}));
  end HeatFlowSensor;

  annotation(Documentation(info = "<html>
<p>What a sensor measures is a signal, an output to be connected to a block.</p>
</html>"));
end Sensors;
