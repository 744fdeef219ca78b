within Saltus.Examples.Papers.Mattsson1999;
model Fig4_Friction "A block on a rough surface: Coulomb friction as a curve"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Mass m = 1 "Of the block";
  parameter Saltus.Units.Force f0 = 1 "Largest force at rest";
  parameter Saltus.Units.TranslationalDampingConstant f1 = 0.5 "Slope of the force while it slides";
  parameter Saltus.Units.Force U = 2 "Largest driving force";
  parameter Saltus.Units.AngularFrequency w = 1 "Of the driving force";
  constant Saltus.Units.Velocity v1 = 1 "Unit of s as a velocity";
  Saltus.Units.Position x(start = 0, fixed = true) "Position";
  Saltus.Units.Velocity v(start = 0, fixed = true) "Velocity";
  Saltus.Units.Force u "Driving force";
  Saltus.Units.Force f "Friction";
  Saltus.Units.Ratio s "Along the curve: between -1 and 1 at rest";
  Boolean forward "Slides forward";
  Boolean backward "Slides backward";
equation
  u = U*sin(w*time);
  der(x) = v;
  m*der(v) = u - f;
  forward = s > 1;
  backward = s < -1;
  v = (if forward then s - 1 elseif backward then s + 1 else 0)*v1;
  f = if forward then f0 + f1*v1*(s - 1) elseif backward then -f0 + f1*v1*(s + 1) else f0*s;
  annotation(
    experiment(StopTime = 12, Tolerance = 1e-9, Interval = 0.02),
    Documentation(info = "<html>
<p>The element and equation (2) as they stand in the paper. At break-away <code>s - 1</code> is zero in both modes;
its derivative decides.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 4, figure 4, equation (2)",
      passage = "The simplified friction element is a curve with a parameter s: at rest any force up to f0, sliding f0
+ f1 v. That is complete and declarative, but the authors had no method to transform it automatically into something
that can be simulated. At rest v is no state, which is a change of index; and at break-away v = 0 gives s = 1, so that
s > 1 becomes false at once and the element could never begin to slide.",
      look = "It is simulated as it is written. The block breaks away at asin(1/2), slides, rests while |u| < 1, and v
is exactly zero at rest. Look at the modes: one state less while it sticks. The paper gives no values; ours are m = 1,
f0 = 1, f1 = 0.5 and u = 2 sin(t).",
      plot = {"v", "f", "s"}, modes = true, log = true)));
end Fig4_Friction;
