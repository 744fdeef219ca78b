within Saltus.Examples.Papers.Mattsson1999;
model Sec3_Tearing "Equations (1) of the rectifier as they are printed"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Resistance R1 = 10 "Between generator and diode";
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
  Saltus.Units.Voltage v1 "Between resistor and diode";
  Saltus.Units.Voltage v2(start = 0, fixed = true) "Of the load";
  Saltus.Units.Current i0 "Of the generator";
  Saltus.Units.Current i1 "Of the capacitor";
  Saltus.Units.Current i2 "Of the load";
equation
  v0 = V*sin(2*Saltus.Units.pi*f*time);
  off = s < 0;
  u = (if off then s else 0)*V1;
  i0 = (if off then 0 else s)*I1;
  u = v1 - v2;
  R1*i0 = v0 - v1;
  i2 = v2/R2;
  i1 = i0 - i2;
  der(v2) = i1/C;
  annotation(
    experiment(StopTime = 0.06, Tolerance = 1e-9, Interval = 1e-4),
    Documentation(info = "<html>
<p>The flat system of the paper. <code>saltus explain</code> shows what is solved together, and which unknown is left
after tearing; with <code>--modes --code-per-mode</code>, the two sequences of assignments that the paper prints.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 3, equations (1), tearing",
      passage = "Of the coupled equations u, i0 and v1 follow from s by assignments, and one equation is left as a
residue: a numerical solver needs to consider s only. To find the smallest such set is NP-complete, but there are good
heuristics. In linear systems the rest is eliminated symbolically, which is a form of Gauss elimination.",
      look = "The curves of figure 3. In the structure the loop of four Real unknowns has one unknown left after
tearing. In code for one mode there is no loop: v1, i0 and s follow from u = 0, or v1, u and s from i0 = 0, in the
order of the paper (saltus explain --modes --code-per-mode).",
      plot = {"v2", "s", "u", "i0"}, modes = true, log = false)));
end Sec3_Tearing;
