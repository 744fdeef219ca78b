within Saltus.Examples.Blocks;
model SmithPredictor "A controller that knows of the delay"
  extends Saltus.Icons.Example;
  Saltus.Blocks.Sources.Step wanted(startTime = 0.5)
    annotation(Placement(transformation(extent = {{-100, 10}, {-80, 30}})));
  Saltus.Blocks.Math.Feedback error
    annotation(Placement(transformation(extent = {{-70, 60}, {-50, 80}})));
  Saltus.Blocks.Continuous.PI controller(k = 2, Ti = 1.5)
    annotation(Placement(transformation(extent = {{-35, 60}, {-15, 80}})));
  Saltus.Blocks.Continuous.FirstOrder pipe(T = 1.5)
    annotation(Placement(transformation(extent = {{5, 60}, {25, 80}})));
  Saltus.Blocks.Continuous.Delay sensor(T = 1)
    annotation(Placement(transformation(extent = {{45, 60}, {65, 80}})));
  Saltus.Blocks.Math.Feedback error2
    annotation(Placement(transformation(extent = {{-70, -20}, {-50, 0}})));
  Saltus.Blocks.Continuous.PI controller2(k = 2, Ti = 1.5)
    annotation(Placement(transformation(extent = {{-35, -20}, {-15, 0}})));
  Saltus.Blocks.Continuous.FirstOrder pipe2(T = 1.5)
    annotation(Placement(transformation(extent = {{5, -20}, {25, 0}})));
  Saltus.Blocks.Continuous.Delay sensor2(T = 1)
    annotation(Placement(transformation(extent = {{45, -20}, {65, 0}})));
  Saltus.Blocks.Continuous.FirstOrder model1(T = 1.5) "The plant as it is known"
    annotation(Placement(transformation(extent = {{5, -60}, {25, -40}})));
  Saltus.Blocks.Continuous.Delay model2(T = 1)
    annotation(Placement(transformation(extent = {{40, -80}, {60, -60}})));
  Saltus.Blocks.Math.Subtract surprise "What the model did not expect"
    annotation(Placement(transformation(extent = {{75, -74}, {95, -54}})));
  Saltus.Blocks.Math.Add expected "What will be there"
    annotation(Placement(transformation(extent = {{-5, -95}, {-25, -75}})));
equation
  connect(wanted.y, error.u1)
    annotation(Line(points = {{-79, 20}, {-75.5, 20}, {-75.5, 70}, {-72, 70}}, color = {0, 0, 127}));
  connect(wanted.y, error2.u1)
    annotation(Line(points = {{-79, 20}, {-75.5, 20}, {-75.5, -10}, {-72, -10}}, color = {0, 0, 127}));
  connect(error.y, controller.u)
    annotation(Line(points = {{-49, 70}, {-37, 70}}, color = {0, 0, 127}));
  connect(controller.y, pipe.u)
    annotation(Line(points = {{-14, 70}, {3, 70}}, color = {0, 0, 127}));
  connect(pipe.y, sensor.u)
    annotation(Line(points = {{26, 70}, {43, 70}}, color = {0, 0, 127}));
  connect(sensor.y, error.u2)
    annotation(Line(points = {{66, 70}, {75, 70}, {75, 40}, {-60, 40}, {-60, 58}}, color = {0, 0, 127}));
  connect(error2.y, controller2.u)
    annotation(Line(points = {{-49, -10}, {-37, -10}}, color = {0, 0, 127}));
  connect(controller2.y, pipe2.u)
    annotation(Line(points = {{-14, -10}, {3, -10}}, color = {0, 0, 127}));
  connect(pipe2.y, sensor2.u)
    annotation(Line(points = {{26, -10}, {43, -10}}, color = {0, 0, 127}));
  connect(controller2.y, model1.u)
    annotation(Line(points = {{-14, -10}, {-5, -10}, {-5, -50}, {3, -50}}, color = {0, 0, 127}));
  connect(model1.y, model2.u)
    annotation(Line(points = {{26, -50}, {32, -50}, {32, -70}, {38, -70}}, color = {0, 0, 127}));
  connect(sensor2.y, surprise.u1)
    annotation(Line(points = {{66, -10}, {70, -10}, {70, -58}, {73, -58}}, color = {0, 0, 127}));
  connect(model2.y, surprise.u2)
    annotation(Line(points = {{61, -70}, {68, -70}, {73, -70}}, color = {0, 0, 127}));
  connect(surprise.y, expected.u2)
    annotation(Line(points = {{96, -64}, {98, -64}, {98, -91}, {-3, -91}}, color = {0, 0, 127}));
  connect(model1.y, expected.u1)
    annotation(Line(points = {{26, -50}, {30, -50}, {30, -79}, {-3, -79}}, color = {0, 0, 127}));
  connect(expected.y, error2.u2)
    annotation(Line(points = {{-26, -85}, {-60, -85}, {-60, -22}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A heated pipe: what the heater does is felt one second later at the sensor. The upper loop has a controller with
proportional and integral part, which does not know that and oscillates. In the lower loop the controller is the
same, but a model of the plant tells it what its actions will have done: without the delay for control, and with
it to see what else has happened.</p>
<p><b>What to look at:</b> <code>sensor.y</code> overshoots and swings, <code>sensor2.y</code> reaches the set
point as if there were no delay but at the end.</p>
</html>"),
    experiment(StopTime = 12, Tolerance = 1e-6, Interval = 0.01));
end SmithPredictor;
