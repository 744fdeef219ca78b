within Saltus.Examples.Blocks;
model SampledControl "A computer controls a plant"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Step wanted(startTime = 0.45) "Set point"
    annotation(Placement(transformation(extent = {{-95, -10}, {-75, 10}})));
  Saltus.Blocks.Math.Feedback error
    annotation(Placement(transformation(extent = {{-65, 40}, {-45, 60}})));
  Saltus.Blocks.Discrete.PI pi(k = 1, Ti = 0.5) "The program"
    annotation(Placement(transformation(extent = {{-30, 40}, {-10, 60}})));
  Saltus.Blocks.Discrete.UnitDelay late "The time that it needs"
    annotation(Placement(transformation(extent = {{10, 40}, {30, 60}})));
  Saltus.Blocks.Continuous.FirstOrder plant(T = 0.5)
    annotation(Placement(transformation(extent = {{50, 40}, {70, 60}})));
  Saltus.Blocks.Discrete.PID pid(k = 3, Ti = 0.5, Td = 0.1, yMin = 0, yMax = 2) "A better program"
    annotation(Placement(transformation(extent = {{-30, -50}, {-10, -30}})));
  Saltus.Blocks.Continuous.FirstOrder plant2(T = 0.5) "The same plant"
    annotation(Placement(transformation(extent = {{20, -50}, {40, -30}})));
equation
  connect(wanted.y, error.u1)
    annotation(Line(points = {{-74, 0}, {-70.5, 0}, {-70.5, 50}, {-67, 50}}, color = {0, 0, 127}));
  connect(wanted.y, pid.setpoint)
    annotation(Line(points = {{-74, 0}, {-70.5, 0}, {-70.5, -40}, {-32, -40}}, color = {0, 0, 127}));
  connect(error.y, pi.u)
    annotation(Line(points = {{-44, 50}, {-32, 50}}, color = {0, 0, 127}));
  connect(pi.y, late.u)
    annotation(Line(points = {{-9, 50}, {8, 50}}, color = {0, 0, 127}));
  connect(late.y, plant.u)
    annotation(Line(points = {{31, 50}, {48, 50}}, color = {0, 0, 127}));
  connect(plant.y, error.u2)
    annotation(Line(points = {{71, 50}, {80, 50}, {80, 20}, {-55, 20}, {-55, 38}}, color = {0, 0, 127}));
  connect(pid.y, plant2.u)
    annotation(Line(points = {{-9, -40}, {18, -40}}, color = {0, 0, 127}));
  connect(plant2.y, pid.measurement)
    annotation(Line(points = {{41, -40}, {50, -40}, {50, -70}, {-20, -70}, {-20, -52}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A controller that is a program: it reads ten times per second, computes, and its output stays as it is until the
next tick. The upper program has a proportional and an integral part and needs a whole period to compute, which
is the unit delay. The lower one differentiates the measurement, too, and knows the limits of its actuator.</p>
<p><b>What to look at:</b> the stairs of <code>late.y</code> and <code>pid.y</code>, and how the plants
<code>plant.y</code> and <code>plant2.y</code> move smoothly between the ticks.</p>
</html>"),
    experiment(StopTime = 4, Tolerance = 1e-6, Interval = 0.005));
end SampledControl;
