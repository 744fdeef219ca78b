within Saltus.Examples.Papers.Cellier2013;
model Slide_MixedModeII_Rectifier "Rectifier with the inductor inlined and the capacitor integrated"
  extends Saltus.Icons.Example;
  extends Rectifier;
  parameter Saltus.Units.Time h = 1e-4 "Step of the inlined inductor";
  discrete Saltus.Units.Current i_last(start = 0, fixed = true) "pre(i_0) of the slide: the current one step ago";
equation
  i_0 = i_last + h/L*u_L;
  u_d = m_o*s*volt;
  i_0 = (1 - m_o)*s*ampere;
  when sample(h, h) then
    i_last = pre(i_0);
  end when;
  annotation(
    experiment(StopTime = 0.1, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>Two storage elements with two integrators: backward Euler, written as an equation, for the inductor, and the
integrator of the tool for the capacitor.</p>
<p>What to look at: <code>saltus explain</code> prints one loop of five equations in five unknowns, torn with
<code>s</code> and one more variable, as on the slides III to V. The ideal diode needs no other equations when it
opens. The price is the accuracy of a step of 0.1 ms, and a thousand events.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slides Mixed-mode Integration II to V",
      passage = "Only the inductor is inlined, the capacitor is not: a mixed-mode integration. The equations then
have an algebraic loop in five equations and five unknowns. The curve parameter s must be the first tearing
variable, to avoid a division by zero; a second loop of three equations is left inside, and a second residual
equation completes the causalisation.",
      look = "The sorted equations (saltus explain) have the loop of five equations with u_1, u_L, i_0, u_d and s,
and two tearing variables, s first. One state and index 1 throughout. The current differs from that of the ideal
rectifier in proportion to the step h.",
      plot = {"i_0", "u_2", "u_0"}, modes = true, log = false)));
end Slide_MixedModeII_Rectifier;
