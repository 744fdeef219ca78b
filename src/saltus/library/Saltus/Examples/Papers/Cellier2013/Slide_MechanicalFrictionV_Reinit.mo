within Saltus.Examples.Papers.Cellier2013;
model Slide_MechanicalFrictionV_Reinit
  "Friction with a switch equation for the acceleration, and the velocity set to zero"
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
  when Sticking then
    reinit(v, 0);
  end when;
  when abs(F_c) > F_s then
    Sticking = false;
  elsewhen {not v > 0, not v < 0} then
    Sticking = true;
  end when;
  annotation(
    experiment(StopTime = 12.566370614359172, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>As <code>Slide_MechanicalFrictionIV_SwitchOnAcceleration</code>, but what is left of the velocity is removed when
the block comes to rest.</p>
<p>What to look at: <code>v</code> is zero while the block sticks, whatever the search for the event has left. If
that was not zero, the log tells that it was reinitialised.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Mechanical Friction V",
      passage = "The model for the acceleration works, but nothing says any more that the velocity is zero: what
the iteration for the event has left makes the block drift slowly. Setting the velocity to zero when the sticking
begins avoids this.",
      look = "The velocity is zero, to rounding, while the block sticks. Since events are located to the last
digit here, there is hardly anything to remove, and the curves are those of the slide before.",
      plot = {"F", "v", "F_c"}, modes = true, log = true)));
end Slide_MechanicalFrictionV_Reinit;
