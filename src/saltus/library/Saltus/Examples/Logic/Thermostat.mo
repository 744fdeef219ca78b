within Saltus.Examples.Logic;
model Thermostat "Heating with hysteresis, day and night"
  extends Saltus.Icons.Example;
  Saltus.Logic.Sources.BooleanPulse day(period = 24, width = 0.625, startTime = 7) "From 7 to 22 h"
    annotation(Placement(transformation(extent = {{-100, 50}, {-80, 70}})));
  Saltus.Blocks.Sources.Constant warm(k = 21) "By day, in degrees"
    annotation(Placement(transformation(extent = {{-100, 10}, {-80, 30}})));
  Saltus.Blocks.Sources.Constant cool(k = 16) "By night"
    annotation(Placement(transformation(extent = {{-100, -30}, {-80, -10}})));
  Saltus.Logic.Switch wanted
    annotation(Placement(transformation(extent = {{-60, 10}, {-40, 30}})));
  Saltus.Blocks.Math.Feedback missing
    annotation(Placement(transformation(extent = {{-25, 10}, {-5, 30}})));
  Saltus.Logic.Hysteresis cold(low = -1, high = 1)
    annotation(Placement(transformation(extent = {{7, 10}, {27, 30}})));
  Saltus.Logic.BooleanToReal burner(whenTrue = 35, whenFalse = 5) "Where the room would end"
    annotation(Placement(transformation(extent = {{40, 10}, {60, 30}})));
  Saltus.Blocks.Continuous.FirstOrder room(T = 5, y0 = 15) "In degrees; time is in hours"
    annotation(Placement(transformation(extent = {{74, 10}, {94, 30}})));
equation
  connect(day.y, wanted.on)
    annotation(Line(points = {{-79, 60}, {-70, 60}, {-70, 20}, {-62, 20}}, color = {255, 0, 255}));
  connect(warm.y, wanted.u1)
    annotation(Line(points = {{-79, 20}, {-75, 20}, {-75, 26}, {-62, 26}}, color = {0, 0, 127}));
  connect(cool.y, wanted.u2)
    annotation(Line(points = {{-79, -20}, {-75, -20}, {-75, 14}, {-62, 14}}, color = {0, 0, 127}));
  connect(wanted.y, missing.u1)
    annotation(Line(points = {{-39, 20}, {-27, 20}}, color = {0, 0, 127}));
  connect(missing.y, cold.u)
    annotation(Line(points = {{-4, 20}, {5, 20}}, color = {0, 0, 127}));
  connect(cold.y, burner.u)
    annotation(Line(points = {{28, 20}, {38, 20}}, color = {255, 0, 255}));
  connect(burner.y, room.u)
    annotation(Line(points = {{61, 20}, {72, 20}}, color = {0, 0, 127}));
  connect(room.y, missing.u2)
    annotation(Line(points = {{95, 20}, {99, 20}, {99, -30}, {-15, -30}, {-15, 8}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A room loses heat and is heated by a radiator that is on or off. The thermostat switches on one degree below
what is wanted and off one degree above. At night less is wanted: a switch takes the other set point.</p>
<p><b>What to look at:</b> <code>room.y</code> swings between the two limits; the wider the hysteresis, the slower.
<code>cold.y</code> is the state of the heating, <code>burner.y</code> its power as a temperature.</p>
</html>"),
    experiment(StopTime = 48, Tolerance = 1e-6, Interval = 0.1));
end Thermostat;
