within Saltus.Examples.Rotational;
model PlanetaryShift "A planetary gear shifts when a brake holds its ring"
  extends Saltus.Icons.Example;
  Saltus.Rotational.Sources.ConstantTorque motor(tau = 5)
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.Rotational.Inertia sunShaft(J = 0.05, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Saltus.Rotational.PlanetaryGear planets(ratio = 2)
    annotation(Placement(transformation(extent = {{-30, -10}, {-10, 10}})));
  Saltus.Rotational.Inertia ringShaft(J = 0.1)
    annotation(Placement(transformation(extent = {{0, -10}, {20, 10}})));
  Saltus.Rotational.Brake brake(mu = 0.4, cgeo = 0.5, fn_max = 200)
    annotation(Placement(transformation(extent = {{30, -10}, {50, 10}})));
  Saltus.Rotational.Inertia load(J = 2, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{0, 30}, {20, 50}})));
  Saltus.Blocks.Sources.Ramp press(duration = 0.3, startTime = 1)
    annotation(Placement(transformation(extent = {{80, -50}, {60, -30}})));
equation
  connect(motor.flange, sunShaft.flange_a)
    annotation(Line(points = {{-70, 0}, {-60, 0}}, color = {95, 95, 95}));
  connect(sunShaft.flange_b, planets.sun)
    annotation(Line(points = {{-40, 0}, {-30, 0}}, color = {95, 95, 95}));
  connect(planets.ring, ringShaft.flange_a)
    annotation(Line(points = {{-10, 0}, {0, 0}}, color = {95, 95, 95}));
  connect(ringShaft.flange_b, brake.flange_a)
    annotation(Line(points = {{20, 0}, {30, 0}}, color = {95, 95, 95}));
  connect(planets.carrier, load.flange_a)
    annotation(Line(points = {{-30, 6}, {-35, 6}, {-35, 40}, {0, 40}}, color = {95, 95, 95}));
  connect(press.y, brake.press)
    annotation(Line(points = {{59, -40}, {40, -40}, {40, -12}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A motor turns the sun of a planetary gear, the carrier drives a load. The ring is free at first; from 1 s on a
brake holds it.</p>
<p>What to look at: with a free ring the torque of the motor turns the ring backwards, and the load hardly moves. The
brake slides until the ring stands; from then on sun and carrier are a gear of 1 + ratio = 3 to 1, and the load
accelerates with three times the torque of the motor. The speeds have one state less once the ring is held.</p>
</html>"),
    experiment(StopTime = 3, Tolerance = 1e-8, Interval = 0.005));
end PlanetaryShift;
