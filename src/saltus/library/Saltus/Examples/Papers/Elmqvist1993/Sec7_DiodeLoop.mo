within Saltus.Examples.Papers.Elmqvist1993;
model Sec7_DiodeLoop "The rectifier with a diode that has no memory"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Resistance Ri = 10 "Inside the source";
  parameter Saltus.Units.Resistance RL = 50 "Load";
  parameter Saltus.Units.Capacitance C = 0.001 "Smooths";
  parameter Saltus.Units.Frequency f = 50 "Of the source";
  parameter Saltus.Units.Voltage U = 1 "Largest voltage of the source";
  Saltus.Units.Voltage y(start = 0, fixed = true) "Voltage of the load";
  Saltus.Units.Voltage u "Voltage of the diode";
  Saltus.Units.Current i "Current of the diode";
  constant Saltus.Units.Conductance G = 1 "Makes currents of both terms";
  Integer OpenSw "1: it blocks, 0: it conducts";
equation
  U*sin(2*3.14159*f*time) = Ri*i + u + y;
  C*der(y) = i - y/RL;
  0 = OpenSw*i + (1 - OpenSw)*G*u;
  OpenSw = if u <= 0 and not i > 0 then 1 else 0;
  annotation(
    experiment(StopTime = 0.06, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The first attempt of the paper: <code>OpenSw</code> is an unknown of the algebraic loop, together with the voltages
and the current that decide about it.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 7, the system of five simultaneous equations",
      passage = "Without new() the loop has five unknowns, one of which is OpenSw itself. It multiplies another one,
and that one is compared: the system is not linear and cannot be solved by formulas. The paper goes on with a discrete
state instead.",
      look = "The curves of figure 5. Saltus keeps OpenSw between events and looks for a value that reproduces itself
at events, so the form without a memory runs as it is written.",
      plot = {"i", "u", "y", "OpenSw"}, modes = true, log = true)));
end Sec7_DiodeLoop;
