within Saltus.Examples.Papers.Mattsson1999;
model Sec3_ModeCode "Individual equations for the diode that is on and for the diode that is off"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Inductance L1 = 0.02 "Between generator and diode, in place of R1";
  parameter Saltus.Units.Resistance R2 = 50 "Load";
  parameter Saltus.Units.Capacitance C = 1e-3 "Parallel to the load";
  parameter Saltus.Units.Voltage V = 10 "Largest voltage of the generator";
  parameter Saltus.Units.Frequency f = 50 "Of the generator";
  constant Saltus.Units.Voltage V1 = 1 "Unit of s as a voltage";
  constant Saltus.Units.Current I1 = 1 "Unit of s as a current";
  Boolean off "The diode blocks";
  Saltus.Units.Ratio s "Along the curve of the diode";
  Saltus.Units.Voltage u "Of the diode";
  Saltus.Units.Voltage v0 "Of the generator";
  Saltus.Units.Voltage v1 "Between inductor and diode";
  Saltus.Units.Voltage v2(start = 0, fixed = true) "Of the load";
  Saltus.Units.Current i0(start = 0, fixed = true) "Of the generator";
  Saltus.Units.Current i1 "Of the capacitor";
  Saltus.Units.Current i2 "Of the load";
equation
  v0 = V*sin(2*Saltus.Units.pi*f*time);
  off = s < 0;
  u = (if off then s else 0)*V1;
  i0 = (if off then 0 else s)*I1;
  u = v1 - v2;
  L1*der(i0) = v0 - v1;
  i2 = v2/R2;
  i1 = i0 - i2;
  der(v2) = i1/C;
  annotation(
    experiment(StopTime = 0.06, Tolerance = 1e-9, Interval = 1e-4),
    Documentation(info = "<html>
<p>The rectifier with an inductance in place of the resistance: now both modes have different numbers of states, and
each gets equations of its own. <code>saltus explain --modes</code> prints both.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 3, individual simulation code for modes",
      passage = "If off is fixed, the loop falls apart, and each mode is a sequence of assignments. On: u = 0, v1 =
v2, then the current, then s. Off: i0 = 0, v1 = v0, then u, then s.",
      look = "The same sequences as in the paper, in the order in which the modes print them, with no loop in either
mode. With the inductance the current is a state in one mode only, which is the change of index that section 4 calls
difficult; with the resistance of figure 3 one program serves both modes.",
      plot = {"v2", "i0", "u"}, modes = true, log = true)));
end Sec3_ModeCode;
