within Saltus.Translational;
model Coupling "Locks two bodies together in an instant"
  extends Saltus.Translational.Interfaces.CompliantWithVelocity;
  Saltus.Blocks.Interfaces.BooleanInput closed "It locks"
    annotation(Placement(transformation(origin = {0, -120}, extent = {{-20, -20}, {20, 20}}, rotation = 90)));
equation
  0 = if closed then v_rel else f;
  annotation(Documentation(info = "<html>
<p>Open it hands on no force; closed both flanges have the same velocity and keep the distance they have, whatever
force that takes.</p>
<p>If they move differently when it closes, both jump to the velocity that keeps the momentum, and <code>f</code>
has an impulse: a perfectly plastic impact. A latch between a body and a <code>Fixed</code> stops it.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-40, 0}, {-40, 20}, {10, 20}, {10, 5}}, color = {0, 127, 0}),
      Line(points = {{90, 0}, {40, 0}, {40, -20}, {-10, -20}, {-10, -5}}, color = {0, 127, 0}),
      Line(points = {{0, -100}, {0, -30}}, color = {255, 0, 255})}));
end Coupling;
