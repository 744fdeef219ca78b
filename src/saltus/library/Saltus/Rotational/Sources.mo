within Saltus.Rotational;
package Sources "What drives shafts"
  extends Saltus.Icons.Package;

  partial model Source "One flange, driven from the housing"
    Saltus.Rotational.Interfaces.OtherFlange flange "What is driven"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    annotation(Documentation(info = "<html><p>Extend it and say what happens at <code>flange</code>.</p></html>"),
      Icon(graphics = {
        Rectangle(extent = {{-70, 50}, {70, -50}}, lineColor = {95, 95, 95}, fillColor = {250, 246, 230},
          fillPattern = FillPattern.Solid, radius = 10),
        Line(points = {{70, 0}, {90, 0}}, color = {95, 95, 95}),
        Text(extent = {{-150, 110}, {150, 70}}, textString = "%name", textColor = {0, 0, 255})}));
  end Source;

  partial model SignalSource "One flange, driven by a signal"
    extends Source;
    annotation(Documentation(info = "<html><p>Extend it and declare the signal, at the left.</p></html>"),
      Icon(graphics = {Line(points = {{-100, 0}, {-70, 0}}, color = {0, 0, 127})}));
  end SignalSource;

  model ConstantTorque "A torque that never changes"
    extends Source;
    parameter Saltus.Units.Torque tau = 1 "Torque on what is driven";
  equation
    flange.tau = -tau;
    annotation(Documentation(info = "<html>
<p>Drives the shaft with <code>tau</code>, however fast it turns. Positive torque accelerates in positive
direction.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-40, -20}, {-28, 8}, {0, 24}, {28, 8}, {40, -20}}, color = {200, 60, 30}, thickness = 0.5),
        Polygon(points = {{46, -34}, {26, -16}, {48, -8}, {46, -34}}, lineColor = {200, 60, 30}, fillColor = {200, 60,
          30},
          fillPattern = FillPattern.Solid),
        Text(extent = {{-150, -60}, {150, -90}}, textString = "%tau N.m")}));
  end ConstantTorque;

  model SignalTorque "A torque prescribed by a signal"
    extends SignalSource;
    Saltus.Blocks.Interfaces.RealInput tau(unit = "N.m") "Torque on what is driven"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  equation
    flange.tau = -tau;
    annotation(Documentation(info = "<html>
<p>Drives the shaft with the torque <code>tau</code> of the signal, however fast it turns.</p>
</html>"),
      Icon(graphics = {
        Line(points = {{-40, -20}, {-28, 8}, {0, 24}, {28, 8}, {40, -20}}, color = {200, 60, 30}, thickness = 0.5),
        Polygon(points = {{46, -34}, {26, -16}, {48, -8}, {46, -34}}, lineColor = {200, 60, 30}, fillColor = {200, 60,
          30},
          fillPattern = FillPattern.Solid)}));
  end SignalTorque;

  model ConstantSpeed "A speed that never changes"
    extends Source;
    parameter Saltus.Units.AngularVelocity w = 1 "Speed of what is driven";
    Saltus.Units.Angle phi(start = 0) "Angle";
  equation
    phi = flange.phi;
    der(phi) = w;
    annotation(Documentation(info = "<html>
<p>Turns the shaft with the speed <code>w</code>, whatever torque that takes; <code>-flange.tau</code> tells how
much.</p>
</html>"),
      Icon(graphics = {
        Text(extent = {{-60, 30}, {60, -30}}, textString = "w"),
        Text(extent = {{-150, -60}, {150, -90}}, textString = "%w rad/s")}));
  end ConstantSpeed;

  model SignalSpeed "A speed prescribed by a signal"
    extends SignalSource;
    Saltus.Blocks.Interfaces.RealInput w(unit = "rad/s") "Speed of what is driven"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    Saltus.Units.Angle phi(start = 0) "Angle";
  equation
    phi = flange.phi;
    der(phi) = w;
    annotation(Documentation(info = "<html>
<p>Turns the shaft with the speed <code>w</code> of the signal, whatever torque that takes.</p>
<p>An inertia that is driven needs <code>der(w)</code>: the signal is differentiated. If it jumps, the speed of the
shaft jumps too, and the torque has an impulse.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-60, 30}, {60, -30}}, textString = "w")}));
  end SignalSpeed;

  model SignalAngle "An angle prescribed by a signal"
    extends SignalSource;
    Saltus.Blocks.Interfaces.RealInput phi(unit = "rad") "Angle of what is driven"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  equation
    flange.phi = phi;
    annotation(Documentation(info = "<html>
<p>Holds the shaft at the angle <code>phi</code> of the signal, whatever torque that takes.</p>
<p>An inertia that is driven needs the second derivative of the signal. It must not jump: an angle that jumps would
take more than an impulse.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-60, 30}, {60, -30}}, textString = "phi")}));
  end SignalAngle;

  model SignalAcceleration "An acceleration prescribed by a signal"
    extends SignalSource;
    Saltus.Blocks.Interfaces.RealInput a(unit = "rad/s2") "Acceleration of what is driven"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    Saltus.Units.Angle phi(start = 0) "Angle";
    Saltus.Units.AngularVelocity w(start = 0) "Speed";
  equation
    phi = flange.phi;
    der(phi) = w;
    der(w) = a;
    annotation(Documentation(info = "<html>
<p>Accelerates the shaft with <code>a</code> of the signal, whatever torque that takes; speed and angle follow from
it.</p>
<p>The signal may jump: the torque jumps then, and nothing else.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-60, 30}, {60, -30}}, textString = "a")}));
  end SignalAcceleration;

  annotation(Documentation(info = "<html>
<p>Torques that are given, and motions that are given whatever torque they take.</p>
</html>"));
end Sources;
