within Saltus.Powertrain;
model AutomaticGearbox "Four gears and a reverse of two planetary sets, three clutches and two brakes"
  extends Saltus.Rotational.Interfaces.TwoFlanges;
  parameter Saltus.Units.Ratio ratio1 = 2.06 "First set: teeth of the ring over teeth of the sun";
  parameter Saltus.Units.Ratio ratio2 = 2.3 "Second set: teeth of the ring over teeth of the sun";
  parameter Saltus.Units.Inertia J = 0.01 "Moment of inertia of each shaft";
  parameter Saltus.Units.FrictionCoefficient mu = 0.12 "Friction coefficient of the plates";
  parameter Saltus.Units.Length cgeo = 1 "Number of rubbing faces times their mean radius";
  parameter Saltus.Units.Force fn_max = 5000 "Force that presses the plates";
  parameter Saltus.Units.Time T = 0.15 "Time constant of the pressures";
  Saltus.Blocks.Interfaces.IntegerInput gear "-1 reverse, 0 neutral, 1 to 4"
    annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
  Saltus.Powertrain.ShiftTable table(T = T) "Pressures"
    annotation(Placement(transformation(extent = {{-60, 70}, {-40, 90}})));
  Saltus.Rotational.Inertia shaft(J = J) "Input shaft"
    annotation(Placement(transformation(extent = {{-90, -10}, {-70, 10}})));
  Saltus.Rotational.Clutch c1(mu = mu, cgeo = cgeo, fn_max = fn_max) "Input to the first sun"
    annotation(Placement(transformation(extent = {{-60, 10}, {-40, 30}})));
  Saltus.Rotational.Clutch c2(mu = mu, cgeo = cgeo, fn_max = fn_max) "Input to the second carrier"
    annotation(Placement(transformation(extent = {{-60, -20}, {-40, 0}})));
  Saltus.Rotational.Clutch c3(mu = mu, cgeo = cgeo, fn_max = fn_max) "Input to the second sun"
    annotation(Placement(transformation(extent = {{-60, -50}, {-40, -30}})));
  Saltus.Rotational.Inertia sun1(J = J, phi(fixed = true), w(fixed = true)) "First sun"
    annotation(Placement(transformation(extent = {{-30, 10}, {-10, 30}})));
  Saltus.Rotational.Inertia carrier2(J = J) "Second carrier and first ring"
    annotation(Placement(transformation(extent = {{-30, -20}, {-10, 0}})));
  Saltus.Rotational.Inertia sun2(J = J) "Second sun"
    annotation(Placement(transformation(extent = {{-30, -50}, {-10, -30}})));
  Saltus.Rotational.PlanetaryGear set1(ratio = ratio1) "First set"
    annotation(Placement(transformation(extent = {{10, 10}, {30, 30}})));
  Saltus.Rotational.PlanetaryGear set2(ratio = ratio2) "Second set"
    annotation(Placement(transformation(extent = {{10, -50}, {30, -30}})));
  Saltus.Rotational.Inertia carrier1(J = J) "First carrier and second ring: the output"
    annotation(Placement(transformation(extent = {{70, -10}, {90, 10}})));
  Saltus.Rotational.Brake b1(mu = mu, cgeo = cgeo, fn_max = fn_max) "Holds the second sun"
    annotation(Placement(transformation(extent = {{-30, -85}, {-10, -65}})));
  Saltus.Rotational.OneWayClutch b2(mu = mu, cgeo = cgeo, fn_max = 3*fn_max)
    "Holds the second carrier, always against turning backwards"
    annotation(Placement(transformation(extent = {{60, -85}, {40, -65}})));
  Saltus.Rotational.Fixed housing "Does not turn"
    annotation(Placement(transformation(extent = {{70, -85}, {90, -65}})));
