within Saltus.StateMachines;
partial model Parallel "A state in which all states are active together"
  extends Interfaces.Node(outerFirst = around.first, outerParallel = around.parallel, outerHistory = around.history,
      outerBegun = around.begun, outerEntered = around.entered, outerLeft = around.left, outerActive = around.active);
protected
  inner outer Interfaces.Inside around(first = first, parallel = true, history = false, begun = around.begun,
    entered = entered, left = left, active = active) "To the states in it, and to itself"
    annotation(Placement(visible = false, transformation(extent = {{-100, 80}, {-80, 100}})));
  annotation(
    Documentation(info = "<html>
<p>Extend it, and put states into it: they are entered and left with it. Each of them may be one with states of its own,
<code>Composite</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, lineColor = {30, 30, 30}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid, radius = 30),
      Rectangle(extent = {{-65, 40}, {65, 5}}, lineColor = {120, 120, 120}, pattern = LinePattern.Dash),
      Rectangle(extent = {{-65, -5}, {65, -40}}, lineColor = {120, 120, 120}, pattern = LinePattern.Dash)}));
end Parallel;
