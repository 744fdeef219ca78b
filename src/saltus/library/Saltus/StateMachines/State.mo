within Saltus.StateMachines;
model State "One of the states of a machine"
  extends Interfaces.Node(outerFirst = around.first, outerParallel = around.parallel, outerHistory = around.history,
      outerBegun = around.begun, outerEntered = around.entered, outerLeft = around.left, outerActive = around.active);
protected
  outer Interfaces.Region around "The state that it stands in";
  annotation(
    Documentation(info = "<html>
<p>Of the states that stand beside each other one is active. <code>active</code> says whether it is; conditions and
equations that decide what happens in a round ask for <code>before</code>. In the rounds in which the state is entered
or left <code>entered</code> and <code>left</code> are true.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-80, 60}, {80, -60}}, lineColor = {30, 30, 30}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid, radius = 30)}));
end State;
