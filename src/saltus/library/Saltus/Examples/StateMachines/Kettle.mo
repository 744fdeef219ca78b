within Saltus.Examples.StateMachines;
model Kettle "Heats water in two steps, with a lamp that blinks"
  extends Saltus.Icons.Example;
  extends Saltus.StateMachines.Machine;

  model Heater "The heating, in two steps"
    extends Saltus.StateMachines.Composite(nIn = 0, nOut = 0);
    input Saltus.Units.Temperature T "Temperature of the water";
    Saltus.StateMachines.State fast(start = true, nIn = 0) "With full power"
      annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
    Saltus.StateMachines.Transition near(condition = T > 353.15) "It is nearly hot"
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
    Saltus.StateMachines.State slow(nOut = 0) "With a quarter of it"
      annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
  equation
    connect(fast.leave[1], near.from) annotation(Line(points = {{-39, 0}, {-5, 0}}, color = {30, 30, 30}));
    connect(near.to, slow.enter[1]) annotation(Line(points = {{5, 0}, {39, 0}}, color = {30, 30, 30}));
    annotation(Documentation(info = "<html><p>One of two states; it never goes back by itself.</p></html>"));
  end Heater;

  model Lamp "Dark and bright by turns"
    extends Saltus.StateMachines.Composite(nIn = 0, nOut = 0);
    Saltus.StateMachines.State dark(start = true)
      annotation(Placement(transformation(extent = {{-60, -10}, {-40, 10}})));
    Saltus.StateMachines.State bright
      annotation(Placement(transformation(extent = {{40, -10}, {60, 10}})));
    Saltus.StateMachines.TimedTransition on(after = 1)
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
    Saltus.StateMachines.TimedTransition off(after = 1)
      annotation(Placement(transformation(extent = {{10, -50}, {-10, -30}})));
    Integer blinks(start = 0, fixed = true) "How often it was bright";
  equation
    blinks = if bright.entered then pre(blinks) + 1 else pre(blinks);
    connect(dark.leave[1], on.from) annotation(Line(points = {{-39, 0}, {-5, 0}}, color = {30, 30, 30}));
    connect(on.to, bright.enter[1]) annotation(Line(points = {{5, 0}, {39, 0}}, color = {30, 30, 30}));
    connect(bright.leave[1], off.from)
      annotation(Line(points = {{61, 0}, {75, 0}, {75, -40}, {5, -40}}, color = {30, 30, 30}));
    connect(off.to, dark.enter[1])
      annotation(Line(points = {{-5, -40}, {-75, -40}, {-75, 0}, {-61, 0}}, color = {30, 30, 30}));
    annotation(Documentation(info = "<html><p>It begins anew whenever the kettle is switched on.</p></html>"));
  end Lamp;

  model Working "Heater and lamp side by side"
    extends Saltus.StateMachines.Parallel;
    input Saltus.Units.Temperature T "Temperature of the water";
    Heater heater(T = T) annotation(Placement(transformation(extent = {{-20, 0}, {20, 40}})));
    Lamp lamp annotation(Placement(transformation(extent = {{-20, -80}, {20, -40}})));
    annotation(Documentation(info = "<html><p>Both are active while the kettle works.</p></html>"));
  end Working;

  Saltus.Units.Temperature T(start = 293.15, fixed = true, displayUnit = "degC") "Temperature of the water";
  Real heating(unit = "K/s") "What the heater does";
  Saltus.StateMachines.State off(start = true) "It begins here"
    annotation(Placement(transformation(extent = {{-70, -10}, {-50, 10}})));
  Saltus.StateMachines.Transition press(condition = time > 3, atEdge = true) "The button is pressed"
    annotation(Placement(transformation(extent = {{-20, -10}, {0, 10}})));
  Working working(T = T) annotation(Placement(transformation(extent = {{30, -20}, {70, 20}})));
  Saltus.StateMachines.Transition boil(condition = T > 368.15) "It switches itself off"
    annotation(Placement(transformation(extent = {{0, -60}, {-20, -40}})));
equation
  heating = if working.heater.fast.before then 2 elseif working.heater.slow.before then 0.5 else 0;
  der(T) = heating;
  connect(off.leave[1], press.from) annotation(Line(points = {{-49, 0}, {-15, 0}}, color = {30, 30, 30}));
  connect(press.to, working.enter[1]) annotation(Line(points = {{-5, 0}, {28, 0}}, color = {30, 30, 30}));
  connect(working.leave[1], boil.from)
    annotation(Line(points = {{72, 0}, {85, 0}, {85, -50}, {-5, -50}}, color = {30, 30, 30}));
  connect(boil.to, off.enter[1])
    annotation(Line(points = {{-15, -50}, {-85, -50}, {-85, 0}, {-71, 0}}, color = {30, 30, 30}));
  annotation(
    experiment(StopTime = 80, Interval = 0.1),
    Documentation(info = "<html>
<p>The water is heated fast up to 80 degrees, then slowly up to 95, where the kettle switches itself off. While it
works a lamp blinks: heater and lamp are two sides of one state.</p>
<p>What to look at: the temperature bends at 33 s and stops rising at 63 s; the lamp has been bright thirty times.</p>
</html>"));
end Kettle;
