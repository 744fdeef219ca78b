within Saltus.Examples.Papers.Cellier2013;
model Slide_VariableStructureV_SortedLeaky "The leaky diode with factors of 0 and 1, sorted by hand"
  extends Saltus.Icons.Example;
  extends Rectifier(i_0(start = 0, fixed = true));
  parameter Saltus.Units.Resistance R_0 = 1e-3 "Of the diode while it conducts";
  parameter Saltus.Units.Conductance G_0 = 1e-3 "Of the diode while it blocks";
equation
  s = 1/(m_o*G_0/siemens + (1 - m_o))*(i_0/ampere);
  u_d = (m_o + (1 - m_o)*R_0/ohm)*s*volt;
  der(i_0) = u_L/L;
  annotation(
    experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The algebraic form of the leaky diode: the Boolean has become a factor, and the curve parameter is solved for.
The divisor is <code>G_0</code> where it was zero before.</p>
<p>What to look at: nothing but the spelling differs from <code>Slide_VariableStructureIV_LeakyDiode</code>.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Variable Structure Models IV (algebraic equations) and V",
      passage = "The leaky diode leaves the structure digraph as it was: the causal equations are the same as
before, but the divisor of the curve parameter is m_o G_0 + (1 - m_o), which is never zero.",
      look = "The run goes through all openings of the diode, and agrees with the logical form of slide IV to the
tolerance.",
      plot = {"i_0", "u_2"}, modes = false, log = false)));
end Slide_VariableStructureV_SortedLeaky;
