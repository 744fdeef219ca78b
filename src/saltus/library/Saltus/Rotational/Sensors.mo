within Saltus.Rotational;
package Sensors "What measures shafts"
  extends Saltus.Icons.Package;

  partial model AtFlange "Measures the motion of one flange"
    Saltus.Rotational.Interfaces.Flange flange "What is measured"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  equation
    flange.tau = 0;
    annotation(Documentation(info = "<html><p>Takes no torque. Extend it and say what is measured.</p></html>"),
      Icon(graphics = {
        Ellipse(extent = {{-70, 70}, {70, -70}}, lineColor = {95, 95, 95}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-90, 0}, {-70, 0}}, color = {95, 95, 95}),
        Line(points = {{70, 0}, {100, 0}}, color = {0, 0, 127}),
        Text(extent = {{-150, 120}, {150, 80}}, textString = "%name", textColor = {0, 0, 255})}));
  end AtFlange;

  partial model Between "Measures what goes through a shaft"
    extends Saltus.Rotational.Interfaces.TwoFlanges;
  equation
    flange_a.phi = flange_b.phi;
    flange_a.tau + flange_b.tau = 0;
    annotation(Documentation(info = "<html>
<p>A stiff shaft without inertia. Extend it and say what is measured.</p>
</html>"),
      Icon(graphics = {
        Ellipse(extent = {{-70, 70}, {70, -70}}, lineColor = {95, 95, 95}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-90, 0}, {-70, 0}}, color = {95, 95, 95}),
        Line(points = {{70, 0}, {90, 0}}, color = {95, 95, 95}),
        Line(points = {{0, -70}, {0, -100}}, color = {0, 0, 127})}));
  end Between;

  model AngleSensor "Measures an angle"
    extends AtFlange;
    Saltus.Blocks.Interfaces.RealOutput phi(unit = "rad") "Angle"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    phi = flange.phi;
    annotation(Documentation(info = "<html>
<p>The angle of the flange as a signal; full turns are counted.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-50, 30}, {50, -30}}, textString = "phi")}));
  end AngleSensor;

  model SpeedSensor "Measures a speed"
    extends AtFlange;
    Saltus.Blocks.Interfaces.RealOutput w(unit = "rad/s") "Angular velocity"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    w = der(flange.phi);
    annotation(Documentation(info = "<html>
<p>The angular velocity of the flange as a signal. It jumps when the shaft is struck.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-50, 30}, {50, -30}}, textString = "w")}));
  end SpeedSensor;

  model AccelerationSensor "Measures an acceleration"
    extends AtFlange;
    Saltus.Units.AngularVelocity w "Angular velocity";
    Saltus.Blocks.Interfaces.RealOutput a(unit = "rad/s2") "Angular acceleration"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    w = der(flange.phi);
    a = der(w);
    annotation(Documentation(info = "<html>
<p>The angular acceleration of the flange as a signal. Where the speed jumps it has an impulse, which the log of the
run tells.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-50, 30}, {50, -30}}, textString = "a")}));
  end AccelerationSensor;

  model TorqueSensor "Measures the torque in a shaft"
    extends Between;
    Saltus.Blocks.Interfaces.RealOutput tau(unit = "N.m") "Torque handed on from flange_a to flange_b"
      annotation(Placement(transformation(origin = {0, -110}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  equation
    tau = flange_a.tau;
    annotation(Documentation(info = "<html>
<p>Put it into the shaft: the torque that goes through from left to right as a signal.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-50, 30}, {50, -30}}, textString = "tau")}));
  end TorqueSensor;

  model PowerSensor "Measures the power in a shaft"
    extends Between;
    Saltus.Blocks.Interfaces.RealOutput P(unit = "W") "Power handed on from flange_a to flange_b"
      annotation(Placement(transformation(origin = {0, -110}, extent = {{-10, -10}, {10, 10}}, rotation = 270)));
  equation
    P = flange_a.tau*der(flange_a.phi);
    annotation(Documentation(info = "<html>
<p>Put it into the shaft: torque times speed as a signal, positive from left to right. Integrated it is the work; of
an impulse it has the work with the mean of the speeds before and after.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-50, 30}, {50, -30}}, textString = "P")}));
  end PowerSensor;

  annotation(Documentation(info = "<html>
<p>They turn motion and torque into signals, and take nothing for it.</p>
</html>"));
end Sensors;
