within Saltus.Examples.Papers.Cellier2013;
model Slide_VariableStructureVI_FudgeParameters "Leaky diodes with three sizes of leaks beside the ideal one"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Ratio leak[3] = {1e-2, 1e-3, 1e-4} "Ohms of the closed and siemens of the open diode";
  Slide_VariableStructureI_IdealDiode ideal "No leak"
    annotation(Placement(transformation(extent = {{-80, 20}, {-60, 40}})));
  Slide_VariableStructureIV_LeakyDiode leaky[3](R_0 = leak*ohm, G_0 = leak*siemens)
    "Each ten times better than the one before"
    annotation(Placement(transformation(extent = {{-20, 20}, {0, 40}})));
  Saltus.Units.Current error[3] "What the leaks make of the current";
  Saltus.Units.Time lag[3] "Time constant of the current that leaks";
protected
  constant Saltus.Units.Resistance ohm = 1 "Unit of the leak of a closed diode";
  constant Saltus.Units.Conductance siemens = 1 "Unit of the leak of an open diode";
equation
  error = leaky.i_0 - fill(ideal.i_0, 3);
  lag = leaky.L.*leaky.G_0;
  annotation(
    experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The same rectifier four times: with an ideal diode, and with leaks of 0.01, 0.001 and 0.0001 ohms and
siemens.</p>
<p>What to look at: the error of the current shrinks with the leak, but the time constant of the leaking current,
<code>lag</code>, shrinks as well: the better the approximation, the stiffer the model.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Variable Structure Models VI",
      passage = "Where the ideal model divides by zero, the leaky one divides by a small number that nobody knows.
The model becomes stiff, the stiffer the smaller R_0 and G_0 are made, and results often depend on these parameters
that have no physical meaning. An ideal diode would be preferable, if one could have it.",
      look = "The errors of the three leaky diodes are in proportion to their leaks, and so are their time
constants L*G_0: 100 us, 10 us and 1 us. The ideal diode has neither.",
      plot = {"error[1]", "error[2]", "error[3]"}, modes = false, log = false)));
end Slide_VariableStructureVI_FudgeParameters;
