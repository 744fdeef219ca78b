within Saltus.BondGraphs;
model Df "Detector of flow: gives a signal and takes no effort"
  extends Saltus.BondGraphs.Interfaces.OnePort;
  Saltus.Blocks.Interfaces.RealOutput y "The flow"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  e = 0;
  y = f;
  annotation(Documentation(info = "<html>
<p>An active bond from a 1-junction: a signal without power. Connect it to blocks, or to a modulated element.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "Df", textColor = {30, 30, 30})}));
end Df;
