within Saltus.Examples.Electrical;
model Gyrator "Two controlled sources make an inductor of a capacitor"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.StepVoltage V(V = 1, startTime = 0.01) "Switched on after 10 ms"
    annotation(Placement(transformation(origin = {-80, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor R(R = 100) "In series with the gyrator"
    annotation(Placement(transformation(extent = {{-60, 30}, {-40, 50}})));
  Saltus.Electrical.Sources.VoltageControlledCurrent forward(gm = 1e-3) "Charges the capacitor"
    annotation(Placement(transformation(extent = {{-10, 10}, {10, 30}})));
  Saltus.Electrical.Sources.VoltageControlledCurrent back(gm = 1e-3) "Draws a current as the charge demands"
    annotation(Placement(transformation(extent = {{10, -40}, {-10, -20}})));
  Saltus.Electrical.Capacitor C(C = 1e-6, v(start = 0, fixed = true)) "Looks like one henry"
    annotation(Placement(transformation(origin = {50, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor R2(R = 100) "In series with a true coil"
    annotation(Placement(transformation(extent = {{-20, 65}, {0, 85}})));
  Saltus.Electrical.Inductor L2(L = 1, i(start = 0, fixed = true)) "The true coil"
    annotation(Placement(transformation(extent = {{30, 65}, {50, 85}})));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-90, -90}, {-70, -70}})));
equation
  connect(V.p, R.p) annotation(Line(points = {{-80, 10}, {-80, 40}, {-60, 40}}, color = {0, 0, 255}));
  connect(R.n, forward.p1) annotation(Line(points = {{-40, 40}, {-25, 40}, {-25, 25}, {-10, 25}}, color = {0, 0, 255}));
  connect(R.n, back.p2) annotation(Line(points = {{-40, 40}, {-25, 40}, {-25, -25}, {-10, -25}}, color = {0, 0, 255}));
  connect(forward.n2, C.p) annotation(Line(points = {{10, 15}, {50, 15}, {50, 10}}, color = {0, 0, 255}));
  connect(C.p, back.p1)
    annotation(Line(points = {{50, 10}, {50, 15}, {20, 15}, {20, -25}, {10, -25}}, color = {0, 0, 255}));
  connect(forward.p2, ground.p)
    annotation(Line(points = {{10, 25}, {30, 25}, {30, -70}, {-80, -70}}, color = {0, 0, 255}));
  connect(forward.n1, ground.p)
    annotation(Line(points = {{-10, 15}, {-18, 15}, {-18, -70}, {-80, -70}}, color = {0, 0, 255}));
  connect(back.n1, ground.p)
    annotation(Line(points = {{10, -35}, {15, -35}, {15, -70}, {-80, -70}}, color = {0, 0, 255}));
  connect(back.n2, ground.p) annotation(Line(points = {{-10, -35}, {-10, -70}, {-80, -70}}, color = {0, 0, 255}));
  connect(C.n, ground.p) annotation(Line(points = {{50, -10}, {50, -70}, {-80, -70}}, color = {0, 0, 255}));
  connect(V.p, R2.p) annotation(Line(points = {{-80, 10}, {-80, 75}, {-20, 75}}, color = {0, 0, 255}));
  connect(R2.n, L2.p) annotation(Line(points = {{0, 75}, {30, 75}}, color = {0, 0, 255}));
  connect(L2.n, ground.p) annotation(Line(points = {{50, 75}, {90, 75}, {90, -70}, {-80, -70}}, color = {0, 0, 255}));
  connect(V.n, ground.p) annotation(Line(points = {{-80, -10}, {-80, -70}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.06, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>Each source is controlled by the voltage at the other: what is a voltage on one side is a current on the other. So
the capacitor of one microfarad looks like an inductance of <code>C/gm^2</code>, one henry, which no integrated
circuit could hold.</p>
<p>What to look at: <code>R.i</code>, into the gyrator, and <code>R2.i</code>, through a true coil, are the same
curve.</p>
</html>"));
end Gyrator;
