within Saltus.BondGraphs;
model NonlinearI "Storage of momentum with any characteristic"
  extends Saltus.BondGraphs.Interfaces.OnePort(f = velocity);
  input Saltus.BondGraphs.Interfaces.Flow velocity = p "What the flow is, as a formula of the momentum";
  parameter Saltus.BondGraphs.Interfaces.Momentum p0 = 0 "Momentum at the start";
  Saltus.BondGraphs.Interfaces.Momentum p(start = p0, stateSelect = StateSelect.prefer) "Momentum, flux";
equation
  der(p) = e;
  annotation(Documentation(info = "<html>
<p>The formula names the momentum as the model around it sees it: <code>NonlinearI coil(velocity =
tanh(coil.p))</code>. The energy is the integral of flow over momentum.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "I", textColor = {40, 60, 130})}));
end NonlinearI;
