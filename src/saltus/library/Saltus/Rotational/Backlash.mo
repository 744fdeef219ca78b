within Saltus.Rotational;
model Backlash "Play between teeth"
  extends Saltus.Rotational.Stop(final phi_min = -b/2, final phi_max = b/2);
  parameter Saltus.Units.Angle b(min = 0) = 0.1 "Play: angle between contact on one side and on the other";
  annotation(Documentation(info = "<html>
<p>The flanges turn freely against each other within the angle <code>b</code>, and drive each other at its ends. The
teeth are hard: at a contact the speeds jump, with <code>e = 0</code> to a common one, else by Newton's law of
impact.</p>
<p>A gear with play is a <code>Gear</code> and a <code>Backlash</code> in series. Teeth that give way:
<code>ElasticStop</code>.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-150, -85}, {150, -110}}, textString = "b = %b")}));
end Backlash;
