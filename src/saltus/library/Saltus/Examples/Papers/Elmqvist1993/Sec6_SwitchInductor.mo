within Saltus.Examples.Papers.Elmqvist1993;
model Sec6_SwitchInductor "A switch in series with an inductor is opened"
  extends Saltus.Icons.Example;
  Parts.VSource U0(u0 = 10) "Drives the current"
    annotation(Placement(transformation(origin = {-60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Resistor R(R = 5) "Limits the current"
    annotation(Placement(transformation(extent = {{-40, 20}, {-20, 40}})));
  Parts.FactorSwitch Sw(OpenSw = if time < 0.02 then 0 elseif time < 0.03 then 1 else 0) "Opens at 20 ms, closes at 30
ms"
    annotation(Placement(transformation(extent = {{0, 20}, {20, 40}})));
  Parts.Inductor L(L = 0.02, i(start = 0, fixed = true)) "Its current is cut off"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Common common "Ground"
    annotation(Placement(transformation(extent = {{-10, -60}, {10, -40}})));
equation
  connect(U0.A, R.A) annotation(Line(points = {{-60, 10}, {-60, 30}, {-40, 30}}, color = {0, 0, 255}));
  connect(R.B, Sw.A) annotation(Line(points = {{-20, 30}, {0, 30}}, color = {0, 0, 255}));
  connect(Sw.B, L.A) annotation(Line(points = {{20, 30}, {60, 30}, {60, 10}}, color = {0, 0, 255}));
  connect(L.B, common.P) annotation(Line(points = {{60, -10}, {60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  connect(U0.B, common.P)
    annotation(Line(points = {{-60, -10}, {-60, -30}, {0, -30}, {0, -40}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 0.05, Tolerance = 1e-9, Interval = 1e-4),
    Documentation(info = "<html>
<p>The current of the inductor is a state until the switch opens. Then it is zero by an equation, and the flux that
was in the inductor shows as an impulse of its voltage.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 6, equation (3)",
      passage = "In series with an inductor the current is known, and the switch law is solved for the voltage: u =
OpenSw/(OpenSw - 1) i. When the switch opens, this divides by zero and the simulation ends. The paper finds that
right: in reality there would be an arc, which is not in the model. A switch has to be part of an algebraic loop.",
      look = "Here it does not end: the state is given up, the current drops to zero at 20 ms, and the log tells the
impulse of the voltage, -L i = -0.04 Vs. After 30 ms the current grows from zero again.",
      plot = {"L.i", "Sw.u"}, modes = true, log = true)));
end Sec6_SwitchInductor;
