within Saltus.Examples.Electrical;
model HalfWaveRectifier "A diode lets half the waves through, and an inductor holds on to the current"
  extends Saltus.Icons.Example;
  Saltus.Electrical.Sources.SineVoltage V(V = 34, f = 50) "A transformer of 24 V"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {-60, 0}, rotation = -90)));
  Saltus.Electrical.Diode D
    annotation(Placement(transformation(extent = {{-30, 30}, {-10, 50}})));
  Saltus.Electrical.Resistor R(R = 5)
    annotation(Placement(transformation(extent = {{10, 30}, {30, 50}})));
  Saltus.Electrical.Inductor L(L = 0.02, i(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {60, 0}, rotation = -90)));
  Saltus.Electrical.Ground ground
    annotation(Placement(transformation(extent = {{-70, -60}, {-50, -40}})));
equation
  connect(V.p, D.p)
    annotation(Line(points = {{-60, 10}, {-60, 40}, {-30, 40}}, color = {0, 0, 255}));
  connect(D.n, R.p)
    annotation(Line(points = {{-10, 40}, {10, 40}}, color = {0, 0, 255}));
  connect(R.n, L.p)
    annotation(Line(points = {{30, 40}, {60, 40}, {60, 10}}, color = {0, 0, 255}));
  connect(L.n, V.n)
    annotation(Line(points = {{60, -10}, {60, -40}, {-60, -40}, {-60, -10}}, color = {0, 0, 255}));
  connect(ground.p, V.n)
    annotation(Line(points = {{-60, -40}, {-60, -10}}, color = {0, 0, 255}));
  annotation(Documentation(info = "<html>
<p>The diode conducts while the source is positive, and longer: the flux of the inductor has to be used up against
the negative voltage before the current ends.</p>
<p><b>What to look at:</b> <code>L.i</code> ends 12.96 ms after the beginning of each period, not at 10 ms. While
the diode blocks there is no state at all: <code>saltus explain --modes</code> shows one mode with the state
<code>L.i</code> and one without. <code>D.v</code> jumps to the negative voltage of the source when the current
ends.</p>
<p>Try <code>--set L.L=0.1</code>: the larger the inductor, the smaller and longer the pulses. With
<code>D.Vknee=0.7</code> the diode is one of silicon.</p>
</html>"),
    experiment(StopTime = 0.08, Tolerance = 1e-8, Interval = 0.0002));
end HalfWaveRectifier;
