within Saltus.Fluid;
model Accumulator "A closed vessel with a cushion of gas"
  parameter Saltus.Units.Volume V0 = 0.01 "Volume of the gas when there is no pressure above that of the air";
  parameter Saltus.Units.Pressure p_air = 1.013e5 "Pressure of the air";
  Saltus.Units.Volume V(start = 0, nominal = V0) "Liquid that has come in";
  Saltus.Units.Pressure p "Pressure above that of the air";
  Saltus.Fluid.Interfaces.Port port "At the bottom"
    annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
equation
  port.p = p;
  der(V) = port.q;
  (p + p_air)*(V0 - V) = p_air*V0;
  annotation(Documentation(info = "<html>
<p>Liquid that comes in compresses the gas, which keeps its temperature: pressure times volume is constant. It takes
up what a pump gives by strokes, and the hammer of a valve that is shut.</p>
<p>The volume <code>V</code> is a state; it stays below <code>V0</code> whatever the pressure.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-50, 70}, {50, -70}}, lineColor = {60, 60, 60}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid, radius = 40),
      Rectangle(extent = {{-48, -5}, {48, -50}}, lineColor = {180, 215, 245}, fillColor = {180, 215, 245},
        fillPattern = FillPattern.Solid),
      Line(points = {{-50, -5}, {50, -5}}, color = {0, 90, 180}),
      Line(points = {{0, -70}, {0, -90}}, color = {0, 90, 180}),
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name", textColor = {0, 0, 255})}));
end Accumulator;
