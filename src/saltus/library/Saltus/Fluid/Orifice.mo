within Saltus.Fluid;
model Orifice "A narrow opening with turbulent flow"
  extends Saltus.Fluid.Interfaces.TwoPorts;
  parameter Saltus.Units.VolumeFlowRate q_nom = 1e-3 "Flow at dp_nom";
  parameter Saltus.Units.Pressure dp_nom = 1e5 "Pressure difference at q_nom";
  Saltus.Units.Ratio x "Flow over its nominal value";
equation
  x = q/q_nom;
  dp = dp_nom*x*abs(x);
  annotation(Documentation(info = "<html>
<p>The pressure difference grows with the square of the flow, either way. It is written so, and not with the root,
because the root is infinitely steep where nothing flows.</p>
<p>An outlet of area <code>a</code> has <code>q_nom = c*a*sqrt(2*dp_nom/rho)</code>, with <code>c</code> about
0.6.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 90, 180}),
      Line(points = {{0, 60}, {0, 12}}, color = {60, 60, 60}, thickness = 0.5),
      Line(points = {{0, -12}, {0, -60}}, color = {60, 60, 60}, thickness = 0.5)}));
end Orifice;
