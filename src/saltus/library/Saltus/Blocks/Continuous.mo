within Saltus.Blocks;
package Continuous "Blocks with continuous states"
  extends Saltus.Icons.Package;

  block Integrator "The integral of the input"
    extends Saltus.Blocks.Interfaces.SingleInput(y(start = y0, fixed = true));
    parameter Real k(unit = "1/s") = 1 "Gain";
    parameter Real y0 = 0 "Output at the start, and after a reset";
    parameter Boolean useReset = false "Is there an input that sets it back?";
    Saltus.Blocks.Interfaces.BooleanInput reset if useReset "Sets it back when it becomes true"
      annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
  protected
    Saltus.Blocks.Interfaces.BooleanInput back "Set back now"
      annotation(Placement(transformation(origin = {0, -80}, extent = {{-10, -10}, {10, 10}}, rotation = 90)));
  equation
    connect(reset, back);
    if not useReset then
      back = false;
    end if;
    der(y) = k*u;
    when back then
      reinit(y, y0);
    end when;
    annotation(Documentation(info = "<html>
<p><code>der(y) = k*u</code>, beginning with <code>y0</code>. With <code>useReset</code> there is a second input:
whenever it becomes true the output jumps back to <code>y0</code>.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -70}, {70, 70}}, color = {0, 0, 127}, thickness = 0.5)}));
  end Integrator;

  block LimitedIntegrator "An integrator that stops at its limits"
    extends Saltus.Blocks.Interfaces.SingleInput(y(start = y0, fixed = true));
    parameter Real k(unit = "1/s") = 1 "Gain";
    parameter Real yMin = -1 "Lower limit";
    parameter Real yMax = 1 "Upper limit";
    parameter Real y0 = 0 "Output at the start";
  protected
    Real s "Place on the curve: beyond 1 at the upper limit, below -1 at the lower one";
    Real excess "What would go beyond the limit";
  equation
    k*u = der(y) + excess;
    y = if s > 1 then yMax elseif s < -1 then yMin else ((1 + s)*yMax + (1 - s)*yMin)/2;
    excess = if s > 1 then s - 1 elseif s < -1 then s + 1 else 0;
    annotation(Documentation(info = "<html>
<p>Between the limits <code>der(y) = k*u</code>. At a limit the output stays there as long as the input pushes
outwards, and leaves at the very moment in which the input changes its sign: nothing is wound up.</p>
<p>Output and excess are one curve with corners, and <code>s</code> is the place on it. At a limit the output is
not a state: the number of states changes at these events.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -70}, {20, 50}, {75, 50}}, color = {0, 0, 127}, thickness = 0.5)}));
  end LimitedIntegrator;

  block Derivative "The derivative of the input, without its fastest changes"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Saltus.Units.Time k = 1 "Gain";
    parameter Saltus.Units.Time T = 0.01 "Time constant of the filter";
  protected
    Real x "Filtered input";
  initial equation
    x = u;
  equation
    T*der(x) = u - x;
    y = k*der(x);
    annotation(Documentation(info = "<html>
<p>The derivative of the input behind a filter of first order: <code>k*s/(1 + s*T)</code>. The filter begins at the
input, so that the output begins with zero. A jump of the input makes a peak of the height <code>k/T</code>
times the jump.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -70}, {-70, 70}, {-50, 5}, {-20, -45}, {20, -63}, {70, -69}}, color = {0, 0, 127},
          thickness = 0.5)}));
  end Derivative;

  block FirstOrder "Follows the input with a lag"
    extends Saltus.Blocks.Interfaces.SingleInput(y(start = y0, fixed = true));
    parameter Real k = 1 "Gain";
    parameter Saltus.Units.Time T = 1 "Time constant";
    parameter Real y0 = 0 "Output at the start";
  equation
    T*der(y) = k*u - y;
    annotation(Documentation(info = "<html>
<p><code>T*der(y) = k*u - y</code>: after a step 63 % of the way are gone in <code>T</code>. The simplest plant
there is.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -70}, {-50, -10}, {-25, 25}, {10, 43}, {70, 50}}, color = {0, 0, 127},
          thickness = 0.5)}));
  end FirstOrder;

  block SecondOrder "Follows the input as a damped oscillator does"
    extends Saltus.Blocks.Interfaces.SingleInput(y(start = y0, fixed = true));
    parameter Real k = 1 "Gain";
    parameter Saltus.Units.AngularFrequency w = 1 "Angular frequency without damping";
    parameter Saltus.Units.Ratio D = 0.5 "Damping; no overshoot from 1 on";
    parameter Real y0 = 0 "Output at the start";
    parameter Real v0(unit = "1/s") = 0 "Its derivative at the start";
  protected
    Real v(unit = "1/s", start = v0, fixed = true) "Derivative of the output";
  equation
    der(y) = v;
    der(v) = w*(w*(k*u - y) - 2*D*v);
    annotation(Documentation(info = "<html>
<p><code>der(der(y)) = w^2*(k*u - y) - 2*D*w*der(y)</code>. With a damping of 0.7 it overshoots by 5 %.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -70}, {-50, -20}, {-30, 50}, {-10, 60}, {15, 30}, {40, 38}, {70, 35}},
          color = {0, 0, 127}, thickness = 0.5)}));
  end SecondOrder;

  block PI "Controller: proportional and integral"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real k = 1 "Gain";
    parameter Saltus.Units.Time Ti = 1 "Time in which the integral part does as much as the proportional one";
    parameter Real x0 = 0 "Integral part at the start, before the gain";
  protected
    Real x(start = x0, fixed = true) "Integral part, before the gain";
  equation
    Ti*der(x) = u;
    y = k*(u + x);
    annotation(Documentation(info = "<html>
<p><code>y = k*(u + x)</code> with <code>Ti*der(x) = u</code>, where the input is what is wanted less what is
there. In steady state the integral part has removed every error. Where the actuator has limits, take
<code>PID</code>.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -70}, {-70, -20}, {70, 60}}, color = {0, 0, 127}, thickness = 0.5),
        Text(extent = {{0, -10}, {80, -60}}, textString = "PI", textColor = {0, 0, 127})}));
  end PI;

  block PID "Controller with limits that does not wind up"
    extends Saltus.Icons.Block;
    parameter Real k = 1 "Gain";
    parameter Saltus.Units.Time Ti = 1 "Time of the integral part";
    parameter Saltus.Units.Time Td(min = 0) = 0.1 "Time of the derivative part; 0: none";
    parameter Saltus.Units.Ratio N = 10 "The derivative is filtered with the time constant Td/N";
    parameter Real yMin = -1 "Lower limit of the output";
    parameter Real yMax = 1 "Upper limit of the output";
    parameter Saltus.Units.Time Tt = Ti "Time in which the integral part is led back from a limit";
    parameter Saltus.Units.Ratio b = 1 "Weight of the set point in the proportional part";
    parameter Saltus.Units.Ratio c = 0 "Weight of the set point in the derivative part";
    parameter Real x0 = 0 "Integral part at the start";
    Saltus.Blocks.Interfaces.RealInput setpoint "What is wanted"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    Saltus.Blocks.Interfaces.RealInput measurement "What is there"
      annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
    Saltus.Blocks.Interfaces.RealOutput y "To the actuator"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    Real P "Proportional part";
    Real I(start = x0, fixed = true) "Integral part";
    Real D "Derivative part";
    Real v "Output as it would be without limits";
  protected
    Real e = c*setpoint - measurement "What is differentiated";
    Real x "The same, filtered";
  initial equation
    x = e;
  equation
    P = k*(b*setpoint - measurement);
    der(I) = k*(setpoint - measurement)/Ti + (y - v)/Tt;
    der(x) = if Td > 0 then N*(e - x)/Td else 0;
    D = if Td > 0 then k*N*(e - x) else 0;
    v = P + I + D;
    y = if v > yMax then yMax elseif v < yMin then yMin else v;
    annotation(Documentation(info = "<html>
<p>Proportional, integral and derivative part of the difference between <code>setpoint</code> and
<code>measurement</code>, cut off at <code>yMin</code> and <code>yMax</code>. While it is cut off the integral
part is led back with the time constant <code>Tt</code>, so that the controller returns from a limit without
delay.</p>
<p>Only the measurement is differentiated unless <code>c</code> says otherwise: a step of the set point makes no
peak. Reaching and leaving a limit are events. A very large <code>Tt</code> shows what winding up is.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -70}, {-70, 60}, {-60, -30}, {40, 50}, {75, 50}}, color = {0, 0, 127},
          thickness = 0.5),
        Text(extent = {{-10, -10}, {80, -60}}, textString = "PID", textColor = {0, 0, 127})}));
  end PID;

  block TransferFunction "A quotient of two polynomials"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real b[:] = {1} "Coefficients of the numerator, highest power first";
    parameter Real a[:] = {1, 1} "Coefficients of the denominator, highest power first";
    parameter Real x0[n] = zeros(n) "States at the start";
  protected
    parameter Integer n = size(a, 1) - 1 "Order";
    parameter Real bb[n + 1] = cat(1, zeros(n + 1 - size(b, 1)), b) "Numerator with as many coefficients";
    Real x[n](start = x0, each fixed = true) "States: the last one is filtered most";
    Real w "What the first state integrates";
  equation
    u = a[1]*w + a[2:n + 1]*x;
    if n > 0 then
      der(x) = cat(1, {w}, x[1:n - 1]);
    end if;
    y = bb[1]*w + bb[2:n + 1]*x;
    annotation(Documentation(info = "<html>
<p><code>y/u = (b[1]*s^m + ... + b[m+1])/(a[1]*s^n + ... + a[n+1])</code>, a chain of integrators with feedback.
The numerator must not have a higher degree than the denominator.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, 0}, {70, 0}}, color = {0, 0, 127}, thickness = 0.5),
        Text(extent = {{-70, 80}, {70, 15}}, textString = "b(s)", textColor = {0, 0, 127}),
        Text(extent = {{-70, -15}, {70, -80}}, textString = "a(s)", textColor = {0, 0, 127})}));
  end TransferFunction;

  block StateSpace "A linear system of any size"
    extends Saltus.Icons.Block;
    parameter Real A[:, size(A, 1)] = [-1] "States to derivatives";
    parameter Real B[size(A, 1), :] = [1] "Inputs to derivatives";
    parameter Real C[:, size(A, 1)] = [1] "States to outputs";
    parameter Real D[size(C, 1), size(B, 2)] = zeros(size(C, 1), size(B, 2)) "Inputs to outputs";
    parameter Real x0[size(A, 1)] = zeros(size(A, 1)) "States at the start";
    Saltus.Blocks.Interfaces.RealInput u[size(B, 2)] "Inputs"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    Saltus.Blocks.Interfaces.RealOutput y[size(C, 1)] "Outputs"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    Real x[size(A, 1)](start = x0, each fixed = true) "States";
  equation
    der(x) = A*x + B*u;
    y = C*x + D*u;
    annotation(Documentation(info = "<html>
<p><code>der(x) = A*x + B*u</code>, <code>y = C*x + D*u</code>. Inputs and outputs are vectors: connect to
<code>u[1]</code> and <code>y[1]</code>.</p>
</html>"),
      Icon(graphics = {
        Text(extent = {{-80, 70}, {0, 10}}, textString = "A", textColor = {0, 0, 127}),
        Text(extent = {{0, 70}, {80, 10}}, textString = "B", textColor = {0, 0, 127}),
        Text(extent = {{-80, -10}, {0, -70}}, textString = "C", textColor = {0, 0, 127}),
        Text(extent = {{0, -10}, {80, -70}}, textString = "D", textColor = {0, 0, 127})}));
  end StateSpace;

  block Delay "What the input was some time ago"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Saltus.Units.Time T(min = 0) = 1 "How long ago";
  equation
    y = delay(u, T);
    annotation(Documentation(info = "<html>
<p><code>y(t) = u(t - T)</code>, and the input at the start until <code>T</code> has gone by. Jumps of the input
come out as jumps, at events of their own. Use it for pipes, belts and slow networks.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, -50}, {-50, -50}, {-50, 50}, {-20, 50}}, color = {160, 160, 160}),
        Line(points = {{-20, -50}, {20, -50}, {20, 50}, {70, 50}}, color = {0, 0, 127}, thickness = 0.5)}));
  end Delay;

  type Damping = enumeration(
    Butterworth "As flat as can be below the cutoff",
    critical "No overshoot") "How a filter is damped";

  block LowPass "Keeps what is slow"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Integer order(min = 1) = 2 "Order";
    parameter Saltus.Units.Frequency f = 1 "Cutoff: a sine of this frequency keeps 71 % of its amplitude";
    parameter Damping damping = Damping.Butterworth "How it is damped";
    parameter Real y0 = 0 "Output at the start, at rest";
  protected
    parameter Integer n = div(order, 2) "Number of sections of second order";
    parameter Saltus.Units.Ratio D[n] = {if damping == Damping.critical then 1
      else sin((2*i - 1)*Saltus.Units.pi/(2*order)) for i in 1:n} "Damping of each section";
    parameter Saltus.Units.AngularFrequency w = 2*Saltus.Units.pi*f/(if damping == Damping.critical
      then sqrt(2^(1/order) - 1) else 1) "Angular frequency of each section";
    Real x[n](each start = y0, each fixed = true) "Output of each section";
    Real v[n](each unit = "1/s", each start = 0, each fixed = true) "Its derivative";
    Real z[order - 2*n](each start = y0, each fixed = true) "Output of the section of first order, if there is one";
    Real chain[n + 1] = cat(1, {u}, x) "The input and what each section makes of it";
  equation
    for i in 1:n loop
      der(x[i]) = v[i];
      der(v[i]) = w*(w*(chain[i] - x[i]) - 2*D[i]*v[i]);
    end for;
    if order > 2*n then
      der(z[1]) = w*(chain[n + 1] - z[1]);
    end if;
    y = if order > 2*n then sum(z) else chain[n + 1];
    annotation(Documentation(info = "<html>
<p>A chain of sections of second order, and one of first order if the order is odd. Above the cutoff the amplitude
falls with the power <code>order</code> of the frequency. Butterworth's poles lie on a circle and keep the
amplitude flat; critical damping has one multiple pole, and its answer to a step does not overshoot.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, 40}, {0, 40}, {20, 25}, {70, -65}}, color = {0, 0, 127}, thickness = 0.5)}));
  end LowPass;

  annotation(Documentation(info = "<html>
<p>Integrators, lags, filters and controllers. All begin with the values that their parameters say.</p>
</html>"));
end Continuous;
