within Saltus.Examples.BondGraphs;
model Modulation "Sources, a crank and a field that signals modulate"
  extends Saltus.Icons.Example;
  Saltus.BondGraphs.MSe force "Alternates"
    annotation(Placement(transformation(extent = {{-140, -10}, {-120, 10}})));
  Saltus.BondGraphs.J1 lever(nIn = 1, nOut = 2) "Pushed and rubbing"
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.BondGraphs.R rubbing(R = 0.5) "Of the lever"
    annotation(Placement(transformation(extent = {{-60, -35}, {-40, -15}})));
  Saltus.BondGraphs.MTF crank "Its ratio swings"
    annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
  Saltus.BondGraphs.MGY pump "Its field grows"
    annotation(Placement(transformation(extent = {{-20, -10}, {0, 10}})));
  Saltus.BondGraphs.J1 moving(nIn = 1, nOut = 3) "The body and what moves with it"
    annotation(Placement(transformation(extent = {{20, -10}, {40, 10}})));
  Saltus.BondGraphs.I body(I = 2, p(fixed = true)) "Is moved"
    annotation(Placement(transformation(extent = {{55, -40}, {75, -20}})));
  Saltus.BondGraphs.MR damper "Is pressed"
    annotation(Placement(transformation(extent = {{55, 20}, {75, 40}})));
  Saltus.BondGraphs.Df measured "The speed"
    annotation(Placement(transformation(extent = {{55, -70}, {75, -50}})));
  Saltus.Blocks.Sources.Sine push(amplitude = 5, f = 0.3) "How hard"
    annotation(Placement(transformation(extent = {{-160, 40}, {-140, 60}})));
  Saltus.Blocks.Sources.Sine angle(amplitude = 0.5, f = 0.1, offset = 1) "Of the crank"
    annotation(Placement(transformation(extent = {{-85, 70}, {-65, 90}})));
  Saltus.Blocks.Sources.Ramp field(height = 1, duration = 10, offset = 1) "Of the pump"
    annotation(Placement(transformation(extent = {{-50, 40}, {-30, 60}})));
  Saltus.Blocks.Sources.Ramp grip(height = 2, duration = 10, offset = 0.5) "Of the damper"
    annotation(Placement(transformation(extent = {{25, 60}, {45, 80}})));
  Saltus.BondGraphs.MSf inflow "Into the tank"
    annotation(Placement(transformation(extent = {{-100, -80}, {-80, -60}})));
  Saltus.BondGraphs.J0 port(nIn = 1, nOut = 2) "Of the tank"
    annotation(Placement(transformation(extent = {{-60, -80}, {-40, -60}})));
  Saltus.BondGraphs.C tank(C = 2, q(fixed = true)) "Is filled"
    annotation(Placement(transformation(extent = {{-20, -60}, {0, -40}})));
  Saltus.BondGraphs.De pressure "In the tank"
    annotation(Placement(transformation(extent = {{-20, -100}, {0, -80}})));
  Saltus.Blocks.Sources.Sine wave(amplitude = 0.2, f = 0.5, offset = 0.1) "How much flows"
    annotation(Placement(transformation(extent = {{-120, -40}, {-100, -20}})));
equation
  connect(force.bond, lever.into[1])
    annotation(Line(points = {{-120, 0}, {-100, 0}}, color = {30, 30, 30}));
  connect(lever.out[1], rubbing.bond)
    annotation(Line(points = {{-80, 0}, {-75, 0}, {-75, -25}, {-60, -25}}, color = {30, 30, 30}));
  connect(lever.out[2], crank.into)
    annotation(Line(points = {{-80, 0}, {-60, 0}}, color = {30, 30, 30}));
  connect(crank.out, pump.into)
    annotation(Line(points = {{-40, 0}, {-20, 0}}, color = {30, 30, 30}));
  connect(pump.out, moving.into[1])
    annotation(Line(points = {{0, 0}, {20, 0}}, color = {30, 30, 30}));
  connect(moving.out[1], body.bond)
    annotation(Line(points = {{40, 0}, {45, 0}, {45, -30}, {55, -30}}, color = {30, 30, 30}));
  connect(moving.out[2], damper.bond)
    annotation(Line(points = {{40, 0}, {45, 0}, {45, 30}, {55, 30}}, color = {30, 30, 30}));
  connect(moving.out[3], measured.bond)
    annotation(Line(points = {{40, 0}, {45, 0}, {45, -60}, {55, -60}}, color = {30, 30, 30}));
  connect(push.y, force.u)
    annotation(Line(points = {{-139, 50}, {-130, 50}, {-130, 12}}, color = {0, 0, 127}));
  connect(angle.y, crank.m)
    annotation(Line(points = {{-64, 80}, {-50, 80}, {-50, 12}}, color = {0, 0, 127}));
  connect(field.y, pump.r)
    annotation(Line(points = {{-29, 50}, {-10, 50}, {-10, 12}}, color = {0, 0, 127}));
  connect(grip.y, damper.R)
    annotation(Line(points = {{46, 70}, {65, 70}, {65, 42}}, color = {0, 0, 127}));
  connect(inflow.bond, port.into[1])
    annotation(Line(points = {{-80, -70}, {-60, -70}}, color = {30, 30, 30}));
  connect(port.out[1], tank.bond)
    annotation(Line(points = {{-40, -70}, {-35, -70}, {-35, -50}, {-20, -50}}, color = {30, 30, 30}));
  connect(port.out[2], pressure.bond)
    annotation(Line(points = {{-40, -70}, {-35, -70}, {-35, -90}, {-20, -90}}, color = {30, 30, 30}));
  connect(wave.y, inflow.u)
    annotation(Line(points = {{-99, -30}, {-90, -30}, {-90, -58}}, color = {0, 0, 127}));
  annotation(
    experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>A force that alternates acts on a body through a transformer and a gyrator whose ratios change; a damper is pressed
harder and harder. Signals take no power.</p>
<p>What to look at: <code>measured.y</code> is the speed of the body, and <code>pressure.y</code> the effort of the
tank, which a second source fills.</p>
</html>"));
end Modulation;
