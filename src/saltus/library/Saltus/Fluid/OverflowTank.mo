within Saltus.Fluid;
model OverflowTank "An open tank with a rim that liquid flows over"
  extends Saltus.Fluid.Interfaces.OpenTank;
  parameter Saltus.Units.Length h_max = 1 "Height of the rim";
  Saltus.Units.Length s "Place on the curve: how far the level is below the rim, negative; or what flows over";
  Boolean over "It overflows";
  Saltus.Fluid.Interfaces.OtherPort overflow "What flows over the rim leaves here"
    annotation(Placement(transformation(extent = {{90, 60}, {110, 80}})));
protected
  constant Real unit(final unit = "m2/s") = 1e-3 "How s counts flows";
equation
  over = s > 0;
  h - h_max = if over then 0 else s;
  q_over = if over then unit*s else 0;
  overflow.q = -q_over;
  annotation(Documentation(info = "<html>
<p>Up to the rim it is a <code>Tank</code>. At the rim the level cannot rise: it is no state any more, and what
flows over is what keeps it there. When more flows out below than comes in, the level falls again.</p>
<p>Connect <code>overflow</code> to the <code>inlet</code> of another tank, or to an <code>Ambient</code>. It lets
through whatever flows over, at the pressure of what it is connected to.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{80, 80}, {80, 60}, {100, 60}}, color = {60, 60, 60}, thickness = 0.5),
      Line(points = {{60, 20}, {80, 70}, {90, 70}}, color = {0, 90, 180})}));
end OverflowTank;
