within Saltus.Fluid;
package Sensors "What measures pressure, flow and level, and does nothing else"
  extends Saltus.Icons.Package;

  partial model AtPort "Measures at a port"
    Saltus.Fluid.Interfaces.Port port "What is measured"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  equation
    port.q = 0;
    annotation(Documentation(info = "<html><p>Nothing flows into it.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {-60, 0}}, color = {0, 90, 180}),
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 90, 180}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{60, 0}, {100, 0}}, color = {0, 0, 127}),
        Text(extent = {{-150, 110}, {150, 70}}, textString = "%name", textColor = {0, 0, 255})}));
  end AtPort;

  model PressureSensor "Measures a pressure"
    extends AtPort;
    Saltus.Blocks.Interfaces.RealOutput p(final quantity = "Pressure", final unit = "Pa")
      "Pressure above that of the air"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    p = port.p;
    annotation(Documentation(info = "<html><p>The pressure at the port, as a signal.</p></html>"),
      Icon(graphics = {Text(extent = {{-40, 35}, {40, -35}}, textString = "p")}));
  end PressureSensor;

  model LevelSensor "Measures the level of a tank by the pressure at its bottom"
    extends AtPort;
    parameter Saltus.Units.Density rho = 1000 "Density of the liquid";
    parameter Saltus.Units.Acceleration g = Saltus.Units.g "Acceleration of gravity";
    Saltus.Blocks.Interfaces.RealOutput h(final quantity = "Length", final unit = "m") "Level above the port"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    rho*g*h = port.p;
    annotation(Documentation(info = "<html>
<p>The height of the column of liquid above the port, as a signal. Connect it to the bottom of the tank.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-40, 35}, {40, -35}}, textString = "h")}));
  end LevelSensor;

  model FlowSensor "Measures a flow"
    extends Saltus.Fluid.Interfaces.TwoPorts;
    Saltus.Blocks.Interfaces.RealOutput y(final quantity = "VolumeFlowRate", final unit = "m3/s")
      "Flow from port_a to port_b"
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = -90)));
  equation
    dp = 0;
    y = q;
    annotation(Documentation(info =
      "<html><p>Put it into the pipe: what flows through from left to right, as a signal.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {90, 0}}, color = {0, 90, 180}),
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 90, 180}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{0, -60}, {0, -100}}, color = {0, 0, 127}),
        Text(extent = {{-40, 35}, {40, -35}}, textString = "q")}));
  end FlowSensor;

  annotation(Documentation(info =
    "<html><p>Sensors take no liquid and no pressure; their outputs are signals.</p></html>"));
end Sensors;
