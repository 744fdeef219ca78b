model TankLevel "Level control of a tank with an on/off valve (paper 004, process TCD1)"

  type Length = Real(unit = "m");
  type VolumeFlow = Real(unit = "m3/s");

  constant Real g(unit = "m/s2") = 9.81 "Acceleration of gravity";
  constant Real rho(unit = "kg/m3") = 1000 "Density of the liquid";

  // The paper prints no data; these are those of a barrel that runs empty in twenty seconds.
  parameter Real A(unit = "m2") = 0.1 "Cross-section of the tank";
  parameter Length h0 = 1.0 "Level at the start";
  parameter Length hSet = 0.8 "Level at which the valve closes";
  parameter Length hHys = 0.2 "Hysteresis: the valve opens at hSet - hHys";
  parameter Real k = 1e-4 "Outlet: flow over the square root of the pressure, in m3/(s.Pa^0.5)";
  parameter VolumeFlow QSet = 0.02 "Flow through the open valve";

  Length h(start = h0, fixed = true) "Level";
  VolumeFlow Qo "Flow out of the tank, driven by gravity";
  Integer n(start = 0, fixed = true) "Valve: 1 open, 0 closed";
equation
  A*der(h) = n*QSet - Qo;
  Qo = k*sqrt(rho*g*h);

  // The level never jumps, but its derivative does, whenever the valve moves.
  when h < hSet - hHys then
    n = 1;
  elsewhen h > hSet then
    n = 0;
  end when;
  annotation(experiment(StartTime = 0, StopTime = 30, Tolerance = 1e-8, Interval = 0.05));
end TankLevel;
