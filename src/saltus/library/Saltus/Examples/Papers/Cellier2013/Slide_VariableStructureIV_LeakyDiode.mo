within Saltus.Examples.Papers.Cellier2013;
model Slide_VariableStructureIV_LeakyDiode "The rectifier with a diode that is never quite open and never quite closed"
  extends Saltus.Icons.Example;
  extends Rectifier(i_0(start = 0, fixed = true));
  parameter Saltus.Units.Resistance R_0 = 1e-3 "Of the diode while it conducts";
  parameter Saltus.Units.Conductance G_0 = 1e-3 "Of the diode while it blocks";
  Boolean OpenSwitch "The diode blocks";
equation
  OpenSwitch = s < 0;
  u_d = if OpenSwitch then s*volt else R_0*s*ampere;
  i_0 = if OpenSwitch then G_0*s*volt else s*ampere;
  u_L = L*der(i_0);
  annotation(
    experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The usual way out: a small resistance while the diode conducts, a small conductance while it blocks. One order of
the equations serves both positions, the current is a state throughout.</p>
<p>What to look at: while the diode blocks, a current of <code>G_0</code> times the voltage flows backwards, and
follows it with the time constant <code>L*G_0</code>. With <code>--set R_0=0 --set G_0=0</code> the diode is the
ideal one.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Variable Structure Models IV, logical equations",
      passage = "The Modelica Standard Library replaces the ideal diode by a leaky one: voltage and current follow
from the curve parameter with a resistance R_0 in the closed and a conductance G_0 in the open position. No number
is given for either.",
      look = "One mode with two states throughout; the current in the blocking phase is not zero but up to 21 mA
backwards with our G_0 of 1 mS. Compare with Slide_VariableStructureI_IdealDiode.",
      plot = {"i_0", "u_2", "u_d"}, modes = true, log = false)));
end Slide_VariableStructureIV_LeakyDiode;
