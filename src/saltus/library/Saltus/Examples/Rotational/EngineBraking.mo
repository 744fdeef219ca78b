within Saltus.Examples.Rotational;
model EngineBraking "A one-way clutch that coasts, and brakes when it is pressed"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Step gas(offset = 40, height = -40, startTime = 2)
    annotation(Placement(transformation(extent = {{-100, -10}, {-80, 10}})));
  Saltus.Rotational.Sources.SignalTorque combustion
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.Rotational.Inertia engine(J = 0.3, phi(fixed = true), w(start = 100, fixed = true))
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Rotational.OneWayClutch oneWay(mu = 0.3, cgeo = 0.5, fn_max = 400)
    annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
  Saltus.Rotational.Inertia vehicle(J = 4, phi(fixed = true))
    annotation(Placement(transformation(extent = {{20, -10}, {40, 10}})));
  Saltus.Blocks.Sources.Ramp press(duration = 0.2, startTime = 4)
    annotation(Placement(transformation(extent = {{-40, -90}, {-20, -70}})));
  Saltus.Rotational.Friction drag(tau_c = 10)
    annotation(Placement(transformation(extent = {{-40, -50}, {-20, -30}})));
  Saltus.Rotational.Fixed crankcase
    annotation(Placement(transformation(extent = {{-70, -50}, {-50, -30}})));
equation
  connect(gas.y, combustion.tau)
    annotation(Line(points = {{-79, 0}, {-72, 0}}, color = {0, 0, 127}));
  connect(combustion.flange, engine.flange_a)
    annotation(Line(points = {{-50, 0}, {-40, 0}}, color = {95, 95, 95}));
  connect(engine.flange_b, oneWay.flange_a)
    annotation(Line(points = {{-20, 0}, {-10, 0}}, color = {95, 95, 95}));
  connect(oneWay.flange_b, vehicle.flange_a)
    annotation(Line(points = {{10, 0}, {20, 0}}, color = {95, 95, 95}));
  connect(press.y, oneWay.press)
    annotation(Line(points = {{-19, -80}, {0, -80}, {0, -12}}, color = {0, 0, 127}));
  connect(crankcase.flange, drag.flange_a)
    annotation(Line(points = {{-60, -40}, {-40, -40}}, color = {95, 95, 95}));
  connect(drag.flange_b, engine.flange_b)
    annotation(Line(points = {{-20, -40}, {-15, -40}, {-15, 0}, {-20, 0}}, color = {95, 95, 95}));
  annotation(Documentation(info = "<html>
<p>An engine drives a vehicle (an inertia) with 40 N.m for 2 s and is then dragged: its own friction has 10 N.m.
Between them is a clutch with a freewheel beside it, and its plates are pressed from 4 s on.</p>
<p>What to look at: at 2 s the vehicle overruns and coasts at constant speed, while the engine slows down alone. At 4
s the plates bring the engine up again; where the speeds meet both lock, and the engine brakes the vehicle.</p>
</html>"),
    experiment(StopTime = 8, Tolerance = 1e-7, Interval = 0.01));
end EngineBraking;
