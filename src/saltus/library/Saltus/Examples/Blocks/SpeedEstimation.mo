within Saltus.Examples.Blocks;
model SpeedEstimation "The speed of a cart from a noisy measurement of its place"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Pulse wanted(amplitude = 2, offset = -1, period = 2, startTime = 0.005)
    "Acceleration that is wanted"
    annotation(Placement(transformation(extent = {{-100, 40}, {-80, 60}})));
  Saltus.Blocks.Clocked.Sampler command(given = false)
    annotation(Placement(transformation(extent = {{-70, 40}, {-50, 60}})));
  Saltus.Blocks.Clocked.Hold force
    annotation(Placement(transformation(extent = {{-30, 40}, {-10, 60}})));
  Saltus.Blocks.Continuous.Integrator speed
    annotation(Placement(transformation(extent = {{0, 40}, {20, 60}})));
  Saltus.Blocks.Continuous.Integrator place
    annotation(Placement(transformation(extent = {{30, 40}, {50, 60}})));
  Saltus.Blocks.Clocked.Sampler sampler(ticks = 1, resolution = 100) "Gives the clock"
    annotation(Placement(transformation(extent = {{60, 40}, {80, 60}})));
  Saltus.Blocks.Clocked.Noise measured(sigma = 0.02, seed = 3)
    annotation(Placement(transformation(extent = {{60, -10}, {40, 10}})));
  Saltus.Blocks.Clocked.Estimator estimator(A = [1, 0.01; 0, 1], B = {0.5e-4, 0.01}, C = {1, 0},
    K = Saltus.Blocks.Clocked.kalmanGain(estimator.A, estimator.C, [0, 0; 0, 1e-4], 4e-4))
    annotation(Placement(transformation(extent = {{0, -40}, {20, -20}})));
equation
  connect(wanted.y, command.u)
    annotation(Line(points = {{-79, 50}, {-72, 50}}, color = {0, 0, 127}));
  connect(command.y, force.u)
    annotation(Line(points = {{-49, 50}, {-32, 50}}, color = {0, 0, 127}));
  connect(force.y, speed.u)
    annotation(Line(points = {{-9, 50}, {-2, 50}}, color = {0, 0, 127}));
  connect(speed.y, place.u)
    annotation(Line(points = {{21, 50}, {28, 50}}, color = {0, 0, 127}));
  connect(place.y, sampler.u)
    annotation(Line(points = {{51, 50}, {58, 50}}, color = {0, 0, 127}));
  connect(sampler.y, measured.u)
    annotation(Line(points = {{81, 50}, {90, 50}, {90, 0}, {62, 0}}, color = {0, 0, 127}));
  connect(command.y, estimator.u)
    annotation(Line(points = {{-49, 50}, {-40, 50}, {-40, -24}, {-2, -24}}, color = {0, 0, 127}));
  connect(measured.y, estimator.y)
    annotation(Line(points = {{39, 0}, {-20, 0}, {-20, -36}, {-2, -36}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>The place is measured a hundred times a second, with noise. Differences of such measurements are of no use as a
speed: divided by a hundredth of a second the noise is 2.8 m/s. An estimator that knows the acceleration finds the
speed, with the gain of Kalman for the variance of the noise (<code>4e-4</code>) and a disturbance of the speed.</p>
<p><b>What to look at:</b> <code>estimator.x[2]</code> follows <code>speed.y</code>, and <code>estimator.x[1]</code> is
far smoother than <code>measured.y</code>.</p>
</html>"),
    experiment(StopTime = 6, Tolerance = 1e-8, Interval = 0.01));
end SpeedEstimation;
