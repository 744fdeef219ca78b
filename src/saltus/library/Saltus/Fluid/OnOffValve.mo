within Saltus.Fluid;
model OnOffValve "A valve that is open or shut, with turbulent flow"
  extends Saltus.Fluid.Interfaces.TwoPorts;
  parameter Saltus.Units.VolumeFlowRate q_nom = 1e-3 "Flow at dp_nom, open";
  parameter Saltus.Units.Pressure dp_nom = 1e5 "Pressure difference at q_nom, open; 0: no resistance";
  Saltus.Units.Ratio x "Flow over its nominal value";
  Saltus.Blocks.Interfaces.BooleanInput open "It is open"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
equation
  x = q/q_nom;
  0 = if open then dp - dp_nom*x*abs(x) else q;
  annotation(Documentation(info = "<html>
<p>Open it is an <code>Orifice</code>, shut nothing flows. With <code>dp_nom = 0</code> it is an ideal valve: open,
there is no pressure difference.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-50, 0}}, color = {0, 90, 180}),
      Line(points = {{50, 0}, {90, 0}}, color = {0, 90, 180}),
      Polygon(points = {{-50, 35}, {50, -35}, {50, 35}, {-50, -35}, {-50, 35}}, lineColor = {0, 90, 180},
        fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{0, 0}, {0, -100}}, color = {255, 0, 255})}));
end OnOffValve;
