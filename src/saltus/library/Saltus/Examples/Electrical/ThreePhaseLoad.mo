within Saltus.Examples.Electrical;
model ThreePhaseLoad "Three phases give constant power"
  extends Saltus.Icons.Example;
  Saltus.Electrical.ThreePhaseSource mains(V = 325, f = 50) "The mains"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Electrical.Resistor Ra(R = 10) "Resistance of phase a"
    annotation(Placement(transformation(extent = {{-10, 30}, {10, 50}})));
  Saltus.Electrical.Resistor Rb(R = 10) "Resistance of phase b"
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Electrical.Resistor Rc(R = 10) "Resistance of phase c"
    annotation(Placement(transformation(extent = {{-10, -50}, {10, -30}})));
  Saltus.Electrical.Inductor La(L = 0.05, i(fixed = true)) "Inductance of phase a"
    annotation(Placement(transformation(extent = {{30, 30}, {50, 50}})));
  Saltus.Electrical.Inductor Lb(L = 0.05, i(fixed = true)) "Inductance of phase b"
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Electrical.Inductor Lc(L = 0.05, i(fixed = true)) "Inductance of phase c"
    annotation(Placement(transformation(extent = {{30, -50}, {50, -30}})));
  Saltus.Electrical.Sensors.CurrentSensor neutral "Current that flows back in the neutral"
    annotation(Placement(transformation(origin = {0, -75}, extent = {{-10, -10}, {10, 10}}, rotation = 180)));
  Saltus.Electrical.Ground ground "The neutral is grounded"
    annotation(Placement(transformation(extent = {{-95, -105}, {-75, -85}})));
  Saltus.Units.Power power = -(mains.a.v*mains.a.i + mains.b.v*mains.b.i + mains.c.v*mains.c.i) "Of the mains";
equation
  connect(mains.a, Ra.p) annotation(Line(points = {{-50, 6}, {-30, 6}, {-30, 40}, {-10, 40}}, color = {0, 0, 255}));
  connect(mains.b, Rb.p) annotation(Line(points = {{-50, 0}, {-10, 0}}, color = {0, 0, 255}));
  connect(mains.c, Rc.p) annotation(Line(points = {{-50, -6}, {-30, -6}, {-30, -40}, {-10, -40}}, color = {0, 0, 255}));
  connect(Ra.n, La.p) annotation(Line(points = {{10, 40}, {30, 40}}, color = {0, 0, 255}));
  connect(Rb.n, Lb.p) annotation(Line(points = {{10, 0}, {30, 0}}, color = {0, 0, 255}));
  connect(Rc.n, Lc.p) annotation(Line(points = {{10, -40}, {30, -40}}, color = {0, 0, 255}));
  connect(La.n, neutral.p) annotation(Line(points = {{50, 40}, {70, 40}, {70, -75}, {10, -75}}, color = {0, 0, 255}));
  connect(Lb.n, neutral.p) annotation(Line(points = {{50, 0}, {70, 0}, {70, -75}, {10, -75}}, color = {0, 0, 255}));
  connect(Lc.n, neutral.p) annotation(Line(points = {{50, -40}, {70, -40}, {70, -75}, {10, -75}}, color = {0, 0, 255}));
  connect(neutral.n, mains.n)
    annotation(Line(points = {{-10, -75}, {-85, -75}, {-85, 0}, {-70, 0}}, color = {0, 0, 255}));
  connect(mains.n, ground.p) annotation(Line(points = {{-70, 0}, {-85, 0}, {-85, -85}}, color = {0, 0, 255}));
  annotation(experiment(StopTime = 0.06, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>A motor at rest, say: each phase a resistance and an inductance, connected in a star.</p>
<p>What to look at: the power of each resistor goes up and down a hundred times a second, but the <code>power</code>
of all three together is constant once the direct currents of the beginning have died away. And no current flows back
in the neutral, <code>neutral.i</code>.</p>
<p>With <code>Rc.R = 20</code> that is no longer so.</p>
</html>"));
end ThreePhaseLoad;
