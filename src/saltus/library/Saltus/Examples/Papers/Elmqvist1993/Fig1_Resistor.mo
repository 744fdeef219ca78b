within Saltus.Examples.Papers.Elmqvist1993;
model Fig1_Resistor "One law, solved for the current or for the voltage"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Frequency f = 1 "Of both sources";
  parameter Saltus.Units.Voltage U = 10 "Largest voltage";
  parameter Saltus.Units.Current I = 2 "Largest current";
  Parts.VSource U0(u0 = U*sin(2*Saltus.Units.pi*f*time)) "Forces a voltage"
    annotation(Placement(transformation(origin = {-80, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor R1(R = 5) "Fed by a voltage: the law gives its current"
    annotation(Placement(transformation(origin = {-50, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Implicit R2(R = 5) "The same, with the law of equation (2)"
    annotation(Placement(transformation(origin = {-20, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.CSource I0(I0 = I*sin(2*Saltus.Units.pi*f*time)) "Forces a current"
    annotation(Placement(transformation(origin = {30, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor R3(R = 5) "Fed by a current: the law gives its voltage"
    annotation(Placement(transformation(origin = {70, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Common common "Ground"
    annotation(Placement(transformation(extent = {{-10, -70}, {10, -50}})));

  model Implicit "A resistor whose law is written as 0 = u - R*i"
    extends Parts.TwoPort;
    parameter Saltus.Units.Resistance R = 1 "Resistance";
  equation
    0 = u - R*i;
    annotation(Documentation(info = "<html><p>Equation (2).</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {-60, 0}}, color = {0, 0, 255}),
        Line(points = {{60, 0}, {90, 0}}, color = {0, 0, 255}),
        Rectangle(extent = {{-60, 25}, {60, -25}}, lineColor = {0, 0, 255})}));
  end Implicit;
equation
  connect(U0.A, R1.A) annotation(Line(points = {{-80, 10}, {-80, 30}, {-50, 30}, {-50, 10}}, color = {0, 0, 255}));
  connect(R1.A, R2.A) annotation(Line(points = {{-50, 10}, {-50, 30}, {-20, 30}, {-20, 10}}, color = {0, 0, 255}));
  connect(U0.B, common.P)
    annotation(Line(points = {{-80, -10}, {-80, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  connect(R1.B, common.P)
    annotation(Line(points = {{-50, -10}, {-50, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  connect(R2.B, common.P)
    annotation(Line(points = {{-20, -10}, {-20, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  connect(I0.A, R3.A) annotation(Line(points = {{30, 10}, {30, 30}, {70, 30}, {70, 10}}, color = {0, 0, 255}));
  connect(I0.B, common.P) annotation(Line(points = {{30, -10}, {30, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  connect(R3.B, common.P) annotation(Line(points = {{70, -10}, {70, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 2, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>Three resistors with one law. Two are fed by a voltage and one by a current; <code>saltus explain</code> shows for
what each law is solved.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 2, figure 1, equations (1) and (2)",
      passage = "Ohm's law u = R i relates two quantities and says nothing of cause and effect. It may be solved for
either of them, or be written as 0 = u - R i: the tool finds out what each equation is to be solved for. The causality
is a matter of numerics, not of physics.",
      look = "All three resistors have 10 V and 2 A at the same time, whichever of the two was given. The paper gives
no numbers here.",
      plot = {"R1.i", "R2.i", "R3.u"}, modes = false, log = false)));
end Fig1_Resistor;
