within Saltus.Rotational;
model LossyGear "A pair of wheels whose teeth rub"
  extends Saltus.Rotational.Interfaces.TwoFlanges;
  parameter Saltus.Units.Ratio ratio = 1 "Turns of flange_a for one of flange_b";
  parameter Saltus.Units.Efficiency eta = 1 "Efficiency while flange_a drives; 1: no losses";
  parameter Saltus.Units.Efficiency eta_back = eta "Efficiency while flange_b drives; 0: it cannot";
  Saltus.Units.AngularVelocity w "Speed of flange_a";
  Saltus.Units.Torque tau_a "Torque that goes in at flange_a";
  Saltus.Units.Torque tau_b "Torque that comes out at flange_b, as seen from flange_a";
  Saltus.Units.Torque loss "Torque that the teeth take, as seen from flange_a";
  Saltus.Units.Torque loss_forward "What they take in positive direction";
  Saltus.Units.Torque loss_backward "What they take in negative direction";
  Saltus.Units.Torque s "Place on the curve: the loss at rest; in motion beyond it by the speed";
  Boolean forward "It turns in positive direction";
  Boolean backward "It turns in negative direction";
protected
  constant Saltus.Units.RotationalDampingConstant unit = 1 "How s counts velocities";
equation
  flange_a.phi = ratio*flange_b.phi;
  w = der(flange_a.phi);
  tau_a = flange_a.tau;
  tau_b = -flange_b.tau/ratio;
  loss = tau_a - tau_b;

  loss_forward = max((1 - eta)*tau_a, -(1 - eta_back)*tau_b);
  loss_backward = min((1 - eta)*tau_a, -(1 - eta_back)*tau_b);
  forward = s > loss_forward;
  backward = s < loss_backward;
  unit*w = if forward then s - loss_forward elseif backward then s - loss_backward else 0;
  loss = if forward then loss_forward elseif backward then loss_backward else s;
  annotation(Documentation(info = "<html>
<p>The side that drives hands on the part <code>eta</code> of its power (<code>eta_back</code> if it is flange
<code>b</code>), and the rest becomes heat: <code>loss*w</code> is never negative. Which side drives is found from the
torques and the direction of motion.</p>
<p>At rest the teeth hold: any loss between those of both directions is possible, and the gear stands until one side
is strong enough. With <code>eta_back = 0</code> it is a worm gear, which the load can hold but never drive.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 6}, {-20, -6}}, lineColor = {95, 95, 95}, fillColor = {220, 220, 220},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{20, 6}, {90, -6}}, lineColor = {95, 95, 95}, fillColor = {220, 220, 220},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-40, 30}, {-20, -30}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{20, 50}, {40, -50}}, lineColor = {95, 95, 95}, fillColor = {220, 190, 150},
        fillPattern = FillPattern.Solid),
      Line(points = {{-20, 20}, {20, 20}}, color = {200, 60, 30}, pattern = LinePattern.Dash),
      Line(points = {{-20, -20}, {20, -20}}, color = {200, 60, 30}, pattern = LinePattern.Dash),
      Text(extent = {{-150, -60}, {150, -90}}, textString = "%ratio : 1")}));
end LossyGear;
