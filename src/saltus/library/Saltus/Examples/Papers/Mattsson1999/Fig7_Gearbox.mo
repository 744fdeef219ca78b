within Saltus.Examples.Papers.Mattsson1999;
model Fig7_Gearbox "An automatic gearbox with three planetary wheelsets and six switching elements"
  extends Saltus.Icons.Example;
  Saltus.Rotational.Sources.SignalTorque engine "Drives the input shaft"
    annotation(Placement(transformation(extent = {{-100, 50}, {-80, 70}})));
  Saltus.Rotational.Inertia input_shaft(J = 0.2, phi(start = 0, fixed = true), w(start = 80, fixed = true))
    "Turbine and input shaft"
    annotation(Placement(transformation(extent = {{-76, 50}, {-56, 70}})));
  Saltus.Rotational.Clutch A(mu = 0.1, cgeo = 1, fn_max = 4000) "Input to the ring of the first set"
    annotation(Placement(transformation(extent = {{-50, 50}, {-30, 70}})));
  Saltus.Rotational.Clutch B(mu = 0.1, cgeo = 1, fn_max = 4000) "Input to the common sun"
    annotation(Placement(transformation(extent = {{-50, 10}, {-30, 30}})));
  Saltus.Rotational.Brake C(mu = 0.1, cgeo = 1, fn_max = 3000) "Holds the common sun"
    annotation(Placement(transformation(extent = {{-50, -30}, {-30, -10}})));
  Saltus.Rotational.OneWayClutch D(mu = 0.1, cgeo = 1, fn_max = 6000) "Holds the carrier of the second set; with a
freewheel"
    annotation(Placement(transformation(extent = {{-50, -90}, {-30, -70}})));
  Saltus.Rotational.Fixed housing "Housing of the freewheel"
    annotation(Placement(transformation(extent = {{-90, -90}, {-70, -70}})));
  Saltus.Rotational.Inertia ring1(J = 0.01, phi(start = 0, fixed = true), w(start = 20, fixed = true)) "Ring of the
first set"
    annotation(Placement(transformation(extent = {{-26, 50}, {-6, 70}})));
  Saltus.Rotational.Inertia sun12(J = 0.02, phi(start = 0, fixed = true), w(start = 10, fixed = true)) "Common sun"
    annotation(Placement(transformation(extent = {{-26, 10}, {-6, 30}})));
  Saltus.Rotational.Inertia carrier2(J = 0.02) "Carrier of the second set"
    annotation(Placement(transformation(extent = {{-20, -90}, {0, -70}})));
  Saltus.Rotational.PlanetaryGear set1(ratio = k1) "First wheelset"
    annotation(Placement(transformation(extent = {{20, 70}, {0, 90}})));
  Saltus.Rotational.PlanetaryGear set2(ratio = k2) "Second wheelset"
    annotation(Placement(transformation(extent = {{0, -50}, {20, -30}})));
  Saltus.Rotational.Inertia middle(J = 0.03) "Shaft between the second and the third set"
    annotation(Placement(transformation(extent = {{30, -50}, {50, -30}})));
  Saltus.Rotational.PlanetaryGear set3(ratio = k3) "Third wheelset: overdrive"
    annotation(Placement(transformation(extent = {{60, -20}, {80, 0}})));
  Saltus.Rotational.Inertia sun3(J = 0.01, phi(start = 0, fixed = true), w(start = 10, fixed = true)) "Sun of the
third set"
    annotation(Placement(transformation(extent = {{34, -20}, {54, 0}})));
  Saltus.Rotational.Clutch E(mu = 0.1, cgeo = 1, fn_max = 5000) "Locks the third set"
    annotation(Placement(transformation(extent = {{30, 10}, {50, 30}})));
  Saltus.Rotational.Brake F(mu = 0.1, cgeo = 1, fn_max = 3000) "Holds the sun of the third set"
    annotation(Placement(transformation(extent = {{60, 20}, {80, 40}})));
  Saltus.Rotational.Inertia vehicle(J = 11) "Output shaft with the vehicle, seen from the gearbox"
    annotation(Placement(transformation(extent = {{60, -80}, {80, -60}})));
  Saltus.Rotational.Sources.SignalTorque road "Resistance"
    annotation(Placement(transformation(extent = {{30, -80}, {50, -60}})));
  parameter Saltus.Units.Ratio k1 = 1/0.48 "Ring over sun of the first set";
  parameter Saltus.Units.Ratio k2 = 1/0.48 "Ring over sun of the second set";
  parameter Saltus.Units.Ratio k3 = 0.73/0.27 "Ring over sun of the third set";
  parameter Saltus.Units.Torque tau_engine = 100 "Of the engine";
  parameter Saltus.Units.RotationalDampingConstant d = 0.4 "Resistance of air and wheels";
  parameter Saltus.Units.Torque tau_hill = 200 "Resistance of the hill";
  parameter Saltus.Units.Time t_hill = 10 "When the hill begins";
  parameter Saltus.Units.Time T = 0.08 "Time constant of the oil that presses the plates";
  Integer gear "What the control unit has chosen";
  Saltus.Units.Ratio pressure[6](each start = 0, each fixed = true) "Of A, B, C, D, E and F";
  Saltus.Units.Ratio target[6] "Where pressures go to";
