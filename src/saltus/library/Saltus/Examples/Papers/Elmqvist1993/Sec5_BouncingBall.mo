within Saltus.Examples.Papers.Elmqvist1993;
model Sec5_BouncingBall "A continuous state that an event changes"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.RestitutionCoefficient c = 0.7 "How much of the velocity is left";
  Saltus.Units.Position Height(start = 1, fixed = true) "Above the ground";
  Saltus.Units.Velocity Velocity(start = 0, fixed = true) "Upwards";
equation
  der(Height) = Velocity;
  der(Velocity) = -Saltus.Units.g;
  when Height <= 0.0 then
    reinit(Velocity, -c*pre(Velocity));
  end when;
  annotation(
    experiment(StopTime = 2.35, Tolerance = 1e-9, Interval = 0.01),
    Documentation(info = "<html>
<p>The when-clause of the paper with <code>reinit</code>: each impact leaves <code>c</code> of the velocity.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 5, continuous states that change",
      passage = "A when-clause may also give a new value to a continuous state: when the height becomes zero or less,
the velocity after the event is -c times that before it.",
      look = "Parabolas, each 0.49 times as high as the one before. The paper gives no values; c = 0.7 and the height
of 1 m are ours.",
      plot = {"Height", "Velocity"}, modes = false, log = true)));
end Sec5_BouncingBall;
