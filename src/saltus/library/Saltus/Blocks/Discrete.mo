within Saltus.Blocks;
package Discrete "Blocks that work at the ticks of a clock"
  extends Saltus.Icons.Package;

  partial block Sampled "One Real input, one Real output, and a clock"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Saltus.Units.Time samplePeriod(min = 0) = 0.1 "Time from tick to tick";
    parameter Saltus.Units.Time startTime = 0 "The first tick";
  protected
    Boolean tick = sample(startTime, samplePeriod) "True at a tick";
    annotation(Documentation(info = "<html>
<p>Extend it and say in <code>when tick</code> what happens. Clocks that should tick together do, and blocks with
the same clock take the new values of their neighbours, in the order in which they depend on each other.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-90, -90}, {-50, -90}, {-50, -84}}, color = {160, 160, 160}),
        Line(points = {{-50, -90}, {0, -90}, {0, -84}}, color = {160, 160, 160}),
        Line(points = {{0, -90}, {50, -90}, {50, -84}}, color = {160, 160, 160}),
        Line(points = {{50, -90}, {90, -90}}, color = {160, 160, 160})}));
  end Sampled;

  block ZeroOrderHold "Takes the input at ticks and keeps it in between"
    extends Saltus.Blocks.Discrete.Sampled;
    parameter Real y0 = 0 "Output before the first tick";
  initial equation
    pre(y) = y0;
  equation
    when tick then
      y = u;
    end when;
    annotation(Documentation(info = "<html>
<p>Sampler and hold in one: the output has the shape of stairs. On the average it is half a period late.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, -60}, {-40, 0}, {0, 40}, {40, 60}, {80, 60}}, color = {160, 160, 160}),
        Line(points = {{-80, -60}, {-40, -60}, {-40, 0}, {0, 0}, {0, 40}, {40, 40}, {40, 60}, {80, 60}},
          color = {0, 0, 127}, thickness = 0.5)}));
  end ZeroOrderHold;

  block Sampler "Samples the input on a trigger"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real y0 = 0 "Output before the first sample";
    Saltus.Blocks.Interfaces.BooleanInput trigger "A sample is taken when it becomes true"
      annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
  initial equation
    pre(y) = y0;
  equation
    when trigger then
      y = u;
    end when;
    annotation(Documentation(info = "<html>
<p>The output is what the input was when <code>trigger</code> last became true. With
<code>Saltus.Logic.Sources.SampleTrigger</code> it samples periodically, with a sensor on a shaft once per turn.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-100, 0}, {-40, 0}, {30, 50}}, color = {0, 0, 127}, thickness = 0.5),
        Line(points = {{40, 0}, {100, 0}}, color = {0, 0, 127}, thickness = 0.5),
        Line(points = {{0, -100}, {0, 20}}, color = {255, 0, 255}, pattern = LinePattern.Dot)}));
  end Sampler;

  block UnitDelay "The sample before the present one"
    extends Saltus.Blocks.Discrete.Sampled;
    parameter Real y0 = 0 "Output until the second tick";
  protected
    discrete Real x "The present sample";
  initial equation
    pre(x) = y0;
    pre(y) = y0;
  equation
    when tick then
      x = u;
      y = pre(x);
    end when;
    annotation(Documentation(info = "<html>
<p>At every tick the output becomes what the input was at the tick before: <code>1/z</code>. It breaks loops of
sampled blocks.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-40, 0}, {40, 0}}, color = {0, 0, 127}, thickness = 0.5),
        Text(extent = {{-40, 70}, {40, 10}}, textString = "1", textColor = {0, 0, 127}),
        Text(extent = {{-40, -10}, {40, -70}}, textString = "z", textColor = {0, 0, 127})}));
  end UnitDelay;

  block PI "Sampled controller: proportional and integral"
    extends Saltus.Blocks.Discrete.Sampled;
    parameter Real k = 1 "Gain";
    parameter Saltus.Units.Time Ti = 1 "Time in which the integral part does as much as the proportional one";
    parameter Real x0 = 0 "Sum at the start, before the gain";
  protected
    discrete Real x "Sum of the samples times samplePeriod/Ti";
  initial equation
    pre(x) = x0;
    pre(y) = k*x0;
  equation
    when tick then
      x = pre(x) + samplePeriod/Ti*u;
      y = k*(u + x);
    end when;
    annotation(Documentation(info = "<html>
<p>At every tick <code>y = k*(u + x)</code>, where <code>x</code> is the sum of all samples times
<code>samplePeriod/Ti</code>, the present one included. The output is held in between.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -60}, {-70, -20}, {-30, -20}, {-30, 5}, {10, 5}, {10, 30}, {50, 30}, {50, 55},
          {80, 55}}, color = {0, 0, 127}, thickness = 0.5),
        Text(extent = {{0, -10}, {80, -60}}, textString = "PI", textColor = {0, 0, 127})}));
  end PI;

  block PID "Sampled controller with limits that does not wind up"
    extends Saltus.Icons.Block;
    parameter Saltus.Units.Time samplePeriod(min = 0) = 0.1 "Time from tick to tick";
    parameter Saltus.Units.Time startTime = 0 "The first tick";
    parameter Real k = 1 "Gain";
    parameter Saltus.Units.Time Ti = 1 "Time of the integral part";
    parameter Saltus.Units.Time Td(min = 0) = 0.1 "Time of the derivative part; 0: none";
    parameter Saltus.Units.Ratio N = 10 "The derivative is filtered with the time constant Td/N";
    parameter Real yMin = -1 "Lower limit of the output";
    parameter Real yMax = 1 "Upper limit of the output";
    Saltus.Blocks.Interfaces.RealInput setpoint "What is wanted"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    Saltus.Blocks.Interfaces.RealInput measurement "What is there"
      annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
    Saltus.Blocks.Interfaces.RealOutput y "To the actuator"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    discrete Real I "Integral part";
    discrete Real D "Derivative part";
    discrete Real v "Output as it would be without limits";
  protected
    discrete Real m "The last measurement";
    Boolean tick = sample(startTime, samplePeriod) "True at a tick";
  initial equation
    pre(I) = 0;
    pre(D) = 0;
    pre(v) = 0;
    pre(m) = measurement;
    pre(y) = 0;
  equation
    when tick then
      m = measurement;
      D = (Td*pre(D) + k*N*Td*(pre(m) - m))/(Td + N*samplePeriod);
      v = k*(setpoint - m) + pre(I) + D;
      y = if v > yMax then yMax elseif v < yMin then yMin else v;
      I = if v > yMax and setpoint > m or v < yMin and setpoint < m then pre(I)
        else pre(I) + k*samplePeriod/Ti*(setpoint - m);
    end when;
    annotation(Documentation(info = "<html>
<p>The controller of the continuous <code>PID</code> as a computer does it: at every tick it reads
<code>setpoint</code> and <code>measurement</code>, and the output is held until the next one. The derivative of
the measurement is filtered, and integration pauses while the output is at a limit and the error would drive it
further (for positive gains).</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -60}, {-70, 60}, {-50, 60}, {-50, -20}, {-10, -20}, {-10, 10}, {30, 10}, {30, 45},
          {80, 45}}, color = {0, 0, 127}, thickness = 0.5),
        Text(extent = {{-10, -10}, {80, -60}}, textString = "PID", textColor = {0, 0, 127})}));
  end PID;

  block TransferFunction "A quotient of two polynomials in z"
    extends Saltus.Blocks.Discrete.Sampled;
    parameter Real b[:] = {1} "Coefficients of the numerator, highest power of z first";
    parameter Real a[:] = {1, -0.5} "Coefficients of the denominator, highest power of z first";
  protected
    parameter Integer n = size(a, 1) - 1 "Order";
    parameter Real bb[n + 1] = cat(1, zeros(n + 1 - size(b, 1)), b) "Numerator with as many coefficients";
    discrete Real x[n + 1] "The present and the last values of the feedback chain";
  initial equation
    pre(x) = zeros(n + 1);
    pre(y) = 0;
  equation
    when tick then
      x[1] = (u - a[2:n + 1]*pre(x[1:n]))/a[1];
      x[2:n + 1] = pre(x[1:n]);
      y = bb*x;
    end when;
    annotation(Documentation(info = "<html>
<p><code>y/u = (b[1]*z^m + ... + b[m+1])/(a[1]*z^n + ... + a[n+1])</code>, a difference equation that is carried
out at every tick. The numerator must not have a higher degree than the denominator: it would ask for the
future.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, 0}, {70, 0}}, color = {0, 0, 127}, thickness = 0.5),
        Text(extent = {{-70, 80}, {70, 15}}, textString = "b(z)", textColor = {0, 0, 127}),
        Text(extent = {{-70, -15}, {70, -80}}, textString = "a(z)", textColor = {0, 0, 127})}));
  end TransferFunction;

  block MovingAverage "Mean of the last samples"
    extends Saltus.Blocks.Discrete.Sampled;
    parameter Integer n(min = 1) = 4 "Number of samples";
    parameter Real y0 = 0 "What came before the first sample";
  protected
    discrete Real x[n] "The last samples, the present one first";
  initial equation
    pre(x) = fill(y0, n);
    pre(y) = y0;
  equation
    when tick then
      x = cat(1, {u}, pre(x[1:n - 1]));
      y = sum(x)/n;
    end when;
    annotation(Documentation(info = "<html>
<p>At every tick the mean of the present and the last <code>n - 1</code> samples. Oscillations that fit into the
window a whole number of times vanish altogether: choose <code>n*samplePeriod</code> as a multiple of the mains
period against hum.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, -40}, {-60, 10}, {-40, -50}, {-20, 40}, {0, -20}, {20, 60}, {40, 0}, {60, 70},
          {80, 20}}, color = {160, 160, 160}),
        Line(points = {{-80, -30}, {-40, -20}, {0, 5}, {40, 30}, {80, 45}}, color = {0, 0, 127},
          thickness = 0.5)}));
  end MovingAverage;

  annotation(Documentation(info = "<html>
<p>Sampled blocks. <code>startTime</code> is the first tick and <code>samplePeriod</code> the time from one to the
next; in between the outputs stay as they are.</p>
</html>"));
end Discrete;
