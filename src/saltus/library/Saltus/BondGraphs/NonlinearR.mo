within Saltus.BondGraphs;
model NonlinearR "Dissipation with any characteristic: effort for a flow"
  extends Saltus.BondGraphs.Interfaces.OnePort(e = effort);
  input Saltus.BondGraphs.Interfaces.Effort effort = f "What the effort is, as a formula of the flow";
  annotation(Documentation(info = "<html>
<p>The formula names the flow as the model around it sees it: <code>NonlinearR drag(effort =
2*drag.f*abs(drag.f))</code>. It dissipates if effort and flow have one sign.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "R", textColor = {30, 110, 60})}));
end NonlinearR;
