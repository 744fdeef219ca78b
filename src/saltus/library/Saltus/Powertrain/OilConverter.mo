within Saltus.Powertrain;
model OilConverter "A torque converter whose torques build up with the flow of its oil"
  extends Saltus.Rotational.Interfaces.TwoFlanges;
  parameter Real k(unit = "N.m.s2/rad2") = 2.5e-3
    "Torque of the pump over its speed squared, while the turbine stands";
  parameter Saltus.Units.Ratio mu0(min = 1) = 2
    "Torque of the turbine over that of the pump, while the turbine stands";
  parameter Saltus.Units.Ratio nu_c(min = 0, max = 1) = 0.85
    "Speed of the turbine over that of the pump from which they share one torque";
  parameter Saltus.Units.Time T = 0.03 "Time constant of the flow";
  Saltus.Units.AngularVelocity w_pump "Speed of the pump";
  Saltus.Units.AngularVelocity w_turbine "Speed of the turbine";
  Saltus.Units.Torque tau_pump(start = 0, fixed = true) "Torque that the pump takes";
  Saltus.Units.Torque tau_turbine(start = 0, fixed = true) "Torque that the turbine gives";
  Saltus.Units.Torque tau_steady "Torque of the pump, once the flow has built up";
  Saltus.Units.Torque tau_led "That of the turbine as it is while the stator leads the oil";
  Boolean coupled "The stator runs free: both torques are the same";
equation
  w_pump = der(flange_a.phi);
  w_turbine = der(flange_b.phi);
  coupled = w_turbine > nu_c*w_pump;
  tau_steady = k*(w_pump - w_turbine)*w_pump;
  tau_led = k*(w_pump - w_turbine)*(mu0*w_pump - (mu0 - 1)*w_turbine/nu_c);
  T*der(tau_pump) = tau_steady - tau_pump;
  T*der(tau_turbine) = (if coupled then tau_steady else tau_led) - tau_turbine;
  flange_a.tau = tau_pump;
  flange_b.tau = -tau_turbine;
  annotation(Documentation(info = "<html>
<p>At rest its torques are those of <code>TorqueConverter</code>; where speeds change, they follow with the lag
<code>T</code>, since the oil has to be set in motion first. Torques that are states do not depend on speeds in the
instant: what is connected at both sides is coupled by nothing that has to be solved.</p>
<p>Flange <code>a</code> is the pump, at the engine; flange <code>b</code> the turbine. The engine must turn
forwards.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-50, 0}}, color = {95, 95, 95}),
      Line(points = {{50, 0}, {90, 0}}, color = {95, 95, 95}),
      Ellipse(extent = {{-50, 75}, {50, -75}}, lineColor = {95, 95, 95}, fillColor = {225, 235, 245},
        fillPattern = FillPattern.Solid),
      Line(points = {{-4, 74}, {-4, -74}}, color = {95, 95, 95}),
      Line(points = {{4, 74}, {4, -74}}, color = {95, 95, 95}),
      Ellipse(extent = {{-36, 52}, {36, 16}}, lineColor = {0, 90, 160}),
      Ellipse(extent = {{-36, -16}, {36, -52}}, lineColor = {0, 90, 160})}));
end OilConverter;
