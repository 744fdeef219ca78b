within Saltus.Translational;
package Sensors "What measures motion and force, and does nothing else"
  extends Saltus.Icons.Package;

  partial model OneFlangeSensor "Measures at one flange"
    Saltus.Translational.Interfaces.Flange flange "Where it measures"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  equation
    flange.f = 0;
    annotation(Documentation(info = "<html><p>No force acts on it.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {-60, 0}}, color = {0, 127, 0}),
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 127, 0}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{60, 0}, {100, 0}}, color = {0, 0, 127}),
        Text(extent = {{-150, 110}, {150, 70}}, textString = "%name", textColor = {0, 0, 255})}));
  end OneFlangeSensor;

  partial model TwoFlangesSensor "Measures what goes from flange_a to flange_b"
    extends Saltus.Translational.Interfaces.TwoFlanges;
  equation
    flange_a.s = flange_b.s;
    flange_a.f + flange_b.f = 0;
    annotation(Documentation(info = "<html><p>A rigid connection without length and without mass.</p></html>"),
      Icon(graphics = {
        Line(points = {{-90, 0}, {90, 0}}, color = {0, 127, 0}),
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 127, 0}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{0, -60}, {0, -100}}, color = {0, 0, 127})}));
  end TwoFlangesSensor;

  model PositionSensor "Where a flange is"
    extends OneFlangeSensor;
    Saltus.Blocks.Interfaces.RealOutput s(final quantity = "Length", final unit = "m") "Position"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    s = flange.s;
    annotation(Documentation(info = "<html><p>Position of the flange, as a signal.</p></html>"),
      Icon(graphics = {Text(extent = {{-40, 35}, {40, -35}}, textString = "s")}));
  end PositionSensor;

  model SpeedSensor "How fast a flange moves"
    extends OneFlangeSensor;
    Saltus.Blocks.Interfaces.RealOutput v(final quantity = "Velocity", final unit = "m/s") "Velocity"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    v = der(flange.s);
    annotation(Documentation(info = "<html>
<p>Velocity of the flange, as a signal. It jumps where something hits or locks.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-40, 35}, {40, -35}}, textString = "v")}));
  end SpeedSensor;

  model AccelerationSensor "How the velocity of a flange changes"
    extends OneFlangeSensor;
    Saltus.Units.Velocity v "Velocity";
    Saltus.Blocks.Interfaces.RealOutput a(final quantity = "Acceleration", final unit = "m/s2") "Acceleration"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    v = der(flange.s);
    a = der(v);
    annotation(Documentation(info = "<html>
<p>Acceleration of the flange, as a signal. Where something hits, it has an impulse: its integral is the jump of the
velocity.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-40, 35}, {40, -35}}, textString = "a")}));
  end AccelerationSensor;

  model ForceSensor "The force between two flanges"
    extends TwoFlangesSensor;
    Saltus.Blocks.Interfaces.RealOutput f(final quantity = "Force", final unit = "N")
      "Force with which flange_a pushes flange_b"
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = -90)));
  equation
    f = flange_a.f;
    annotation(Documentation(info = "<html>
<p>The force that is handed on from <code>flange_a</code> to <code>flange_b</code>: positive where it pushes
forward, which is compression.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-40, 35}, {40, -35}}, textString = "f")}));
  end ForceSensor;

  model PowerSensor "The power that goes from one flange to the other"
    extends TwoFlangesSensor;
    Saltus.Blocks.Interfaces.RealOutput P(final quantity = "Power", final unit = "W")
      "Power that flows from flange_a to flange_b"
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}}, origin = {0, -110}, rotation = -90)));
  equation
    P = flange_a.f*der(flange_a.s);
    annotation(Documentation(info = "<html>
<p>Force times velocity, positive where energy flows from <code>flange_a</code> to <code>flange_b</code>. Its
integral is the work.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-40, 35}, {40, -35}}, textString = "P")}));
  end PowerSensor;

  annotation(Documentation(info = "<html>
<p>Sensors take no force and add no mass; their outputs are signals.</p>
</html>"));
end Sensors;
