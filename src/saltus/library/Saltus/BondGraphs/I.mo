within Saltus.BondGraphs;
model I "Storage of momentum: mass, inertia, coil"
  extends Saltus.BondGraphs.Interfaces.OnePort(f(stateSelect = StateSelect.prefer));
  parameter Saltus.BondGraphs.Interfaces.Coefficient I = 1 "Mass, inertia, inductance: momentum for one unit of flow";
  parameter Saltus.BondGraphs.Interfaces.Momentum p0 = 0 "Momentum at the start";
  Saltus.BondGraphs.Interfaces.Momentum p(start = p0) "Momentum, flux";
equation
  I*der(f) = e;
  p = I*f;
  annotation(Documentation(info = "<html>
<p>Effort is collected as momentum: <code>f = p/I</code>. The momentum starts at <code>p0</code> if nothing else
determines it; <code>p(fixed = true)</code> insists. The
state is the flow, since its size is that of other flows, while momenta and fluxes may be tiny.</p>
<p>Where the junctions force a flow on it, or tie it to another storage, <code>p</code> is no state there; what it
jumps to at such a change follows from the conservation of momentum.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "I", textColor = {40, 60, 130})}));
end I;
