within Saltus.Examples.Blocks;
model OverflowingTank "An integrator with a floor and a ceiling"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Pulse inflow(period = 4, width = 0.4, amplitude = 1.5)
    annotation(Placement(transformation(extent = {{-90, 30}, {-70, 50}})));
  Saltus.Blocks.Sources.Constant drain(k = 0.5)
    annotation(Placement(transformation(extent = {{-90, -30}, {-70, -10}})));
  Saltus.Blocks.Math.Subtract balance
    annotation(Placement(transformation(extent = {{-45, 0}, {-25, 20}})));
  Saltus.Blocks.Continuous.LimitedIntegrator tank(yMin = 0, yMax = 1, y0 = 0.5)
    annotation(Placement(transformation(extent = {{20, 30}, {40, 50}})));
  Saltus.Blocks.Continuous.Integrator free(y0 = 0.5) "Without limits"
    annotation(Placement(transformation(extent = {{20, -30}, {40, -10}})));
equation
  connect(inflow.y, balance.u1)
    annotation(Line(points = {{-69, 40}, {-58, 40}, {-58, 16}, {-47, 16}}, color = {0, 0, 127}));
  connect(drain.y, balance.u2)
    annotation(Line(points = {{-69, -20}, {-58, -20}, {-58, 4}, {-47, 4}}, color = {0, 0, 127}));
  connect(balance.y, tank.u)
    annotation(Line(points = {{-24, 10}, {0, 10}, {0, 40}, {18, 40}}, color = {0, 0, 127}));
  connect(balance.y, free.u)
    annotation(Line(points = {{-24, 10}, {0, 10}, {0, -20}, {18, -20}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A tank is filled in pulses and drained by a controller that wants half of it to be there. The tank cannot hold
more than 1 nor less than 0: as a signal it is an integrator that stops at its limits and leaves them at the
very moment in which the balance turns.</p>
<p><b>What to look at:</b> <code>tank.y</code> stays at 1 while it overflows and falls as soon as
<code>balance.y</code> is negative. <code>free.y</code>, an integrator without limits, goes on and takes long to
come back.</p>
</html>"),
    experiment(StopTime = 12, Tolerance = 1e-6, Interval = 0.02));
end OverflowingTank;
