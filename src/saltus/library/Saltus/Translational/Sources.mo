within Saltus.Translational;
package Sources "What pushes, pulls and moves"
  extends Saltus.Icons.Package;

  partial model Source "Has one flange"
    Saltus.Translational.Interfaces.OtherFlange flange "Where it acts"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    annotation(Documentation(info = "<html><p>What drives a flange, against the ground.</p></html>"),
      Icon(graphics = {
        Text(extent = {{-150, 140}, {150, 100}}, textString = "%name", textColor = {0, 0, 255})}));
  end Source;

  model ConstantForce "A force that is always the same"
    extends Source;
    parameter Saltus.Units.Force f = 1 "Force on what is connected: positive towards larger s";
  equation
    flange.f = -f;
    annotation(Documentation(info = "<html>
<p>Pushes what is connected forward with <code>f</code>, however it moves.</p>
</html>"),
      Icon(graphics = {
        Polygon(points = {{-90, 20}, {20, 20}, {20, 50}, {90, 0}, {20, -50}, {20, -20}, {-90, -20}, {-90, 20}},
          lineColor = {0, 127, 0}, fillColor = {214, 234, 214}, fillPattern = FillPattern.Solid),
        Text(extent = {{-150, -60}, {150, -95}}, textString = "f=%f")}));
  end ConstantForce;

  model SignalForce "A force that a signal gives"
    extends Source;
    Saltus.Blocks.Interfaces.RealInput f(final quantity = "Force", final unit = "N") "Force on what is connected"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  equation
    flange.f = -f;
    annotation(Documentation(info = "<html>
<p>Pushes what is connected forward with the force of its input, however it moves.</p>
<p>Without a block: <code>Saltus.Translational.Sources.SignalForce push(f = 2*sin(time));</code></p>
</html>"),
      Icon(graphics = {
        Polygon(points = {{-90, 20}, {20, 20}, {20, 50}, {90, 0}, {20, -50}, {20, -20}, {-90, -20}, {-90, 20}},
          lineColor = {0, 127, 0}, fillColor = {214, 234, 214}, fillPattern = FillPattern.Solid)}));
  end SignalForce;

  model ConstantSpeed "Moves with a speed that is always the same"
    extends Source;
    parameter Saltus.Units.Velocity v = 1 "Velocity of the flange";
    Saltus.Units.Position s(start = 0, fixed = true) "Position of the flange";
  equation
    flange.s = s;
    der(s) = v;
    annotation(Documentation(info = "<html>
<p>Moves on with <code>v</code>, whatever force that takes: a conveyor belt, or a train. It begins at the start
value of <code>s</code>.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-80, 20}, {80, -20}}, lineColor = {0, 127, 0}, fillColor = {214, 234, 214},
          fillPattern = FillPattern.Solid, radius = 20),
        Ellipse(extent = {{-76, 14}, {-48, -14}}, lineColor = {0, 127, 0}),
        Ellipse(extent = {{48, 14}, {76, -14}}, lineColor = {0, 127, 0}),
        Line(points = {{80, 0}, {90, 0}}, color = {0, 127, 0}),
        Text(extent = {{-150, -60}, {150, -95}}, textString = "v=%v")}));
  end ConstantSpeed;

  model SignalSpeed "Moves with the speed that a signal gives"
    extends Source;
    Saltus.Blocks.Interfaces.RealInput v(final quantity = "Velocity", final unit = "m/s") "Velocity of the flange"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    Saltus.Units.Position s(start = 0, fixed = true) "Position of the flange";
  equation
    flange.s = s;
    der(s) = v;
    annotation(Documentation(info = "<html>
<p>Moves with the speed of its input, whatever force that takes. It begins at the start value of <code>s</code>.</p>
<p>The speed may jump only where nothing with a mass is firmly connected, or where the impulse that this takes is
meant.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-80, 20}, {80, -20}}, lineColor = {0, 127, 0}, fillColor = {214, 234, 214},
          fillPattern = FillPattern.Solid, radius = 20),
        Ellipse(extent = {{-76, 14}, {-48, -14}}, lineColor = {0, 127, 0}),
        Ellipse(extent = {{48, 14}, {76, -14}}, lineColor = {0, 127, 0}),
        Line(points = {{80, 0}, {90, 0}}, color = {0, 127, 0}),
        Text(extent = {{-40, -30}, {40, -80}}, textString = "v")}));
  end SignalSpeed;

  model SignalPosition "Is where a signal says"
    extends Source;
    Saltus.Blocks.Interfaces.RealInput s(final quantity = "Length", final unit = "m") "Position of the flange"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  equation
    flange.s = s;
    annotation(Documentation(info = "<html>
<p>The flange is where its input says, whatever force that takes. The input must not jump, and where a mass is
firmly connected it has to be differentiable twice: <code>SignalPosition cam(s = 0.01*sin(10*time));</code></p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-80, 20}, {80, -20}}, lineColor = {0, 127, 0}, fillColor = {214, 234, 214},
          fillPattern = FillPattern.Solid),
        Line(points = {{80, 0}, {90, 0}}, color = {0, 127, 0}),
        Text(extent = {{-40, -30}, {40, -80}}, textString = "s")}));
  end SignalPosition;

  model SignalAcceleration "Accelerates as a signal says"
    extends Source;
    Saltus.Blocks.Interfaces.RealInput a(final quantity = "Acceleration", final unit = "m/s2")
      "Acceleration of the flange"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    Saltus.Units.Position s(start = 0, fixed = true) "Position of the flange";
    Saltus.Units.Velocity v(start = 0, fixed = true) "Velocity of the flange";
  equation
    flange.s = s;
    der(s) = v;
    der(v) = a;
    annotation(Documentation(info = "<html>
<p>Accelerates as its input says, whatever force that takes; velocity and position follow from their start
values.</p>
<p>The input may jump: the force jumps then, and nothing else.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-80, 20}, {80, -20}}, lineColor = {0, 127, 0}, fillColor = {214, 234, 214},
          fillPattern = FillPattern.Solid),
        Line(points = {{80, 0}, {90, 0}}, color = {0, 127, 0}),
        Text(extent = {{-40, -30}, {40, -80}}, textString = "a")}));
  end SignalAcceleration;

  annotation(Documentation(info = "<html>
<p>Forces act however things move; speeds and positions are kept whatever force that takes.</p>
</html>"));
end Sources;
