within Saltus.Examples.Blocks;
model RelayOscillation "A relay in a loop swings"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Nonlinear.Relay relay(low = -0.5, high = 0.5)
    annotation(Placement(transformation(extent = {{-50, 40}, {-30, 60}})));
  Saltus.Blocks.Math.Gain turn(k = -1) "The opposite"
    annotation(Placement(transformation(extent = {{-10, 40}, {10, 60}})));
  Saltus.Blocks.Continuous.Integrator integrator(k = 2)
    annotation(Placement(transformation(extent = {{30, 40}, {50, 60}})));
  Saltus.Blocks.Nonlinear.Relay relay2(low = -0.1, high = 0.1)
    annotation(Placement(transformation(extent = {{-70, -50}, {-50, -30}})));
  Saltus.Blocks.Math.Gain turn2(k = -1)
    annotation(Placement(transformation(extent = {{-30, -50}, {-10, -30}})));
  Saltus.Blocks.Continuous.FirstOrder lag1(T = 0.3)
    annotation(Placement(transformation(extent = {{10, -50}, {30, -30}})));
  Saltus.Blocks.Continuous.FirstOrder lag2(T = 0.2)
    annotation(Placement(transformation(extent = {{50, -50}, {70, -30}})));
equation
  connect(relay.y, turn.u)
    annotation(Line(points = {{-29, 50}, {-12, 50}}, color = {0, 0, 127}));
  connect(turn.y, integrator.u)
    annotation(Line(points = {{11, 50}, {28, 50}}, color = {0, 0, 127}));
  connect(integrator.y, relay.u)
    annotation(Line(points = {{51, 50}, {60, 50}, {60, 80}, {-65, 80}, {-65, 50}, {-52, 50}}, color = {0, 0, 127}));
  connect(relay2.y, turn2.u)
    annotation(Line(points = {{-49, -40}, {-32, -40}}, color = {0, 0, 127}));
  connect(turn2.y, lag1.u)
    annotation(Line(points = {{-9, -40}, {8, -40}}, color = {0, 0, 127}));
  connect(lag1.y, lag2.u)
    annotation(Line(points = {{31, -40}, {48, -40}}, color = {0, 0, 127}));
  connect(lag2.y, relay2.u)
    annotation(Line(points = {{71, -40}, {80, -40}, {80, -75}, {-85, -75}, {-85, -40}, {-72, -40}},
      color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A relay whose output is turned over and integrated: the integrator runs to one end of the hysteresis, the relay
switches, and it runs to the other end. Nothing decides about the amplitude but the hysteresis, and nothing
about the period but hysteresis and gain: 2*(high - low)/k = 1 s. Then a second loop: the same relay with two
lags in place of the integrator, whose oscillation an engineer would use to tune a controller.</p>
<p><b>What to look at:</b> <code>integrator.y</code> is a triangle between -0.5 and 0.5; <code>lag2.y</code>
settles at an oscillation of its own, with nearly the shape of a sine.</p>
</html>"),
    experiment(StopTime = 5, Tolerance = 1e-6));
end RelayOscillation;
