within Saltus.Examples.Electrical;
model CurrentMirror "A current is copied, measured and shown"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage V(V = 1, f = 50, offset = 2) "Input"
    annotation(Placement(transformation(origin = {-85, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor Rin(R = 1000) "Makes a current of the input"
    annotation(Placement(transformation(extent = {{-70, 25}, {-50, 45}})));
  Saltus.Electrical.Sources.CurrentControlledCurrent mirror(gain = 3) "Draws three times the current"
    annotation(Placement(transformation(extent = {{-35, -10}, {-15, 10}})));
  Saltus.Electrical.Sources.CurrentControlledVoltage meter(rm = 1000) "One volt per milliampere"
    annotation(Placement(transformation(extent = {{0, 20}, {20, 40}})));
  Saltus.Electrical.Sources.VoltageControlledVoltage buffer(gain = 1) "Takes no current from the meter"
    annotation(Placement(transformation(extent = {{35, -10}, {55, 10}})));
  Saltus.Electrical.Resistor out(R = 8) "A heavy load"
    annotation(Placement(transformation(origin = {68, 0}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Resistor load(R = 500) "Where the copy of the current flows"
    annotation(Placement(transformation(origin = {50, 65}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Electrical.Sources.ConstantVoltage supply(V = 12) "Gives the power of the load"
    annotation(Placement(transformation(origin = {90, 35}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  Saltus.Electrical.Ground ground "Potential zero"
    annotation(Placement(transformation(extent = {{-95, -70}, {-75, -50}})));
equation
  connect(V.p, Rin.p) annotation(Line(points = {{-85, 10}, {-85, 35}, {-70, 35}}, color = {0, 0, 255}));
  connect(Rin.n, mirror.p1) annotation(Line(points = {{-50, 35}, {-45, 35}, {-45, 5}, {-35, 5}}, color = {0, 0, 255}));
  connect(mirror.n1, ground.p)
    annotation(Line(points = {{-35, -5}, {-45, -5}, {-45, -50}, {-85, -50}}, color = {0, 0, 255}));
  connect(mirror.n2, ground.p)
    annotation(Line(points = {{-15, -5}, {-8, -5}, {-8, -50}, {-85, -50}}, color = {0, 0, 255}));
  connect(supply.p, load.p) annotation(Line(points = {{90, 45}, {90, 65}, {60, 65}}, color = {0, 0, 255}));
  connect(load.n, meter.p1) annotation(Line(points = {{40, 65}, {-8, 65}, {-8, 35}, {0, 35}}, color = {0, 0, 255}));
  connect(meter.n1, mirror.p2) annotation(Line(points = {{0, 25}, {-8, 25}, {-8, 5}, {-15, 5}}, color = {0, 0, 255}));
  connect(meter.p2, buffer.p1) annotation(Line(points = {{20, 35}, {28, 35}, {28, 5}, {35, 5}}, color = {0, 0, 255}));
  connect(meter.n2, ground.p)
    annotation(Line(points = {{20, 25}, {24, 25}, {24, -50}, {-85, -50}}, color = {0, 0, 255}));
  connect(buffer.n1, ground.p) annotation(Line(points = {{35, -5}, {35, -50}, {-85, -50}}, color = {0, 0, 255}));
  connect(buffer.p2, out.p)
    annotation(Line(points = {{55, 5}, {58, 5}, {58, 20}, {68, 20}, {68, 10}}, color = {0, 0, 255}));
  connect(buffer.n2, ground.p) annotation(Line(points = {{55, -5}, {55, -50}, {-85, -50}}, color = {0, 0, 255}));
  connect(out.n, ground.p) annotation(Line(points = {{68, -10}, {68, -50}, {-85, -50}}, color = {0, 0, 255}));
  connect(supply.n, ground.p) annotation(Line(points = {{90, 25}, {90, -50}, {-85, -50}}, color = {0, 0, 255}));
  connect(V.n, ground.p) annotation(Line(points = {{-85, -10}, {-85, -50}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.04, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The input makes a current of 2 mA that goes up and down by 1 mA. The mirror draws three times as much through the
load, whatever the supply. A meter makes a volt of each milliampere, and a buffer gives it to a heavy load.</p>
<p>What to look at: <code>load.i</code> is three times <code>Rin.i</code>; <code>out.v</code> has the same shape, and
its power comes from the buffer, not from the meter.</p>
</html>"));
end CurrentMirror;
