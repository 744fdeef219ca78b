within Saltus.Examples.Blocks;
model AntiWindup "Two controllers at the limit of an actuator: one is wound up"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Step wanted(startTime = 1) "Set point"
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.Blocks.Continuous.PID pid(k = 4, Ti = 1, Td = 0.3, yMin = 0, yMax = 1.2, Tt = 0.5)
    "Led back from the limit"
    annotation(Placement(transformation(extent = {{-40, 40}, {-20, 60}})));
  Saltus.Blocks.Continuous.SecondOrder plant(w = 0.8, D = 1) "Heavy"
    annotation(Placement(transformation(extent = {{10, 40}, {30, 60}})));
  Saltus.Blocks.Continuous.PID wound(k = 4, Ti = 1, Td = 0.3, yMin = 0, yMax = 1.2, Tt = 1e6) "Winds up"
    annotation(Placement(transformation(extent = {{-40, -50}, {-20, -30}})));
  Saltus.Blocks.Continuous.SecondOrder plant2(w = 0.8, D = 1) "The same"
    annotation(Placement(transformation(extent = {{10, -50}, {30, -30}})));
equation
  connect(wanted.y, pid.setpoint)
    annotation(Line(points = {{-69, 0}, {-55, 0}, {-55, 50}, {-42, 50}}, color = {0, 0, 127}));
  connect(wanted.y, wound.setpoint)
    annotation(Line(points = {{-69, 0}, {-55, 0}, {-55, -40}, {-42, -40}}, color = {0, 0, 127}));
  connect(pid.y, plant.u)
    annotation(Line(points = {{-19, 50}, {8, 50}}, color = {0, 0, 127}));
  connect(wound.y, plant2.u)
    annotation(Line(points = {{-19, -40}, {8, -40}}, color = {0, 0, 127}));
  connect(plant.y, pid.measurement)
    annotation(Line(points = {{31, 50}, {45, 50}, {45, 20}, {-30, 20}, {-30, 38}}, color = {0, 0, 127}));
  connect(plant2.y, wound.measurement)
    annotation(Line(points = {{31, -40}, {45, -40}, {45, -70}, {-30, -70}, {-30, -52}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A heavy plant follows a set point with an actuator that gives 1.2 at most. Both controllers are at this limit
for seconds. The integral part of the upper one is led back while it is there. The lower one has a time constant
for that which is far too long: it integrates an error about which nothing can be done, and has to integrate the
opposite before it lets go.</p>
<p><b>What to look at:</b> <code>plant.y</code> arrives with hardly any overshoot, <code>plant2.y</code> goes far
beyond. Compare <code>pid.I</code> with <code>wound.I</code>, and <code>pid.v</code> with the limited
<code>pid.y</code>.</p>
</html>"),
    experiment(StopTime = 20, Tolerance = 1e-6));
end AntiWindup;
