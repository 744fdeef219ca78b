within Saltus.Electrical;
model GTO "Conducts from p to n while it is fired: a gate turn-off thyristor"
  extends Saltus.Electrical.Interfaces.Valve;
  parameter Saltus.Units.Voltage Vknee = 0 "Forward voltage while it conducts; 0: ideal";
  Saltus.Blocks.Interfaces.BooleanInput fire "True: it may conduct, false: it blocks both ways"
    annotation(Placement(transformation(extent = {{-20, -20}, {20, 20}}, origin = {60, -120}, rotation = 90)));
equation
  corner = Vknee;
  off = s < 0 or not fire;
  annotation(Documentation(info = "<html>
<p>A diode while it is fired, an open switch otherwise. Unlike a thyristor it can be turned off in the middle of its
current, and unlike a transistor with its diode it blocks both ways.</p>
<p>The current of an inductor that it interrupts needs another way, a freewheeling diode; without one it falls to
zero by an impulse of the voltage.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255}),
      Polygon(points = {{-30, 40}, {-30, -40}, {30, 0}, {-30, 40}}, lineColor = {0, 0, 255},
        fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
      Line(points = {{30, 40}, {30, -40}}, color = {0, 0, 255}, thickness = 0.5),
      Line(points = {{30, -10}, {60, -40}, {60, -100}}, color = {255, 0, 255}),
      Line(points = {{38, -32}, {52, -18}}, color = {255, 0, 255})}));
end GTO;
