within Saltus.Powertrain;
model MappedEngine "A combustion engine by its map: torque over throttle and speed, with the lag of its intake"
  parameter Saltus.Units.Ratio throttles[:] = {0, 0.25, 0.5, 0.75, 1} "Rows of the map: throttles, which rise";
  parameter Saltus.Units.AngularVelocity speeds[:] = {0, 50, 100, 200, 300, 400, 500, 600}
    "Columns of the map: speeds, which rise";
  parameter Saltus.Units.Torque map[size(throttles, 1), size(speeds, 1)] = [
    0, -14, -17, -22, -28, -35, -43, -54;
    60, 75, 72, 48, 30, 14, -2, -18;
    100, 120, 132, 124, 104, 80, 56, 28;
    120, 145, 165, 178, 170, 148, 118, 78;
    130, 160, 182, 205, 215, 204, 176, 128] "The torque that the engine gives there";
  parameter Saltus.Units.Time T = 0.08 "Time constant of the torque: the manifold has to be filled first";
  parameter Saltus.Units.AngularVelocity w_idle = 90 "Speed below which it helps itself to more throttle";
  parameter Saltus.Units.AngularVelocity w_band = 30 "How far below that it takes full throttle";
  parameter Saltus.Units.Inertia J = 0.15 "Moment of inertia of crankshaft and flywheel";
  Saltus.Blocks.Interfaces.RealInput throttle(unit = "1") "How far the throttle is open: 0 to 1"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Rotational.Interfaces.OtherFlange flange "Crankshaft"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Saltus.Units.Angle phi(start = 0) "Angle of the crankshaft";
  Saltus.Units.AngularVelocity w(start = w_idle) "Speed";
  Saltus.Units.Torque tau(start = 0, fixed = true) "Torque at the crankshaft, friction of the pistons included";
  Saltus.Units.Ratio opening "Throttle that is in effect";
  Saltus.Blocks.Tables.Table2D torque(table = [0, transpose([speeds]); [throttles], map]) "The map"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
equation
  phi = flange.phi;
  w = der(phi);
  opening = min(1, max(throttle, (w_idle - w)/w_band));
  torque.u1 = opening;
  torque.u2 = w;
  T*der(tau) = torque.y - tau;
  J*der(w) = tau + flange.tau;
  annotation(Documentation(info = "<html>
<p>The map says what the engine gives at rest in each point: throttle downwards, speed to the right, straight lines in
between, and its edges beyond. With a closed throttle it brakes. The torque follows the map with the lag
<code>T</code>.</p>
<p>Below <code>w_idle</code> the engine opens its throttle itself, and does not stall unless it is forced to. The
crankshaft has the inertia <code>J</code>. What it drives is connected at <code>flange</code>. An engine that needs no
map: <code>Engine</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-60, 30}, {60, -60}}, lineColor = {95, 95, 95}, fillColor = {225, 228, 235},
        fillPattern = FillPattern.Solid, radius = 8),
      Rectangle(extent = {{-50, 70}, {-20, 30}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-15, 70}, {15, 30}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{20, 70}, {50, 30}}, lineColor = {95, 95, 95}, fillColor = {200, 205, 215},
        fillPattern = FillPattern.Solid),
      Line(points = {{60, 0}, {90, 0}}, color = {95, 95, 95}),
      Line(points = {{-100, 0}, {-60, 0}}, color = {0, 0, 127}),
      Rectangle(extent = {{-40, 20}, {40, -50}}, lineColor = {0, 0, 127}),
      Line(points = {{-40, -15}, {40, -15}}, color = {0, 0, 127}),
      Line(points = {{0, 20}, {0, -50}}, color = {0, 0, 127}),
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name", textColor = {0, 0, 255})}));
end MappedEngine;