equation
  connect(flange_a, shaft.flange_a)
    annotation(Line(points = {{-100, 0}, {-90, 0}}, color = {95, 95, 95}));
  connect(shaft.flange_b, c1.flange_a)
    annotation(Line(points = {{-70, 0}, {-66, 0}, {-66, 20}, {-60, 20}}, color = {95, 95, 95}));
  connect(shaft.flange_b, c2.flange_a)
    annotation(Line(points = {{-70, 0}, {-66, 0}, {-66, -10}, {-60, -10}}, color = {95, 95, 95}));
  connect(shaft.flange_b, c3.flange_a)
    annotation(Line(points = {{-70, 0}, {-66, 0}, {-66, -40}, {-60, -40}}, color = {95, 95, 95}));
  connect(c1.flange_b, sun1.flange_a)
    annotation(Line(points = {{-40, 20}, {-30, 20}}, color = {95, 95, 95}));
  connect(sun1.flange_b, set1.sun)
    annotation(Line(points = {{-10, 20}, {10, 20}}, color = {95, 95, 95}));
  connect(c2.flange_b, carrier2.flange_a)
    annotation(Line(points = {{-40, -10}, {-30, -10}}, color = {95, 95, 95}));
  connect(c3.flange_b, sun2.flange_a)
    annotation(Line(points = {{-40, -40}, {-30, -40}}, color = {95, 95, 95}));
  connect(sun2.flange_b, set2.sun)
    annotation(Line(points = {{-10, -40}, {10, -40}}, color = {95, 95, 95}));
  connect(carrier2.flange_b, set2.carrier)
    annotation(Line(points = {{-10, -10}, {0, -10}, {0, -34}, {10, -34}}, color = {95, 95, 95}));
  connect(carrier2.flange_b, set1.ring)
    annotation(Line(points = {{-10, -10}, {40, -10}, {40, 20}, {30, 20}}, color = {95, 95, 95}));
  connect(set1.carrier, carrier1.flange_a)
    annotation(Line(points = {{10, 26}, {5, 26}, {5, 50}, {60, 50}, {60, 0}, {70, 0}}, color = {95, 95, 95}));
  connect(set2.ring, carrier1.flange_a)
    annotation(Line(points = {{30, -40}, {60, -40}, {60, 0}, {70, 0}}, color = {95, 95, 95}));
  connect(carrier1.flange_b, flange_b)
    annotation(Line(points = {{90, 0}, {100, 0}}, color = {95, 95, 95}));
  connect(b1.flange_b, sun2.flange_b)
    annotation(Line(points = {{-10, -75}, {0, -75}, {0, -40}, {-10, -40}}, color = {95, 95, 95}));
  connect(housing.flange, b2.flange_a)
    annotation(Line(points = {{80, -75}, {60, -75}}, color = {95, 95, 95}));
  connect(b2.flange_b, carrier2.flange_b)
    annotation(Line(points = {{40, -75}, {36, -75}, {36, -10}, {-10, -10}}, color = {95, 95, 95}));
  connect(gear, table.gear)
    annotation(Line(points = {{-120, 60}, {-75, 60}, {-75, 80}, {-62, 80}}, color = {255, 127, 0}));
  connect(table.c1, c1.press)
    annotation(Line(points = {{-39, 88}, {-37, 88}, {-37, 8}, {-50, 8}}, color = {0, 0, 127}));
  connect(table.c2, c2.press)
    annotation(Line(points = {{-39, 84}, {-35, 84}, {-35, -22}, {-50, -22}}, color = {0, 0, 127}));
  connect(table.c3, c3.press)
    annotation(Line(points = {{-39, 80}, {-33, 80}, {-33, -52}, {-50, -52}}, color = {0, 0, 127}));
  connect(table.b1, b1.press)
    annotation(Line(points = {{-39, 76}, {-31.5, 76}, {-31.5, -90}, {-20, -90}, {-20, -87}}, color = {0, 0, 127}));
  connect(table.b2, b2.press)
    annotation(Line(points = {{-39, 72}, {66, 72}, {66, -90}, {50, -90}, {50, -87}}, color = {0, 0, 127}));
  annotation(Documentation(info = "<html>
<p>Two planetary sets, of which the carrier of each is joined to the ring of the other. The first sun is driven in
gears 1 to 3, the first carrier is the output. What else is driven or held makes the gear:</p>
<table>
<tr><th>gear</th><th>pressed</th><th>turns of the input for one of the output</th></tr>
<tr><td>1</td><td>c1 (and the freewheel)</td><td>1 + ratio1 = 3.06</td></tr>
<tr><td>2</td><td>c1, b1</td><td>1 + ratio1/(1 + ratio2) = 1.62</td></tr>
<tr><td>3</td><td>c1, c2</td><td>1</td></tr>
<tr><td>4</td><td>c2, b1</td><td>ratio2/(1 + ratio2) = 0.70</td></tr>
<tr><td>-1</td><td>c3, b2</td><td>-ratio2 = -2.3</td></tr>
</table>
<p>Pressed clutches slip until the speeds meet, and lock. In gear 1 the freewheel of <code>b2</code> holds the second
carrier; when <code>b1</code> takes over, it runs free by itself, so that the most delicate shift needs no timing. The
wheels are on shafts with small inertias, the meshing is ideal. At the start the first sun stands.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, lineColor = {95, 95, 95}, fillColor = {225, 228, 235},
        fillPattern = FillPattern.Solid, radius = 10),
      Line(points = {{-100, 0}, {-80, 0}}, color = {95, 95, 95}),
      Line(points = {{80, 0}, {100, 0}}, color = {95, 95, 95}),
      Ellipse(extent = {{-65, 35}, {5, -35}}, lineColor = {95, 95, 95}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{-42, 12}, {-18, -12}}, lineColor = {95, 95, 95}),
      Ellipse(extent = {{10, 30}, {70, -30}}, lineColor = {95, 95, 95}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{30, 10}, {50, -10}}, lineColor = {95, 95, 95}),
      Line(points = {{-100, 60}, {-90, 60}, {-90, 45}, {-80, 45}}, color = {255, 127, 0})}));
end AutomaticGearbox;
