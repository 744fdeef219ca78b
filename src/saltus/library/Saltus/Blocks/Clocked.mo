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

  block Slower "Every so many ticks"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Integer factor(min = 1) = 4 "The output ticks at every so many ticks of the input";
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

  annotation(Documentation(info = "<html>
<p>Blocks without a clock of their own: a sampler gives it to all that are connected with its output, up to the hold
that leads out again. Blocks of <code>Saltus.Blocks.Math</code> can stand between them, and take part.</p>
</html>"));
end Clocked;
