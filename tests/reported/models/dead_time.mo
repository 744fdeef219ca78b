// TRUTH: runs; the current freewheels through the diodes in each dead time (the same with T.gate = pre(d.y), or Ron = 1e-3 and Goff = 1e-5)
model DeadTimeHalfBridge "Half bridge with dead time: fails at 40 us, when the lower diode carries the current into a dead time
  after an earlier dead time in which the current has come to rest (10.5 us to 12 us)"
  import Saltus.Electrical.*;
  Sources.ConstantVoltage Vp(V = 200), Vm(V = 200);
  Transistor T1, T2;
  Inductor L(L = 5e-3, i(start = 0.42, fixed = true)) "40 mA per us";
  Ground g;
  Boolean u = (time >= 10e-6 and time < 30e-6) or time >= 40e-6;
  Saltus.Logic.OnDelay d1(u = u, delayTime = 2e-6), d2(u = not u, delayTime = 2e-6);
equation
  connect(Vp.n, g.p);
  connect(Vm.p, g.p);
  connect(Vp.p, T1.p);
  connect(T1.n, T2.p);
  connect(T2.n, Vm.n);
  connect(T1.n, L.p);
  connect(L.n, g.p);
  connect(d1.y, T1.gate);
  connect(d2.y, T2.gate);
  annotation(experiment(StopTime = 60e-6, Interval = 1e-6));
end DeadTimeHalfBridge;
