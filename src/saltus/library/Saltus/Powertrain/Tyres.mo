within Saltus.Powertrain;
model Tyres "Driven wheels that have to slip before they pull"
  extends Saltus.Rotational.Interfaces.TwoFlanges;
  parameter Saltus.Units.RotationalSpringConstant c = 2e4
    "Stiffness at rest of shafts and tyres together, about the axle";
  parameter Saltus.Units.Length r = 0.3 "Radius of the wheels";
  parameter Saltus.Units.Length sigma = 0.3 "Way on which a tyre renews its contact with the road";
  Saltus.Units.AngularVelocity w_rel "Speed of the wheels ahead of that of the road";
  Saltus.Units.AngularVelocity w_road "Speed of wheels that do not slip";
  Saltus.Units.Torque tau(start = 0, fixed = true) "Torque that is handed on";
equation
  w_road = der(flange_b.phi);
  w_rel = der(flange_a.phi) - w_road;
  der(tau) = c*w_rel - abs(w_road)*r/sigma*tau;
  flange_a.tau = tau;
  flange_b.tau = -tau;
  annotation(Documentation(info = "<html>
<p>Flange <code>a</code> is the axle, flange <code>b</code> the vehicle. What stands is elastic, with the stiffness
<code>c</code>; what rolls lays down new rubber all the time, and needs a slip of <code>tau*r/(c*sigma)</code>, the
part by which the wheels are faster than the road, to hand on <code>tau</code>. In between the contact is renewed on
the way <code>sigma</code>, the relaxation length. The tyres do not lose their grip.</p>
<p>It swings as a spring does, the less the faster the vehicle goes.</p>
</html>"),
    Icon(graphics = {
      Ellipse(extent = {{-70, 70}, {70, -70}}, lineColor = {60, 60, 60}, fillColor = {120, 120, 120},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-45, 45}, {45, -45}}, lineColor = {60, 60, 60}, fillColor = {225, 228, 235},
        fillPattern = FillPattern.Solid),
      Line(points = {{-100, 0}, {0, 0}}, color = {95, 95, 95}),
      Line(points = {{70, 0}, {90, 0}}, color = {95, 95, 95}),
      Line(points = {{-80, -74}, {80, -74}}, color = {95, 95, 95})}));
end Tyres;
