within Saltus.Examples.Papers.Cellier2013;
model Slide_VariableStructureI_IdealDiode "Rectifier with an inductor in series with an ideal diode: the nine equations"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Voltage U = 10 "Amplitude of the source";
  parameter Saltus.Units.Frequency f = 50 "Frequency of the source";
  parameter Saltus.Units.Resistance R_i = 1 "Of the source";
  parameter Saltus.Units.Resistance R_L = 50 "Of the load";
  parameter Saltus.Units.Inductance L = 0.01 "In series with the source";
  parameter Saltus.Units.Capacitance C = 1e-3 "Beside the load";
  Saltus.Units.Voltage u_0 "Of the source";
  Saltus.Units.Voltage u_1 "Of its resistance";
  Saltus.Units.Voltage u_L "Of the inductor";
  Saltus.Units.Voltage u_d "Of the diode";
  Saltus.Units.Voltage u_2(start = 0, fixed = true) "Of capacitor and load";
  Saltus.Units.Current i_0(start = 0, fixed = true) "Through source, inductor and diode";
  Saltus.Units.Current i_C "Into the capacitor";
  Saltus.Units.Current i_R "Through the load";
  Saltus.Units.Ratio s "Along the curve of the diode: volts while it blocks, amperes while it conducts";
  Integer m_o "1 while the diode is open, else 0";
protected
  constant Saltus.Units.Voltage volt = 1 "Unit of s while the diode blocks";
  constant Saltus.Units.Current ampere = 1 "Unit of s while it conducts";
equation
  u_0 = U*sin(2*Saltus.Units.pi*f*time);
  u_1 = R_i*i_0;
  u_2 = R_L*i_R;
  i_C = C*der(u_2);
  u_L = L*der(i_0);
  u_0 = u_L + u_1 + u_d + u_2;
  i_0 = i_C + i_R;
  u_d = m_o*s*volt;
  i_0 = (1 - m_o)*s*ampere;
  m_o = if s < 0 then 1 else 0;
  annotation(
    experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The circuit with which the lecture begins, written with its nine equations: the factor <code>m_o</code> is one
while the diode is open and zero while it conducts. There is no algebraic loop, and a tool that sorts the equations
once must divide by <code>1 - m_o</code>.</p>
<p>Here the equations are sorted anew when the diode opens. The current was a state and is no longer one: two states
while the diode conducts, one while it blocks, with the index 0 and 2 that the slide &quot;Mixed-mode Integration
VIII&quot; counts.</p>
<p>What to look at: the current is exactly zero while the diode blocks, and <code>saltus explain --modes</code>
prints the sorted equations of the slide &quot;Variable Structure Models II&quot; for the conducting mode.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Variable Structure Models, II, III and VII; Mixed-mode Integration VIII",
      passage = "An inductor is added in series with source and ideal diode. The nine equations have no algebraic
loop, so the causality of the diode is fixed, and the sorted program divides by zero when the diode opens for the
first time. The model has second-order dynamics while the diode conducts and first-order dynamics while it blocks:
index 0 there, index 2 here, a conditional index change that Pantelides' algorithm does not see, because the
singularity is one of coefficients.",
      look = "The run goes on where the lecture's program divides by zero. The timeline of the modes alternates
between two states with index 0 and one state with index 2; the current is zero, not small, while the diode blocks.
The lecture gives no data: these are ours.",
      plot = {"i_0", "u_2", "u_0"}, modes = true, log = true)));
end Slide_VariableStructureI_IdealDiode;
