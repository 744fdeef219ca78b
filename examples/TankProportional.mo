model TankProportional "Level control with a proportional valve that saturates (paper 004, process TCPC)"

  type Length = Real(unit = "m");
  type VolumeFlow = Real(unit = "m3/s");

  constant Real g(unit = "m/s2") = 9.81 "Acceleration of gravity";
  constant Real rho(unit = "kg/m3") = 1000 "Density of the liquid";

  // The paper prints no data; the tank is that of TankLevel.mo.
  parameter Real A(unit = "m2") = 0.1 "Cross-section of the tank";
  parameter Length h0 = 0.1 "Level at the start";
  parameter Length hSet = 0.8 "Set point of the level";
  parameter Real k = 1e-4 "Outlet: flow over the square root of the pressure, in m3/(s.Pa^0.5)";
  parameter Real Kp(unit = "1/m") = 4 "Gain of the controller";
  parameter VolumeFlow QSet = 0.02 "Flow through the fully open valve";

  Length h(start = h0, fixed = true) "Level";
  Real u "What the controller asks for: 0 is a closed valve, 1 a fully open one";
  VolumeFlow Qi "Flow into the tank";
equation
  A*der(h) = Qi - k*sqrt(rho*g*h);
  u = Kp*(hSet - h);

  // A guarded equation of the paper. The branches meet at u = 0 and at u = 1, so Qi has corners, no leaps.
  Qi = if u < 0 then 0 elseif u <= 1 then u*QSet else QSet;
  annotation(experiment(StartTime = 0, StopTime = 20, Tolerance = 1e-8, Interval = 0.05));
end TankProportional;
