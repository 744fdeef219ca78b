within Saltus.BondGraphs;
model NonlinearG "Dissipation with any characteristic: flow for an effort"
  extends Saltus.BondGraphs.Interfaces.OnePort(f = current);
  input Saltus.BondGraphs.Interfaces.Flow current = e "What the flow is, as a formula of the effort";
  annotation(Documentation(info = "<html>
<p>The formula names the effort as the model around it sees it: <code>NonlinearG diode(current = exp(diode.e) -
1)</code>. It dissipates if effort and flow have one sign.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "R", textColor = {30, 110, 60})}));
end NonlinearG;
