within Saltus.Examples.Electrical;
model SwitchedCapacitor "A capacitor that is carried to and fro is a resistor"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.ConstantVoltage V(V = 10)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-80, 0}, rotation = -90)));
  Saltus.Electrical.TwoWaySwitch S "To the battery, to the output"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-10, 20}, rotation = 90)));
  Saltus.Logic.Sources.BooleanPulse clock(period = 1e-3, width = 0.5, startTime = 5e-4) "True: to the output"
    annotation(Placement(transformation(extent = {{-30, -85}, {-10, -65}})));
  Saltus.Electrical.Capacitor C1(C = 1e-6, v(start = 10, fixed = true)) "Is carried to and fro"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-10, -20}, rotation = -90)));
  Saltus.Electrical.Capacitor C2(C = 1e-5, v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {40, 0}, rotation = -90)));
  Saltus.Electrical.Resistor load(R = 1000)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {75, 0}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-90, -70}, {-70, -50}})));
equation
  connect(V.p, S.n1)
    annotation(Line(points = {{-80, 10}, {-80, 45}, {-14, 45}, {-14, 30}}, color = {0, 0, 255}));
  connect(S.n2, C2.p)
    annotation(Line(points = {{-6, 30}, {-6, 45}, {40, 45}, {40, 10}}, color = {0, 0, 255}));
  connect(C2.p, load.p)
    annotation(Line(points = {{40, 10}, {40, 45}, {75, 45}, {75, 10}}, color = {0, 0, 255}));
  connect(S.p, C1.p)
    annotation(Line(points = {{-10, 10}, {-10, -10}}, color = {0, 0, 255}));
  connect(clock.y, S.control)
    annotation(Line(points = {{-9, -75}, {15, -75}, {15, 20}, {2, 20}}, color = {255, 0, 255}));
  connect(load.n, C2.n)
    annotation(Line(points = {{75, -10}, {75, -50}, {40, -50}, {40, -10}}, color = {0, 0, 255}));
  connect(C2.n, C1.n)
    annotation(Line(points = {{40, -10}, {40, -50}, {-10, -50}, {-10, -30}}, color = {0, 0, 255}));
  connect(C1.n, V.n)
    annotation(Line(points = {{-10, -30}, {-10, -50}, {-80, -50}, {-80, -10}}, color = {0, 0, 255}));
  connect(ground.p, V.n)
    annotation(Line(points = {{-80, -50}, {-80, -10}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>A thousand times a second the capacitor takes the charge <code>C1*V</code> from the battery and shares it with
the output: on the average a current of <code>f*C1</code> times the difference of the voltages, as a resistor of
1000 ohms would carry. This is how resistors are made on chips.</p>
<p><b>What to look at:</b> <code>C2.v</code> climbs in steps to 5 V, half of the battery, because the load has 1000
ohms too. <code>C1.v</code> jumps at each change of the switch, up by an impulse from the battery and down by one to
the output.</p>
</html>"),
    experiment(StopTime = 0.04, Tolerance = 1e-8, Interval = 0.0001));
end SwitchedCapacitor;
