within Saltus.Electrical;
package Sources "Voltages and currents that are given"
  extends Saltus.Icons.Package;

  model ConstantVoltage "A battery"
    extends Saltus.Electrical.Interfaces.VoltageSource;
    parameter Saltus.Units.Voltage V = 1 "Voltage";
  equation
    v = V;
    annotation(Documentation(info = "<html>
<p>The voltage from <code>p</code> to <code>n</code> is always <code>V</code>, whatever current flows.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-150, -60}, {150, -100}}, textString = "%V V")}));
  end ConstantVoltage;

  model SineVoltage "A voltage that alternates"
    extends Saltus.Electrical.Interfaces.VoltageSource;
    parameter Saltus.Units.Voltage V = 1 "Amplitude";
    parameter Saltus.Units.Frequency f = 50 "Frequency";
    parameter Saltus.Units.Angle phase = 0 "Phase at time 0";
    parameter Saltus.Units.Voltage offset = 0 "Mean";
  equation
    v = offset + V*sin(2*Saltus.Units.pi*f*time + phase);
    annotation(Documentation(info = "<html>
<p><code>v = offset + V*sin(2*pi*f*time + phase)</code>. <code>V</code> is the amplitude, not the effective value: 230 V from the wall
are <code>V = 325</code>. The phase is in radians; pi/2 makes a cosine.</p>
</html>"),
      Icon(graphics = {Line(points = {{-35, 0}, {-26, 18}, {-17, 24}, {-8, 16}, {8, -16}, {17, -24}, {26, -18}, {35, 0}},
        color = {120, 120, 120})}));
  end SineVoltage;

  model StepVoltage "A voltage that is switched on"
    extends Saltus.Electrical.Interfaces.VoltageSource;
    parameter Saltus.Units.Voltage V = 1 "Height of the step";
    parameter Saltus.Units.Voltage offset = 0 "Voltage before the step";
    parameter Saltus.Units.Time startTime = 0 "When it steps";
  equation
    v = offset + (if time >= startTime then V else 0);
    annotation(Documentation(info = "<html>
<p>The voltage is <code>offset</code> until <code>startTime</code> and <code>offset + V</code> from then on. The step is an event: it is
not rounded off, and a capacitor in parallel is charged in no time, by an impulse of current.</p>
</html>"),
      Icon(graphics = {Line(points = {{-35, -20}, {0, -20}, {0, 20}, {35, 20}}, color = {120, 120, 120})}));
  end StepVoltage;

  model RampVoltage "A voltage that rises to a new value"
    extends Saltus.Electrical.Interfaces.VoltageSource;
    parameter Saltus.Units.Voltage V = 1 "Height of the ramp";
    parameter Saltus.Units.Time duration = 1 "How long it rises";
    parameter Saltus.Units.Voltage offset = 0 "Voltage before the ramp";
    parameter Saltus.Units.Time startTime = 0 "When it begins to rise";
  equation
    v = offset + (if time < startTime then 0 elseif time < startTime + duration then V*(time - startTime)/duration else V);
    annotation(Documentation(info = "<html>
<p>The voltage is <code>offset</code> until <code>startTime</code>, then rises evenly during <code>duration</code>, and stays at
<code>offset + V</code>. With <code>duration = 0</code> it is a step.</p>
</html>"),
      Icon(graphics = {Line(points = {{-35, -20}, {-15, -20}, {15, 20}, {35, 20}}, color = {120, 120, 120})}));
  end RampVoltage;

  model PulseVoltage "A voltage that is on and off in turn"
    extends Saltus.Electrical.Interfaces.VoltageSource;
    parameter Saltus.Units.Voltage V = 1 "Height of the pulses";
    parameter Saltus.Units.Time period = 1 "Time from pulse to pulse";
    parameter Saltus.Units.Ratio width(min = 0, max = 1) = 0.5 "Part of the period for which it is on";
    parameter Saltus.Units.Voltage offset = 0 "Voltage between the pulses";
    parameter Saltus.Units.Time startTime = 0 "When the first pulse begins";
    discrete Saltus.Units.Time begin(start = startTime, fixed = true) "When the latest pulse began";
    Boolean on "A pulse is on";
  equation
    when sample(startTime, period) then
      begin = time;
    end when;
    on = time >= startTime and time < begin + width*period;
    v = offset + (if on then V else 0);
    annotation(Documentation(info = "<html>
<p>From <code>startTime</code> on the voltage is <code>offset + V</code> for the first part of each period, <code>width</code> times the
period, and <code>offset</code> for the rest. Edges are events at times that are known before: they cost no search.</p>
</html>"),
      Icon(graphics = {Line(points = {{-35, -20}, {-25, -20}, {-25, 20}, {-5, 20}, {-5, -20}, {15, -20}, {15, 20}, {35, 20}},
        color = {120, 120, 120})}));
  end PulseVoltage;

  model SignalVoltage "A voltage that a signal gives"
    extends Saltus.Electrical.Interfaces.VoltageSource;
    Saltus.Blocks.Interfaces.RealInput u(unit = "V") "Voltage"
      annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, 120}, rotation = 270)));
  equation
    v = u;
    annotation(Documentation(info = "<html>
<p>The voltage from <code>p</code> to <code>n</code> is the signal <code>u</code>, in volts. Connect a block to it, or write an equation:
<code>source.u = 5*time</code>.</p>
</html>"),
      Icon(graphics = {Line(points = {{0, 100}, {0, 50}}, color = {0, 0, 127})}));
  end SignalVoltage;

  annotation(Documentation(info = "<html>
<p>The voltage of a source is counted from <code>p</code> to <code>n</code>, and so is its current: a source that gives power has a
negative <code>v*i</code>. A current source drives its current through itself from <code>p</code> to <code>n</code>, so it flows out at
<code>n</code>.</p>
</html>"));
end Sources;
