within Saltus.StateMachines;
partial model Composite "A state with states in it, of which one is active while it is"
  extends Interfaces.Node(outerFirst = around.first, outerParallel = around.parallel, outerHistory = around.history,
      outerBegun = around.begun, outerEntered = around.entered, outerLeft = around.left, outerActive = around.active);
  parameter Boolean history = false "It enters the state in it that was active last";
protected
  inner outer Interfaces.Inside around(first = first, parallel = false, history = history, begun = around.begun,
    entered = entered, left = left, active = active) "To the states in it, and to itself"
    annotation(Placement(visible = false, transformation(extent = {{-100, 80}, {-80, 100}})));
  annotation(
    Documentation(info = "<html>
<p>Extend it, and put states and transitions into it; one of them has <code>start = true</code>. A transition that
leaves it goes before those in it, and leaves all that is active in it.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, lineColor = {30, 30, 30}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid, radius = 30),
      Rectangle(extent = {{-65, 35}, {-10, 0}}, lineColor = {120, 120, 120}, radius = 10),
      Rectangle(extent = {{10, 0}, {65, -35}}, lineColor = {120, 120, 120}, radius = 10),
      Line(points = {{-10, 18}, {38, 18}, {38, 0}}, color = {120, 120, 120})}));
end Composite;
