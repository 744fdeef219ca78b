within Saltus.Examples.Papers.Mattsson1999;
model Sec2_Thyristor "Phase control of a load with a thyristor"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Time T = 0.02 "Period of the source";
  parameter Saltus.Units.Time delay_of_fire = 0.004 "From the beginning of a period";
  parameter Saltus.Units.Time width = 5e-4 "How long it is fired";
  Saltus.Electrical.Sources.SineVoltage v0(V = 10, f = 50) "Mains"
    annotation(Placement(transformation(origin = {-70, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.IdealThyristor thyristor(fire = mod(time - delay_of_fire, T) < width) "Fired once in each period"
    annotation(Placement(transformation(extent = {{-40, 20}, {-20, 40}})));
  Saltus.Electrical.Resistor R(R = 5) "Load"
    annotation(Placement(transformation(extent = {{0, 20}, {20, 40}})));
  Saltus.Electrical.Inductor L(L = 0.02, i(start = 0, fixed = true)) "Its inductance"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
equation
  connect(v0.p, thyristor.p) annotation(Line(points = {{-70, 10}, {-70, 30}, {-40, 30}}, color = {0, 0, 255}));
  connect(thyristor.n, R.p) annotation(Line(points = {{-20, 30}, {0, 30}}, color = {0, 0, 255}));
  connect(R.n, L.p) annotation(Line(points = {{20, 30}, {60, 30}, {60, 10}}, color = {0, 0, 255}));
  connect(L.n, ground.p) annotation(Line(points = {{60, -10}, {60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(v0.n, ground.p)
    annotation(Line(points = {{-70, -10}, {-70, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 0.06, Tolerance = 1e-9, Interval = 1e-4),
    Documentation(info = "<html>
<p>Fired 4 ms after the beginning of each period, it conducts until the current ends, long after the source has
changed its sign.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 2, the ideal thyristor",
      passage = "An ideal thyristor is off where s is negative, or where it was off before and is not fired: off = s <
0 or pre(off) and not fire, with pre(x) for the left limit.",
      look = "The current begins with the pulse and goes on after it. In series with an inductor it is a state while
the thyristor is on and no state while it is off: look at the modes. The paper gives one equation and no circuit; the
load is ours.",
      plot = {"L.i", "thyristor.v", "thyristor.fire"}, modes = true, log = true)));
end Sec2_Thyristor;
