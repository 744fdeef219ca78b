within Saltus.Electrical;
model OperationalAmplifier "Keeps its inputs equal, as far as its output can go"
  Saltus.Electrical.Interfaces.Pin plus "Input that is not inverted"
    annotation(Placement(transformation(extent = {{-110, -60}, {-90, -40}})));
  Saltus.Electrical.Interfaces.NegativePin minus "Input that is inverted"
    annotation(Placement(transformation(extent = {{-110, 40}, {-90, 60}})));
  Saltus.Electrical.Interfaces.Pin out "Output" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  parameter Saltus.Units.Voltage Vmax = 15 "Upper limit of the output";
  parameter Saltus.Units.Voltage Vmin = -Vmax "Lower limit of the output";
  parameter Saltus.Units.Ratio slack(min = 0) = 0 "Input voltage per output voltage: 1/gain, 0 is infinite gain";
  Saltus.Units.Voltage v "Voltage from plus to minus";
  Saltus.Units.Voltage s "Place on the curve: the output, and beyond its limits what is left for the input";
  Boolean high = s > Vmax "Output is at its upper limit";
  Boolean low = s < Vmin "Output is at its lower limit";
equation
  v = plus.v - minus.v;
  plus.i = 0;
  minus.i = 0;
  out.v = if high then Vmax elseif low then Vmin else s;
  v = if high then slack*Vmax + (s - Vmax) elseif low then slack*Vmin + (s - Vmin) else slack*s;
  annotation(Documentation(info = "<html>
<p>Its characteristic is one curve with two corners. While the output <code>out.v</code> is between <code>Vmin</code>
and <code>Vmax</code>, the voltage <code>v</code> between the inputs is zero: the output takes whatever value makes it
so. At a limit the output stays there, and <code>v</code> may be anything of the same sign. The inputs take no
current; the output gives what is asked of it, from a supply that is not shown.</p>
<p>With feedback to <code>minus</code> it amplifies, with none it compares, with feedback to <code>plus</code> it
jumps from limit to limit. <code>slack = 1e-5</code> is a gain of 100000.</p>
<p>With feedback to <code>plus</code> there may be three solutions at the beginning, one at each limit and one between
them, like a pencil on its tip. The start value of <code>s</code> chooses: <code>s(start = 20)</code> begins at the
upper limit.</p>
</html>"),
    Icon(graphics = {
      Polygon(points = {{-70, 80}, {80, 0}, {-70, -80}, {-70, 80}}, lineColor = {0, 0, 255},
        fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{-90, 50}, {-70, 50}}, color = {0, 0, 255}),
      Line(points = {{-90, -50}, {-70, -50}}, color = {0, 0, 255}),
      Line(points = {{80, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{-60, 45}, {-40, 45}}, color = {0, 0, 255}),
      Line(points = {{-60, -45}, {-40, -45}}, color = {0, 0, 255}),
      Line(points = {{-50, -35}, {-50, -55}}, color = {0, 0, 255}),
      Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
end OperationalAmplifier;
