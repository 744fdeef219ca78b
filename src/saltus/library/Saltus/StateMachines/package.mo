within Saltus;
package StateMachines "State machines: states, of which one is active, and transitions between them"
  annotation(Documentation(info = "<html>
<p>A machine is in one state at a time, and a transition takes it to another one when its condition holds. It goes in
rounds, which are the iterations of an event: at one instant it goes on until no transition can be taken.</p>
<p>A model that extends <code>Machine</code> has states and transitions in it. States stand in states: a class that
extends <code>Composite</code> has some of which one is active, one that extends <code>Parallel</code> has some that
are active together. What is done when a state is entered or left, or while it is active, is said in equations that ask
for <code>entered</code>, <code>left</code> and <code>before</code>.</p>
<p>State machines can also be written as text, in files that end with <code>.sm</code>; there transitions may lead from
any state to any other.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Rectangle(extent = {{-70, 55}, {-5, 15}}, lineColor = {30, 30, 30}, radius = 12),
      Rectangle(extent = {{5, -15}, {70, -55}}, lineColor = {30, 30, 30}, radius = 12),
      Line(points = {{-5, 35}, {40, 35}, {40, -15}, {30, -2}}, color = {30, 30, 30})}));
end StateMachines;
