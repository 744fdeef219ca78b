within Saltus.Thermal;
package Interfaces "Connectors and what parts have in common"
  extends Saltus.Icons.Package;

  connector HeatPort "Where heat flows in or out"
    Saltus.Units.Temperature T "Temperature";
    flow Saltus.Units.HeatFlowRate Q_flow "Heat flow rate into the part";
    annotation(Documentation(info = "<html>
<p>Connected ports have one temperature, and their heat flow rates sum to zero.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {191, 0, 0}, fillColor = {191, 0, 0},
          fillPattern = FillPattern.Solid)}));
  end HeatPort;

  connector OtherHeatPort "The other side: an empty symbol"
    extends HeatPort;
    annotation(Documentation(info = "<html>
<p>The same as <code>HeatPort</code>; the symbol tells the sides apart.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {191, 0, 0}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid)}));
  end OtherHeatPort;

  partial model TwoPorts "A part that lets heat through and stores none"
    HeatPort port_a "Left port" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    OtherHeatPort port_b "Right port" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Units.TemperatureDifference dT "Temperature of port_a less that of port_b";
    Saltus.Units.HeatFlowRate Q_flow "Heat flow rate from port_a to port_b";
  equation
    dT = port_a.T - port_b.T;
    Q_flow = port_a.Q_flow;
    port_a.Q_flow + port_b.Q_flow = 0;
    annotation(Documentation(info = "<html>
<p>Extend it and add one equation for <code>dT</code> and <code>Q_flow</code>.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end TwoPorts;

  annotation(Documentation(info = "<html>
<p>Connectors, and partial models to extend when you write a part of your own.</p>
</html>"));
end Interfaces;
