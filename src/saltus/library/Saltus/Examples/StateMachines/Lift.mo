within Saltus.Examples.StateMachines;
model Lift "A lift that goes on where it was after an emergency stop"
  extends Saltus.Icons.Example;
  extends Saltus.StateMachines.Machine;

  model Service "Up and down between two floors"
    extends Saltus.StateMachines.Composite(history = true);
    input Saltus.Units.Length z "Height";
    Saltus.StateMachines.State waiting(start = true) "Below"
      annotation(Placement(transformation(extent = {{-90, 30}, {-70, 50}})));
    Saltus.StateMachines.Transition call(condition = time >= 2, atEdge = true) "Somebody calls"
      annotation(Placement(transformation(extent = {{-60, 30}, {-40, 50}})));
    Saltus.StateMachines.State up annotation(Placement(transformation(extent = {{-30, 30}, {-10, 50}})));
    Saltus.StateMachines.Transition arrive(condition = z >= 3)
      annotation(Placement(transformation(extent = {{0, 30}, {20, 50}})));
    Saltus.StateMachines.State above annotation(Placement(transformation(extent = {{30, 30}, {50, 50}})));
    Saltus.StateMachines.TimedTransition close(after = 4) "The doors have been open"
      annotation(Placement(transformation(extent = {{50, -30}, {30, -10}})));
    Saltus.StateMachines.State down annotation(Placement(transformation(extent = {{10, -30}, {-10, -10}})));
    Saltus.StateMachines.Transition land(condition = z <= 0)
      annotation(Placement(transformation(extent = {{-30, -30}, {-50, -10}})));
  equation
    connect(waiting.leave[1], call.from) annotation(Line(points = {{-69, 40}, {-55, 40}}, color = {30, 30, 30}));
    connect(call.to, up.enter[1]) annotation(Line(points = {{-45, 40}, {-31, 40}}, color = {30, 30, 30}));
    connect(up.leave[1], arrive.from) annotation(Line(points = {{-9, 40}, {5, 40}}, color = {30, 30, 30}));
    connect(arrive.to, above.enter[1]) annotation(Line(points = {{15, 40}, {29, 40}}, color = {30, 30, 30}));
    connect(above.leave[1], close.from)
      annotation(Line(points = {{51, 40}, {65, 40}, {65, -20}, {45, -20}}, color = {30, 30, 30}));
    connect(close.to, down.enter[1]) annotation(Line(points = {{35, -20}, {11, -20}}, color = {30, 30, 30}));
    connect(down.leave[1], land.from) annotation(Line(points = {{-11, -20}, {-35, -20}}, color = {30, 30, 30}));
    connect(land.to, waiting.enter[1])
      annotation(Line(points = {{-45, -20}, {-98, -20}, {-98, 40}, {-91, 40}}, color = {30, 30, 30}));
    annotation(Documentation(info = "<html><p>It remembers which of its states was active last.</p></html>"));
  end Service;

  parameter Saltus.Units.Velocity speed = 0.5 "Of the lift";
  Saltus.Units.Length z(start = 0, fixed = true) "Height";
  Integer trips(start = 0, fixed = true) "How often it was above";
  Service service(z = z, start = true) annotation(Placement(transformation(extent = {{-70, -20}, {-30, 20}})));
  Saltus.StateMachines.Transition emergency(condition = time >= 5, atEdge = true) "The button is pressed"
    annotation(Placement(transformation(extent = {{0, -10}, {20, 10}})));
  Saltus.StateMachines.State stopped annotation(Placement(transformation(extent = {{50, -10}, {70, 10}})));
  Saltus.StateMachines.TimedTransition release(after = 10)
    annotation(Placement(transformation(extent = {{20, -60}, {0, -40}})));
equation
  der(z) = if service.up.before then speed elseif service.down.before then -speed else 0;
  trips = if service.down.left then pre(trips) + 1 else pre(trips);
  connect(service.leave[1], emergency.from) annotation(Line(points = {{-28, 0}, {5, 0}}, color = {30, 30, 30}));
  connect(emergency.to, stopped.enter[1]) annotation(Line(points = {{15, 0}, {49, 0}}, color = {30, 30, 30}));
  connect(stopped.leave[1], release.from)
    annotation(Line(points = {{71, 0}, {85, 0}, {85, -50}, {15, -50}}, color = {30, 30, 30}));
  connect(release.to, service.enter[1])
    annotation(Line(points = {{5, -50}, {-85, -50}, {-85, 0}, {-72, 0}}, color = {30, 30, 30}));
  annotation(
    experiment(StopTime = 40, Interval = 0.1),
    Documentation(info = "<html>
<p>The lift is called, goes up, waits above and comes down again. On its way up somebody presses the emergency
button: it stops for ten seconds, and then goes on upwards, since <code>service</code> keeps its history.</p>
<p>What to look at: the height stands still from 5 to 15 s.</p>
</html>"));
end Lift;
