within Saltus.Powertrain;
model SixSpeedTransmission "Converter, four planetary sets, eleven clutches, brakes and freewheels: six gears"
  Saltus.Rotational.Interfaces.Flange flange_a "Engine"
    annotation(Placement(transformation(extent = {{-310, -10}, {-290, 10}}),
      iconTransformation(extent = {{-110, -10}, {-90, 10}})));
  Saltus.Rotational.Interfaces.OtherFlange flange_b "Output shaft"
    annotation(Placement(transformation(extent = {{290, -10}, {310, 10}}),
      iconTransformation(extent = {{90, -10}, {110, 10}})));
  Saltus.Blocks.Interfaces.RealInput press[11](each unit = "1")
    "How far cl, c0, b0, c1, c2, b1, b2, f1, b3, b4, c3 are pressed, in this order"
    annotation(Placement(transformation(extent = {{-340, 40}, {-300, 80}}),
      iconTransformation(extent = {{-140, 40}, {-100, 80}})));
  parameter Saltus.Units.Ratio ratio0 = 2.7 "Overdrive set: teeth of the ring over teeth of the sun";
  parameter Saltus.Units.Ratio ratio1 = 2.6 "First middle set: teeth of the ring over teeth of the sun";
  parameter Saltus.Units.Ratio ratio2 = 1.8 "Second middle set: teeth of the ring over teeth of the sun";
  parameter Saltus.Units.Ratio ratio3 = 2.7 "Reduction set: teeth of the ring over teeth of the sun";
  Saltus.Powertrain.OilConverter converter "Pump and turbine"
    annotation(Placement(transformation(extent = {{-280, -10}, {-260, 10}})));
  Saltus.Powertrain.ShiftClutch cl(tau_max = 350) "Lock-up: pump to turbine"
    annotation(Placement(transformation(extent = {{-280, 30}, {-260, 50}})));
  Saltus.Rotational.Inertia shaft(J = 0.03, phi(fixed = true), w(fixed = true))
    "Turbine, input shaft and carrier of the overdrive set"
    annotation(Placement(transformation(extent = {{-240, -10}, {-220, 10}})));
  Saltus.Powertrain.ShiftFreewheel c0(tau_max = 300)
    "Sun and carrier of the overdrive set, with a freewheel"
    annotation(Placement(transformation(extent = {{-200, 30}, {-180, 50}})));
  Saltus.Rotational.Inertia sun0(J = 0.005, phi(fixed = true), w(fixed = true)) "Sun of the overdrive set"
    annotation(Placement(transformation(extent = {{-200, -70}, {-180, -50}})));
  Saltus.Powertrain.ShiftBrake b0(tau_max = 350) "Holds the sun of the overdrive set"
    annotation(Placement(transformation(extent = {{-240, -70}, {-220, -50}})));
  Saltus.Rotational.PlanetaryGear set0(ratio = ratio0) "Overdrive set"
    annotation(Placement(transformation(extent = {{-160, -10}, {-140, 10}})));
  Saltus.Rotational.Inertia middle(J = 0.02) "Ring of the overdrive set: what drives the middle sets"
    annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
  Saltus.Powertrain.ShiftClutch c1(tau_max = 600) "To the ring of the first middle set"
    annotation(Placement(transformation(extent = {{-80, 30}, {-60, 50}})));
  Saltus.Powertrain.ShiftClutch c2(tau_max = 500) "To the common sun"
    annotation(Placement(transformation(extent = {{-80, -10}, {-60, 10}})));
  Saltus.Powertrain.ShiftBrake b1(tau_max = 350) "Holds the ring of the first middle set"
    annotation(Placement(transformation(extent = {{-80, 70}, {-60, 90}})));
  Saltus.Powertrain.ShiftBrake b2(tau_max = 350) "Holds what the freewheel f1 leans upon"
    annotation(Placement(transformation(extent = {{-120, -100}, {-100, -80}})));
  Saltus.Rotational.Inertia race(J = 0.005, phi(fixed = true), w(fixed = true)) "What the freewheel f1 leans upon"
    annotation(Placement(transformation(extent = {{-80, -100}, {-60, -80}})));
  Saltus.Powertrain.ShiftFreewheel f1(tau_max = 350)
    "Holds the common sun to what leans on b2, with a freewheel"
    annotation(Placement(transformation(extent = {{-40, -100}, {-20, -80}})));
  Saltus.Rotational.Inertia ring1(J = 0.01, phi(fixed = true), w(fixed = true)) "Ring of the first middle set"
    annotation(Placement(transformation(extent = {{-40, 30}, {-20, 50}})));
  Saltus.Rotational.Inertia sun12(J = 0.02, phi(fixed = true), w(fixed = true)) "Common sun"
    annotation(Placement(transformation(extent = {{-40, -10}, {-20, 10}})));
  Saltus.Rotational.PlanetaryGear set1(ratio = ratio1) "First middle set"
    annotation(Placement(transformation(extent = {{40, 30}, {20, 50}})));
  Saltus.Rotational.PlanetaryGear set2(ratio = ratio2) "Second middle set"
    annotation(Placement(transformation(extent = {{20, -40}, {40, -20}})));
  Saltus.Rotational.Inertia carrier2(J = 0.02) "Carrier of the second middle set"
    annotation(Placement(transformation(extent = {{20, -100}, {40, -80}})));
  Saltus.Powertrain.ShiftFreewheel b3(tau_max = 1450)
    "Holds the carrier of the second middle set, with a freewheel"
    annotation(Placement(transformation(extent = {{80, -100}, {60, -80}})));
  Saltus.Rotational.Fixed housing "Does not turn"
    annotation(Placement(transformation(extent = {{100, -100}, {120, -80}})));
  Saltus.Rotational.Inertia output12(J = 0.03) "Carrier of the first and ring of the second middle set"
    annotation(Placement(transformation(extent = {{80, -10}, {100, 10}})));
  Saltus.Rotational.PlanetaryGear set3(ratio = ratio3) "Reduction set"
    annotation(Placement(transformation(extent = {{200, -10}, {180, 10}})));
  Saltus.Rotational.Inertia sun3(J = 0.01, phi(fixed = true), w(fixed = true)) "Sun of the reduction set"
    annotation(Placement(transformation(extent = {{180, -60}, {200, -40}})));
  Saltus.Powertrain.ShiftFreewheel b4(tau_max = 600)
    "Holds the sun of the reduction set, with a freewheel"
    annotation(Placement(transformation(extent = {{140, -100}, {160, -80}})));
  Saltus.Powertrain.ShiftClutch c3(tau_max = 350) "Sun and carrier of the reduction set"
    annotation(Placement(transformation(extent = {{220, -60}, {240, -40}})));
  Saltus.Rotational.Inertia carrier3(J = 0.05) "Carrier of the reduction set: the output shaft"
    annotation(Placement(transformation(extent = {{260, -10}, {280, 10}})));
