within Saltus.Fluid;
model Tank "An open tank that is high enough for all that flows in"
  extends Saltus.Fluid.Interfaces.OpenTank;
equation
  q_over = 0;
  annotation(Documentation(info = "<html>
<p><code>A*der(h)</code> is what flows in, and the pressure at both ports at the bottom is <code>rho*g*h</code>.
What comes in through <code>inlet</code> falls from above: there is no pressure against it.</p>
<p>The level is a state. Give <code>h(start = ..., fixed = true)</code>. A tank with a rim is an
<code>OverflowTank</code>.</p>
</html>"));
end Tank;
