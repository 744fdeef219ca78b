within Saltus.Examples.Papers.Beek1998;
model Sec42_TCPC "Level control with a proportional valve that saturates: guards with continuous variables"
  extends Saltus.Icons.Example;
  extends Tank(h_0 = 0.1);
  parameter Saltus.Units.Length h_set = 0.8 "Set point of the level";
  parameter Saltus.Units.VolumeFlowRate Q_set = 0.02 "Flow through the fully open valve";
  parameter Real K_p(unit = "1/m") = 4 "Gain of the controller";
  Saltus.Units.VolumeFlowRate Q_i "Flow into the tank";
  Saltus.Units.Ratio u "What the controller asks for: 0 is a closed valve, 1 a fully open one";
equation
  A*der(h) = Q_i - Q_o;
  u = K_p*(h_set - h);
  if u < 0 then
    Q_i = 0;
  elseif u <= 1 then
    Q_i = u*Q_set;
  else
    Q_i = Q_set;
  end if;
  annotation(
    experiment(StopTime = 20, Tolerance = 1e-8, Interval = 0.05),
    Documentation(info = "<html>
<p>The valve can be set to anything between closed and fully open. The three guarded equations meet where their
guards change: the inflow has corners, no leaps.</p>
<p>What to look at: the corner where <code>u</code> becomes less than one. It is an event here, not a reduction of
the step.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Van Beek, Rooda 1998",
      place = "section 4.2, process TCPC",
      passage = "The on/off valve is replaced by one that is adjusted linearly, and the discrete controller by a
continuous one. The inflow is 0, u Q_set or Q_set, by guards for u below 0, between 0 and 1 and above 1; Q_o is
removed by substitution. The discontinuity is in the continuous part of the language; hysteresis cannot be written
in this way.",
      look = "Q_i is constant until u falls to 1 at h = 0.55 m, then falls with u towards the outflow. The solver
of the paper finds such corners by reducing its step; here the crossing is located and the integrator restarted.",
      plot = {"h", "Q_i", "Q_o", "u"}, modes = true, log = true)));
end Sec42_TCPC;
