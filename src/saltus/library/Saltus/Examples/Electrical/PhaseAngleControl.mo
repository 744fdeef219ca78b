within Saltus.Examples.Electrical;
model PhaseAngleControl "Two thyristors dim an alternating current"
  extends Saltus.Icons.Example;
  parameter Real angle(unit = "1") = 100 "Angle at which the thyristors are fired, in degrees";
  Saltus.Electrical.Sources.SineVoltage V(V = 325, f = 50) "The mains"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-80, 0}, rotation = -90)));
  Saltus.Electrical.Thyristor T2 "For negative half-waves"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-10, 50}, rotation = 180)));
  Saltus.Electrical.Thyristor T1 "For positive half-waves"
    annotation(Placement(transformation(extent = {{-20, 0}, {0, 20}})));
  Saltus.Logic.Sources.BooleanPulse fire1(period = 0.02, width = 0.05,
    startTime = 0.02*angle/360) "Fires at the angle"
    annotation(Placement(transformation(extent = {{-60, -30}, {-40, -10}})));
  Saltus.Logic.Sources.BooleanPulse fire2(period = 0.02, width = 0.05,
    startTime = 0.02*angle/360 + 0.01) "Half a period later"
    annotation(Placement(transformation(extent = {{-60, 70}, {-40, 90}})));
  Saltus.Electrical.Resistor R(R = 20)
    annotation(Placement(transformation(extent = {{30, 0}, {50, 20}})));
  Saltus.Electrical.Inductor L(L = 0.08, i(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {80, -20}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-90, -70}, {-70, -50}})));
equation
  connect(V.p, T1.p)
    annotation(Line(points = {{-80, 10}, {-20, 10}}, color = {0, 0, 255}));
  connect(T2.n, T1.p)
    annotation(Line(points = {{-20, 50}, {-30, 50}, {-30, 10}, {-20, 10}}, color = {0, 0, 255}));
  connect(T1.n, R.p)
    annotation(Line(points = {{0, 10}, {30, 10}}, color = {0, 0, 255}));
  connect(T2.p, T1.n)
    annotation(Line(points = {{0, 50}, {10, 50}, {10, 10}, {0, 10}}, color = {0, 0, 255}));
  connect(R.n, L.p)
    annotation(Line(points = {{50, 10}, {80, 10}, {80, -10}}, color = {0, 0, 255}));
  connect(L.n, V.n)
    annotation(Line(points = {{80, -30}, {80, -50}, {-80, -50}, {-80, -10}}, color = {0, 0, 255}));
  connect(ground.p, V.n)
    annotation(Line(points = {{-80, -50}, {-80, -10}}, color = {0, 0, 255}));
  connect(fire1.y, T1.fire)
    annotation(Line(points = {{-39, -20}, {-4, -20}, {-4, -2}}, color = {255, 0, 255}));
  connect(fire2.y, T2.fire)
    annotation(Line(points = {{-39, 80}, {-16, 80}, {-16, 62}}, color = {255, 0, 255}));
  annotation(Documentation(info = "<html>
<p>Each thyristor is fired by a pulse of 1 ms at an angle of its half-wave, and conducts until the current ends. The
later it is fired, the less comes through: so are lamps dimmed and motors started softly.</p>
<p><b>What to look at:</b> <code>R.i</code> sets out at the angle and ends, because of the inductor, only after the
voltage has changed its sign; between the pulses it is exactly zero. <code>T1.v</code> is what the thyristors keep
from the load.</p>
<p>Try <code>--set angle=60</code> and <code>angle=150</code>. Below 51.5 degrees, the phase angle of the load, each
thyristor is fired before the current of the other has ended: the pair conducts all the time, and while both do,
nothing says how they share the current (W406).</p>
</html>"),
    experiment(StopTime = 0.08, Tolerance = 1e-7, Interval = 0.0001));
end PhaseAngleControl;
