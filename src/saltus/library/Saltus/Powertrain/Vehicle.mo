within Saltus.Powertrain;
model Vehicle "A car as its axle sees it: mass, rolling resistance, drag of the air, slope and brakes"
  parameter Saltus.Units.Mass m = 1500 "Mass";
  parameter Saltus.Units.Length r = 0.3 "Radius of the wheels";
  parameter Saltus.Units.Ratio c_roll(min = 0) = 0.012 "Rolling resistance over weight";
  parameter Saltus.Units.Area c_drag(min = 0) = 0.7 "Drag coefficient times front area";
  parameter Saltus.Units.Density rho = 1.2 "Density of the air";
  parameter Saltus.Units.Angle slope = 0 "Slope of the road; positive: uphill";
  parameter Saltus.Units.Force f_brake(min = 0) = 12000 "Force of the brakes at brake = 1";
  Saltus.Rotational.Interfaces.Flange flange "Axle"
    annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  Saltus.Blocks.Interfaces.RealInput brake(unit = "1") "How hard the brakes are pressed: 0 to 1"
    annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  Saltus.Blocks.Interfaces.RealOutput v(unit = "m/s") "Velocity"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  Saltus.Units.Position x(start = 0) "Way along the road";
  Saltus.Units.Acceleration a "Acceleration";
  Saltus.Units.Force f_dry "Force of rolling resistance and brakes against the motion";
  Saltus.Units.Force f_rub "What of it there is";
  Saltus.Units.Force f_air "Drag of the air";
  Saltus.Units.Force s "Place on the curve of the dry forces: the force at rest; beyond f_dry by the velocity";
  Boolean forward "It rolls forwards";
  Boolean backward "It rolls backwards";
protected
  constant Saltus.Units.TranslationalDampingConstant unit = 1 "How s counts velocities";
equation
  x = r*flange.phi;
  v = der(x);
  a = der(v);
  f_dry = c_roll*m*Saltus.Units.g*cos(slope) + f_brake*max(0, brake);
  forward = s > f_dry;
  backward = s < -f_dry;
  unit*v = if forward then s - f_dry elseif backward then s + f_dry else 0;
  f_rub = if forward then f_dry elseif backward then -f_dry else s;
  f_air = rho/2*c_drag*v*abs(v);
  m*a = flange.tau/r - f_rub - f_air - m*Saltus.Units.g*sin(slope);
  annotation(Documentation(info = "<html>
<p>The torque of the axle over the radius of the wheels is the force that drives. Against it are the drag of the air,
the weight on a slope, and what is dry: rolling resistance and brakes, which hold the car at rest as well.</p>
<p>The wheels do not slip, and their inertia is neglected; connect an <code>Inertia</code> to count it. A car that
stands has no state for its velocity.</p>
</html>"),
    Icon(graphics = {
      Polygon(points = {{-80, -30}, {-80, 0}, {-50, 5}, {-30, 40}, {30, 40}, {55, 5}, {85, 0}, {85, -30}, {-80, -30}},
        lineColor = {95, 95, 95}, fillColor = {225, 228, 235}, fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-65, -10}, {-25, -50}}, lineColor = {60, 60, 60}, fillColor = {120, 120, 120},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{30, -10}, {70, -50}}, lineColor = {60, 60, 60}, fillColor = {120, 120, 120},
        fillPattern = FillPattern.Solid),
      Line(points = {{-90, 0}, {-80, 0}}, color = {95, 95, 95}),
      Line(points = {{-100, -50}, {100, -50}}, color = {95, 95, 95}),
      Line(points = {{-100, 60}, {-60, 60}, {-45, -10}}, color = {0, 0, 127}),
      Line(points = {{85, 0}, {100, 0}}, color = {0, 0, 127}),
      Text(extent = {{-150, 120}, {150, 80}}, textString = "%name", textColor = {0, 0, 255})}));
end Vehicle;
