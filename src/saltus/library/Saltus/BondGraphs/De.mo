within Saltus.BondGraphs;
model De "Detector of effort: gives a signal and takes no flow"
  extends Saltus.BondGraphs.Interfaces.OnePort;
  Saltus.Blocks.Interfaces.RealOutput y "The effort"
    annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
equation
  f = 0;
  y = e;
  annotation(Documentation(info = "<html>
<p>An active bond from a 0-junction: a signal without power. Connect it to blocks, or to a modulated element.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "De", textColor = {30, 30, 30})}));
end De;
