within Saltus.Fluid;
model Valve "A control valve with turbulent flow"
  extends Saltus.Fluid.Interfaces.TwoPorts;
  parameter Saltus.Units.VolumeFlowRate q_nom = 1e-3 "Flow at dp_nom, fully open";
  parameter Saltus.Units.Pressure dp_nom = 1e5 "Pressure difference at q_nom, fully open";
  Saltus.Units.Ratio x "Flow over its nominal value";
  Saltus.Blocks.Interfaces.RealInput opening(final unit = "1") "0 shut, 1 fully open"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
equation
  x = q/q_nom;
  0 = if opening <= 0 then x else opening^2*dp/dp_nom - x*abs(x);
  annotation(Documentation(info = "<html>
<p>Open, the flow is <code>opening*q_nom*sqrt(dp/dp_nom)</code>, either way; shut, nothing flows. The law is written
with the square of the flow, which has no infinite slope where nothing flows.</p>
<p>What flows in a <code>LongPipe</code> when the valve is shut in an instant has to stop in that instant: pressures
have an impulse, the water hammer.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-50, 0}}, color = {0, 90, 180}),
      Line(points = {{50, 0}, {90, 0}}, color = {0, 90, 180}),
      Polygon(points = {{-50, 35}, {50, -35}, {50, 35}, {-50, -35}, {-50, 35}}, lineColor = {0, 90, 180},
        fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{0, 0}, {0, -100}}, color = {0, 0, 127})}));
end Valve;