equation
  gear = if time < 0.2 then 0 elseif time < 2.5 then 1 elseif time < 5 then 2 elseif time < 7.5 then 3 elseif time <
    11 then 4
    elseif time < 13 then 3 elseif time < 16 then 2 else 1;
  target = if gear == 0 then zeros(6) elseif gear == 1 then {1, 0, 0, 0, 1, 0}
    elseif gear == 2 then {1, 0, 1, 0, 1, 0} elseif gear == 3 then {1, 1, 0, 0, 1, 0} else {1, 1, 0, 0, 0, 1};
  T*der(pressure) = target - pressure;
  {A.press, B.press, C.press, D.press, E.press, F.press} = pressure;
  engine.tau = tau_engine;
  road.tau = -d*vehicle.w - (if time > t_hill then tau_hill else 0);
  connect(engine.flange, input_shaft.flange_a)
    annotation(Line(points = {{-80, 60}, {-76, 60}}, color = {95, 95, 95}));
  connect(input_shaft.flange_b, A.flange_a) annotation(Line(points = {{-56, 60}, {-50, 60}}, color = {95, 95, 95}));
  connect(input_shaft.flange_b, B.flange_a)
    annotation(Line(points = {{-56, 60}, {-54, 60}, {-54, 20}, {-50, 20}}, color = {95, 95, 95}));
  connect(A.flange_b, ring1.flange_a) annotation(Line(points = {{-30, 60}, {-26, 60}}, color = {95, 95, 95}));
  connect(B.flange_b, sun12.flange_a) annotation(Line(points = {{-30, 20}, {-26, 20}}, color = {95, 95, 95}));
  connect(C.flange_b, sun12.flange_a)
    annotation(Line(points = {{-30, -20}, {-28, -20}, {-28, 20}, {-26, 20}}, color = {95, 95, 95}));
  connect(ring1.flange_b, set1.ring)
    annotation(Line(points = {{-6, 60}, {-4, 60}, {-4, 80}, {0, 80}}, color = {95, 95, 95}));
  connect(sun12.flange_b, set1.sun)
    annotation(Line(points = {{-6, 20}, {24, 20}, {24, 80}, {20, 80}}, color = {95, 95, 95}));
  connect(sun12.flange_b, set2.sun)
    annotation(Line(points = {{-6, 20}, {-4, 20}, {-4, -40}, {0, -40}}, color = {95, 95, 95}));
  connect(housing.flange, D.flange_a) annotation(Line(points = {{-80, -80}, {-50, -80}}, color = {95, 95, 95}));
  connect(D.flange_b, carrier2.flange_a) annotation(Line(points = {{-30, -80}, {-20, -80}}, color = {95, 95, 95}));
  connect(carrier2.flange_b, set2.carrier)
    annotation(Line(points = {{0, -80}, {4, -80}, {4, -60}, {-8, -60}, {-8, -34}, {0, -34}}, color = {95, 95, 95}));
  connect(set2.ring, middle.flange_a) annotation(Line(points = {{20, -40}, {30, -40}}, color = {95, 95, 95}));
  connect(set1.carrier, middle.flange_a)
    annotation(Line(points = {{20, 86}, {28, 86}, {28, -40}, {30, -40}}, color = {95, 95, 95}));
  connect(middle.flange_b, set3.carrier)
    annotation(Line(points = {{50, -40}, {57, -40}, {57, -4}, {60, -4}}, color = {95, 95, 95}));
  connect(sun3.flange_b, set3.sun) annotation(Line(points = {{54, -10}, {60, -10}}, color = {95, 95, 95}));
  connect(middle.flange_b, E.flange_a)
    annotation(Line(points = {{50, -40}, {57, -40}, {57, -28}, {25, -28}, {25, 20}, {30, 20}}, color = {95, 95, 95}));
  connect(E.flange_b, sun3.flange_a)
    annotation(Line(points = {{50, 20}, {54, 20}, {54, 6}, {30, 6}, {30, -10}, {34, -10}}, color = {95, 95, 95}));
  connect(F.flange_a, E.flange_b)
    annotation(Line(points = {{60, 30}, {54, 30}, {54, 20}, {50, 20}}, color = {95, 95, 95}));
  connect(set3.ring, vehicle.flange_b)
    annotation(Line(points = {{80, -10}, {90, -10}, {90, -70}, {80, -70}}, color = {95, 95, 95}));
  connect(road.flange, vehicle.flange_a) annotation(Line(points = {{50, -70}, {60, -70}}, color = {95, 95, 95}));
  annotation(
    experiment(StopTime = 19, Tolerance = 1e-7, Interval = 0.02),
    Documentation(info = "<html>
<p>The structure of a four-speed gearbox of this kind: a Simpson set (two wheelsets with a common sun) and a third
wheelset for the overdrive. Clutches A and B, brakes C and F, clutch E, and D, a brake with a freewheel. Gears: 1 is
A, E and the freewheel; 2 is A, C, E; 3 is A, B, E; 4 is A, B, F. The ratios are 2.48, 1.48, 1 and 0.73.</p>
<p>A vehicle accelerates through all gears, comes to a hill in the fourth, and shifts down again.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 5, figure 7",
      passage = "A composition diagram of the gearbox ZF4HP22: three planetary wheelsets, shafts with inertias,
clutches, and combined clutch and freewheel elements. (The text says five clutches and names six.) With six switching
elements there are 2^6 = 64 configurations; the structure varies during each gearshift.",
      look = "The speed of the input goes down at each upshift while that of the vehicle goes on; the first gear is
left by its freewheel. The drawing is missing from our copy, and inertias, torques and pressures are not published
there: the structure is that of a gearbox with these ratios, and the values are ours.",
      plot = {"input_shaft.w", "vehicle.w", "gear"}, modes = true, log = false)));
end Fig7_Gearbox;
