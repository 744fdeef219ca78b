within Saltus.Examples.Papers.Mattsson1999;
model Fig6_FrictionWithPeak "Friction that is larger at rest, and falls before it rises"
  extends Saltus.Icons.Example;
  type Mode = enumeration(Backward "Slides backward", Stuck "Sticks, or waits for a velocity", Forward "Slides
forward")
    "Configurations of the element";
  parameter Saltus.Units.Mass m = 0.1 "Of the block";
  parameter Saltus.Units.Force f0 = 1 "Sliding force at the velocity zero";
  parameter Saltus.Units.Ratio peak = 1.4 "Largest force at rest over f0";
  parameter Saltus.Units.Force fd = 0.3 "By how much the sliding force may fall";
  parameter Saltus.Units.Velocity vd = 0.5 "Velocity at which it falls";
  parameter Saltus.Units.TranslationalDampingConstant f1 = 0.4 "Viscous part";
  parameter Saltus.Units.Force U = 2 "Largest driving force";
  parameter Saltus.Units.AngularFrequency w = 1 "Of the driving force";
  constant Saltus.Units.Acceleration a1 = 1 "Unit of sa as an acceleration";
  Saltus.Units.Position x(start = 0, fixed = true) "Position";
  Saltus.Units.Velocity v(start = 0, fixed = true) "Velocity";
  Saltus.Units.Acceleration a "Acceleration";
  Saltus.Units.Force u "Driving force";
  Saltus.Units.Force f "Friction";
  Saltus.Units.Force fs "Sliding force at this speed";
  Saltus.Units.Ratio sa "Along the curve of acceleration and force";
  Boolean startFor(start = false, fixed = true) "Begins to slide forward";
  Boolean startBack(start = false, fixed = true) "Begins to slide backward";
  Mode mode(start = Mode.Stuck, fixed = true) "Configuration";
equation
  u = U*sin(w*time);
  der(x) = v;
  m*a = u - f;
  fs = f0 - fd*(1 - exp(-abs(v)/vd)) + f1*abs(v);
  startFor = pre(mode) == Mode.Stuck and (sa > peak or pre(startFor) and sa > 1);
  startBack = pre(mode) == Mode.Stuck and (sa < -peak or pre(startBack) and sa < -1);
  a = der(v);
  if pre(mode) == Mode.Forward or startFor then
    a = (sa - 1)*a1;
    f = fs;
  elseif pre(mode) == Mode.Backward or startBack then
    a = (sa + 1)*a1;
    f = -fs;
  else
    a = 0;
    f = f0*sa;
  end if;
  mode = if (pre(mode) == Mode.Forward or startFor) and v > 0 then Mode.Forward
    elseif (pre(mode) == Mode.Backward or startBack) and v < 0 then Mode.Backward else Mode.Stuck;
  annotation(
    experiment(StopTime = 12, Tolerance = 1e-9, Interval = 0.02),
    Documentation(info = "<html>
<p>The general element: any function of the velocity while it slides, and a leap from the peak to <code>f0</code> when
sliding starts.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 4, figure 6",
      passage = "More general elements need two changes only: another function for the sliding force, and other
conditions for its start, with peak = fmax/f0: sliding begins where sa exceeds the peak, and goes on while it was
begun and sa exceeds 1.",
      look = "f rises to 1.4 at rest, leaps down, and goes through a minimum while the block gains speed. A trap in
the listing: with a = sa - 1 the condition sa > peak contradicts itself at break-away where the acceleration is less
than peak - 1. That is why the block weighs 0.1 kg here: it starts with 4 m/s2. The curve is ours, the figure being a
sketch.",
      plot = {"v", "f", "mode"}, modes = false, log = true)));
end Fig6_FrictionWithPeak;
