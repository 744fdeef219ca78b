within Saltus.Examples.BondGraphs;
model Characteristics "Springs, resistances and coils that are not linear"
  extends Saltus.Icons.Example;
  Saltus.BondGraphs.Sf pump(value = 1 + sin(time)) "Fills the spring"
    annotation(Placement(transformation(extent = {{-90, 20}, {-70, 40}})));
  Saltus.BondGraphs.J0 pressure(nIn = 1, nOut = 2) "Of both"
    annotation(Placement(transformation(extent = {{-50, 20}, {-30, 40}})));
  Saltus.BondGraphs.NonlinearC spring(effort = spring.q + spring.q^3, q(fixed = true)) "Hardens"
    annotation(Placement(transformation(extent = {{-10, 20}, {10, 40}})));
  Saltus.BondGraphs.NonlinearG leak(current = sinh(leak.e)/10) "Opens"
    annotation(Placement(transformation(extent = {{-10, 50}, {10, 70}})));
  Saltus.BondGraphs.Se force(value = 2) "On the body"
    annotation(Placement(transformation(extent = {{-90, -50}, {-70, -30}})));
  Saltus.BondGraphs.J1 speed(nIn = 1, nOut = 2) "Of both"
    annotation(Placement(transformation(extent = {{-50, -50}, {-30, -30}})));
  Saltus.BondGraphs.NonlinearI body(velocity = body.p/sqrt(1 + body.p^2), p(fixed = true)) "Gets heavier"
    annotation(Placement(transformation(extent = {{-10, -50}, {10, -30}})));
  Saltus.BondGraphs.NonlinearR drag(effort = drag.f*abs(drag.f)) "Of the air"
    annotation(Placement(transformation(extent = {{-10, -80}, {10, -60}})));
equation
  connect(pump.bond, pressure.into[1])
    annotation(Line(points = {{-70, 30}, {-50, 30}}, color = {30, 30, 30}));
  connect(pressure.out[1], spring.bond)
    annotation(Line(points = {{-30, 30}, {-10, 30}}, color = {30, 30, 30}));
  connect(pressure.out[2], leak.bond)
    annotation(Line(points = {{-30, 30}, {-25, 30}, {-25, 60}, {-10, 60}}, color = {30, 30, 30}));
  connect(force.bond, speed.into[1])
    annotation(Line(points = {{-70, -40}, {-50, -40}}, color = {30, 30, 30}));
  connect(speed.out[1], body.bond)
    annotation(Line(points = {{-30, -40}, {-10, -40}}, color = {30, 30, 30}));
  connect(speed.out[2], drag.bond)
    annotation(Line(points = {{-30, -40}, {-25, -40}, {-25, -70}, {-10, -70}}, color = {30, 30, 30}));
  annotation(
    experiment(StopTime = 5, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>A flow fills a hardening spring, which leaks through a resistance that lets more through the harder it is pressed.
Beside it a force accelerates a body that never gets faster than 1, against a drag with the square of the speed.</p>
<p>What to look at: the effort of the spring rises steeply; the speed of the body stays below 1.</p>
</html>"));
end Characteristics;
