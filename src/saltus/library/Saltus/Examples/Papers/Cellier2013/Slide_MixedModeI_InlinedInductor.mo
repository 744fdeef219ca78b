within Saltus.Examples.Papers.Cellier2013;
model Slide_MixedModeI_InlinedInductor "An inductor that brings its own integrator can be solved for current or voltage"
  extends Saltus.Icons.Example;

  model Inductor "Backward Euler is part of the equations"
    parameter Saltus.Units.Inductance L = 0.01 "Inductance";
    parameter Saltus.Units.Time h = 1e-3 "Step";
    Saltus.Units.Current i_0 "Current";
    Saltus.Units.Voltage u_L "Voltage";
    discrete Saltus.Units.Current i_last(start = 0, fixed = true) "Current one step ago";
  equation
    i_0 = i_last + h/L*u_L;
    when sample(h, h) then
      i_last = pre(i_0);
    end when;
    annotation(Documentation(info = "<html>
<p>Between two instants of sampling the current is the one that a step of backward Euler over <code>h</code> gives
with the voltage of now; it is algebraic, no state.</p>
</html>"));
  end Inductor;

  Inductor given_u "Its voltage is given" annotation(Placement(transformation(extent = {{-60, 20}, {-40, 40}})));
  Inductor given_i "Its current is given" annotation(Placement(transformation(extent = {{20, 20}, {40, 40}})));
  parameter Saltus.Units.Current I = 1 "Amplitude of the currents";
  parameter Saltus.Units.Frequency f = 50 "Their frequency";
equation
  given_u.u_L = given_u.L*I*2*Saltus.Units.pi*f*cos(2*Saltus.Units.pi*f*time);
  given_i.i_0 = I*sin(2*Saltus.Units.pi*f*time);
  annotation(
    experiment(StopTime = 0.04, Tolerance = 1e-8, Interval = 1e-4),
    Documentation(info = "<html>
<p>The same inductor twice. One has its voltage given and computes its current, the other the other way round:
backward Euler is an equation between both, and may be solved for either.</p>
<p>What to look at: both sines agree up to the error of backward Euler, which is of the size of the step, 1 ms. Give
both a smaller <code>h</code>.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Cellier 2013",
      place = "slide Mixed-mode Integration",
      passage = "The causality of the inductor is fixed only because its current is wanted as a state. With a BDF
formula put into the model, the current is the one before plus step over inductance times voltage: algebraic and
linear in the voltage, so that the causality of the inlined inductor is free.",
      look = "The left inductor turns a voltage into a current, the right one a current into a voltage, with the
same equation. The model has no continuous state.",
      plot = {"given_u.i_0", "given_i.i_0", "given_i.u_L"}, modes = false, log = false)));
end Slide_MixedModeI_InlinedInductor;
