within Saltus.Powertrain;
model Engine "A combustion engine: a torque that depends on speed and throttle, and an inertia"
  parameter Saltus.Units.Torque tau_max = 200 "Largest torque, at full throttle";
  parameter Saltus.Units.AngularVelocity w_peak = 350 "Speed at which it has it";
  parameter Saltus.Units.AngularVelocity w_end = 750 "Speed at which full throttle gives nothing any more";
  parameter Saltus.Units.RotationalDampingConstant d = 0.08 "Drag of pistons and bearings";
  parameter Saltus.Units.AngularVelocity w_idle = 90 "Speed below which it helps itself to more throttle";
  parameter Saltus.Units.AngularVelocity w_band = 20 "How far below that it takes full throttle";
  parameter Saltus.Units.Inertia J = 0.2 "Moment of inertia of crankshaft and flywheel";
  Saltus.Blocks.Interfaces.RealInput throttle(unit = "1") "How far the throttle is open: 0 to 1"
    annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  Saltus.Rotational.Interfaces.OtherFlange flange "Crankshaft"
    annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  Saltus.Units.Angle phi(start = 0) "Angle of the crankshaft";
  Saltus.Units.AngularVelocity w(start = w_idle) "Speed";
  Saltus.Units.Ratio opening "Throttle that is in effect";
  Saltus.Units.Torque tau "Torque of the gas";
equation
  phi = flange.phi;
  w = der(phi);
  opening = min(1, max(throttle, (w_idle - w)/w_band));
  tau = opening*tau_max*(1 - ((w - w_peak)/(w_end - w_peak))^2);
  J*der(w) = tau - d*w + flange.tau;
  annotation(Documentation(info = "<html>
<p>At full throttle the torque over the speed is a parabola, <code>tau_max</code> at <code>w_peak</code> and nothing at
<code>w_end</code>; with less throttle it is that part of it. The drag <code>d*w</code> is always there, so that a
closed throttle brakes.</p>
<p>Below <code>w_idle</code> the engine opens its throttle itself, and does not stall unless it is forced to. The
crankshaft has the inertia <code>J</code>. What it drives is connected at <code>flange</code>.</p>
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
      Line(points = {{-40, -40}, {-15, -10}, {15, -5}, {40, -35}}, color = {200, 60, 30}),
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name", textColor = {0, 0, 255})}));
end Engine;
