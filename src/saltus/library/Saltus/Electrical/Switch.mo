within Saltus.Electrical;
model Switch "Contact that a Boolean signal closes"
  extends Saltus.Electrical.Interfaces.TwoPin;
  parameter Saltus.Units.Resistance Ron = 0 "Resistance while closed; 0: ideal";
  parameter Saltus.Units.Conductance Goff = 0 "Conductance while open; 0: ideal";
  Saltus.Blocks.Interfaces.BooleanInput closed "True: closed, false: open"
    annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {0, -120}, rotation = 90)));
equation
  if closed then
    v = Ron*i;
  else
    i = Goff*v;
  end if;
  annotation(Documentation(info = "<html>
<p>Closed, it has no voltage; open, it has no current. Both directions are alike.</p>
<p>Capacitors that it joins share their charge at once, by an impulse of the current. If it interrupts the current
of an inductor, the current falls to zero at once, by an impulse of the voltage; a diode gives it another way. A
source that the switch would short is refused: something must give way.</p>
<p>Connect a signal to <code>closed</code>, or say it in place: <code>Saltus.Electrical.Switch S(closed = time &gt;=
1)</code>.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {-40, 0}}, color = {0, 0, 255}),
      Line(points = {{40, 0}, {90, 0}}, color = {0, 0, 255}),
      Line(points = {{-38, 4}, {36, 48}}, color = {0, 0, 255}, thickness = 0.5),
      Ellipse(extent = {{-46, 6}, {-34, -6}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Ellipse(extent = {{34, 6}, {46, -6}}, lineColor = {0, 0, 255}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{0, -100}, {0, 24}}, color = {255, 0, 255}, pattern = LinePattern.Dash)}));
end Switch;
