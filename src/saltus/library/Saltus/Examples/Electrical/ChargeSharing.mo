within Saltus.Examples.Electrical;
model ChargeSharing "Two capacitors are joined by an ideal switch"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Capacitor C1(C = 1e-5, v(start = 12, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-60, 0}, rotation = -90)));
  Saltus.Electrical.Switch S(closed = time >= 0.005)
    annotation(Placement(transformation(extent = {{-10, 30}, {10, 50}})));
  Saltus.Electrical.Capacitor C2(C = 2e-5, v(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {40, 0}, rotation = -90)));
  Saltus.Electrical.Resistor R(R = 1000)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {80, 0}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-70, -70}, {-50, -50}})));
equation
  connect(C1.p, S.p)
    annotation(Line(points = {{-60, 10}, {-60, 40}, {-10, 40}}, color = {0, 0, 255}));
  connect(S.n, C2.p)
    annotation(Line(points = {{10, 40}, {40, 40}, {40, 10}}, color = {0, 0, 255}));
  connect(C2.p, R.p)
    annotation(Line(points = {{40, 10}, {40, 40}, {80, 40}, {80, 10}}, color = {0, 0, 255}));
  connect(R.n, C2.n)
    annotation(Line(points = {{80, -10}, {80, -50}, {40, -50}, {40, -10}}, color = {0, 0, 255}));
  connect(C2.n, C1.n)
    annotation(Line(points = {{40, -10}, {40, -50}, {-60, -50}, {-60, -10}}, color = {0, 0, 255}));
  connect(ground.p, C1.n)
    annotation(Line(points = {{-60, -50}, {-60, -10}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>The puzzle of the textbooks: the charge is conserved, so 12 V on 10 microfarads become 4 V on 30; the energy is
not, two thirds of it are gone. Whatever resistance the wires have, it takes just that.</p>
<p><b>What to look at:</b> both voltages jump to 4 V at 5 ms. The current <code>S.i</code> is an impulse of 80
microcoulombs, told by <code>--log-events</code> and <code>result.impulses</code>; the resistor gets none of it.
Afterwards the two capacitors are one, with one state, and discharge in 30 ms.</p>
</html>"),
    experiment(StopTime = 0.03, Tolerance = 1e-8, Interval = 0.0001));
end ChargeSharing;
