within Saltus.Examples.Papers.Mattsson1999;
model Sec3_LinearTearing "A ladder of resistors: many unknowns, few after tearing"
  extends Saltus.Icons.Example;
  constant Integer N = 8 "How many rungs";
  Saltus.Electrical.Sources.SineVoltage v0(V = 10, f = 1) "Feeds the ladder"
    annotation(Placement(transformation(origin = {-60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Resistor R[N](R = {k for k in 1:N}) "Rails"
    annotation(Placement(transformation(extent = {{-20, 20}, {0, 40}})));
  Saltus.Electrical.Resistor G[N](R = {2*k for k in 1:N}) "Rungs"
    annotation(Placement(transformation(origin = {30, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
equation
  connect(v0.p, R[1].p) annotation(Line(points = {{-60, 10}, {-60, 30}, {-20, 30}}, color = {0, 0, 255}));
  connect(v0.n, ground.p)
    annotation(Line(points = {{-60, -10}, {-60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  for k in 1:N loop
    connect(R[k].n, G[k].p) annotation(Line(points = {{0, 30}, {30, 30}, {30, 10}}, color = {0, 0, 255}));
    connect(G[k].n, ground.p)
      annotation(Line(points = {{30, -10}, {30, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  end for;
  for k in 2:N loop
    connect(R[k].p, R[k - 1].n)
      annotation(Line(points = {{-20, 30}, {-30, 30}, {-30, 50}, {10, 50}, {10, 30}, {0, 30}}, color = {0, 0, 255}));
  end for;
  annotation(
    experiment(StopTime = 1, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>All currents and voltages of a ladder depend on each other. Once a few of them are presumed, the others follow one
after the other.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 3, tearing of linear systems",
      passage = "Unknowns z are divided into z1, which follow one after the other from a triangular L z1 = A z2 + b1,
and z2, for which 0 = B z1 + C z2 + b2 remains. Eliminating z1 leaves J z2 = b with J = C + B L^-1 A and b = b2 + B
L^-1 b1.",
      look = "`saltus explain` shows one linear block of 39 unknowns, of which 10 are left after tearing. One would be
enough on paper; but a resistance may be set to zero, so that no current is taken from v = R i. The paper gives
formulas only; the ladder is ours.",
      plot = {"G[1].v", "G[4].v", "G[8].v"}, modes = false, log = false)));
end Sec3_LinearTearing;
