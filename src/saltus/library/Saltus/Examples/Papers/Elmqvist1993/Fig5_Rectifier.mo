within Saltus.Examples.Papers.Elmqvist1993;
model Fig5_Rectifier "A rectifier with load"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Frequency f = 50 "Of the source";
  parameter Saltus.Units.Voltage U = 1 "Largest voltage of the source";
  Parts.VSource U0(u0 = U*sin(2*3.14159*f*time)) "With the number pi of the paper"
    annotation(Placement(transformation(origin = {-70, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor Ri(R = 10) "Inside the source"
    annotation(Placement(transformation(extent = {{-50, 20}, {-30, 40}})));
  Parts.Diode Diode "Ideal diode"
    annotation(Placement(transformation(extent = {{-20, 20}, {0, 40}})));
  Parts.Capacitor C(C = 0.001, u(start = 0, fixed = true)) "Smooths"
    annotation(Placement(transformation(origin = {30, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor RL(R = 50) "Load"
    annotation(Placement(transformation(origin = {70, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Common common "Ground"
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
  Saltus.Units.Voltage y "Voltage of the load";
equation
  y = C.u;
  connect(U0.A, Ri.A) annotation(Line(points = {{-70, 10}, {-70, 30}, {-50, 30}}, color = {0, 0, 255}));
  connect(Ri.B, Diode.A) annotation(Line(points = {{-30, 30}, {-20, 30}}, color = {0, 0, 255}));
  connect(Diode.B, C.A) annotation(Line(points = {{0, 30}, {30, 30}, {30, 10}}, color = {0, 0, 255}));
  connect(Diode.B, RL.A) annotation(Line(points = {{0, 30}, {70, 30}, {70, 10}}, color = {0, 0, 255}));
  connect(U0.B, common.P)
    annotation(Line(points = {{-70, -10}, {-70, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(C.B, common.P) annotation(Line(points = {{30, -10}, {30, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(RL.B, common.P) annotation(Line(points = {{70, -10}, {70, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 0.06, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The circuit of the paper with its numbers. The diode has a discrete state <code>OpenSwitch</code>, whose old value
decides which law holds; at an event the equations are evaluated until it does not change any more.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 7, figure 5, model Rectifier, sorted and solved equations",
      passage = "A source of 1 V and 50 Hz with 10 ohm inside, an ideal diode, and a load of 50 ohm with 1 mF in
parallel. With new(OpenSwitch) as a discrete state the loop has four equations and is solved by formulas. Two
relations are watched, each with two crossing functions and a status that is -1, 0 or 1.",
      look = "The diode conducts near the top of each wave. The printed formulas, evaluated with the values of the
run, give the same currents and voltages; a test says so.",
      plot = {"Diode.i", "Diode.u", "y"}, modes = true, log = true)));
end Fig5_Rectifier;
