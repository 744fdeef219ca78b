within Saltus.Examples.Papers.Elmqvist1993;
model Sec6_SwitchForms "The switch with a Boolean, and with a factor that is 0 or 1"
  extends Saltus.Icons.Example;
  Parts.VSource U0(u0 = 10) "Feeds both"
    annotation(Placement(transformation(origin = {-70, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Switch S1(OpenSwitch = open) "0 = if OpenSwitch then i else u"
    annotation(Placement(transformation(extent = {{-40, 20}, {-20, 40}})));
  Parts.Resistor R1(R = 5) "Behind the first switch"
    annotation(Placement(transformation(origin = {0, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.FactorSwitch S2(OpenSw = if open then 1 else 0) "0 = OpenSw*i + (1 - OpenSw)*u"
    annotation(Placement(transformation(extent = {{20, 50}, {40, 70}})));
  Parts.Resistor R2(R = 5) "Behind the second switch"
    annotation(Placement(transformation(origin = {60, 0}, extent = {{-10, 10}, {10, -10}}, rotation = 270)));
  Parts.Common common "Ground"
    annotation(Placement(transformation(extent = {{-10, -70}, {10, -50}})));
  Boolean open "Position of both";
equation
  open = time < 0.2 or time >= 0.6;
  connect(U0.A, S1.A) annotation(Line(points = {{-70, 10}, {-70, 30}, {-40, 30}}, color = {0, 0, 255}));
  connect(S1.B, R1.A) annotation(Line(points = {{-20, 30}, {0, 30}, {0, 10}}, color = {0, 0, 255}));
  connect(U0.A, S2.A) annotation(Line(points = {{-70, 10}, {-70, 60}, {20, 60}}, color = {0, 0, 255}));
  connect(S2.B, R2.A) annotation(Line(points = {{40, 60}, {60, 60}, {60, 10}}, color = {0, 0, 255}));
  connect(U0.B, common.P)
    annotation(Line(points = {{-70, -10}, {-70, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  connect(R1.B, common.P) annotation(Line(points = {{0, -10}, {0, -50}}, color = {0, 0, 255}));
  connect(R2.B, common.P) annotation(Line(points = {{60, -10}, {60, -40}, {0, -40}, {0, -50}}, color = {0, 0, 255}));
  annotation(
    experiment(StopTime = 1, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>Both forms of the switch law in equal circuits. Each law is part of an algebraic loop with its resistor, so that it
may determine a voltage or a current.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 6, both classes Switch",
      passage = "A switch gives an equation for the current when it is open and one for the voltage when it is closed.
Both are one equation, with a condition or with a factor OpenSw that is 0 or 1. The causality of this equation changes
with the value of a variable, which is something new.",
      look = "Open, all 10 V are across the switch; closed, 2 A flow. Both forms give the same.",
      plot = {"S1.u", "S1.i", "S2.u", "S2.i"}, modes = true, log = true)));
end Sec6_SwitchForms;
