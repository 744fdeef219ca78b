within Saltus.Examples.Fluid;
model WaterHammer "A valve at the end of a long pipe is shut, with and without an air vessel"
  extends Saltus.Icons.Example;
  Saltus.Fluid.Sources.ConstantPressure main1(p = 4e5)
    annotation(Placement(transformation(extent = {{-90, 40}, {-70, 60}})));
  Saltus.Fluid.LongPipe pipe1(I = 2e7, R = 1e7, q(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-50, 40}, {-30, 60}})));
  Saltus.Fluid.OnOffValve valve1(q_nom = 5e-3, dp_nom = 3e5, open = time < 5)
    annotation(Placement(transformation(extent = {{20, 40}, {40, 60}})));
  Saltus.Fluid.Ambient drain1
    annotation(Placement(transformation(extent = {{90, 40}, {70, 60}})));
  Saltus.Fluid.Sources.ConstantPressure main2(p = 4e5)
    annotation(Placement(transformation(extent = {{-90, -60}, {-70, -40}})));
  Saltus.Fluid.LongPipe pipe2(I = 2e7, R = 1e7, q(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{-50, -60}, {-30, -40}})));
  Saltus.Fluid.Accumulator vessel(V0 = 0.02, V(start = 0.015, fixed = true))
    annotation(Placement(transformation(extent = {{-10, -30}, {10, -10}})));
  Saltus.Fluid.OnOffValve valve2(q_nom = 5e-3, dp_nom = 3e5, open = time < 5)
    annotation(Placement(transformation(extent = {{20, -60}, {40, -40}})));
  Saltus.Fluid.Ambient drain2
    annotation(Placement(transformation(extent = {{90, -60}, {70, -40}})));
equation
  connect(main1.port, pipe1.port_a) annotation(Line(points = {{-70, 50}, {-50, 50}}, color = {0, 90, 180}));
  connect(pipe1.port_b, valve1.port_a) annotation(Line(points = {{-30, 50}, {20, 50}}, color = {0, 90, 180}));
  connect(valve1.port_b, drain1.port) annotation(Line(points = {{40, 50}, {70, 50}}, color = {0, 90, 180}));
  connect(main2.port, pipe2.port_a) annotation(Line(points = {{-70, -50}, {-50, -50}}, color = {0, 90, 180}));
  connect(pipe2.port_b, vessel.port) annotation(Line(points = {{-30, -50}, {0, -50}, {0, -30}}, color = {0, 90, 180}));
  connect(pipe2.port_b, valve2.port_a) annotation(Line(points = {{-30, -50}, {20, -50}}, color = {0, 90, 180}));
  connect(valve2.port_b, drain2.port) annotation(Line(points = {{40, -50}, {70, -50}}, color = {0, 90, 180}));
  annotation(experiment(StopTime = 12, Tolerance = 1e-8, Interval = 0.01), Documentation(info = "<html>
<p>Some 20 m of pipe with water that is set in motion, and a valve that is shut after 5 s. Without a vessel the flow
has to stop at once: it jumps, and the pressure at the valve has an impulse, the inertance times the flow. With a
vessel the water swings into it and back.</p>
<p>Look at <code>vessel.p</code>: it rises to nearly twice the pressure of the main, and swings about it. The log
(<code>--log-events</code>) tells the impulse in the other pipe.</p>
</html>"));
end WaterHammer;
