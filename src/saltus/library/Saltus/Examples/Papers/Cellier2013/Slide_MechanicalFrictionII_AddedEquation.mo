within Saltus.Examples.Papers.Cellier2013;
model Slide_MechanicalFrictionII_AddedEquation
  "Friction with an equation and a force that exist only at rest, as Sol and Mosilab have it"
  extends Saltus.Icons.Example;
  extends BlockOnTable;
  parameter Saltus.Units.Force F_s = 1.2 "Largest force at rest";
  Saltus.Units.Force F_c "Force that keeps the block at rest; exists only there";
  Boolean Sticking(start = true, fixed = true) "Is at rest";
equation
  if pre(Sticking) then
    v = 0;
    F = F_c;
  else
    F = if v > 0 then c_f*v + F_d elseif v < 0 then c_f*v - F_d else 0;
  end if;
  when pre(Sticking) and abs(F) > F_s then
    Sticking = false;
  elsewhen {not v > 0, not v < 0} then
    Sticking = true;
  end when;
  annotation(
    experiment(StopTime = 12.566370614359172, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>When the block comes to rest an equation is added, <code>v = 0</code>, and a variable, the force <code>F_c</code>
of that constraint; both are removed when it breaks away. The branches have different numbers of equations, which is
an extension of Modelica.</p>
<p>What to look at: the curve of <code>F_c</code> has gaps, where the variable does not exist.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Mechanical Friction II and III, what Sol and Mosilab would allow",
      passage = "At rest the model changes its structure: the constraint v = 0 and an unknown force F_c are added.
An electrical switch exchanges one equation for another, the friction element adds one equation and one variable,
and takes them away when the force exceeds F_s. Modelica does not allow that, Sol and Mosilab do.",
      look = "F_c exists only while the block sticks. The motion is that of all other friction models of the
lecture.",
      plot = {"F", "F_c", "v"}, modes = true, log = true)));
end Slide_MechanicalFrictionII_AddedEquation;
