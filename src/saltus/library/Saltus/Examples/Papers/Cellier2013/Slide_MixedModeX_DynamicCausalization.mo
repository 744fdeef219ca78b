within Saltus.Examples.Papers.Cellier2013;
model Slide_MixedModeX_DynamicCausalization
  "A pendulum whose rod breaks: other equations for other variables, as in Sol"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Length L = 1 "Of the rod";
  parameter Saltus.Units.Time breaks = 0.4 "When the rod breaks";
  parameter Saltus.Units.Acceleration g = 9.81 "Gravity";
  Boolean broken "There is no rod any more";
  Saltus.Units.Angle phi(start = 1, fixed = true) "Of the rod; exists while there is one";
  Saltus.Units.AngularVelocity w(start = 0, fixed = true) "Of the rod; exists while there is one";
  Saltus.Units.Position x "To the right; exists after the rod is broken";
  Saltus.Units.Position y "Upwards; exists after the rod is broken";
  Saltus.Units.Velocity v_x "To the right; exists after the rod is broken";
  Saltus.Units.Velocity v_y "Upwards; exists after the rod is broken";
equation
  broken = time >= breaks;
  if not broken then
    der(phi) = w;
    L*der(w) = -g*sin(phi);
  else
    der(x) = v_x;
    der(y) = v_y;
    der(v_x) = 0;
    der(v_y) = -g;
  end if;
  when broken then
    reinit(x, L*sin(pre(phi)));
    reinit(y, -L*cos(pre(phi)));
    reinit(v_x, L*pre(w)*cos(pre(phi)));
    reinit(v_y, L*pre(w)*sin(pre(phi)));
  end when;
  annotation(
    experiment(StopTime = 1, Tolerance = 1e-9, Interval = 0.005),
    Documentation(info = "<html>
<p>Before the rod breaks there are an angle and its rate, after that a position and a velocity in the plane.
Equations and variables are exchanged during the run, an extension that Sol and Mosilab have and Modelica has not;
the initial values of the new variables are computed from the last values of the old ones.</p>
<p>What to look at: curves begin and end with the equations of their variables. The swing and the parabola meet with
the same velocity.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Mixed-mode Integration X",
      passage = "Sol interrupts the simulation at a structural change and has the equations whose causality
changed sorted anew by an incremental compiler. The new segment starts from values found from those of the old one,
because the set of states is another.",
      look = "Two states before, four after, in the timeline of the modes; variables without equations have no
value and leave gaps in the plot. The slide has no model: the pendulum is ours, a standard one for languages of this
kind.",
      plot = {"phi", "x", "y"}, modes = true, log = true)));
end Slide_MixedModeX_DynamicCausalization;
