within Saltus.Examples.Rotational;
model WormHoist "A worm gear lifts a load and holds it"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Step down(height = -1, startTime = 4)
    annotation(Placement(transformation(extent = {{-100, -40}, {-80, -20}})));
  Saltus.Blocks.Sources.Step up(offset = 4, height = -4, startTime = 2)
    annotation(Placement(transformation(extent = {{-100, 20}, {-80, 40}})));
  Saltus.Blocks.Math.Add command
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Rotational.Sources.SignalTorque motor
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Rotational.Inertia rotor(J = 0.01, phi(fixed = true), w(fixed = true))
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Rotational.LossyGear worm(ratio = 40, eta = 0.6, eta_back = 0)
    annotation(Placement(transformation(extent = {{20, -10}, {40, 10}})));
  Saltus.Rotational.Inertia drum(J = 20)
    annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
  Saltus.Rotational.Sources.ConstantTorque weight(tau = -60)
    annotation(Placement(transformation(extent = {{50, -50}, {70, -30}})));
equation
  connect(up.y, command.u1)
    annotation(Line(points = {{-79, 30}, {-76, 30}, {-76, 6}, {-72, 6}}, color = {0, 0, 127}));
  connect(down.y, command.u2)
    annotation(Line(points = {{-79, -30}, {-76, -30}, {-76, -6}, {-72, -6}}, color = {0, 0, 127}));
  connect(command.y, motor.tau)
    annotation(Line(points = {{-49, 0}, {-42, 0}}, color = {0, 0, 127}));
  connect(motor.flange, rotor.flange_a)
    annotation(Line(points = {{-20, 0}, {-10, 0}}, color = {95, 95, 95}));
  connect(rotor.flange_b, worm.flange_a)
    annotation(Line(points = {{10, 0}, {20, 0}}, color = {95, 95, 95}));
  connect(worm.flange_b, drum.flange_a)
    annotation(Line(points = {{40, 0}, {50, 0}}, color = {95, 95, 95}));
  connect(weight.flange, drum.flange_b)
    annotation(Line(points = {{70, -40}, {85, -40}, {85, 0}, {70, 0}}, color = {95, 95, 95}));
  annotation(Documentation(info = "<html>
<p>A motor lifts a load through a worm gear, lets it hang from 2 s on, and lowers it from 4 s on. The load cannot
drive the worm: <code>eta_back = 0</code>.</p>
<p>What to look at: lifting, the motor puts in more than the load gets, 40 per cent is lost. Without the motor the
gear stops and holds the load by itself. To lower the load the motor must push, and <code>worm.loss*worm.w</code> is
never negative: all that the load gives becomes heat.</p>
</html>"),
    experiment(StopTime = 6, Tolerance = 1e-8, Interval = 0.01));
end WormHoist;
