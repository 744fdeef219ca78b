within Saltus.Examples.Papers.Mattsson1999;
model Sec5_Configurations "Which of the 64 configurations of the gearbox a drive cycle uses"
  extends Fig7_Gearbox;
  Boolean sticks[6] "Whether A, B, C, D, E and F stick";
  Integer sticking "How many of them stick";
  Integer configuration "All of them as one number from 0 to 63";
equation
  sticks = {not (A.forward or A.backward), not (B.forward or B.backward), not (C.pads.forward or C.pads.backward),
    not D.free, not (E.forward or E.backward), not (F.pads.forward or F.pads.backward)};
  sticking = sum(if sticks[k] then 1 else 0 for k in 1:6);
  configuration = sum(if sticks[k] then integer(2^(k - 1)) else 0 for k in 1:6);
  annotation(
    experiment(StopTime = 19, Tolerance = 1e-7, Interval = 0.02),
    Documentation(info = "<html>
<p>The gearbox of figure 7, with a number for each configuration: bit 0 is A, bit 5 is F.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 5, code for each mode that is used",
      passage = "Six switching elements have 64 configurations, the eleven of an industrial gearbox 2048; but typical
drive cycles use only 10 to 30 of them. So simulations are run off line, the configurations that occur are logged and
given back to the translator, which generates code for each of these: a loop of 212 unknowns, 55 without trivial
equations, 23 after tearing, 14 with fixed parameters, and at most 9 in a mode.",
      look = "A drive through all gears and back uses 9 of the 64 configurations, and 9 programs in the statistics.
Nobody has to list them: a program is made when a run first needs it. Gears are 25 (A, D and E stick), 21 (A, C, E),
19 (A, B, E) and 35 (A, B, F).",
      plot = {"configuration", "sticking", "gear"}, modes = true, log = false)));
end Sec5_Configurations;
