within Saltus.BondGraphs;
model C "Storage of displacement: spring, capacitor, tank"
  extends Saltus.BondGraphs.Interfaces.OnePort(e(stateSelect = StateSelect.prefer));
  parameter Saltus.BondGraphs.Interfaces.Coefficient C = 1 "Compliance, capacitance: displacement by effort";
  parameter Saltus.BondGraphs.Interfaces.Displacement q0 = 0 "Displacement at the start";
  Saltus.BondGraphs.Interfaces.Displacement q(start = q0) "Displacement, charge, volume";
equation
  C*der(e) = f;
  q = C*e;
  annotation(Documentation(info = "<html>
<p>What has flowed in is stored: <code>e = q/C</code>. The displacement starts at <code>q0</code> if nothing else
determines it; <code>q(fixed = true)</code> insists. The
state is the effort, since its size is that of other efforts, while charges and volumes may be tiny.</p>
<p>Where the junctions force an effort on it, or tie it to another storage, <code>q</code> is no state there; what it
jumps to at such a change follows from the conservation of displacement.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "C", textColor = {40, 60, 130})}));
end C;
