within Saltus.Examples.Rotational;
model Starter "A starter turns an engine over, which runs away from it"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Step supply(offset = 12, height = -12, startTime = 1)
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.Rotational.Sources.SignalTorque starter
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Rotational.Inertia rotor(J = 0.002, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Rotational.Gear pinion(ratio = 10)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Rotational.Freewheel freewheel
    annotation(Placement(transformation(extent = {{20, -10}, {40, 10}})));
  Saltus.Rotational.Inertia engine(J = 0.2, phi(fixed = true))
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
  Saltus.Rotational.Damper losses(d = 0.05)
    annotation(Placement(transformation(extent = {{-40, -50}, {-20, -30}})));
  Saltus.Rotational.Fixed frame
    annotation(Placement(transformation(extent = {{-70, -50}, {-50, -30}})));
  Saltus.Rotational.Friction rubbing(tau_c = 20, d = 0.1)
    annotation(Placement(transformation(extent = {{70, -50}, {50, -30}})));
  Saltus.Rotational.Fixed crankcase
    annotation(Placement(transformation(extent = {{10, -50}, {30, -30}})));
  Saltus.Blocks.Sources.Step spark(height = 60, startTime = 0.6)
    annotation(Placement(transformation(extent = {{-10, 40}, {10, 60}})));
  Saltus.Rotational.Sources.SignalTorque combustion
    annotation(Placement(transformation(extent = {{30, 40}, {50, 60}})));
equation
  connect(supply.y, starter.tau)
    annotation(Line(points = {{-79, 0}, {-72, 0}}, color = {0, 0, 127}));
  connect(starter.flange, rotor.flange_a)
    annotation(Line(points = {{-50, 0}, {-40, 0}}, color = {95, 95, 95}));
  connect(rotor.flange_b, pinion.flange_a)
    annotation(Line(points = {{-20, 0}, {-10, 0}}, color = {95, 95, 95}));
  connect(pinion.flange_b, freewheel.flange_a)
    annotation(Line(points = {{10, 0}, {20, 0}}, color = {95, 95, 95}));
  connect(freewheel.flange_b, engine.flange_a)
    annotation(Line(points = {{40, 0}, {50, 0}}, color = {95, 95, 95}));
  connect(frame.flange, losses.flange_a)
    annotation(Line(points = {{-60, -40}, {-40, -40}}, color = {95, 95, 95}));
  connect(losses.flange_b, rotor.flange_b)
    annotation(Line(points = {{-20, -40}, {-15, -40}, {-15, 0}, {-20, 0}}, color = {95, 95, 95}));
  connect(crankcase.flange, rubbing.flange_b)
    annotation(Line(points = {{20, -40}, {50, -40}}, color = {95, 95, 95}));
  connect(rubbing.flange_a, engine.flange_b)
    annotation(Line(points = {{70, -40}, {85, -40}, {85, 0}, {70, 0}}, color = {95, 95, 95}));
  connect(spark.y, combustion.tau)
    annotation(Line(points = {{11, 50}, {28, 50}}, color = {0, 0, 127}));
  connect(combustion.flange, engine.flange_b)
    annotation(Line(points = {{50, 50}, {80, 50}, {80, 0}, {70, 0}}, color = {95, 95, 95}));
  annotation(Documentation(info = "<html>
<p>The starter motor has 12 N.m at rest and less the faster it turns; from 1 s on it is switched off. A gear and a
freewheel connect it to the engine, which rubs with 20 N.m and fires from 0.6 s on with 60 N.m.</p>
<p>What to look at: the freewheel locks while the starter drives, and overruns from the moment at which the engine is
faster. Then the starter turns on alone: two shafts where there was one, one state more.</p>
</html>"),
    experiment(StopTime = 2, Tolerance = 1e-7, Interval = 0.005));
end Starter;
