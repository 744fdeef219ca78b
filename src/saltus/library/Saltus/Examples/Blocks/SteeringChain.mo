within Saltus.Examples.Blocks;
model SteeringChain "From a hand wheel to a rudder: limits, play and dead zone"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Trapezoid command(amplitude = 3, offset = -1.5, rising = 0.2, staying = 2,
    falling = 1.5, period = 5, startTime = 0.5)
    annotation(Placement(transformation(extent = {{-95, -10}, {-75, 10}})));
  Saltus.Blocks.Nonlinear.RateLimiter actuator(rising = 2, y0 = -1.5) "Slow"
    annotation(Placement(transformation(extent = {{-55, -10}, {-35, 10}})));
  Saltus.Blocks.Nonlinear.Limiter stops(yMin = -1, yMax = 1) "Mechanical stops"
    annotation(Placement(transformation(extent = {{-15, -10}, {5, 10}})));
  Saltus.Blocks.Nonlinear.Backlash joint(b = 0.2, y0 = -1) "With play"
    annotation(Placement(transformation(extent = {{25, -10}, {45, 10}})));
  Saltus.Blocks.Nonlinear.DeadZone valve(uMin = -0.3, uMax = 0.3)
    annotation(Placement(transformation(extent = {{65, 20}, {85, 40}})));
  Saltus.Blocks.Nonlinear.Limiter middle(yMin = -0.3, yMax = 0.3) "What the valve does not see"
    annotation(Placement(transformation(extent = {{65, -40}, {85, -20}})));
equation
  connect(command.y, actuator.u)
    annotation(Line(points = {{-74, 0}, {-57, 0}}, color = {0, 0, 127}));
  connect(actuator.y, stops.u)
    annotation(Line(points = {{-34, 0}, {-17, 0}}, color = {0, 0, 127}));
  connect(stops.y, joint.u)
    annotation(Line(points = {{6, 0}, {23, 0}}, color = {0, 0, 127}));
  connect(joint.y, valve.u)
    annotation(Line(points = {{46, 0}, {54, 0}, {54, 30}, {63, 30}}, color = {0, 0, 127}));
  connect(joint.y, middle.u)
    annotation(Line(points = {{46, 0}, {54, 0}, {54, -30}, {63, -30}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>What is commanded and what arrives: an actuator that is slow but strong follows a command with its largest rate
until it has caught up, the deflection is limited, a joint has play, and a valve does not react around its
middle.</p>
<p><b>What to look at:</b> <code>actuator.y</code> rises in straight lines and is exactly the command once it has
arrived; <code>joint.y</code> rests whenever the direction changes, until the play is used up;
<code>valve.y</code> is zero in the middle, and together with what <code>middle.y</code> keeps it is the input
of both.</p>
</html>"),
    experiment(StopTime = 12.5, Tolerance = 1e-6, Interval = 0.01));
end SteeringChain;
