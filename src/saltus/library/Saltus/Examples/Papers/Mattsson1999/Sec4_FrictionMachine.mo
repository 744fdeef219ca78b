within Saltus.Examples.Papers.Mattsson1999;
model Sec4_FrictionMachine "The friction element of the paper: a mixed system and a state machine"
  extends Saltus.Icons.Example;
  type Mode = enumeration(Backward "Slides backward", Stuck "Sticks, or waits for a velocity", Forward "Slides
forward")
    "Configurations of the element";
  parameter Saltus.Units.Mass m = 1 "Of the block";
  parameter Saltus.Units.Force f0 = 1 "Largest force at rest";
  parameter Saltus.Units.TranslationalDampingConstant f1 = 0.5 "Slope of the force while it slides";
  parameter Saltus.Units.Force U = 2 "Largest driving force";
  parameter Saltus.Units.AngularFrequency w = 1 "Of the driving force";
  constant Saltus.Units.Acceleration a1 = 1 "Unit of sa as an acceleration";
  Saltus.Units.Position x(start = 0, fixed = true) "Position";
  Saltus.Units.Velocity v(start = 0, fixed = true) "Velocity";
  Saltus.Units.Acceleration a "Acceleration";
  Saltus.Units.Force u "Driving force";
  Saltus.Units.Force f "Friction";
  Saltus.Units.Ratio sa "Along the curve of acceleration and force";
  Boolean startFor "Begins to slide forward";
  Boolean startBack "Begins to slide backward";
  Mode mode(start = Mode.Stuck, fixed = true) "Configuration";
equation
  u = U*sin(w*time);
  der(x) = v;
  m*a = u - f;
  // part of the mixed system
  startFor = pre(mode) == Mode.Stuck and sa > 1;
  startBack = pre(mode) == Mode.Stuck and sa < -1;
  a = der(v);
  if pre(mode) == Mode.Forward or startFor then
    a = (sa - 1)*a1;
    f = f0 + f1*v;
  elseif pre(mode) == Mode.Backward or startBack then
    a = (sa + 1)*a1;
    f = -f0 + f1*v;
  else
    a = 0;
    f = f0*sa;
  end if;
  // the state machine
  mode = if (pre(mode) == Mode.Forward or startFor) and v > 0 then Mode.Forward
    elseif (pre(mode) == Mode.Backward or startBack) and v < 0 then Mode.Backward else Mode.Stuck;
  annotation(
    experiment(StopTime = 12, Tolerance = 1e-9, Interval = 0.02),
    Documentation(info = "<html>
<p>The listing of the paper with the block of figure 4. The velocity is a state in all configurations; at rest its
derivative is zero.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 4, the state machine and the complete listing",
      passage = "All pieces together: based on the mode before the event, pre(mode), a mixed system finds out whether
sliding starts. Since v is only nearly zero then and may have any sign, the element waits until the velocity is really
positive before it is forward; a state machine with three modes and two transitions through startFor and startBack
says so. v stays a state.",
      look = "The motion of figure 4, with more events: the mode follows a moment after startFor. While it sticks, the
velocity is what the last event left, not exactly zero.",
      plot = {"v", "f", "mode"}, modes = false, log = true)));
end Sec4_FrictionMachine;
