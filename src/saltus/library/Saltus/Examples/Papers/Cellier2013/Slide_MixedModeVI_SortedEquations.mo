within Saltus.Examples.Papers.Cellier2013;
model Slide_MixedModeVI_SortedEquations "The loop of the mixed-mode rectifier solved by hand"
  extends Saltus.Icons.Example;
  extends Rectifier(m_o(start = 0, fixed = true));
  parameter Saltus.Units.Time h = 1e-4 "Step of the inlined inductor";
  discrete Saltus.Units.Current i_last(start = 0, fixed = true) "pre(i_0) of the slide: the current one step ago";
equation
  s = (L*i_last + h*(u_0 - u_2))/(h*volt*m_o + (L + h*R_i)*ampere*(1 - m_o));
  u_d = m_o*s*volt;
  i_0 = (1 - m_o)*s*ampere;
  when sample(h, h) then
    i_last = pre(i_0);
  end when;
  annotation(
    experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The loop of <code>Slide_MixedModeII_Rectifier</code> solved for the curve parameter: the divisor is the step
while the diode is open, and <code>L + h*R_i</code> while it conducts; it is never zero.</p>
<p>What to look at: no loop is left, and the result is the same.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Mixed-mode Integration VI and VII",
      passage = "By substitution the two residual equations are replaced by explicit ones; the curve parameter is
a fraction whose denominator is the step for the open and inductance plus step times resistance for the closed
switch. The model can be simulated in both positions, without division by zero and without stiffness; m_o remains a
discrete state with an initial value.",
      look = "Every equation gives one unknown, and the curves are those of the loop solved by the tool.",
      plot = {"i_0", "u_2"}, modes = false, log = false)));
end Slide_MixedModeVI_SortedEquations;
