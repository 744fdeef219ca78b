within Saltus.Electrical;
package Sensors "Meters that do not disturb what they measure"
  extends Saltus.Icons.Package;

  model VoltageSensor "Voltage between two points"
    Saltus.Electrical.Interfaces.Pin p "Positive pin"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Saltus.Electrical.Interfaces.NegativePin n "Negative pin"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Blocks.Interfaces.RealOutput v(unit = "V") "Voltage from p to n"
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = 270)));
  equation
    p.i = 0;
    n.i = 0;
    v = p.v - n.v;
    annotation(Documentation(info = "<html>
<p>Put it across a part. No current flows through it.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
        Line(points = {{60, 0}, {90, 0}}, color = {0, 0, 255}),
        Line(points = {{0, -60}, {0, -100}}, color = {0, 0, 127}),
        Text(extent = {{-40, 40}, {40, -40}}, textString = "V"),
        Text(extent = {{-150, 110}, {150, 70}}, textString = "%name", textColor = {0, 0, 255})}));
  end VoltageSensor;

  model PotentialSensor "Voltage between a point and ground"
    Saltus.Electrical.Interfaces.Pin p "Where the potential is measured"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Saltus.Blocks.Interfaces.RealOutput v(unit = "V") "Potential"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    p.i = 0;
    v = p.v;
    annotation(Documentation(info = "<html>
<p>It needs one connection only: the other end is ground. No current flows through it. A potential that an ideal
switch leaves floating may be anything; a voltage across a part is the better thing to measure there.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
        Line(points = {{60, 0}, {100, 0}}, color = {0, 0, 127}),
        Text(extent = {{-40, 40}, {40, -40}}, textString = "V"),
        Text(extent = {{-150, 110}, {150, 70}}, textString = "%name", textColor = {0, 0, 255})}));
  end PotentialSensor;

  model CurrentSensor "Current that flows through it"
    Saltus.Electrical.Interfaces.Pin p "Where the current flows in"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Saltus.Electrical.Interfaces.NegativePin n "Where it flows out"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Blocks.Interfaces.RealOutput i(unit = "A") "Current from p to n"
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = 270)));
  equation
    p.v = n.v;
    p.i + n.i = 0;
    i = p.i;
    annotation(Documentation(info = "<html>
<p>Put it into a branch, in series. It has no voltage.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
        Line(points = {{60, 0}, {90, 0}}, color = {0, 0, 255}),
        Line(points = {{0, -60}, {0, -100}}, color = {0, 0, 127}),
        Text(extent = {{-40, 40}, {40, -40}}, textString = "A"),
        Text(extent = {{-150, 110}, {150, 70}}, textString = "%name", textColor = {0, 0, 255})}));
  end CurrentSensor;

  model PowerSensor "Power that flows through it"
    Saltus.Electrical.Interfaces.Pin p "Where the current flows in"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Saltus.Electrical.Interfaces.NegativePin n "Where it flows out"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Saltus.Electrical.Interfaces.NegativePin ref "The other end of the part that is measured"
      annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
    Saltus.Blocks.Interfaces.RealOutput power(unit = "W") "Power that flows from left to right"
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, 110}, rotation = 90)));
  equation
    p.v = n.v;
    p.i + n.i = 0;
    ref.i = 0;
    power = (p.v - ref.v)*p.i;
    annotation(Documentation(info = "<html>
<p>The current flows through it, from <code>p</code> to <code>n</code>, without a voltage. <code>ref</code> goes to
the other end of the part, and carries no current. The power is the current times the voltage to <code>ref</code>.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
        Line(points = {{60, 0}, {90, 0}}, color = {0, 0, 255}),
        Line(points = {{0, -60}, {0, -90}}, color = {0, 0, 255}),
        Line(points = {{0, 60}, {0, 100}}, color = {0, 0, 127}),
        Text(extent = {{-40, 40}, {40, -40}}, textString = "W"),
        Text(extent = {{-150, 160}, {150, 120}}, textString = "%name", textColor = {0, 0, 255})}));
  end PowerSensor;

  annotation(Documentation(info = "<html>
<p>What a sensor measures is a signal, an output to be connected to a block. To plot something no sensor is needed:
every voltage and current of a part has a name.</p>
</html>"));
end Sensors;
