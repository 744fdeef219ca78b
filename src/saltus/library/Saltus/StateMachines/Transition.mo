within Saltus.StateMachines;
model Transition "Leads from one state to another when its condition holds"
  extends Interfaces.Rule;
equation
  taken = able;
  annotation(
    Documentation(info = "<html>
<p>It is taken if its state was active before the round, its condition holds, and no transition that is connected to the
state before it is taken.</p>
</html>"),
    Icon(graphics = {Line(points = {{25, 15}, {40, 0}, {25, -15}}, color = {30, 30, 30})}));
end Transition;
