within Saltus.Powertrain;
block Driver "Keeps a velocity with throttle and brake"
  extends Saltus.Icons.Block;
  parameter Real k_throttle(unit = "s/m") = 0.3 "Throttle for each metre per second that is missing";
  parameter Real k_brake(unit = "s/m") = 0.15 "Brake for each metre per second that is too much";
  Saltus.Blocks.Interfaces.RealInput v_set(unit = "m/s") "Velocity that is wanted"
    annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  Saltus.Blocks.Interfaces.RealInput v(unit = "m/s") "Velocity of the vehicle"
    annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
  Saltus.Blocks.Interfaces.RealOutput throttle(unit = "1") "0 to 1"
    annotation(Placement(transformation(extent = {{100, 50}, {120, 70}})));
  Saltus.Blocks.Interfaces.RealOutput brake(unit = "1") "0 to 1"
    annotation(Placement(transformation(extent = {{100, -70}, {120, -50}})));
equation
  throttle = min(1, max(0, k_throttle*(v_set - v)));
  brake = min(1, max(0, k_brake*(v - v_set)));
  annotation(Documentation(info = "<html>
<p>Opens the throttle in proportion to the velocity that is missing, and brakes in proportion to what is too much; each
at most fully. With <code>v_set</code> a little below zero the car is held when it stands.</p>
</html>"),
    Icon(graphics = {
      Ellipse(extent = {{-50, 50}, {50, -50}}, lineColor = {60, 60, 60}, lineThickness = 1),
      Ellipse(extent = {{-12, 12}, {12, -12}}, lineColor = {60, 60, 60}, fillColor = {120, 120, 120},
        fillPattern = FillPattern.Solid),
      Line(points = {{-50, 0}, {-12, 0}}, color = {60, 60, 60}, thickness = 1),
      Line(points = {{12, 0}, {50, 0}}, color = {60, 60, 60}, thickness = 1),
      Line(points = {{0, -12}, {0, -50}}, color = {60, 60, 60}, thickness = 1)}));
end Driver;
