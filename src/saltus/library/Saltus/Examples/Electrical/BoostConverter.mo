within Saltus.Examples.Electrical;
model BoostConverter "From 12 V up to 24 V"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.ConstantVoltage V(V = 12)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-90, 0}, rotation = -90)));
  Saltus.Logic.Sources.BooleanPulse pwm(period = 1e-4, width = 0.5) "10 kHz"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Electrical.Inductor L(L = 0.001, i(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-65, 30}, {-45, 50}})));
  Saltus.Electrical.Transistor T
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-25, 0}, rotation = -90)));
  Saltus.Electrical.Diode D
    annotation(Placement(transformation(extent = {{-5, 30}, {15, 50}})));
  Saltus.Electrical.Capacitor C(C = 1e-4, v(start = 12, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {35, 0}, rotation = -90)));
  Saltus.Electrical.Resistor load(R = 24)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {70, 0}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-100, -70}, {-80, -50}})));
equation
  connect(V.p, L.p)
    annotation(Line(points = {{-90, 10}, {-90, 40}, {-65, 40}}, color = {0, 0, 255}));
  connect(pwm.y, T.gate)
    annotation(Line(points = {{-49, 0}, {-37, 0}}, color = {255, 0, 255}));
  connect(L.n, T.p)
    annotation(Line(points = {{-45, 40}, {-25, 40}, {-25, 10}}, color = {0, 0, 255}));
  connect(L.n, D.p)
    annotation(Line(points = {{-45, 40}, {-5, 40}}, color = {0, 0, 255}));
  connect(D.n, C.p)
    annotation(Line(points = {{15, 40}, {35, 40}, {35, 10}}, color = {0, 0, 255}));
  connect(C.p, load.p)
    annotation(Line(points = {{35, 10}, {35, 40}, {70, 40}, {70, 10}}, color = {0, 0, 255}));
  connect(load.n, C.n)
    annotation(Line(points = {{70, -10}, {70, -50}, {35, -50}, {35, -10}}, color = {0, 0, 255}));
  connect(C.n, T.n)
    annotation(Line(points = {{35, -10}, {35, -50}, {-25, -50}, {-25, -10}}, color = {0, 0, 255}));
  connect(T.n, V.n)
    annotation(Line(points = {{-25, -10}, {-25, -50}, {-90, -50}, {-90, -10}}, color = {0, 0, 255}));
  connect(ground.p, V.n)
    annotation(Line(points = {{-90, -50}, {-90, -10}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>While the transistor conducts, the battery drives the current of the inductor up; when it opens, the current has
no other way than through the diode, against a higher voltage. The mean voltage of the inductor must be zero: 12 V
for the whole period against the output for half of it.</p>
<p><b>What to look at:</b> <code>C.v</code> settles at 24 V after an overshoot, and <code>L.i</code> at a triangle
about 2 A: the power of the load divided by 12 V. During the overshoot the current of the inductor ends for a while,
and the capacitor alone feeds the load.</p>
</html>"),
    experiment(StopTime = 0.02, Tolerance = 1e-6, Interval = 2e-5));
end BoostConverter;
