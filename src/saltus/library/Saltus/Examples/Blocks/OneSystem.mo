within Saltus.Examples.Blocks;
model OneSystem "A damped oscillator, written four times"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Pulse pulse(period = 6, startTime = 0.5)
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Blocks.Continuous.SecondOrder order2(w = 2, D = 0.25)
    annotation(Placement(transformation(extent = {{10, 60}, {30, 80}})));
  Saltus.Blocks.Continuous.TransferFunction polynomials(b = {4}, a = {1, 1, 4})
    annotation(Placement(transformation(extent = {{10, 15}, {30, 35}})));
  Saltus.Blocks.Continuous.StateSpace matrices(A = [0, 1; -4, -1], B = [0; 4], C = [1, 0])
    annotation(Placement(transformation(extent = {{10, -30}, {30, -10}})));
  Saltus.Blocks.Discrete.TransferFunction difference(b = {0.01928569183958606, 0.018652647662517063},
    a = {1, -1.8668990785338564, 0.9048374180359594})
    annotation(Placement(transformation(extent = {{10, -75}, {30, -55}})));
equation
  connect(pulse.y, order2.u)
    annotation(Line(points = {{-49, 0}, {-20, 0}, {-20, 70}, {8, 70}}, color = {0, 0, 127}));
  connect(pulse.y, polynomials.u)
    annotation(Line(points = {{-49, 0}, {-20, 0}, {-20, 25}, {8, 25}}, color = {0, 0, 127}));
  connect(pulse.y, matrices.u[1])
    annotation(Line(points = {{-49, 0}, {-20, 0}, {-20, -20}, {8, -20}}, color = {0, 0, 127}));
  connect(pulse.y, difference.u)
    annotation(Line(points = {{-49, 0}, {-20, 0}, {-20, -65}, {8, -65}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>The same system as a block of second order, as a transfer function, as matrices, and as a difference equation.
The last one works at ticks of 0.1 s; its coefficients are those of the exact solution for inputs that do not
change between ticks, and the pulses change at ticks only.</p>
<p><b>What to look at:</b> <code>order2.y</code>, <code>polynomials.y</code> and <code>matrices.y[1]</code> are the
same curve, and <code>difference.y</code> touches it at every tick.</p>
</html>"),
    experiment(StopTime = 12, Tolerance = 1e-8, Interval = 0.02));
end OneSystem;
