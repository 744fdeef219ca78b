within Saltus.StateMachines;
model TimedTransition "Leads to another state when its state has been active for so long"
  extends Interfaces.Rule;
  input Saltus.Units.Time after "So long its state has to be active";
equation
  assert(after >= 0, "the time after which a transition is taken cannot be negative");
  taken = able and time >= from.since + after;
  annotation(
    Documentation(info = "<html>
<p>It is taken when its state has been active for the time <code>after</code>, and its condition holds.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{25, 15}, {40, 0}, {25, -15}}, color = {30, 30, 30}),
      Ellipse(extent = {{-18, 18}, {18, -18}}, lineColor = {30, 30, 30}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(points = {{0, 12}, {0, 0}, {8, 0}}, color = {30, 30, 30})}));
end TimedTransition;
