within Saltus.Fluid;
package Interfaces "Connectors and what parts have in common"
  extends Saltus.Icons.Package;

  connector Port "Where liquid flows in or out"
    Saltus.Units.Pressure p "Pressure above that of the air";
    flow Saltus.Units.VolumeFlowRate q "Volume flow rate into the part";
    annotation(Documentation(info =
      "<html><p>Connected ports have one pressure, and their volume flow rates sum to zero.</p></html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 90, 180}, fillColor = {0, 90, 180},
          fillPattern = FillPattern.Solid)}));
  end Port;

  connector OtherPort "The other side: an empty symbol"
    extends Port;
    annotation(Documentation(info =
      "<html><p>The same as <code>Port</code>; the symbol tells the sides apart.</p></html>"),
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
    annotation(Documentation(info =
      "<html><p>Extend it and add one equation for <code>dp</code> and <code>q</code>.</p></html>"),
      Icon(graphics = {Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end TwoPorts;

  partial model OpenTank "A vessel that is open at the top"
    parameter Saltus.Units.Area A = 1 "Cross section";
    parameter Saltus.Units.Density rho = 1000 "Density of the liquid";
    parameter Saltus.Units.Acceleration g = Saltus.Units.g "Acceleration of gravity";
    Saltus.Units.Length h(start = 1) "Level";
    Saltus.Units.Pressure p "Pressure at the bottom";
    Saltus.Units.VolumeFlowRate q_over "What flows over the rim";
    Port inlet "From above: what comes in falls" annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
    Port port_a "At the bottom, left" annotation(Placement(transformation(extent = {{-110, -90}, {-90, -70}})));
    OtherPort port_b "At the bottom, right" annotation(Placement(transformation(extent = {{90, -90}, {110, -70}})));
  equation
    inlet.p = 0;
    port_a.p = p;
    port_b.p = p;
    p = rho*g*h;
    A*der(h) = inlet.q + port_a.q + port_b.q - q_over;
    assert(h > -0.01, "more is drawn from the tank than there is in it");
    annotation(Documentation(info = "<html>
<p>The level rises with what flows in, and the pressure at the bottom is that of the column of liquid. Extend it and
say what <code>q_over</code> is.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-80, 20}, {80, -90}}, lineColor = {180, 215, 245}, fillColor = {180, 215, 245},
          fillPattern = FillPattern.Solid),
        Line(points = {{-80, 80}, {-80, -90}, {80, -90}, {80, 80}}, color = {60, 60, 60}, thickness = 0.5),
        Line(points = {{-80, 20}, {80, 20}}, color = {0, 90, 180}),
        Text(extent = {{-75, -15}, {75, -65}}, textString = "%name", textColor = {0, 0, 255})}));
  end OpenTank;

  partial model Boundary "A part with one port"
    OtherPort port "Where it is connected" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    annotation(Documentation(info =
      "<html><p>Extend it and say what pressure or flow there is at <code>port</code>.</p></html>"),
      Icon(graphics = {Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end Boundary;

  annotation(Documentation(info =
    "<html><p>Connectors, and partial models to extend when you write a part of your own.</p></html>"));
end Interfaces;
