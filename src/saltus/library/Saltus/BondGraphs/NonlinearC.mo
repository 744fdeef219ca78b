within Saltus.BondGraphs;
model NonlinearC "Storage of displacement with any characteristic"
  extends Saltus.BondGraphs.Interfaces.OnePort(e = effort);
  input Saltus.BondGraphs.Interfaces.Effort effort = q "What the effort is, as a formula of the displacement";
  parameter Saltus.BondGraphs.Interfaces.Displacement q0 = 0 "Displacement at the start";
  Saltus.BondGraphs.Interfaces.Displacement q(start = q0, stateSelect = StateSelect.prefer)
    "Displacement, charge, volume";
equation
  der(q) = f;
  annotation(Documentation(info = "<html>
<p>The formula names the displacement as the model around it sees it: <code>NonlinearC spring(effort = spring.q +
spring.q^3)</code>. The energy is the integral of effort over displacement.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "C", textColor = {40, 60, 130})}));
end NonlinearC;
