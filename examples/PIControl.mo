model PIControl "A computer keeps a room warm: a continuous plant with a sampled PI controller"

  type Temperature = Real(unit = "degC", nominal = 20);
  type Power = Real(unit = "kW");

  model Room "Air and walls, heated, in cold surroundings"
    parameter Real Ca(unit = "kJ/K") = 500 "Heat capacity of the air and the furniture";
    parameter Real Cw(unit = "kJ/K") = 4000 "Heat capacity of the walls";
    parameter Real Gaw(unit = "kW/K") = 0.3 "Heat conductance from the air to the walls";
    parameter Real Gwo(unit = "kW/K") = 0.1 "Heat conductance from the walls to the outside";
    parameter Temperature outside = 0 "Temperature outside";
    input Power heat "Power of the heater";
    output Temperature Ta(start = 15, fixed = true) "Temperature of the air";
    Temperature Tw(start = 10, fixed = true) "Temperature of the walls";
  equation
    Ca*der(Ta) = heat - Gaw*(Ta - Tw);
    Cw*der(Tw) = Gaw*(Ta - Tw) - Gwo*(Tw - outside);
  end Room;

  model Controller "PI controller with a limited output and without wind-up"
    parameter Real period(unit = "s") = 64 "Time between two samples";
    parameter Real K(unit = "kW/K") = 1 "Gain";
    parameter Real Ti(unit = "s") = 1500 "Integration time";
    parameter Power uMax = 5 "Largest power of the heater";
    input Temperature reference;
    input Temperature measured;
    discrete output Power u(start = 0, fixed = true) "Power asked for: changes at the samples only";
    discrete Power I(start = 0, fixed = true) "Integral part";
    discrete Real e(unit = "K", start = 0, fixed = true) "Control error";
    discrete Power wanted(start = 0, fixed = true) "Output before it is limited";
  equation
    // These four equations are sorted like all others; all hold at the same instant.
    when sample(0, period) then
      e = reference - measured;
      wanted = K*e + pre(I);
      u = if wanted > uMax then uMax elseif wanted < 0 then 0 else wanted;
      // The integral grows only while the heater can follow.
      I = if wanted > uMax or wanted < 0 then pre(I) else pre(I) + K*period/Ti*e;
    end when;
  end Controller;

  parameter Temperature night = 15 "Wanted temperature at first";
  parameter Temperature day = 20 "Wanted temperature afterwards";
  parameter Real dayStart(unit = "s") = 1280 "Time of the change; a sample is due at that very time";
  Room room;
  Controller controller;
equation
  controller.reference = if time < dayStart then night else day;
  controller.measured = room.Ta;
  room.heat = controller.u;
  annotation(experiment(StartTime = 0, StopTime = 12800, Tolerance = 1e-8, Interval = 64));
end PIControl;