equation
  connect(flange_a, converter.flange_a)
    annotation(Line(points = {{-300, 0}, {-280, 0}}, color = {95, 95, 95}));
  connect(flange_a, cl.flange_a)
    annotation(Line(points = {{-300, 0}, {-288, 0}, {-288, 40}, {-280, 40}}, color = {95, 95, 95}));
  connect(converter.flange_b, shaft.flange_a)
    annotation(Line(points = {{-260, 0}, {-240, 0}}, color = {95, 95, 95}));
  connect(cl.flange_b, shaft.flange_a)
    annotation(Line(points = {{-260, 40}, {-250, 40}, {-250, 0}, {-240, 0}}, color = {95, 95, 95}));
  connect(shaft.flange_b, set0.carrier)
    annotation(Line(points = {{-220, 0}, {-170, 0}, {-170, 6}, {-160, 6}}, color = {95, 95, 95}));
  connect(c0.flange_b, set0.carrier)
    annotation(Line(points = {{-180, 40}, {-170, 40}, {-170, 6}, {-160, 6}}, color = {95, 95, 95}));
  connect(c0.flange_a, sun0.flange_a)
    annotation(Line(points = {{-200, 40}, {-210, 40}, {-210, -60}, {-200, -60}}, color = {95, 95, 95}));
  connect(b0.flange_b, sun0.flange_a)
    annotation(Line(points = {{-220, -60}, {-200, -60}}, color = {95, 95, 95}));
  connect(sun0.flange_b, set0.sun)
    annotation(Line(points = {{-180, -60}, {-166, -60}, {-166, 0}, {-160, 0}}, color = {95, 95, 95}));
  connect(set0.ring, middle.flange_a)
    annotation(Line(points = {{-140, 0}, {-120, 0}}, color = {95, 95, 95}));
  connect(middle.flange_b, c1.flange_a)
    annotation(Line(points = {{-100, 0}, {-90, 0}, {-90, 40}, {-80, 40}}, color = {95, 95, 95}));
  connect(middle.flange_b, c2.flange_a)
    annotation(Line(points = {{-100, 0}, {-80, 0}}, color = {95, 95, 95}));
  connect(c1.flange_b, ring1.flange_a)
    annotation(Line(points = {{-60, 40}, {-40, 40}}, color = {95, 95, 95}));
  connect(c2.flange_b, sun12.flange_a)
    annotation(Line(points = {{-60, 0}, {-40, 0}}, color = {95, 95, 95}));
  connect(b1.flange_b, ring1.flange_a)
    annotation(Line(points = {{-60, 80}, {-50, 80}, {-50, 40}, {-40, 40}}, color = {95, 95, 95}));
  connect(b2.flange_b, race.flange_a)
    annotation(Line(points = {{-100, -90}, {-80, -90}}, color = {95, 95, 95}));
  connect(race.flange_b, f1.flange_a)
    annotation(Line(points = {{-60, -90}, {-40, -90}}, color = {95, 95, 95}));
  connect(f1.flange_b, sun12.flange_b)
    annotation(Line(points = {{-20, -90}, {-10, -90}, {-10, 0}, {-20, 0}}, color = {95, 95, 95}));
  connect(ring1.flange_b, set1.ring)
    annotation(Line(points = {{-20, 40}, {20, 40}}, color = {95, 95, 95}));
  connect(sun12.flange_b, set1.sun)
    annotation(Line(points = {{-20, 0}, {50, 0}, {50, 40}, {40, 40}}, color = {95, 95, 95}));
  connect(sun12.flange_b, set2.sun)
    annotation(Line(points = {{-20, 0}, {0, 0}, {0, -30}, {20, -30}}, color = {95, 95, 95}));
  connect(set1.carrier, output12.flange_a)
    annotation(Line(points = {{40, 46}, {66, 46}, {66, 0}, {80, 0}}, color = {95, 95, 95}));
  connect(set2.ring, output12.flange_a)
    annotation(Line(points = {{40, -30}, {66, -30}, {66, 0}, {80, 0}}, color = {95, 95, 95}));
  connect(set2.carrier, carrier2.flange_a)
    annotation(Line(points = {{20, -24}, {10, -24}, {10, -90}, {20, -90}}, color = {95, 95, 95}));
  connect(carrier2.flange_b, b3.flange_b)
    annotation(Line(points = {{40, -90}, {60, -90}}, color = {95, 95, 95}));
  connect(housing.flange, b3.flange_a)
    annotation(Line(points = {{110, -90}, {80, -90}}, color = {95, 95, 95}));
  connect(housing.flange, b4.flange_a)
    annotation(Line(points = {{110, -90}, {140, -90}}, color = {95, 95, 95}));
  connect(b4.flange_b, sun3.flange_a)
    annotation(Line(points = {{160, -90}, {170, -90}, {170, -50}, {180, -50}}, color = {95, 95, 95}));
  connect(output12.flange_b, set3.ring)
    annotation(Line(points = {{100, 0}, {180, 0}}, color = {95, 95, 95}));
  connect(sun3.flange_b, set3.sun)
    annotation(Line(points = {{200, -50}, {210, -50}, {210, 0}, {200, 0}}, color = {95, 95, 95}));
  connect(sun3.flange_b, c3.flange_a)
    annotation(Line(points = {{200, -50}, {220, -50}}, color = {95, 95, 95}));
  connect(c3.flange_b, carrier3.flange_a)
    annotation(Line(points = {{240, -50}, {250, -50}, {250, 0}, {260, 0}}, color = {95, 95, 95}));
  connect(set3.carrier, carrier3.flange_a)
    annotation(Line(points = {{200, 6}, {250, 6}, {250, 0}, {260, 0}}, color = {95, 95, 95}));
  connect(carrier3.flange_b, flange_b)
    annotation(Line(points = {{280, 0}, {300, 0}}, color = {95, 95, 95}));
  connect(press[1], cl.press)
    annotation(Line(points = {{-320, 60}, {-300, 60}, {-300, 124}, {-250, 124}, {-250, 20}, {-270, 20},
      {-270, 28}}, color = {0, 0, 127}));
  connect(press[2], c0.press)
    annotation(Line(points = {{-320, 60}, {-300, 60}, {-300, 128}, {-170, 128}, {-170, 20}, {-190, 20},
      {-190, 28}}, color = {0, 0, 127}));
  connect(press[3], b0.press)
    annotation(Line(points = {{-320, 60}, {-300, 60}, {-300, 132}, {-210, 132}, {-210, -80}, {-230, -80},
      {-230, -72}}, color = {0, 0, 127}));
  connect(press[4], c1.press)
    annotation(Line(points = {{-320, 60}, {-300, 60}, {-300, 136}, {-50, 136}, {-50, 20}, {-70, 20},
      {-70, 28}}, color = {0, 0, 127}));
  connect(press[5], c2.press)
    annotation(Line(points = {{-320, 60}, {-300, 60}, {-300, 140}, {-50, 140}, {-50, -20}, {-70, -20},
      {-70, -12}}, color = {0, 0, 127}));
  connect(press[6], b1.press)
    annotation(Line(points = {{-320, 60}, {-300, 60}, {-300, 144}, {-50, 144}, {-50, 60}, {-70, 60},
      {-70, 68}}, color = {0, 0, 127}));
  connect(press[7], b2.press)
    annotation(Line(points = {{-320, 60}, {-300, 60}, {-300, 148}, {-90, 148}, {-90, -110}, {-110, -110},
      {-110, -102}}, color = {0, 0, 127}));
  connect(press[8], f1.press)
    annotation(Line(points = {{-320, 60}, {-300, 60}, {-300, 152}, {-10, 152}, {-10, -110}, {-30, -110},
      {-30, -102}}, color = {0, 0, 127}));
  connect(press[9], b3.press)
    annotation(Line(points = {{-320, 60}, {-300, 60}, {-300, 156}, {58, 156}, {58, -110}, {70, -110},
      {70, -102}}, color = {0, 0, 127}));
  connect(press[10], b4.press)
    annotation(Line(points = {{-320, 60}, {-300, 60}, {-300, 160}, {170, 160}, {170, -110}, {150, -110},
      {150, -102}}, color = {0, 0, 127}));
  connect(press[11], c3.press)
    annotation(Line(points = {{-320, 60}, {-300, 60}, {-300, 164}, {250, 164}, {250, -70}, {230, -70},
      {230, -62}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>A converter with a lock-up clutch, an overdrive set, two middle sets with a common sun (a Simpson gear), and a set
for reduction. In each set something is held by the housing, or two shafts are locked and all turns as one:</p>
<table>
<tr><th>gear</th><th>pressed</th><th>freewheels that hold</th><th>turns of the input for one of the output</th></tr>
<tr><td>1</td><td>c0, c2, b1, b4</td><td>of c0, b4</td><td>(1 + ratio1)*(1 + 1/ratio3) = 4.93</td></tr>
<tr><td>2</td><td>c0, c1, b4</td><td>of c0, b3, b4</td><td>(1 + (1 + ratio2)/ratio1)*(1 + 1/ratio3) = 2.85</td></tr>
<tr><td>3</td><td>c0, c1, b2, b4</td><td>of c0, f1, b4</td><td>(1 + 1/ratio1)*(1 + 1/ratio3) = 1.90</td></tr>
<tr><td>4</td><td>c0, c1, c2, b2, b4</td><td>of c0, b4</td><td>1 + 1/ratio3 = 1.37</td></tr>
<tr><td>5</td><td>c0, c1, c2, b2, c3</td><td>of c0</td><td>1</td></tr>
<tr><td>6</td><td>b0, c1, c2, b2, c3</td><td></td><td>ratio0/(1 + ratio0) = 0.73</td></tr>
<tr><td>-1</td><td>c0, c2, b3, b4</td><td>of c0</td><td>-ratio2*(1 + 1/ratio3) = -2.47</td></tr>
</table>
<p>From the second gear on, a freewheel lets go by itself as soon as the next element takes over: no shift needs to be
timed. Where the car drives the engine, freewheels overrun, and only plates beside them hold: those of c0 and b4 are
pressed whenever the gear needs them, those of f1 in gear 3, if the engine is to brake.</p>
<p>Eleven elements slip or hold, and each changes the equations; <code>c0</code>, <code>f1</code>, <code>b3</code> and
<code>b4</code> are plates with a freewheel beside them. All shafts stand at the start. What is pressed in which gear:
<code>PressureTable</code>.</p>
</html>"),
      Diagram(coordinateSystem(extent = {{-320, -120}, {320, 180}})),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, lineColor = {95, 95, 95}, fillColor = {225, 228, 235},
        fillPattern = FillPattern.Solid, radius = 10),
      Line(points = {{-100, 0}, {-80, 0}}, color = {95, 95, 95}),
      Line(points = {{80, 0}, {100, 0}}, color = {95, 95, 95}),
      Rectangle(extent = {{-72, 45}, {-52, -45}}, lineColor = {95, 95, 95}, fillColor = {225, 235, 245},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-46, 24}, {-10, -24}}, lineColor = {95, 95, 95}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-6, 24}, {30, -24}}, lineColor = {95, 95, 95}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{34, 24}, {70, -24}}, lineColor = {95, 95, 95}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{-100, 60}, {-90, 60}, {-90, 45}, {-80, 45}}, color = {0, 0, 127}),
      Text(extent = {{-150, 110}, {150, 70}}, textString = "%name", textColor = {0, 0, 255})}));
end SixSpeedTransmission;
