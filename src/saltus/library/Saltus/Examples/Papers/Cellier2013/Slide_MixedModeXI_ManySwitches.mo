within Saltus.Examples.Papers.Cellier2013;
model Slide_MixedModeXI_ManySwitches "A bridge of six ideal diodes: 64 combinations, of which a run sees a few"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Voltage U = 325 "Amplitude of a phase";
  parameter Saltus.Units.Frequency f = 50 "Frequency of the source";
  parameter Saltus.Units.Inductance L = 0.02 "Of the load";
  parameter Saltus.Units.Resistance R = 10 "Of the load";
  Saltus.Units.Voltage u[3] "Of the phases";
  Saltus.Units.Voltage p "Potential of the positive rail";
  Saltus.Units.Voltage n "Potential of the negative rail";
  Saltus.Units.Current i(start = 0, fixed = true) "Through the load";
  Saltus.Units.Current i_p[3] "Through the diodes to the positive rail";
  Saltus.Units.Current i_n[3] "Through the diodes from the negative rail";
  Saltus.Units.Ratio s_p[3] "Along the curves of the diodes to the positive rail";
  Saltus.Units.Ratio s_n[3] "Along the curves of the diodes from the negative rail";
  Boolean open_p[3] "Diodes to the positive rail block";
  Boolean open_n[3] "Diodes from the negative rail block";
protected
  constant Saltus.Units.Voltage volt = 1 "Unit of the voltage of an open diode";
  constant Saltus.Units.Current ampere = 1 "Unit of the current of a closed diode";
equation
  for k in 1:3 loop
    u[k] = U*sin(2*Saltus.Units.pi*(f*time - (k - 1)/3) + 0.3);
    open_p[k] = s_p[k] < 0;
    u[k] - p = if open_p[k] then s_p[k]*volt else 0;
    i_p[k] = if open_p[k] then 0 else s_p[k]*ampere;
    open_n[k] = s_n[k] < 0;
    n - u[k] = if open_n[k] then s_n[k]*volt else 0;
    i_n[k] = if open_n[k] then 0 else s_n[k]*ampere;
  end for;
  p - n = L*der(i) + R*i;
  sum(i_p) = i;
  sum(i_n) = i;
  annotation(
    experiment(StopTime = 0.04, Tolerance = 1e-8, Interval = 5e-5),
    Documentation(info = "<html>
<p>Three phases, six ideal diodes, and a load with an inductor. All combinations of open and closed diodes are 64.
Nobody makes 64 programs: one is made when the run comes to a combination, or tries it; six combinations are all
that last.</p>
<p>What to look at: the timeline of the modes goes round through six of them, one third of a half period each.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Mixed-mode Integration XI",
      passage = "Mosilab causalises statically, but makes a simulation model for every combination of switches
when it compiles. This does not scale: the number of models is exponential in the number of switches, and the sets
of initial conditions between them grow with the square of that.",
      look = "Six diodes have 64 combinations; the timeline shows six modes, visited in turn every 3.33 ms.
Programs were made for some more, half of the 64 at most: at the start, where no current flows, combinations are
tried until one fits. The slide has no model: the bridge is ours.",
      plot = {"p", "n", "i"}, modes = true, log = false)));
end Slide_MixedModeXI_ManySwitches;
