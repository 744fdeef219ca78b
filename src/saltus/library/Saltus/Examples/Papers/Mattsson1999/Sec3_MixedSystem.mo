within Saltus.Examples.Papers.Mattsson1999;
model Sec3_MixedSystem "A bridge: four Booleans and many Reals in one system"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage v0(V = 10, f = 50) "Mains"
    annotation(Placement(transformation(origin = {-80, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Resistor R1(R = 1) "Inside the source"
    annotation(Placement(transformation(extent = {{-70, 50}, {-50, 70}})));
  Parts.IdealDiode D1 "From the first wire to plus"
    annotation(Placement(transformation(origin = {-20, 40}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
  Parts.IdealDiode D2 "From the second wire to plus"
    annotation(Placement(transformation(origin = {20, 40}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
  Parts.IdealDiode D3 "From minus to the first wire"
    annotation(Placement(transformation(origin = {-20, -20}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
  Parts.IdealDiode D4 "From minus to the second wire"
    annotation(Placement(transformation(origin = {20, -20}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
  Saltus.Electrical.Resistor R2(R = 9) "Load"
    annotation(Placement(transformation(origin = {70, 10}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "At minus"
    annotation(Placement(transformation(extent = {{60, -80}, {80, -60}})));
equation
  connect(v0.p, R1.p) annotation(Line(points = {{-80, 10}, {-80, 60}, {-70, 60}}, color = {0, 0, 255}));
  connect(R1.n, D1.p)
    annotation(Line(points = {{-50, 60}, {-40, 60}, {-40, 20}, {-20, 20}, {-20, 30}}, color = {0, 0, 255}));
  connect(D3.n, D1.p) annotation(Line(points = {{-20, -10}, {-20, 30}}, color = {0, 0, 255}));
  connect(v0.n, D4.n)
    annotation(Line(points = {{-80, -10}, {-80, -50}, {0, -50}, {0, 0}, {20, 0}, {20, -10}}, color = {0, 0, 255}));
  connect(D4.n, D2.p) annotation(Line(points = {{20, -10}, {20, 30}}, color = {0, 0, 255}));
  connect(D1.n, R2.p) annotation(Line(points = {{-20, 50}, {-20, 80}, {70, 80}, {70, 20}}, color = {0, 0, 255}));
  connect(D2.n, R2.p) annotation(Line(points = {{20, 50}, {20, 80}, {70, 80}, {70, 20}}, color = {0, 0, 255}));
  connect(D3.p, ground.p) annotation(Line(points = {{-20, -30}, {-20, -60}, {70, -60}}, color = {0, 0, 255}));
  connect(D4.p, ground.p) annotation(Line(points = {{20, -30}, {20, -60}, {70, -60}}, color = {0, 0, 255}));
  connect(R2.n, ground.p) annotation(Line(points = {{70, 0}, {70, -60}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 0.04, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>Four diodes change at the same instant, when the source changes its sign: each Boolean depends on Reals that depend
on all Booleans.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 3, mixed equation systems",
      passage = "At an event equations (1) are a mixed system with Real and Boolean unknowns. Dymola solves it where
each Boolean has an equation that is an assignment: the Reals are solved in the usual way, and the Booleans are
iterated to a fixed point. Experience with this is good; putting the Booleans into a nonlinear system has bad
numerical properties.",
      look = "At every zero of the source two diodes turn off and two turn on in one event. The load gets 9/10 of the
absolute value of the wave. The paper has one diode; the bridge is ours.",
      plot = {"R2.v", "D1.i", "D2.i"}, modes = true, log = true)));
end Sec3_MixedSystem;
