within Saltus.Examples.Papers.Elmqvist1993;
model Fig4_DiodeCharacteristics "An ideal diode, taken along its two half axes"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Voltage U = 1 "Largest voltage of the source";
  parameter Saltus.Units.Frequency f = 1 "Of the source";
  Parts.VSource U0(u0 = U*sin(2*Saltus.Units.pi*f*time)) "Goes to and fro"
    annotation(Placement(transformation(origin = {-60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor R(R = 1) "Lets source and diode have different voltages"
    annotation(Placement(transformation(extent = {{-30, 20}, {-10, 40}})));
  Parts.Diode Diode "Ideal diode"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Common common "Ground"
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
equation
  connect(U0.A, R.A) annotation(Line(points = {{-60, 10}, {-60, 30}, {-30, 30}}, color = {0, 0, 255}));
  connect(R.B, Diode.A) annotation(Line(points = {{-10, 30}, {60, 30}, {60, 10}}, color = {0, 0, 255}));
  connect(Diode.B, common.P)
    annotation(Line(points = {{60, -10}, {60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(U0.B, common.P)
    annotation(Line(points = {{-60, -10}, {-60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 2, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>The sum of the voltage of the diode and of the resistor is given, so that the point of the diode wanders along the
whole characteristic.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 7, figure 4",
      passage = "An ideal diode is a switch that is controlled by its own variables: i is never negative and u never
positive. It is open as long as u is negative or zero and i is not positive.",
      look = "Where there is a voltage there is no current, and the other way round: plotted over each other, the
points are on the negative u axis and on the positive i axis.",
      plot = {"Diode.u", "Diode.i"}, modes = true, log = true)));
end Fig4_DiodeCharacteristics;
