within Saltus.Blocks;
package Clocked "Controllers with a clock that is inferred"
  extends Saltus.Icons.Package;

  block Sampler "Takes the input at the ticks of a clock"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Integer ticks(min = 1) = 1 "So many ticks";
    parameter Integer resolution(min = 1) = 100 "... in this time";
    parameter Boolean given = true "The clock is given here; else it is inferred from others";
  equation
    if given then
      y = sample(u, Clock(ticks, resolution));
    else
      y = sample(u);
    end if;
    annotation(Documentation(info = "<html>
<p>The way into a sampled controller: the output has a clock, and with it everything that follows. It ticks every
<code>ticks/resolution</code> seconds, counted as a fraction. Of several samplers of one controller one gives the
clock, and the others infer it.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-100, 0}, {-40, 0}, {30, 50}}, color = {0, 0, 127}, thickness = 0.5),
        Line(points = {{40, 0}, {100, 0}}, color = {0, 0, 127}, thickness = 0.5)}));
  end Sampler;

  block Hold "Keeps the value of the last tick"
    extends Saltus.Blocks.Interfaces.SingleInput(u(start = y0));
    parameter Real y0 = 0 "Output before the first tick";
  equation
    y = hold(u);
    annotation(Documentation(info = "<html>
<p>The way out of a sampled controller: the output has the shape of stairs and no clock.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, -60}, {-40, -60}, {-40, 0}, {0, 0}, {0, 40}, {40, 40}, {40, 60}, {80, 60}},
          color = {0, 0, 127}, thickness = 0.5)}));
  end Hold;

  block Slower "Passes every n-th tick"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Integer factor(min = 1) = 4 "Ticks of the input for each tick of the output";
  equation
    y = subSample(u, factor);
    annotation(Documentation(info = "<html>
<p>From a fast part of a controller to a slow one. The values in between are dropped: what should not be folded has
to be filtered before.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, -40}, {-80, 40}}, color = {0, 0, 127}),
        Line(points = {{-60, -40}, {-60, 40}}, color = {0, 0, 127}),
        Line(points = {{-40, -40}, {-40, 40}}, color = {0, 0, 127}),
        Line(points = {{20, -40}, {20, 40}}, color = {0, 0, 127}),
        Line(points = {{80, -40}, {80, 40}}, color = {0, 0, 127})}));
  end Slower;

  block Faster "So many ticks for each"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Integer factor(min = 1) = 4 "The output ticks so often for each tick of the input";
  equation
    y = superSample(u, factor);
    annotation(Documentation(info = "<html>
<p>From a slow part of a controller to a fast one: the value stays until the next one comes.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, -40}, {-80, 40}}, color = {0, 0, 127}),
        Line(points = {{-20, -40}, {-20, 40}}, color = {0, 0, 127}),
        Line(points = {{40, -40}, {40, 40}}, color = {0, 0, 127}),
        Line(points = {{60, -40}, {60, 40}}, color = {0, 0, 127}),
        Line(points = {{80, -40}, {80, 40}}, color = {0, 0, 127})}));
  end Faster;

  block PI "Proportional and integral"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real k = 1 "Gain";
    parameter Saltus.Units.Time Ti(min = 0) = 1 "Reset time";
  protected
    Real x(start = 0) "The integral";
  equation
    x = previous(x) + interval(u)*u/Ti;
    y = k*(u + x);
    annotation(Documentation(info = "<html>
<p>The integral is that of implicit Euler. The time from tick to tick is that of the clock, whichever it is, so the
parameters keep their meaning when the clock is changed.</p>
</html>"),
      Icon(graphics = {
        Text(extent = {{-80, 40}, {80, -40}}, textString = "PI", textColor = {0, 0, 127})}));
  end PI;

  block FirstOrder "A low pass of first order"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Saltus.Units.Time T(min = 0) = 0.1 "Time constant";
  protected
    Real x(start = 0) "The output at the tick before";
  equation
    x = previous(x) + (1 - exp(-interval(u)/T))*(u - previous(x));
    y = x;
    annotation(Documentation(info = "<html>
<p>Exact for an input that does not change from tick to tick.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, -60}, {-40, -10}, {0, 25}, {40, 45}, {80, 55}}, color = {0, 0, 127}, thickness = 0.5)}));
  end FirstOrder;

  block Noise "Adds random numbers of a normal distribution"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real sigma(min = 0) = 1 "Standard deviation";
    parameter Integer seed(min = 1, max = 2147483398) = 1 "Another one for each block, so that they differ";
  protected
    Integer s1(start = seed) "First state of the generator";
    Integer s2(start = seed) "Second state of the generator";
    Real r "Random number";
  equation
    (r, s1, s2) = normal(previous(s1), previous(s2));
    y = u + sigma*r;
    annotation(Documentation(info = "<html>
<p>A measurement with noise: at each tick one number that does not depend on those before, of mean 0 and standard
deviation <code>sigma</code>. The same seed gives the same numbers in every run, and blocks with different seeds are
independent. The density of the noise is <code>sigma^2</code> times the interval of the clock, so scale
<code>sigma</code> when the clock is changed and the density should stay.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, 0}, {-65, 35}, {-50, -20}, {-35, 60}, {-20, -45}, {-5, 15}, {10, -60}, {25, 40}, {40, -15},
          {55, 50}, {70, -30}, {80, 5}}, color = {0, 0, 127})}));
  end Noise;

  function normal "The next random number, of mean 0 and standard deviation 1"
    input Integer before1 "First state of the generator";
    input Integer before2 "Second state of the generator";
    output Real r "Random number";
    output Integer s1 "First state after it";
    output Integer s2 "Second state after it";
  protected
    Real u[2] "Two numbers between 0 and 1";
    Integer z "Sum of the two states";
  algorithm
    s1 := before1;
    s2 := before2;
    for k in 1:2 loop
      s1 := 40014*mod(s1, 53668) - 12211*div(s1, 53668);
      s1 := if s1 < 0 then s1 + 2147483563 else s1;
      s2 := 40692*mod(s2, 52774) - 3791*div(s2, 52774);
      s2 := if s2 < 0 then s2 + 2147483399 else s2;
      z := s1 - s2;
      z := if z < 1 then z + 2147483562 else z;
      u[k] := z/2147483563;
    end for;
    r := sqrt(-2*log(u[1]))*cos(2*Saltus.Units.pi*u[2]);
    annotation(Documentation(info = "<html>
<p>Two numbers of the combined generator of L'Ecuyer (Communications of the ACM 31, 1988), which repeats itself after
some 2e18, made normal as Box and Muller do. The products fit into 32 bits.</p>
</html>"));
  end normal;

  block Estimator "Estimates the states of a plant from its input and one measurement"
    extends Saltus.Icons.Block;
    parameter Integer n(min = 1) = size(A, 1) "Number of states";
    parameter Real A[:, size(A, 1)] = [1] "From the states at one tick to those at the next";
    parameter Real B[size(A, 1)] = zeros(size(A, 1)) "From the input at one tick to the states at the next";
    parameter Real C[size(A, 1)] = ones(size(A, 1)) "From the states to the measurement";
    parameter Real K[size(A, 1)] = kalmanGain(A, C, identity(size(A, 1)), 1) "Gain of the correction";
    parameter Real x0[size(A, 1)] = zeros(size(A, 1)) "Estimate before the first measurement";
    Saltus.Blocks.Interfaces.RealInput u "Input of the plant"
      annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
    Saltus.Blocks.Interfaces.RealInput y "Measurement"
      annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
    Saltus.Blocks.Interfaces.RealOutput x[n] "Estimated states"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  protected
    Real next[n](start = x0) "Estimate of the next tick before its measurement";
  equation
    x = previous(next) + K*(y - C*previous(next));
    next = A*x + B*u;
    annotation(Documentation(info = "<html>
<p>A model of the plant runs beside it, <code>x(k+1) = A*x(k) + B*u(k)</code>, <code>y(k) = C*x(k)</code>, and at each
tick what is measured corrects it. The error of the estimate follows <code>e(k+1) = (A - K*C*A)*e(k)</code>: choose
<code>K</code> by the eigenvalues of that (an observer of Luenberger), or by <code>kalmanGain</code>. The matrices
belong to an interval of the clock; for a continuous plant take the matrix exponential over it. The input may depend on
the estimate at the same tick.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, 60}, {-40, -20}, {0, 20}, {40, 10}, {80, 14}}, color = {0, 0, 127}, thickness = 0.5),
        Line(points = {{-80, -40}, {-40, -15}, {0, 0}, {40, 8}, {80, 13}}, color = {0, 0, 127},
          pattern = LinePattern.Dash)}));
  end Estimator;

  function kalmanGain "The gain of an estimator that has the least variance in the long run"
    input Real A[:, size(A, 1)] "From the states at one tick to those at the next";
    input Real C[size(A, 1)] "From the states to the measurement";
    input Real Q[size(A, 1), size(A, 1)] "Covariance of what disturbs the states from one tick to the next";
    input Real R(min = 0) "Variance of the noise of the measurement";
    output Real K[size(A, 1)] "Gain of the correction";
  protected
    Real P[size(A, 1), size(A, 1)] "Covariance of the error before the measurement";
    Real before[size(A, 1), size(A, 1)] "Covariance of the round before";
    Integer rounds "Number of rounds";
    Boolean settled "The covariance does not change";
  algorithm
    P := Q;
    settled := false;
    rounds := 0;
    while not settled loop
      before := P;
      K := P*C/(C*P*C + R);
      P := A*(P - matrix(K)*transpose(matrix(C))*P)*transpose(A) + Q;
      P := (P + transpose(P))/2;
      settled := max(abs(P - before)) <= 1e-13*max(abs(P)) and max(abs(P)) < 1e100;
      rounds := rounds + 1;
      assert(settled or rounds < 100000, "The gain of the Kalman filter does not settle: either a state that grows is "
        + "not seen in the measurement (A, C), or nothing disturbs a state that does not decay (Q)");
    end while;
    K := P*C/(C*P*C + R);
    annotation(Documentation(info = "<html>
<p>The filter of Kalman for noise that does not change has a gain that settles; this is what it settles to. The
covariance is carried from tick to tick (Riccati's equation) until it is the same to 13 digits.</p>
</html>"));
  end kalmanGain;

  annotation(Documentation(info = "<html>
<p>Blocks without a clock of their own: a sampler gives it to all that are connected with its output, up to the hold
that leads out again. Blocks of <code>Saltus.Blocks.Math</code> can stand between them, and take part.</p>
</html>"));
end Clocked;
