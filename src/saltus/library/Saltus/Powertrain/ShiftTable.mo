within Saltus.Powertrain;
block ShiftTable "Which clutches of the gearbox are pressed in which gear"
  extends Saltus.Icons.Block;
  parameter Saltus.Units.Time T = 0.15 "Time in which a pressure rises or falls to the e-th part of its way";
  Saltus.Blocks.Interfaces.IntegerInput gear "-1 reverse, 0 neutral, 1 to 4"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Blocks.Interfaces.RealOutput c1(unit = "1", start = 0, fixed = true) "Clutch 1: input to the first sun"
    annotation(Placement(transformation(extent = {{100, 70}, {120, 90}})));
  Saltus.Blocks.Interfaces.RealOutput c2(unit = "1", start = 0, fixed = true) "Clutch 2: input to the second carrier"
    annotation(Placement(transformation(extent = {{100, 30}, {120, 50}})));
  Saltus.Blocks.Interfaces.RealOutput c3(unit = "1", start = 0, fixed = true) "Clutch 3: input to the second sun"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  Saltus.Blocks.Interfaces.RealOutput b1(unit = "1", start = 0, fixed = true) "Brake 1: holds the second sun"
    annotation(Placement(transformation(extent = {{100, -50}, {120, -30}})));
  Saltus.Blocks.Interfaces.RealOutput b2(unit = "1", start = 0, fixed = true) "Brake 2: holds the second carrier"
    annotation(Placement(transformation(extent = {{100, -90}, {120, -70}})));
equation
  T*der(c1) = (if gear >= 1 and gear <= 3 then 1 else 0) - c1;
  T*der(c2) = (if gear >= 3 then 1 else 0) - c2;
  T*der(c3) = (if gear == -1 then 1 else 0) - c3;
  T*der(b1) = (if gear == 2 or gear == 4 then 1 else 0) - b1;
  T*der(b2) = (if gear == -1 then 1 else 0) - b2;
  annotation(Documentation(info = "<html>
<p>Pressures follow the table with a lag <code>T</code>: one clutch lets go while another one takes over.</p>
<table>
<tr><th>gear</th><th>c1</th><th>c2</th><th>c3</th><th>b1</th><th>b2</th></tr>
<tr><td>1</td><td>x</td><td></td><td></td><td></td><td>by its freewheel</td></tr>
<tr><td>2</td><td>x</td><td></td><td></td><td>x</td><td></td></tr>
<tr><td>3</td><td>x</td><td>x</td><td></td><td></td><td></td></tr>
<tr><td>4</td><td></td><td>x</td><td></td><td>x</td><td></td></tr>
<tr><td>-1</td><td></td><td></td><td>x</td><td></td><td>x</td></tr>
</table>
</html>"),
    Icon(graphics = {
      Line(points = {{-60, 60}, {-60, -60}}, color = {95, 95, 95}),
      Line(points = {{0, 60}, {0, -60}}, color = {95, 95, 95}),
      Line(points = {{60, 60}, {60, -60}}, color = {95, 95, 95}),
      Line(points = {{-60, 0}, {60, 0}}, color = {95, 95, 95}),
      Line(points = {{60, 0}, {60, 60}}, color = {200, 60, 30}, thickness = 1)}));
end ShiftTable;
