within Saltus.Examples.Papers.Cellier2013;
model Slide_MechanicalFrictionIV_SwitchOnAcceleration "Friction with a switch equation for the acceleration"
  extends Saltus.Icons.Example;
  extends BlockOnTable;
  parameter Saltus.Units.Force F_s = 1.2 "Largest force at rest";
  Saltus.Units.Force F_c "Force that keeps the block at rest; zero while it slides";
  Boolean Sticking(start = true, fixed = true) "Is at rest";
equation
  F = if v > 0 then c_f*v + F_d elseif v < 0 then c_f*v - F_d else F_c;
  if pre(Sticking) then
    a = 0;
  else
    F_c = 0;
  end if;
  when abs(F_c) > F_s then
    Sticking = false;
  elsewhen {not v > 0, not v < 0} then
    Sticking = true;
  end when;
  annotation(
    experiment(StopTime = 12.566370614359172, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>The index is reduced by hand: what does not move is not accelerated either. The velocity remains a state, and
keeps what it was when the block came to rest.</p>
<p>What to look at: <code>v</code> while the block sticks. Nothing says that it is zero; it is what the search for
the event has left, which is rounding here, since the event is located to the last digit of the time.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Mechanical Friction IV, second listing",
      passage = "If the velocity is zero for a while, so is the acceleration. The switch equation may therefore
constrain the acceleration in place of the velocity; this is one of the cases in which Pantelides' algorithm helps
with a conditional index change.",
      look = "Two states throughout. The velocity at rest is what the location of the event has left, 1e-12 m/s at
most: the drift that the next slide warns of is as large as the events are inaccurate.",
      plot = {"F", "v", "F_c"}, modes = true, log = true)));
end Slide_MechanicalFrictionIV_SwitchOnAcceleration;
