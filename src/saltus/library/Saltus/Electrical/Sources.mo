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
<p><code>v = offset + V*sin(2*pi*f*time + phase)</code>. <code>V</code> is the amplitude, not the effective value: 230
V from the wall are <code>V = 325</code>. The phase is in radians; pi/2 makes a cosine.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-35, 0}, {-26, 18}, {-17, 24}, {-8, 16}, {8, -16}, {17, -24}, {26, -18}, {35, 0}},
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
<p>The voltage is <code>offset</code> until <code>startTime</code> and <code>offset + V</code> from then on. The step
is an event: it is not rounded off, and a capacitor in parallel is charged in no time, by an impulse of current.</p>
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
    v = offset +
      (if time < startTime then 0 elseif time < startTime + duration then V*(time - startTime)/duration else V);
    annotation(Documentation(info = "<html>
<p>The voltage is <code>offset</code> until <code>startTime</code>, then rises evenly during <code>duration</code>,
and stays at <code>offset + V</code>. With <code>duration = 0</code> it is a step.</p>
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
    on = time >= startTime and (width >= 1 or time < begin + width*period);
    v = offset + (if on then V else 0);
    annotation(Documentation(info = "<html>
<p>From <code>startTime</code> on the voltage is <code>offset + V</code> for the first part of each period,
<code>width</code> times the period, and <code>offset</code> for the rest. Edges are events at times that are known
before: they cost no search.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-35, -20}, {-25, -20}, {-25, 20}, {-5, 20}, {-5, -20}, {15, -20}, {15, 20}, {35, 20}},
          color = {120, 120, 120})}));
  end PulseVoltage;

  model PWMVoltage "A voltage that is on and off in turn, for as long as a signal says"
    extends Saltus.Electrical.Interfaces.VoltageSource;
    parameter Saltus.Units.Voltage V = 1 "Voltage while it is on";
    parameter Saltus.Units.Time period = 1e-3 "Time from pulse to pulse";
    parameter Saltus.Units.Voltage offset = 0 "Voltage between the pulses";
    parameter Saltus.Units.Time startTime = 0 "When the first period begins";
    Saltus.Blocks.Interfaces.RealInput duty(unit = "1") "Part of the period for which it is on, 0 to 1"
      annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, -120}, rotation = 90)));
    discrete Saltus.Units.Time begin(start = startTime, fixed = true) "When the latest period began";
    discrete Saltus.Units.Ratio width(start = 0, fixed = true) "Duty cycle of this period";
    Boolean on "A pulse is on";
  equation
    when sample(startTime, period) then
      begin = time;
      width = duty;
    end when;
    on = time >= startTime and (width >= 1 or time < begin + width*period);
    v = offset + (if on then V else 0);
    annotation(Documentation(info = "<html>
<p>Pulse width modulation: at the beginning of each period the signal <code>duty</code> is read, and the voltage is
<code>offset + V</code> for this part of the period, <code>offset</code> for the rest. The mean is
<code>offset + duty*V</code>.</p>
<p>Duty cycles of 0 and less keep it off, of 1 and more keep it on. As the signal is read once in a period, every edge
is an event at a time that is known before.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{0, -100}, {0, -50}}, color = {0, 0, 127}),
        Line(points = {{-35, -20}, {-30, -20}, {-30, 20}, {-20, 20}, {-20, -20}, {-5, -20}, {-5, 20}, {15, 20},
          {15, -20}, {20, -20}, {20, 20}, {35, 20}}, color = {120, 120, 120})}));
  end PWMVoltage;

  model SignalVoltage "A voltage that a signal gives"
    extends Saltus.Electrical.Interfaces.VoltageSource;
    Saltus.Blocks.Interfaces.RealInput u(unit = "V") "Voltage"
      annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, -120}, rotation = 90)));
  equation
    v = u;
    annotation(Documentation(info = "<html>
<p>The voltage from <code>p</code> to <code>n</code> is the signal <code>u</code>, in volts. Connect a block to it, or
write an equation: <code>source.u = 5*time</code>.</p>
</html>"),
      Icon(graphics = {Line(points = {{0, -100}, {0, -50}}, color = {0, 0, 127})}));
  end SignalVoltage;

  model ConstantCurrent "A current that never changes"
    extends Saltus.Electrical.Interfaces.CurrentSource;
    parameter Saltus.Units.Current I = 1 "Current";
  equation
    i = I;
    annotation(Documentation(info = "<html>
<p>The current through the source, from <code>p</code> to <code>n</code>, is always <code>I</code>, whatever voltage
that takes. An inductor in series has no say: its current is given.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-150, -60}, {150, -100}}, textString = "%I A")}));
  end ConstantCurrent;

  model SineCurrent "A current that alternates"
    extends Saltus.Electrical.Interfaces.CurrentSource;
    parameter Saltus.Units.Current I = 1 "Amplitude";
    parameter Saltus.Units.Frequency f = 50 "Frequency";
    parameter Saltus.Units.Angle phase = 0 "Phase at time 0";
    parameter Saltus.Units.Current offset = 0 "Mean";
  equation
    i = offset + I*sin(2*Saltus.Units.pi*f*time + phase);
    annotation(Documentation(info = "<html>
<p><code>i = offset + I*sin(2*pi*f*time + phase)</code>. The phase is in radians; pi/2 makes a cosine.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-90, -75}, {-67, -62}, {-45, -57}, {-22, -62}, {22, -88}, {45, -93}, {67, -88}, {90, -75}},
          color = {120, 120, 120})}));
  end SineCurrent;

  model StepCurrent "A current that is switched on"
    extends Saltus.Electrical.Interfaces.CurrentSource;
    parameter Saltus.Units.Current I = 1 "Height of the step";
    parameter Saltus.Units.Current offset = 0 "Current before the step";
    parameter Saltus.Units.Time startTime = 0 "When it steps";
  equation
    i = offset + (if time >= startTime then I else 0);
    annotation(Documentation(info = "<html>
<p>The current is <code>offset</code> until <code>startTime</code> and <code>offset + I</code> from then on. The step
is an event.</p>
</html>"),
      Icon(graphics = {Line(points = {{-90, -90}, {0, -90}, {0, -60}, {90, -60}}, color = {120, 120, 120})}));
  end StepCurrent;

  model PulseCurrent "A current that is on and off in turn"
    extends Saltus.Electrical.Interfaces.CurrentSource;
    parameter Saltus.Units.Current I = 1 "Height of the pulses";
    parameter Saltus.Units.Time period = 1 "Time from pulse to pulse";
    parameter Saltus.Units.Ratio width(min = 0, max = 1) = 0.5 "Part of the period for which it is on";
    parameter Saltus.Units.Current offset = 0 "Current between the pulses";
    parameter Saltus.Units.Time startTime = 0 "When the first pulse begins";
    discrete Saltus.Units.Time begin(start = startTime, fixed = true) "When the latest pulse began";
    Boolean on "A pulse is on";
  equation
    when sample(startTime, period) then
      begin = time;
    end when;
    on = time >= startTime and (width >= 1 or time < begin + width*period);
    i = offset + (if on then I else 0);
    annotation(Documentation(info = "<html>
<p>From <code>startTime</code> on the current is <code>offset + I</code> for the first part of each period,
<code>width</code> times the period, and <code>offset</code> for the rest.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-90, -90}, {-60, -90}, {-60, -60}, {-20, -60}, {-20, -90}, {20, -90}, {20, -60}, {60, -60},
          {60, -90}, {90, -90}}, color = {120, 120, 120})}));
  end PulseCurrent;

  model SignalCurrent "A current that a signal gives"
    extends Saltus.Electrical.Interfaces.CurrentSource;
    Saltus.Blocks.Interfaces.RealInput u(unit = "A") "Current"
      annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, -120}, rotation = 90)));
  equation
    i = u;
    annotation(Documentation(info = "<html>
<p>The current from <code>p</code> to <code>n</code> is the signal <code>u</code>, in amperes. Connect a block to it,
or write an equation: <code>source.u = 5*time</code>.</p>
</html>"),
      Icon(graphics = {Line(points = {{0, -100}, {0, -50}}, color = {0, 0, 127})}));
  end SignalCurrent;

  model VoltageControlledVoltage "A voltage that another voltage controls"
    extends Saltus.Electrical.Interfaces.FourPin;
    parameter Saltus.Units.Ratio gain = 1 "Voltage of the second pair per voltage of the first";
  equation
    i1 = 0;
    v2 = gain*v1;
    annotation(Documentation(info = "<html>
<p><code>v2 = gain*v1</code>, and no current flows on the controlling side. An ideal amplifier; with
<code>gain = 1</code> a buffer.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-70, 80}, {70, -80}}, lineColor = {160, 160, 160}),
        Line(points = {{-90, 50}, {-30, 50}}, color = {0, 0, 255}),
        Line(points = {{-90, -50}, {-30, -50}}, color = {0, 0, 255}),
        Text(extent = {{-60, 20}, {-10, -20}}, textString = "v1"),
        Line(points = {{90, 50}, {40, 50}, {40, -50}, {90, -50}}, color = {0, 0, 255}),
        Polygon(points = {{40, 30}, {65, 0}, {40, -30}, {15, 0}, {40, 30}}, lineColor = {0, 0, 255}),
        Line(points = {{48, 40}, {58, 40}}, color = {0, 0, 255}),
        Line(points = {{53, 45}, {53, 35}}, color = {0, 0, 255})}));
  end VoltageControlledVoltage;

  model VoltageControlledCurrent "A current that a voltage controls"
    extends Saltus.Electrical.Interfaces.FourPin;
    parameter Saltus.Units.Transconductance gm = 1 "Current of the second pair per voltage of the first";
  equation
    i1 = 0;
    i2 = gm*v1;
    annotation(Documentation(info = "<html>
<p><code>i2 = gm*v1</code>, from <code>p2</code> to <code>n2</code> through the source; no current flows on the
controlling side. The heart of models of transistors.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-70, 80}, {70, -80}}, lineColor = {160, 160, 160}),
        Line(points = {{-90, 50}, {-30, 50}}, color = {0, 0, 255}),
        Line(points = {{-90, -50}, {-30, -50}}, color = {0, 0, 255}),
        Text(extent = {{-60, 20}, {-10, -20}}, textString = "v1"),
        Line(points = {{90, 50}, {40, 50}, {40, 30}}, color = {0, 0, 255}),
        Line(points = {{90, -50}, {40, -50}, {40, -30}}, color = {0, 0, 255}),
        Polygon(points = {{40, 30}, {65, 0}, {40, -30}, {15, 0}, {40, 30}}, lineColor = {0, 0, 255}),
        Line(points = {{15, 0}, {65, 0}}, color = {0, 0, 255}),
        Line(points = {{34, -38}, {40, -48}, {46, -38}}, color = {0, 0, 255})}));
  end VoltageControlledCurrent;

  model CurrentControlledVoltage "A voltage that a current controls"
    extends Saltus.Electrical.Interfaces.FourPin;
    parameter Saltus.Units.Transresistance rm = 1 "Voltage of the second pair per current of the first";
  equation
    v1 = 0;
    v2 = rm*i1;
    annotation(Documentation(info = "<html>
<p><code>v2 = rm*i1</code>; the controlling side is a wire, from <code>p1</code> to <code>n1</code>.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-70, 80}, {70, -80}}, lineColor = {160, 160, 160}),
        Line(points = {{-90, 50}, {-30, 50}, {-30, -50}, {-90, -50}}, color = {0, 0, 255}),
        Line(points = {{-36, 10}, {-30, -5}, {-24, 10}}, color = {0, 0, 255}),
        Line(points = {{90, 50}, {40, 50}, {40, -50}, {90, -50}}, color = {0, 0, 255}),
        Polygon(points = {{40, 30}, {65, 0}, {40, -30}, {15, 0}, {40, 30}}, lineColor = {0, 0, 255}),
        Line(points = {{48, 40}, {58, 40}}, color = {0, 0, 255}),
        Line(points = {{53, 45}, {53, 35}}, color = {0, 0, 255})}));
  end CurrentControlledVoltage;

  model CurrentControlledCurrent "A current that another current controls"
    extends Saltus.Electrical.Interfaces.FourPin;
    parameter Saltus.Units.Ratio gain = 1 "Current of the second pair per current of the first";
  equation
    v1 = 0;
    i2 = gain*i1;
    annotation(Documentation(info = "<html>
<p><code>i2 = gain*i1</code>, from <code>p2</code> to <code>n2</code> through the source; the controlling side is a
wire, from <code>p1</code> to <code>n1</code>. A current mirror, or the gain of a bipolar transistor.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-70, 80}, {70, -80}}, lineColor = {160, 160, 160}),
        Line(points = {{-90, 50}, {-30, 50}, {-30, -50}, {-90, -50}}, color = {0, 0, 255}),
        Line(points = {{-36, 10}, {-30, -5}, {-24, 10}}, color = {0, 0, 255}),
        Line(points = {{90, 50}, {40, 50}, {40, 30}}, color = {0, 0, 255}),
        Line(points = {{90, -50}, {40, -50}, {40, -30}}, color = {0, 0, 255}),
        Polygon(points = {{40, 30}, {65, 0}, {40, -30}, {15, 0}, {40, 30}}, lineColor = {0, 0, 255}),
        Line(points = {{15, 0}, {65, 0}}, color = {0, 0, 255}),
        Line(points = {{34, -38}, {40, -48}, {46, -38}}, color = {0, 0, 255})}));
  end CurrentControlledCurrent;

  annotation(Documentation(info = "<html>
<p>The voltage of a source is counted from <code>p</code> to <code>n</code>, and so is its current: a source that
gives power has a negative <code>v*i</code>. A current source drives its current through itself from <code>p</code> to
<code>n</code>, so it flows out at <code>n</code>.</p>
</html>"));
end Sources;
