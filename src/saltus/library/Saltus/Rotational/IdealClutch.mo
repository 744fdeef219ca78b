within Saltus.Rotational;
model IdealClutch "A clutch that locks in an instant"
  extends Saltus.Rotational.Interfaces.CompliantWithVelocity;
  Saltus.Blocks.Interfaces.BooleanInput closed "It locks"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
equation
  0 = if closed then w_rel else tau;
  annotation(Documentation(info = "<html>
<p>Open it hands on no torque; closed both flanges have the same speed, whatever torque that takes.</p>
<p>If they turn at different speeds when it closes, both jump to the speed that keeps the momentum, and
<code>tau</code> has an impulse; energy is lost, as much as in any clutch. How long it takes a real one:
<code>Clutch</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-30, 0}}, color = {95, 95, 95}),
      Line(points = {{30, 0}, {100, 0}}, color = {95, 95, 95}),
      Polygon(points = {{-30, 60}, {-10, 60}, {0, 40}, {-10, 20}, {0, 0}, {-10, -20}, {0, -40}, {-10, -60}, {-30,
        -60}, {-30, 60}},
        lineColor = {95, 95, 95}, fillColor = {200, 205, 215}, fillPattern = FillPattern.Solid),
      Polygon(points = {{30, 60}, {10, 60}, {20, 40}, {10, 20}, {20, 0}, {10, -20}, {20, -40}, {10, -60}, {30, -60},
        {30, 60}},
        lineColor = {95, 95, 95}, fillColor = {200, 205, 215}, fillPattern = FillPattern.Solid),
      Line(points = {{0, -100}, {0, -80}}, color = {255, 0, 255})}));
end IdealClutch;
