within Saltus.Blocks;
package Sources "Signals that depend on time alone"
  extends Saltus.Icons.Package;

  block Constant "Always the same value"
    extends Saltus.Blocks.Interfaces.Source;
    parameter Real k = 1 "The value";
  equation
    y = k;
    annotation(Documentation(info = "<html>
<p>The signal <code>y = k</code>. Use it for set points that do not change during a run.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, 20}, {75, 20}}, color = {0, 0, 127})}));
  end Constant;

  block Clock "The time since a moment"
    extends Saltus.Blocks.Interfaces.Source;
    parameter Saltus.Units.Time startTime = 0 "The output is zero until then";
    parameter Real offset = 0 "Value before the start";
    parameter Real slope(unit = "1/s") = 1 "Growth per second";
  equation
    y = offset + (if time < startTime then 0 else slope*(time - startTime));
    annotation(Documentation(info = "<html>
<p>Counts seconds from <code>startTime</code> on; with <code>slope</code> and <code>offset</code> it is a ramp that
never ends. Use it as input of a table, or wherever a law asks for time.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-70, 70}, {70, -70}}, lineColor = {0, 0, 127}),
        Line(points = {{0, 45}, {0, 0}, {35, 20}}, color = {0, 0, 127})}));
  end Clock;

  block Step "Jumps once"
    extends Saltus.Blocks.Interfaces.Source;
    parameter Real height = 1 "Height of the jump";
    parameter Real offset = 0 "Value before the jump";
    parameter Saltus.Units.Time startTime = 0 "When it jumps";
  equation
    y = offset + (if time < startTime then 0 else height);
    annotation(Documentation(info = "<html>
<p>The value is <code>offset</code>, and from <code>startTime</code> on <code>offset + height</code>. The jump is a
scheduled event: the integrator stops exactly there.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -50}, {0, -50}, {0, 50}, {75, 50}}, color = {0, 0, 127})}));
  end Step;

  block Ramp "Goes from one value to another in a straight line"
    extends Saltus.Blocks.Interfaces.Source;
    parameter Real height = 1 "Height of the ramp";
    parameter Real offset = 0 "Value before the ramp";
    parameter Saltus.Units.Time startTime = 0 "When the ramp begins";
    parameter Saltus.Units.Time duration(min = 0) = 1 "How long it rises; 0 makes a step";
  equation
    y = offset + (if time < startTime then 0 elseif time < startTime + duration
      then height*(time - startTime)/duration else height);
    annotation(Documentation(info = "<html>
<p>Starts at <code>offset</code>, rises by <code>height</code> during <code>duration</code> and stays there. Both
corners are scheduled events. Ramps excite less than steps: use them for set points of drives.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -50}, {-30, -50}, {30, 50}, {75, 50}}, color = {0, 0, 127})}));
  end Ramp;

  block Sine "An oscillation"
    extends Saltus.Blocks.Interfaces.Source;
    parameter Real amplitude = 1 "Amplitude";
    parameter Saltus.Units.Frequency f = 1 "Frequency";
    parameter Saltus.Units.Angle phase = 0 "Phase at the start";
    parameter Real offset = 0 "Mean value";
    parameter Saltus.Units.Time startTime = 0 "The value is the offset until then";
  equation
    y = offset + (if time < startTime then 0
      else amplitude*sin(2*Saltus.Units.pi*f*(time - startTime) + phase));
    annotation(Documentation(info = "<html>
<p>The signal <code>offset + amplitude*sin(2*pi*f*(time - startTime) + phase)</code>. With a phase of 90 degrees it
begins as a cosine.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, 0}, {80, 0}}, color = {160, 160, 160}),
        Line(points = {{-70, 0}, {-52, 42}, {-35, 60}, {-18, 42}, {0, 0}, {18, -42}, {35, -60}, {52, -42}, {70, 0}},
          color = {0, 0, 127}, smooth = Smooth.Bezier)}));
  end Sine;

  block Pulse "Jumps up and down periodically"
    extends Saltus.Blocks.Interfaces.Source;
    parameter Real amplitude = 1 "Height of a pulse";
    parameter Saltus.Units.Time period(min = 0) = 1 "Time from pulse to pulse";
    parameter Saltus.Units.Ratio width(min = 0, max = 1) = 0.5 "Part of the period that a pulse lasts";
    parameter Real offset = 0 "Value between the pulses";
    parameter Saltus.Units.Time startTime = 0 "When the first pulse begins";
  protected
    Boolean on "True during a pulse";
  initial equation
    pre(on) = time >= startTime and mod(time - startTime, period) < width*period;
  equation
    when sample(startTime, period) then
      on = width > 0;
    elsewhen sample(startTime + width*period, period) then
      on = false;
    end when;
    y = offset + (if on then amplitude else 0);
    annotation(Documentation(info = "<html>
<p>Pulses of the height <code>amplitude</code> that begin every <code>period</code> and last
<code>width*period</code>. All edges come from clocks: they do not drift, and edges of several sources that
should coincide do.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -50}, {-40, -50}, {-40, 50}, {-10, 50}, {-10, -50}, {25, -50}, {25, 50}, {55, 50},
          {55, -50}, {75, -50}}, color = {0, 0, 127})}));
  end Pulse;

  block SawTooth "Rises and falls back periodically"
    extends Saltus.Blocks.Interfaces.Source;
    parameter Real amplitude = 1 "Height of a tooth";
    parameter Saltus.Units.Time period(min = 0) = 1 "Time from tooth to tooth";
    parameter Real offset = 0 "Value at the foot of a tooth";
    parameter Saltus.Units.Time startTime = 0 "When the first tooth begins";
  protected
    discrete Saltus.Units.Time t0 "When the present tooth began";
  initial equation
    pre(t0) = startTime + period*floor((time - startTime)/period);
  equation
    when sample(startTime, period) then
      t0 = time;
    end when;
    y = offset + (if time < startTime then 0 else amplitude*(time - t0)/period);
    annotation(Documentation(info = "<html>
<p>In every period the value grows from <code>offset</code> by <code>amplitude</code> and jumps back. Compared with
a set point it makes pulse width modulation.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -50}, {-25, 50}, {-25, -50}, {20, 50}, {20, -50}, {65, 50}, {65, -50}},
          color = {0, 0, 127})}));
  end SawTooth;

  block Trapezoid "Rises, stays, falls and waits periodically"
    extends Saltus.Blocks.Interfaces.Source;
    parameter Real amplitude = 1 "Height";
    parameter Saltus.Units.Time rising(min = 0) = 0.25 "How long it rises";
    parameter Saltus.Units.Time staying(min = 0) = 0.25 "How long it stays up";
    parameter Saltus.Units.Time falling(min = 0) = 0.25 "How long it falls";
    parameter Saltus.Units.Time period(min = 0) = 1 "Time from one rise to the next";
    parameter Real offset = 0 "Value at the foot";
    parameter Saltus.Units.Time startTime = 0 "When the first rise begins";
  protected
    discrete Saltus.Units.Time t0 "When the present period began";
  initial equation
    pre(t0) = startTime + period*floor((time - startTime)/period);
  equation
    when sample(startTime, period) then
      t0 = time;
    end when;
    y = offset + (if time < startTime then 0
      elseif time < t0 + rising then amplitude*(time - t0)/rising
      elseif time < t0 + rising + staying then amplitude
      elseif time < t0 + rising + staying + falling then amplitude*(1 - (time - t0 - rising - staying)/falling)
      else 0);
    annotation(Documentation(info = "<html>
<p>A periodic signal of four straight lines; those with a duration of zero are jumps or left out. The four
durations must not be longer than the period together. Its corners are scheduled events.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -50}, {-45, 50}, {-15, 50}, {10, -50}, {30, -50}, {55, 50}, {75, 50}},
          color = {0, 0, 127})}));
  end Trapezoid;

  block Exponential "Approaches a value, quickly first and slowly later"
    extends Saltus.Blocks.Interfaces.Source;
    parameter Real height = 1 "How far it goes in the end";
    parameter Saltus.Units.Time T = 0.2 "Time constant";
    parameter Real offset = 0 "Value before the start";
    parameter Saltus.Units.Time startTime = 0 "When it begins";
  equation
    y = offset + (if time < startTime then 0 else height*(1 - exp(-(time - startTime)/T)));
    annotation(Documentation(info = "<html>
<p>The signal <code>offset + height*(1 - exp(-(time - startTime)/T))</code> from <code>startTime</code> on: a step
behind a lag of first order, without a state. After <code>T</code> it has gone 63 % of its way.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -50}, {-50, -50}, {-30, 15}, {-10, 42}, {20, 54}, {75, 58}}, color = {0, 0, 127},
          smooth = Smooth.Bezier)}));
  end Exponential;

  block Chirp "An oscillation whose frequency grows"
    extends Saltus.Blocks.Interfaces.Source;
    parameter Real amplitude = 1 "Amplitude";
    parameter Saltus.Units.Frequency f1 = 1 "Frequency at the start";
    parameter Saltus.Units.Frequency f2 = 10 "Frequency after the duration, and from then on";
    parameter Saltus.Units.Time duration = 1 "How long the frequency changes";
    parameter Real offset = 0 "Mean value";
    parameter Saltus.Units.Time startTime = 0 "When it begins";
  protected
    Saltus.Units.Time t = time - startTime "Time since the start";
    Saltus.Units.Angle phase "Where the oscillation is";
  equation
    phase = 2*Saltus.Units.pi*(if t < 0 then 0 elseif t < duration then (f1 + (f2 - f1)*t/(2*duration))*t
      else f2*t - (f2 - f1)*duration/2);
    y = offset + amplitude*sin(phase);
    annotation(Documentation(info = "<html>
<p>The frequency goes from <code>f1</code> to <code>f2</code> in a straight line and stays there; the phase has no
jumps. One run with it shows how a system answers to a whole band of frequencies.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, 0}, {80, 0}}, color = {160, 160, 160}),
        Line(points = {{-70, 0}, {-45, 60}, {-20, -60}, {0, 60}, {17, -60}, {31, 60}, {43, -60}, {53, 60},
          {62, -60}, {70, 0}}, color = {0, 0, 127})}));
  end Chirp;

  block TimeTable "A curve over time, given by points"
    extends Saltus.Blocks.Interfaces.Source;
    parameter Real table[:, 2] = [0, 0; 1, 1] "Points, one a row: time in seconds, value; equal times make a jump";
    parameter Boolean periodic = false "Begins anew at its end; otherwise the ends are held";
    parameter Saltus.Units.Time startTime = 0 "Moment that is zero in the table";
  protected
    parameter Integer n = size(table, 1) "Number of points, at least two";
    parameter Saltus.Units.Time period = if periodic then table[n, 1] - table[1, 1] else 1 "Length of the table";
    discrete Saltus.Units.Time shift "Moment that is zero in the table now";
    discrete Saltus.Units.Time next "When the next point comes";
    discrete Integer k "How many points are past";
    discrete Real y0 "Value at the last point";
    discrete Real slope "Growth per second from there";
    discrete Saltus.Units.Time t0 "When the last point was";

    function past "How many points are not after a time"
      input Real table[:, 2] "Points";
      input Saltus.Units.Time t "Time of the table";
      output Integer k = 0 "How many";
    algorithm
      while k < size(table, 1) and t >= table[min(k + 1, size(table, 1)), 1] loop
        k := k + 1;
      end while;
    end past;

    function piece "The line from point k to point k + 1; flat before the first point and after the last one"
      input Real table[:, 2] "Points";
      input Integer k "Which line, or 0";
      output Saltus.Units.Time t0 = table[max(k, 1), 1] "Where it begins";
      output Real y0 = table[max(k, 1), 2] "Value there";
      output Real slope = 0 "Growth per second";
      output Saltus.Units.Time next = 1e300 "Where it ends: never";
    algorithm
      if k < size(table, 1) then
        next := table[k + 1, 1];
      end if;
      if k > 0 and k < size(table, 1) then
        slope := (table[k + 1, 2] - y0)/(next - t0);
      end if;
    end piece;
  equation
    when initial() then
      shift = startTime + (if periodic then period*max(0, floor((time - startTime - table[1, 1])/period)) else 0);
      k = past(table, time - shift);
      (t0, y0, slope, next) = piece(table, k);
    elsewhen time >= pre(shift) + pre(next) then
      shift = if periodic and pre(next) >= table[n, 1] then pre(shift) + period else pre(shift);
      k = past(table, if periodic and pre(next) >= table[n, 1] then table[1, 1] else pre(next));
      (t0, y0, slope, next) = piece(table, k);
    end when;
    y = y0 + slope*(time - shift - t0);
    annotation(Documentation(info = "<html>
<p>Straight lines from point to point, and a jump where two rows have the same time. Each point is a scheduled
event. Before the first point its value is held, and after the last one, too, unless the table is
<code>periodic</code>. Long tables are no burden.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -50}, {-40, 30}, {-10, 30}, {-10, -20}, {30, 60}, {75, 60}}, color = {0, 0, 127})}));
  end TimeTable;

  annotation(Documentation(info = "<html>
<p>Outputs without inputs. Everything that happens at a known time is a scheduled event: it is not searched for,
and the integrator stops exactly there.</p>
</html>"));
end Sources;
