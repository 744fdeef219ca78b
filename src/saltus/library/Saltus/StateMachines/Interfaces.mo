within Saltus.StateMachines;
package Interfaces "What machines that are written as text are made of"
  extends Saltus.Icons.Package;

  model Taking "What is seen of a transition: whether it is taken"
    input Boolean taken "It is taken in this round"
      annotation(__Saltus(Log = "Transition %owner is taken at time = %time"));
    annotation(
      Documentation(info = "<html>
  <p>One Boolean, to which an equation outside gives its value. It is true in the rounds of an event in which the
  transition is taken, and false between events.</p>
  </html>"),
      Icon(graphics = {
        Line(points = {{-80, 0}, {80, 0}, {50, 20}}, color = {30, 30, 30}),
        Text(extent = {{-150, 60}, {150, 20}}, textString = "%name", textColor = {0, 0, 255})}));
  end Taking;

  annotation(Documentation(info = "<html>
<p>Transitions of machines in files that end with <code>.sm</code> are components of these classes.</p>
</html>"));
end Interfaces;
