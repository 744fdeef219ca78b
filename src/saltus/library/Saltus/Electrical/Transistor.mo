within Saltus.Electrical;
model Transistor "Power transistor with antiparallel diode: forward while its gate is on, backward always"
  extends Saltus.Electrical.Interfaces.Valve;
  parameter Saltus.Units.Voltage Vknee = 0 "Forward voltage of the diode; 0: ideal";
  Saltus.Blocks.Interfaces.BooleanInput gate "True: the channel conducts, both ways"
    annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, -120}, rotation = 90)));
equation
  corner = if gate then 0 else -Vknee;
  off = s > 0 and not gate;
  annotation(Documentation(info = "<html>
<p>The valve of bridges and converters. With the gate on it is a closed switch. With the gate off only the diode
from <code>n</code> to <code>p</code> is left: a positive voltage is blocked, a current backward goes on.</p>
<p>The channel carries current backward as well, without the voltage <code>Vknee</code> of the diode, as that of a
MOSFET does: in a bridge the dead time, in which both gates are off, costs <code>Vknee</code> times the current.</p>
<p>Two of them in series across a battery must never have both gates on.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-30, 0}}, color = {0, 0, 255}),
      Line(points = {{30, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{-30, 0}, {-30, -30}}, color = {0, 0, 255}),
      Line(points = {{30, 0}, {30, -30}}, color = {0, 0, 255}),
      Line(points = {{-40, -30}, {40, -30}}, color = {0, 0, 255}, thickness = 0.5),
      Line(points = {{-40, -42}, {40, -42}}, color = {255, 0, 255}, thickness = 0.5),
      Line(points = {{0, -42}, {0, -100}}, color = {255, 0, 255}),
      Polygon(points = {{30, -4}, {22, -18}, {38, -18}, {30, -4}}, lineColor = {0, 0, 255}, fillColor = {0, 0, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{-60, 0}, {-60, 60}, {60, 60}, {60, 0}}, color = {0, 0, 255}),
      Polygon(points = {{22, 84}, {22, 36}, {-22, 60}, {22, 84}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{-22, 84}, {-22, 36}}, color = {0, 0, 255}, thickness = 0.5)}));
end Transistor;
