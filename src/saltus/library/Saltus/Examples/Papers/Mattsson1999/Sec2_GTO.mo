within Saltus.Examples.Papers.Mattsson1999;
model Sec2_GTO "A chopper with a GTO thyristor"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Time T = 2e-3 "Period of the chopper";
  parameter Saltus.Units.Ratio on = 0.3 "Part of the period for which it is fired";
  Saltus.Electrical.Sources.ConstantVoltage v0(V = 12) "Battery"
    annotation(Placement(transformation(origin = {-70, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.IdealGTO GTO(fire = mod(time, T) < on*T) "Cuts the current off"
    annotation(Placement(transformation(extent = {{-40, 20}, {-20, 40}})));
  Parts.IdealDiode diode "In which the current goes on"
    annotation(Placement(transformation(origin = {-10, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
  Saltus.Electrical.Inductor L(L = 5e-3, i(start = 0, fixed = true)) "Smooths"
    annotation(Placement(transformation(extent = {{20, 20}, {40, 40}})));
  Saltus.Electrical.Resistor R(R = 1) "Load"
    annotation(Placement(transformation(origin = {70, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-20, -60}, {0, -40}})));
equation
  connect(v0.p, GTO.p) annotation(Line(points = {{-70, 10}, {-70, 30}, {-40, 30}}, color = {0, 0, 255}));
  connect(GTO.n, L.p) annotation(Line(points = {{-20, 30}, {20, 30}}, color = {0, 0, 255}));
  connect(diode.n, L.p) annotation(Line(points = {{-10, 10}, {-10, 30}, {20, 30}}, color = {0, 0, 255}));
  connect(L.n, R.p) annotation(Line(points = {{40, 30}, {70, 30}, {70, 10}}, color = {0, 0, 255}));
  connect(R.n, ground.p)
    annotation(Line(points = {{70, -10}, {70, -30}, {-10, -30}, {-10, -40}}, color = {0, 0, 255}));
  connect(diode.p, ground.p) annotation(Line(points = {{-10, -10}, {-10, -40}}, color = {0, 0, 255}));
  connect(v0.n, ground.p)
    annotation(Line(points = {{-70, -10}, {-70, -30}, {-10, -30}, {-10, -40}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 0.02, Tolerance = 1e-9, Interval = 5e-5),
    Documentation(info = "<html>
<p>When the GTO is turned off, its current must go elsewhere in the same instant: the diode takes it over.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 2, the ideal GTO thyristor",
      passage = "An ideal GTO thyristor is the diode with another condition: it is off where s is negative or where it
is not fired.",
      look = "At each turn-off GTO and diode change at once, and the current of the inductor has a corner but no jump.
The paper gives one equation and no circuit; the chopper is ours.",
      plot = {"L.i", "GTO.i", "diode.i"}, modes = true, log = true)));
end Sec2_GTO;
