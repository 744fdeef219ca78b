within Saltus.Examples.Electrical;
model GTOChopper "A current is held between two limits by turning a GTO on and off"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Current low = 9.5 "Lower limit";
  parameter Saltus.Units.Current high = 10.5 "Upper limit";
  Saltus.Electrical.Sources.ConstantVoltage V(V = 48) "A battery"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-80, 0}, rotation = -90)));
  Saltus.Electrical.GTO T(fire = on) "The chopper"
    annotation(Placement(transformation(extent = {{-50, 30}, {-30, 50}})));
  Saltus.Electrical.Diode D "Freewheeling"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, 0}, rotation = 90)));
  Saltus.Electrical.Resistor R(R = 2)
    annotation(Placement(transformation(extent = {{20, 30}, {40, 50}})));
  Saltus.Electrical.Inductor L(L = 0.02, i(start = 0, fixed = true)) "A magnet"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {70, 0}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-90, -70}, {-70, -50}})));
  Boolean on(start = true, fixed = true) "The GTO is on";
equation
  on = L.i < low or pre(on) and L.i < high;
  connect(V.p, T.p)
    annotation(Line(points = {{-80, 10}, {-80, 40}, {-50, 40}}, color = {0, 0, 255}));
  connect(T.n, R.p)
    annotation(Line(points = {{-30, 40}, {20, 40}}, color = {0, 0, 255}));
  connect(D.n, T.n)
    annotation(Line(points = {{0, 10}, {0, 40}, {-30, 40}}, color = {0, 0, 255}));
  connect(R.n, L.p)
    annotation(Line(points = {{40, 40}, {70, 40}, {70, 10}}, color = {0, 0, 255}));
  connect(L.n, V.n)
    annotation(Line(points = {{70, -10}, {70, -50}, {-80, -50}, {-80, -10}}, color = {0, 0, 255}));
  connect(D.p, V.n)
    annotation(Line(points = {{0, -10}, {0, -50}, {-80, -50}, {-80, -10}}, color = {0, 0, 255}));
  connect(ground.p, V.n)
    annotation(Line(points = {{-80, -50}, {-80, -10}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>The GTO is on until the current of the magnet reaches the upper limit, and off until it has fallen to the lower
one. While it is off the current goes on through the diode.</p>
<p><b>What to look at:</b> <code>L.i</code> rises on a curve that would end at 24 A and falls on one that would end
at zero, a saw between 9.5 and 10.5 A; <code>T.i</code> and <code>D.i</code> take turns. Nothing is lost in the
chopper: the battery gives its power in pieces, and on the average only what the resistance needs.</p>
<p>The control is one line with <code>pre</code>: on below the lower limit, and on as before below the upper
one.</p>
</html>"),
    experiment(StopTime = 0.04, Tolerance = 1e-8, Interval = 0.0001));
end GTOChopper;
