within Saltus.Powertrain;
block PressureTable "Which elements of a gearbox are pressed in which gear, with overlap"
  extends Saltus.Icons.Block;
  parameter Saltus.Units.Ratio pressed[:, :] = [0, 0; 1, 0; 0, 1]
    "1 where pressed: a row for each gear, beginning with the first; a column for each element";
  parameter Saltus.Units.Ratio braking[:, size(pressed, 2)] = pressed "The same while the engine is to brake";
  parameter Integer first = 0 "Gear of the first row; 0 is neutral, -1 reverse";
  parameter Saltus.Units.Time T = 0.1 "Time in which a pressure rises or falls to the e-th part of its way";
  parameter Saltus.Units.Time overlap[n](each min = 0) = fill(0.05, n)
    "How long an element that is to let go stays pressed after a change of gear";
  parameter Saltus.Units.Time wait[n](each min = 0) = zeros(n)
    "How long an element is released after a change of gear, as a lock-up clutch is";
  Saltus.Blocks.Interfaces.IntegerInput gear "The gear that is wanted"
    annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  Saltus.Blocks.Interfaces.BooleanInput brakes "The engine is to brake"
    annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  Saltus.Blocks.Interfaces.RealOutput press[n](each unit = "1", each start = 0, each fixed = true)
    "0 released, 1 pressed"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  Saltus.Units.Ratio target[n] "Where the pressures go to";
  discrete Saltus.Units.Time since(start = -1e6, fixed = true) "When the gear was changed";
  discrete Saltus.Units.Ratio wanted[n] "What the present gear asks for";
  discrete Saltus.Units.Ratio left[n](each start = 0, each fixed = true) "What the gear before has asked for";
  discrete Saltus.Units.Ratio both[n] "What either of them asks for";
  Boolean shifting[n] "The gear before still counts, too";
protected
  parameter Integer n = size(pressed, 2) "Number of elements";

  function line "Of a gear"
    input Saltus.Units.Ratio table[:, :] "Pressed or not";
    input Integer row "Which row";
    output Saltus.Units.Ratio y[size(table, 2)] "Pressed or not";
  algorithm
    for k in 1:size(table, 2) loop
      y[k] := table[row, k];
    end for;
  end line;
equation
  when change(gear) then
    since = time;
    left = line(pressed, pre(gear) - first + 1);
  end when;
  when {initial(), change(gear), change(brakes)} then
    wanted = if brakes then line(braking, gear - first + 1) else line(pressed, gear - first + 1);
    both = {max(wanted[k], left[k]) for k in 1:n};
  end when;
  for k in 1:n loop
    shifting[k] = time < since + overlap[k];
    target[k] = if time < since + wait[k] then 0 elseif shifting[k] then both[k] else wanted[k];
    T*der(press[k]) = target[k] - press[k];
  end for;
  annotation(Documentation(info = "<html>
<p>The table of a gearbox: what is pressed in each gear. Pressures go to 0 or 1 with the lag <code>T</code>. When the
gear is changed, what is pressed in the old gear stays so for the time <code>overlap</code>, while what takes over is
filled: an element that lets go too early lets the engine race, one that lets go too late holds the gearbox. Those with
a <code>wait</code> are released first, whatever the new gear asks for.</p>
<p>Freewheels need no place in the table. They hold in one direction only, so that the engine does not brake; the
plates beside them may be pressed by the table <code>braking</code>, which counts while <code>brakes</code> is
true.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-60, 60}, {-60, -60}}, color = {95, 95, 95}),
      Line(points = {{-20, 60}, {-20, -60}}, color = {95, 95, 95}),
      Line(points = {{20, 60}, {20, -60}}, color = {95, 95, 95}),
      Line(points = {{60, 60}, {60, -60}}, color = {95, 95, 95}),
      Line(points = {{-60, 30}, {60, 30}}, color = {95, 95, 95}),
      Line(points = {{-60, -30}, {60, -30}}, color = {95, 95, 95}),
      Ellipse(extent = {{-67, 37}, {-53, 23}}, lineColor = {200, 60, 30}, fillColor = {200, 60, 30},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{13, 37}, {27, 23}}, lineColor = {200, 60, 30}, fillColor = {200, 60, 30},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{53, -23}, {67, -37}}, lineColor = {200, 60, 30}, fillColor = {200, 60, 30},
        fillPattern = FillPattern.Solid)}));
end PressureTable;
