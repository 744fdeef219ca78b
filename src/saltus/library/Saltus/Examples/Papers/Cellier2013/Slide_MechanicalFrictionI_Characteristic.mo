within Saltus.Examples.Papers.Cellier2013;
model Slide_MechanicalFrictionI_Characteristic
  "The characteristic of dry friction: velocity and force of a block that sticks and slides"
  extends Saltus.Icons.Example;
  extends BlockOnTable;
  parameter Saltus.Units.Force F_s = 1.2 "Largest force at rest";
  Saltus.Units.Ratio s "Along the curve: beyond F_s/F_d forward, below -F_s/F_d backward, between them at rest";
  Boolean Forward "Slides forward";
  Boolean Backward "Slides backward";
  Boolean Sticking "Is at rest";
equation
  Forward = s > F_s/F_d;
  Backward = s < -F_s/F_d;
  Sticking = not (Forward or Backward);
  v = if Forward then (s - F_s/F_d)*v_1 elseif Backward then (s + F_s/F_d)*v_1 else 0;
  F = if Forward then c_f*v + F_d elseif Backward then c_f*v - F_d else F_d*s;
  annotation(
    experiment(StopTime = 12.566370614359172, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>The drawing of the lecture as a motion: at rest the friction takes any value between <code>-F_s</code> and
<code>F_s</code>; when it breaks away the friction falls to <code>F_d</code>, and grows with the velocity.</p>
<p>What to look at: plot <code>F</code> over <code>v</code>, and the three regions over time.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Mechanical Friction, the characteristic",
      passage = "The force over the velocity has three regions: backward, sticking and forward. At rest the body
sticks until the forces applied to it exceed F_s in one direction or the other; then it moves, until its velocity
crosses zero, where it sticks again.",
      look = "The friction follows the push while the block sticks, leaps from F_s = 1.2 down to F_d = 1 when it
breaks away, and follows the velocity while it slides. In the plane of v and F the points lie on the drawing of the
slide.",
      plot = {"F", "v", "f"}, modes = true, log = true)));
end Slide_MechanicalFrictionI_Characteristic;
