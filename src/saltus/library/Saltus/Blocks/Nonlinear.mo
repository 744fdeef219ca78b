within Saltus.Blocks;
package Nonlinear "Blocks with corners, jumps and play"
  extends Saltus.Icons.Package;

  block Limiter "Keeps a signal between two values"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real yMin = -1 "Smallest output";
    parameter Real yMax = 1 "Largest output";
  equation
    y = if u > yMax then yMax elseif u < yMin then yMin else u;
    annotation(Documentation(info = "<html>
<p>The input, cut off at <code>yMin</code> and <code>yMax</code>. Both corners are events.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{0, -80}, {0, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, 0}, {80, 0}}, color = {160, 160, 160}),
        Line(points = {{-80, -50}, {-40, -50}, {40, 50}, {80, 50}}, color = {0, 0, 127}, thickness = 0.5)}));
  end Limiter;

  block VariableLimiter "Keeps a signal between two others"
    extends Saltus.Blocks.Interfaces.SingleInput;
    Saltus.Blocks.Interfaces.RealInput upper "Largest output"
      annotation(Placement(transformation(extent = {{-140, 60}, {-100, 100}})));
    Saltus.Blocks.Interfaces.RealInput lower "Smallest output"
      annotation(Placement(transformation(extent = {{-140, -100}, {-100, -60}})));
  equation
    y = if u > upper then upper elseif u < lower then lower else u;
    annotation(Documentation(info = "<html>
<p>The input, cut off at the present values of <code>upper</code> and <code>lower</code>. Where these cross each
other, the upper one counts for what is above it.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-100, 80}, {40, 80}, {40, 50}}, color = {160, 160, 160}),
        Line(points = {{-100, -80}, {-40, -80}, {-40, -50}}, color = {160, 160, 160}),
        Line(points = {{-80, -50}, {-40, -50}, {40, 50}, {80, 50}}, color = {0, 0, 127}, thickness = 0.5)}));
  end VariableLimiter;

  block DeadZone "Nothing comes out around zero"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real uMin = -1 "Lower end of the zone";
    parameter Real uMax = 1 "Upper end of the zone";
  equation
    y = if u > uMax then u - uMax elseif u < uMin then u - uMin else 0;
    annotation(Documentation(info = "<html>
<p>Zero while the input is in the zone, and beyond it the distance from the zone. What a limiter cuts off is what a
dead zone lets through: their sum is the input.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{0, -80}, {0, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, 0}, {80, 0}}, color = {160, 160, 160}),
        Line(points = {{-80, -60}, {-30, 0}, {30, 0}, {80, 60}}, color = {0, 0, 127}, thickness = 0.5)}));
  end DeadZone;

  block Deadband "Follows the input only when it has gone far enough"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real band(min = 0) = 0.1 "How far the input may go from the output";
  initial equation
    pre(y) = u;
  equation
    when {u > pre(y) + band, u < pre(y) - band} then
      y = u;
    end when;
    annotation(Documentation(info = "<html>
<p>The output stays as it is until the input is <code>band</code> away from it, and then jumps to the input. A
sensor that sends only what has changed does this: few messages, and a known error.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, -70}, {80, 70}}, color = {160, 160, 160}),
        Line(points = {{-80, -70}, {-45, -70}, {-45, -40}, {0, -40}, {0, 0}, {45, 0}, {45, 40}, {80, 40}},
          color = {0, 0, 127}, thickness = 0.5)}));
  end Deadband;

  block Quantizer "Rounds to steps"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real quantum = 0.1 "Height of a step";
  equation
    y = quantum*floor(u/quantum + 0.5);
    annotation(Documentation(info = "<html>
<p>The nearest multiple of <code>quantum</code>: never further than half a step from the input. Every step is an
event. Converters from analogue to digital do this.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-80, -70}, {80, 70}}, color = {160, 160, 160}),
        Line(points = {{-80, -60}, {-50, -60}, {-50, -20}, {-10, -20}, {-10, 20}, {30, 20}, {30, 60}, {80, 60}},
          color = {0, 0, 127}, thickness = 0.5)}));
  end Quantizer;

  block RateLimiter "Follows the input no faster than it may"
    extends Saltus.Blocks.Interfaces.SingleInput(y(start = y0, fixed = true));
    parameter Real rising(unit = "1/s") = 1 "Largest derivative of the output";
    parameter Real falling(unit = "1/s") = -rising "Smallest derivative of the output";
    parameter Real y0 = 0 "Output at the start";
  protected
    Real s "Place on the curve: beyond 1 while it rises behind the input, below -1 while it falls";
  equation
    u - y = if s > 1 then s - 1 elseif s < -1 then s + 1 else 0;
    der(y) = if s > 1 then rising elseif s < -1 then falling else ((1 + s)*rising + (1 - s)*falling)/2;
    annotation(Documentation(info = "<html>
<p>The output is the input, as long as its derivative is between <code>falling</code> and <code>rising</code>. When
the input is faster, or jumps, the output goes after it with the largest derivative that is allowed, until it is
there.</p>
<p>Distance and derivative are one curve with corners, as in dry friction, and <code>s</code> is the place on it.
There is no gain to be tuned: the output does not lag. While it follows it is not a state.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-70, -60}, {-40, -60}, {-40, 60}, {70, 60}}, color = {160, 160, 160}),
        Line(points = {{-70, -60}, {-40, -60}, {20, 60}, {70, 60}}, color = {0, 0, 127}, thickness = 0.5)}));
  end RateLimiter;

  block Relay "Two values, with hysteresis"
    extends Saltus.Blocks.Interfaces.SingleInput;
    parameter Real low = -1 "Off below this input";
    parameter Real high = 1 "On above this input";
    parameter Real yOff = -1 "Output while off";
    parameter Real yOn = 1 "Output while on";
    parameter Boolean on0 = false "State at the start, if the input is in between";
  protected
    Boolean on "State";
  initial equation
    pre(on) = on0;
  equation
    on = u > high or pre(on) and u >= low;
    y = if on then yOn else yOff;
    annotation(Documentation(info = "<html>
<p>Switches on when the input exceeds <code>high</code>, and off when it falls below <code>low</code>; in between
it stays as it is. With feedback it makes oscillations of a definite frequency.
<code>Saltus.Logic.Hysteresis</code> has a Boolean output.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{0, -80}, {0, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, 0}, {80, 0}}, color = {160, 160, 160}),
        Line(points = {{-80, -50}, {40, -50}, {40, 50}, {80, 50}}, color = {0, 0, 127}, thickness = 0.5),
        Line(points = {{-40, -50}, {-40, 50}, {40, 50}}, color = {0, 0, 127}, thickness = 0.5)}));
  end Relay;

  block Backlash "Play between input and output"
    extends Saltus.Blocks.Interfaces.SingleInput(y(start = y0, fixed = true));
    parameter Real b(min = 0) = 0.1 "Play: the width of the gap";
    parameter Real y0 = 0 "Output at the start, within half the play of the input";
  protected
    Real s "Place on the curve: beyond 1 while the input pushes up, below -1 while it pulls down";
  equation
    u - y = if s > 1 then b/2 elseif s < -1 then -b/2 else b/2*s;
    der(y) = if s > 1 then s - 1 elseif s < -1 then s + 1 else 0;
    annotation(Documentation(info = "<html>
<p>The output rests while the input moves within the gap, and is carried along when the gap is used up on either
side. The input may jump: then the output jumps as far as it must.</p>
<p>This is play of signals: the output has no mass. For gears with play between inertias take the parts of
<code>Saltus.Rotational</code>.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{0, -80}, {0, 80}}, color = {160, 160, 160}),
        Line(points = {{-80, 0}, {80, 0}}, color = {160, 160, 160}),
        Polygon(points = {{-70, -50}, {10, -50}, {70, 50}, {-10, 50}, {-70, -50}}, lineColor = {0, 0, 127},
          lineThickness = 0.5)}));
  end Backlash;

  annotation(Documentation(info = "<html>
<p>Corners and jumps are events, found exactly. Nothing is rounded off.</p>
</html>"));
end Nonlinear;
