within Saltus.Examples.Electrical;
model HBridgeDrive "Four transistors turn a motor forward and backward"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Time period = 1e-3 "Of the pulses";
  Saltus.Electrical.Sources.ConstantVoltage V(V = 24)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-90, 0}, rotation = -90)));
  Saltus.Electrical.Transistor T1(gate = on)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-40, 50}, rotation = -90)));
  Saltus.Electrical.Transistor T2(gate = not on)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-40, -50}, rotation = -90)));
  Saltus.Electrical.Transistor T3(gate = not on)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {70, 50}, rotation = -90)));
  Saltus.Electrical.Transistor T4(gate = on)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {70, -50}, rotation = -90)));
  Saltus.Electrical.DCMotor motor(i(start = 0, fixed = true), phi(start = 0, fixed = true), w(start = 0,
    fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Rotational.Inertia load(J = 1e-4)
    annotation(Placement(transformation(extent = {{25, -10}, {45, 10}})));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-100, -100}, {-80, -80}})));
  Saltus.Units.Ratio duty = if time < 0.1 then 0.8 elseif time < 0.2 then 0.8 - 0.6*(time - 0.1)/0.1 else 0.2
    "Part of the period for which the motor is connected forward";
  Boolean on = mod(time, period) < duty*period "The motor is connected forward";
  Saltus.Units.Energy E(start = 0, fixed = true) "Given by the battery";
equation
  der(E) = -V.v*V.i;
  connect(V.p, T1.p)
    annotation(Line(points = {{-90, 10}, {-90, 70}, {-40, 70}, {-40, 60}}, color = {0, 0, 255}));
  connect(T1.p, T3.p)
    annotation(Line(points = {{-40, 60}, {-40, 70}, {70, 70}, {70, 60}}, color = {0, 0, 255}));
  connect(V.n, T2.n)
    annotation(Line(points = {{-90, -10}, {-90, -70}, {-40, -70}, {-40, -60}}, color = {0, 0, 255}));
  connect(T2.n, T4.n)
    annotation(Line(points = {{-40, -60}, {-40, -70}, {70, -70}, {70, -60}}, color = {0, 0, 255}));
  connect(T1.n, T2.p)
    annotation(Line(points = {{-40, 40}, {-40, -40}}, color = {0, 0, 255}));
  connect(T3.n, T4.p)
    annotation(Line(points = {{70, 40}, {70, -40}}, color = {0, 0, 255}));
  connect(motor.p, T1.n)
    annotation(Line(points = {{-10, 6}, {-40, 6}, {-40, 40}}, color = {0, 0, 255}));
  connect(motor.n, T4.p)
    annotation(Line(points = {{-10, -6}, {-20, -6}, {-20, -25}, {70, -25}, {70, -40}}, color = {0, 0, 255}));
  connect(motor.flange, load.flange_a)
    annotation(Line(points = {{10, 0}, {25, 0}}, color = {95, 95, 95}));
  connect(ground.p, V.n)
    annotation(Line(points = {{-90, -80}, {-90, -10}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>For a part <code>duty</code> of each period T1 and T4 connect the motor forward with the battery, for the rest T2
and T3 connect it backward: the mean voltage is <code>(2*duty - 1)*V</code>. From 0.1 s to 0.2 s the duty falls from
0.8 to 0.2, and the motor is turned round.</p>
<p><b>What to look at:</b> <code>motor.w</code> follows the mean voltage divided by <code>k</code>, from 288 rad/s
forward to 288 rad/s backward. While it slows down, its current is negative and it is a generator: <code>E</code>,
the energy that the battery has given, falls for a while. A part of the energy of the shaft comes back, through
transistors that carry it backward; the rest becomes heat in the windings.</p>
</html>"),
    experiment(StopTime = 0.35, Tolerance = 1e-6, Interval = 0.0005));
end HBridgeDrive;
