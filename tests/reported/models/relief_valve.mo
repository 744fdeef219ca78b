// TRUTH: the relief valve opens at 60 bar (about 10 s); the pressure never exceeds that by more than the valve's drop
model ReliefValve "A pump fills an accumulator, a relief valve limits the pressure"
  Saltus.Fluid.DisplacementPump pump(q_nom = 2e-4, speed = 1);
  Saltus.Fluid.CheckValve relief(p_open = 60e5);
  Saltus.Fluid.Accumulator acc(V0 = 1e-3, V(start = 0, fixed = true));
  Saltus.Fluid.Ambient tank;
equation
  connect(tank.port, pump.port_a);
  connect(pump.port_b, acc.port);
  connect(acc.port, relief.port_a);
  connect(relief.port_b, tank.port);
  annotation(experiment(StopTime = 12, Interval = 0.01));
end ReliefValve;
