within Saltus.Examples.Papers.Elmqvist1993;
model Sec6_SwitchCapacitor "A switch in parallel with a capacitor is closed"
  extends Saltus.Icons.Example;
  Parts.VSource U0(u0 = 10) "Charges the capacitor"
    annotation(Placement(transformation(origin = {-60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor R(R = 100) "Limits the current of the source"
    annotation(Placement(transformation(extent = {{-40, 20}, {-20, 40}})));
  Parts.Switch Sw(OpenSwitch = time < 0.3 or time >= 0.4) "Shorts the capacitor from 0.3 s to 0.4 s"
    annotation(Placement(transformation(origin = {0, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Capacitor C(C = 1e-3, u(start = 0, fixed = true)) "Loses its charge"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Common common "Ground"
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
equation
  connect(U0.A, R.A) annotation(Line(points = {{-60, 10}, {-60, 30}, {-40, 30}}, color = {0, 0, 255}));
  connect(R.B, Sw.A) annotation(Line(points = {{-20, 30}, {0, 30}, {0, 10}}, color = {0, 0, 255}));
  connect(Sw.A, C.A) annotation(Line(points = {{0, 10}, {0, 30}, {60, 30}, {60, 10}}, color = {0, 0, 255}));
  connect(Sw.B, common.P) annotation(Line(points = {{0, -10}, {0, -40}}, color = {0, 0, 255}));
  connect(C.B, common.P) annotation(Line(points = {{60, -10}, {60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(U0.B, common.P)
    annotation(Line(points = {{-60, -10}, {-60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 0.8, Tolerance = 1e-9, Interval = 2e-3),
    Documentation(info = "<html>
<p>The dual of the inductor: a voltage that is a state is made zero by an equation, and its charge flows through the
switch in an instant.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 6, after equation (3)",
      passage = "The paper mentions in one sentence that a capacitor in parallel with the switch has the same
difficulty as an inductor in series with it.",
      look = "At 0.3 s the voltage drops to zero, and the switch carries a charge of C u in no time: 9.5 mC. While it
is closed there is no state left.",
      plot = {"C.u", "Sw.i"}, modes = true, log = true)));
end Sec6_SwitchCapacitor;
