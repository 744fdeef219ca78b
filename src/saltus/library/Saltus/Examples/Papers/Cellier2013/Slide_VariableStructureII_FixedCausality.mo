within Saltus.Examples.Papers.Cellier2013;
model Slide_VariableStructureII_FixedCausality "The equations sorted once and for all: the program that divides by zero"
  extends Saltus.Icons.Example;
  extends Rectifier(i_0(start = 0, fixed = true));
equation
  s = 1/(1 - m_o)*(i_0/ampere);
  u_d = m_o*s*volt;
  der(i_0) = u_L/L;
  annotation(
    experiment(StopTime = 0.0095, Tolerance = 1e-8, Interval = 1e-5),
    Documentation(info = "<html>
<p>The rectifier with its diode solved for <code>s</code>, as a tool does that sorts equations only once: the
current is a state, so the curve of the diode has to give the voltage. This is not an equation any more but an order
to divide by <code>1 - m_o</code>.</p>
<p>What to look at: until the diode opens, this is the same as <code>Slide_VariableStructureI_IdealDiode</code>. Let
it run longer, <code>--stop-time 0.02</code>, and it ends at 9.905 ms with a division by zero.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Variable Structure Models II and III",
      passage = "All equations can be put in an order in which each gives one unknown, with s computed by dividing
the current by 1 - m_o. The simulation fails with a division by zero as soon as the switch opens for the first time:
the switch equation is in no algebraic loop, so its causality is fixed and wrong in one of its two positions.",
      look = "The run stops short of the moment at which the diode opens. With --stop-time 0.02 it ends at 9.905
ms, and the message names the divisor 1 - m_o, just as the slide says.",
      plot = {"i_0", "u_2"}, modes = false, log = false)));
end Slide_VariableStructureII_FixedCausality;
