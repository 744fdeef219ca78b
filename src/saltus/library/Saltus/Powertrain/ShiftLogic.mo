within Saltus.Powertrain;
block ShiftLogic "Chooses the gear from the speed of the vehicle and the throttle"
  extends Saltus.Icons.Block;
  parameter Saltus.Units.Velocity v_up[:] = {12, 22, 33}
    "Velocities above which gear 1, 2, ... is left upwards, at full throttle";
  parameter Saltus.Units.Ratio light = 0.6 "The same with a closed throttle: that part of it";
  parameter Saltus.Units.Ratio back = 0.7 "A gear is left downwards below that part of where it was reached";
  Saltus.Blocks.Interfaces.RealInput v(unit = "m/s") "Velocity of the vehicle"
    annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  Saltus.Blocks.Interfaces.RealInput throttle(unit = "1") "How far the throttle is open: 0 to 1"
    annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  Saltus.Blocks.Interfaces.IntegerOutput gear "Gear: from 1 to one more than there are velocities"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  Saltus.Units.Velocity v_full "The velocity as it counts at full throttle";
  Boolean above[size(v_up, 1)](each start = false, each fixed = true) "Faster than gear 1, 2, ... should be";
equation
  v_full = v/(light + (1 - light)*throttle);
  for k in 1:size(v_up, 1) loop
    above[k] = v_full > v_up[k] or pre(above[k]) and v_full > back*v_up[k];
  end for;
  gear = 1 + sum(if above[k] then 1 else 0 for k in 1:size(v_up, 1));
  annotation(Documentation(info = "<html>
<p>Each gear but the last is left upwards at its velocity <code>v_up</code>, and taken again when the velocity has
fallen to the part <code>back</code> of that: between the two the gear stays as it is. With little throttle gears are
changed earlier, and full throttle changes down.</p>
<p>A real control unit samples its inputs; this one acts at once.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-70, -60}, {-30, -60}, {-30, -20}, {10, -20}, {10, 20}, {50, 20}, {50, 60}, {75, 60}},
        color = {0, 0, 127}),
      Line(points = {{-50, -60}, {-50, -20}, {-30, -20}}, color = {160, 160, 160}),
      Line(points = {{-10, -20}, {-10, 20}, {10, 20}}, color = {160, 160, 160}),
      Line(points = {{30, 20}, {30, 60}, {50, 60}}, color = {160, 160, 160})}));
end ShiftLogic;
