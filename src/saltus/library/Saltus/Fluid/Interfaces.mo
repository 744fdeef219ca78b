within Saltus.Fluid;
package Interfaces "Connectors and what parts have in common"
  extends Saltus.Icons.Package;

  connector Port "Where liquid flows in or out"
    Saltus.Units.Pressure p "Pressure above that of the air";
    flow Saltus.Units.VolumeFlowRate q "Volume flow rate into the part";
    annotation(Documentation(info = "<html><p>Connected ports have one pressure, and their volume flow rates sum to zero.</p></html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 90, 180}, fillColor = {0, 90, 180},
          fillPattern = FillPattern.Solid)}));
  end Port;

  connector OtherPort "The other side: an empty symbol"
    extends Port;
    annotation(Documentation(info = "<html><p>The same as <code>Port</code>; the symbol tells the sides apart.</p></html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 90, 180}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid)}));
  end OtherPort;

  partial model TwoPorts "A part that liquid flows through; it stores none"
    Port port_a "Left port" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    OtherPort port_b "Right port" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Units.Pressure dp "Pressure at port_a less that at port_b";
    Saltus.Units.VolumeFlowRate q "Volume flow rate from port_a to port_b";
  equation
    dp = port_a.p - port_b.p;
    q = port_a.q;
    port_a.q + port_b.q = 0;
    annotation(Documentation(info = "<html><p>Extend it and add one equation for <code>dp</code> and <code>q</code>.</p></html>"),
      Icon(graphics = {Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end TwoPorts;

  annotation(Documentation(info = "<html><p>Connectors, and partial models to extend when you write a part of your own.</p></html>"));
end Interfaces;
