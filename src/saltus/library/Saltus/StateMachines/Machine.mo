within Saltus.StateMachines;
partial model Machine "A model with states, of which one is active"
protected
  Boolean begun(start = false, fixed = true) "The first round" annotation(__Saltus(Log = ""));
  inner Interfaces.Inside around(first = true, parallel = false, history = false, begun = pre(begun),
    entered = begun and not pre(begun), left = false, active = true) "To the states in it"
    annotation(Placement(visible = false, transformation(extent = {{-100, 80}, {-80, 100}})));
equation
  begun = not initial();
  annotation(
    Documentation(info = "<html>
<p>Extend it, and put states and transitions into it; one of the states has <code>start = true</code>. Equations and
parts of all kinds may stand beside them.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, 90}, {90, -90}}, lineColor = {120, 120, 120}, pattern = LinePattern.Dash,
        radius = 20)}));
end Machine;
