within Saltus.Examples.Papers.Elmqvist1993;
model Fig6_RectifierVoltages "Voltage of the load and of the source"
  extends Fig5_Rectifier;
  annotation(
    experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The rectifier for five periods, to compare with the plot of the paper.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 7, figure 6",
      passage = "The result of the simulation is shown as one plot: the voltage of the load together with that of the
source.",
      look = "The load follows the source only near its tops, after a drop across 10 ohm, and falls with a time
constant of 50 ms in between. The figure itself is missing from our copy of the paper; the curve is compared with its
closed form.",
      plot = {"y", "U0.u"}, modes = true, log = false)));
end Fig6_RectifierVoltages;
