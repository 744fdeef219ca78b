within Saltus.Examples.Papers.Cellier2013;
model Slide_MechanicalFrictionIII_SwitchOnVelocity
  "Friction with a switch equation for the velocity, which is said not to work"
  extends Saltus.Icons.Example;
  extends BlockOnTable;
  parameter Saltus.Units.Force F_s = 1.2 "Largest force at rest";
  Saltus.Units.Force F_c "Force that keeps the block at rest; zero while it slides";
  Boolean Sticking(start = true, fixed = true) "Is at rest";
equation
  F = if v > 0 then c_f*v + F_d elseif v < 0 then c_f*v - F_d else F_c;
  if pre(Sticking) then
    v = 0;
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
<p>The first model of the lecture: a force <code>F_c</code> that is used while the block sticks, and a switch
equation which says that either the velocity is zero or this force. The lecture does not yet say when the block
sticks; here it does from where the velocity crosses zero, until the force exceeds <code>F_s</code>. The
<code>pre</code> is ours: without it there is no solution at break-away, since the force that ends the sticking
becomes zero by that.</p>
<p>What to look at: the velocity is no state while the block sticks. There is nothing to divide by.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Mechanical Friction III and IV, first listing",
      passage = "Modelica cannot add equations, so a dummy equation F_c = 0 takes the place of the constraint v =
0 while the block slides. The lecture calls the model elegant and compact, with the one disadvantage that it will
not work: the velocity is a state, the switch equation must always give F_c, and ends in a division by zero.",
      look = "It works here: the log tells that the state v is given up where the block comes to rest, and gained
again where it breaks away.",
      plot = {"F", "v", "F_c"}, modes = true, log = true)));
end Slide_MechanicalFrictionIII_SwitchOnVelocity;
