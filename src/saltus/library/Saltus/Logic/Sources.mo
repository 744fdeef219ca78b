within Saltus.Logic;
package Sources "Boolean signals that depend on time alone"
  extends Saltus.Icons.Package;

  block BooleanConstant "Always true, or always false"
    extends Saltus.Logic.Interfaces.Source;
    parameter Boolean k = true "The value";
  equation
    y = k;
    annotation(Documentation(info = "<html>
<p>The signal <code>y = k</code>.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-80, 40}, {80, -40}}, textString = "%k", textColor = {140, 0, 140})}));
  end BooleanConstant;

  block BooleanStep "Changes once"
    extends Saltus.Logic.Interfaces.Source;
    parameter Saltus.Units.Time startTime = 0 "When it changes";
    parameter Boolean before = false "Value before the change";
  equation
    y = if time < startTime then before else not before;
    annotation(Documentation(info = "<html>
<p>False, and true from <code>startTime</code> on; or the other way round if <code>before</code> is true. The
change is a scheduled event.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -50}, {0, -50}, {0, 50}, {75, 50}}, color = {140, 0, 140})}));
  end BooleanStep;

  block BooleanPulse "True for a while in every period"
    extends Saltus.Logic.Interfaces.Source;
    parameter Saltus.Units.Time period(min = 0) = 1 "Time from pulse to pulse";
    parameter Saltus.Units.Ratio width(min = 0, max = 1) = 0.5 "Part of the period that a pulse lasts";
    parameter Saltus.Units.Time startTime = 0 "When the first pulse begins";
  initial equation
    pre(y) = time >= startTime and mod(time - startTime, period) < width*period;
  equation
    when sample(startTime, period) then
      y = width > 0;
    elsewhen sample(startTime + width*period, period) then
      y = false;
    end when;
    annotation(Documentation(info = "<html>
<p>Becomes true every <code>period</code> and stays so for <code>width*period</code>. Both edges come from clocks:
they do not drift, and edges of several sources that should coincide do. So this is the gate signal of a
converter as well as the clock of a counter.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -50}, {-40, -50}, {-40, 50}, {-10, 50}, {-10, -50}, {25, -50}, {25, 50}, {55, 50},
          {55, -50}, {75, -50}}, color = {140, 0, 140})}));
  end BooleanPulse;

  block BooleanTable "Changes at given times"
    extends Saltus.Logic.Interfaces.Source;
    parameter Saltus.Units.Time table[:] = {0.25, 0.75} "When it changes, in rising order";
    parameter Boolean before = false "Value before the first change";
  protected
    Boolean past[size(table, 1)] "Which changes have been made";
    Integer count "How many changes have been made";
  equation
    for k in 1:size(table, 1) loop
      past[k] = time >= table[k];
    end for;
    count = sum(if past[k] then 1 else 0 for k in 1:size(table, 1));
    y = if mod(count, 2) == 0 then before else not before;
    annotation(Documentation(info = "<html>
<p>Begins with <code>before</code> and changes at each of the times in <code>table</code>: true from the first to
the second, from the third to the fourth, and so on. Each change is a scheduled event.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-70, -50}, {-50, -50}, {-50, 50}, {-30, 50}, {-30, -50}, {30, -50}, {30, 50}, {60, 50},
          {60, -50}, {75, -50}}, color = {140, 0, 140})}));
  end BooleanTable;

  block SampleTrigger "True for an instant in every period"
    extends Saltus.Logic.Interfaces.Source;
    parameter Saltus.Units.Time period(min = 0) = 1 "Time from instant to instant";
    parameter Saltus.Units.Time startTime = 0 "The first one";
  equation
    y = sample(startTime, period);
    annotation(Documentation(info = "<html>
<p>True only during the event at <code>startTime</code>, <code>startTime + period</code> and so on; a plot does not
show it. Use it where something is to happen at an edge: counters, flip-flops, resets.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -80}, {-70, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {80, -70}}, color = {160, 160, 160}),
        Line(points = {{-40, -70}, {-40, 50}}, color = {140, 0, 140}),
        Line(points = {{10, -70}, {10, 50}}, color = {140, 0, 140}),
        Line(points = {{60, -70}, {60, 50}}, color = {140, 0, 140})}));
  end SampleTrigger;

  annotation(Documentation(info = "<html>
<p>Boolean outputs without inputs. All changes are scheduled events.</p>
</html>"));
end Sources;
