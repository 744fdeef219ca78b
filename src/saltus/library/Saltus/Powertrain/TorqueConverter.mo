within Saltus.Powertrain;
model TorqueConverter "A pump drives a turbine through oil"
  extends Saltus.Rotational.Interfaces.TwoFlanges;
  parameter Real k(unit = "N.m.s2/rad2") = 2.5e-3
    "Torque of the pump over its speed squared, while the turbine stands";
  parameter Saltus.Units.Ratio mu0(min = 1) = 2
    "Torque of the turbine over that of the pump, while the turbine stands";
  parameter Saltus.Units.Ratio nu_c(min = 0, max = 1) = 0.85
    "Speed of the turbine over that of the pump from which they share one torque";
  Saltus.Units.AngularVelocity w_pump "Speed of the pump";
  Saltus.Units.AngularVelocity w_turbine "Speed of the turbine";
  Saltus.Units.Torque tau_pump "Torque that the pump takes";
  Saltus.Units.Torque tau_turbine "Torque that the turbine gives";
  Boolean coupled "The stator runs free: both torques are the same";
equation
  w_pump = der(flange_a.phi);
  w_turbine = der(flange_b.phi);
  coupled = w_turbine > nu_c*w_pump;
  tau_pump = k*(w_pump - w_turbine)*w_pump;
  tau_turbine = if coupled then tau_pump else k*(w_pump - w_turbine)*(mu0*w_pump - (mu0 - 1)*w_turbine/nu_c);
  flange_a.tau = tau_pump;
  flange_b.tau = -tau_turbine;
  annotation(Documentation(info = "<html>
<p>Flange <code>a</code> is the pump, at the engine; flange <code>b</code> the turbine. The torque of the pump is
<code>k*w_pump^2</code> while the turbine stands, and falls to nothing as the turbine gains its speed. The stator
makes more torque at the turbine, <code>mu0</code> times as much at a standing one, less the faster it turns, until
from the ratio <code>nu_c</code> on both are the same.</p>
<p>What is lost heats the oil. A vehicle can stand with its engine idling, and creeps if nobody brakes. The engine
must turn forwards.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-50, 0}}, color = {95, 95, 95}),
      Line(points = {{50, 0}, {90, 0}}, color = {95, 95, 95}),
      Ellipse(extent = {{-50, 75}, {50, -75}}, lineColor = {95, 95, 95}, fillColor = {225, 235, 245},
        fillPattern = FillPattern.Solid),
      Line(points = {{-4, 74}, {-4, -74}}, color = {95, 95, 95}),
      Line(points = {{4, 74}, {4, -74}}, color = {95, 95, 95}),
      Line(points = {{-36, 30}, {-14, 52}, {14, 52}, {36, 30}}, color = {0, 90, 160}),
      Line(points = {{36, -30}, {14, -52}, {-14, -52}, {-36, -30}}, color = {0, 90, 160})}));
end TorqueConverter;
