within Saltus.Examples.Electrical;
model SynchronousBuck "Two transistors, and what happens while neither has its gate on"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.ConstantVoltage V(V = 12)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-90, 0}, rotation = -90)));
  Saltus.Logic.Sources.BooleanPulse high(period = 1e-4, width = 0.45) "Gate of the upper transistor"
    annotation(Placement(transformation(extent = {{-70, 30}, {-50, 50}})));
  Saltus.Logic.Sources.BooleanPulse low(period = 1e-4, width = 0.45, startTime = 5e-5) "Gate of the lower one"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Electrical.Transistor T1(Ron = 0.02, Vknee = 0.8) "Upper"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-20, 40}, rotation = -90)));
  Saltus.Electrical.Transistor T2(Ron = 0.02, Vknee = 0.8) "Lower"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-20, 0}, rotation = -90)));
  Saltus.Electrical.Inductor L(L = 0.0005, i(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{5, 10}, {25, 30}})));
  Saltus.Electrical.Capacitor C(C = 1e-4, v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {45, -10}, rotation = -90)));
  Saltus.Electrical.Resistor load(R = 2)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {80, -10}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-100, -70}, {-80, -50}})));
equation
  connect(V.p, T1.p)
    annotation(Line(points = {{-90, 10}, {-90, 60}, {-20, 60}, {-20, 50}}, color = {0, 0, 255}));
  connect(T1.n, T2.p)
    annotation(Line(points = {{-20, 30}, {-20, 10}}, color = {0, 0, 255}));
  connect(T1.n, L.p)
    annotation(Line(points = {{-20, 30}, {-20, 20}, {5, 20}}, color = {0, 0, 255}));
  connect(L.n, C.p)
    annotation(Line(points = {{25, 20}, {45, 20}, {45, 0}}, color = {0, 0, 255}));
  connect(C.p, load.p)
    annotation(Line(points = {{45, 0}, {45, 20}, {80, 20}, {80, 0}}, color = {0, 0, 255}));
  connect(load.n, C.n)
    annotation(Line(points = {{80, -20}, {80, -50}, {45, -50}, {45, -20}}, color = {0, 0, 255}));
  connect(C.n, T2.n)
    annotation(Line(points = {{45, -20}, {45, -50}, {-20, -50}, {-20, -10}}, color = {0, 0, 255}));
  connect(T2.n, V.n)
    annotation(Line(points = {{-20, -10}, {-20, -50}, {-90, -50}, {-90, -10}}, color = {0, 0, 255}));
  connect(ground.p, V.n)
    annotation(Line(points = {{-90, -50}, {-90, -10}}, color = {0, 0, 255}));
  connect(high.y, T1.gate)
    annotation(Line(points = {{-49, 40}, {-32, 40}}, color = {255, 0, 255}));
  connect(low.y, T2.gate)
    annotation(Line(points = {{-49, 0}, {-32, 0}}, color = {255, 0, 255}));
  annotation(Documentation(info = "<html>
<p>The lower transistor stands where other converters have a diode: while its gate is on, the current flows backward
through its channel, at 0.02 ohm. Both gates must never be on together, so there is a dead time of 5 microseconds at
each change, in which the current goes through the diode of the lower transistor, at 0.8 V.</p>
<p><b>What to look at:</b> zoom into <code>T2.v</code>: 12 V while the upper transistor conducts, then -0.85 V for
the dead time, then -0.05 V, and -0.85 V again. The output settles at 5.27 V: 45 % of the battery, less what the
diode and the resistances take. With <code>--set T2.Vknee=0</code> it is 5.35 V.</p>
</html>"),
    experiment(StopTime = 0.008, Tolerance = 1e-7, Interval = 1e-5));
end SynchronousBuck;
