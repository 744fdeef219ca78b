within Saltus.Examples.Papers.Mosterman1998;
model Fig9_ElasticCollision "An inertia turns back at an angle: Newton's rule"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.RestitutionCoefficient epsilon = 1 "Of restitution";
  Saltus.Units.Angle phi(start = 0.5, fixed = true) "Angle that is left";
  Saltus.Units.AngularVelocity w_1(start = -0.5/0.6, fixed = true) "Of the body";
equation
  der(phi) = w_1;
  der(w_1) = 0;
  when phi <= 0 then
    reinit(w_1, -epsilon*pre(w_1));
  end when;
  annotation(
    experiment(StopTime = 1.2, Tolerance = 1e-9, Interval = 0.005),
    Documentation(info = "<html>
<p>A body turns freely until its angle is zero. Torsion of the rod, compression and expansion, is collapsed into an
instant: the angular velocity is reversed, times the coefficient of restitution.</p>
<p>What to look at: at 0.6 s the velocity leaps from -0.833 to 0.833 rad/s. This is the rule alone;
<code>Fig11_CollisionModel</code> has the contact as a mode.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mosterman, Biswas, Otter 1998",
      place = "Figures 9 and 10",
      passage = "An inertia rotates freely until a brake closes at a given angle, at 0.6 s in the figure. If the
stiffness of the rod cannot be neglected, the collision is elastic: the angular velocity after it is minus epsilon
times the one before, with epsilon = 1 if it is perfectly elastic. The rule acts at a point in time, a pinnacle, and
does change the state.",
      look = "The angle falls from 0.5 to 0 at 0.6 s and rises again with the opposite velocity. The initial angle
0.5 is the paper's (Figure 11), the velocity is that which gives its 0.6 s.",
      plot = {"phi", "w_1"}, modes = false, log = true)));
end Fig9_ElasticCollision;
