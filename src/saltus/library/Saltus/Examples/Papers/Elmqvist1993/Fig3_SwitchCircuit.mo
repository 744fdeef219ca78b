within Saltus.Examples.Papers.Elmqvist1993;
model Fig3_SwitchCircuit "A switch connects a current source to a capacitor, and separates them"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Current I = 0.1 "Current of the source";
  Parts.CSource I0 "Current source"
    annotation(Placement(transformation(origin = {-70, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor R1(R = 100) "At the source"
    annotation(Placement(transformation(origin = {-30, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.FactorSwitch Sw "The switch"
    annotation(Placement(transformation(extent = {{-10, 20}, {10, 40}})));
  Parts.Resistor R2(R = 20) "At the capacitor"
    annotation(Placement(transformation(origin = {30, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Capacitor C(C = 0.1e-6, u(start = 0, fixed = true)) "Is charged while the switch is closed"
    annotation(Placement(transformation(origin = {70, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Common common "Ground"
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
  Saltus.Units.Voltage y "Voltage of the capacitor";
equation
  Sw.OpenSw = if time < 1.0e-6 then 1 elseif time < 2.5e-6 then 0 elseif time < 5.0e-6 then 1
    elseif time < 9.0e-6 then 0 else 1;
  I0.I0 = I;
  y = C.u;
  connect(I0.A, Sw.A) annotation(Line(points = {{-70, 10}, {-70, 30}, {-10, 30}}, color = {0, 0, 255}));
  connect(R1.A, Sw.A) annotation(Line(points = {{-30, 10}, {-30, 30}, {-10, 30}}, color = {0, 0, 255}));
  connect(Sw.B, R2.A) annotation(Line(points = {{10, 30}, {30, 30}, {30, 10}}, color = {0, 0, 255}));
  connect(Sw.B, C.A) annotation(Line(points = {{10, 30}, {70, 30}, {70, 10}}, color = {0, 0, 255}));
  connect(I0.B, common.P)
    annotation(Line(points = {{-70, -10}, {-70, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(R1.B, common.P)
    annotation(Line(points = {{-30, -10}, {-30, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(R2.B, common.P) annotation(Line(points = {{30, -10}, {30, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(C.B, common.P) annotation(Line(points = {{70, -10}, {70, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 12e-6, Tolerance = 1e-9, Interval = 0.05e-6),
    Documentation(info = "<html>
<p>The circuit and the positions of the paper. <code>saltus explain</code> prints its sorted equations: the law of the
switch is in the only loop.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 6, figure 3, sorted equations and solved system",
      passage = "Source and R1 = 100 ohm on one side, C = 0.1 uF and R2 = 20 ohm on the other, a switch between them:
closed from 1 to 2.5 us and from 5 to 9 us. In the sorted equations the switch is part of a loop of five, which is
solved by formulas; its determinant R1 (OpenSw - 1) + OpenSw is different from zero in both positions.",
      look = "The capacitor is charged with a time constant of 1.67 us and discharged with 2 us. At every point the
printed formulas give the same voltages and currents as the run; a test says so. The current of the source is left
open by the paper and 0.1 A here.",
      plot = {"y", "Sw.u", "Sw.i"}, modes = true, log = true)));
end Fig3_SwitchCircuit;
