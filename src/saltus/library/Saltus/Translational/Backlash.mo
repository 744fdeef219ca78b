within Saltus.Translational;
model Backlash "Play in a rigid link"
  extends Saltus.Translational.Stop(final s_min = -b/2, final s_max = b/2);
  parameter Saltus.Units.Length b(min = 0) = 0.01 "Play: from one side to the other";
  annotation(Documentation(info = "<html>
<p>A pin in a hole that is too wide: within the play nothing is handed on, at its ends the link is rigid, and in
between it knocks. That is a <code>Stop</code> with limits at half the play.</p>
<p>In a controlled drive it makes the load swing about its place: look for a limit cycle.</p>
</html>"),
    Icon(graphics = {Text(extent = {{-150, 90}, {150, 55}}, textString = "b=%b")}));
end Backlash;
