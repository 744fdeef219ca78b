within Saltus.Examples.Papers.Elmqvist1993;
model Sec4_LimiterScheduled "The limiter with logical variables that events turn round"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Ratio LowLimit = -1 "Smallest value";
  parameter Saltus.Units.Ratio HighLimit = 1 "Largest value";
  Saltus.Units.Ratio x "The wave";
  Saltus.Units.Ratio y "What is left of it";
  Boolean High(start = false, fixed = true) "Above the upper limit: turned round at each crossing";
  Boolean Low(start = false, fixed = true) "Below the lower limit: turned round at each crossing";
equation
  x = 2*sin(time);
  y = if High then HighLimit elseif Low then LowLimit else x;
  when {x > HighLimit, x < HighLimit} then
    High = not pre(High);
  end when;
  when {x < LowLimit, x > LowLimit} then
    Low = not pre(Low);
  end when;
  annotation(
    experiment(StopTime = 10, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>The program of the paper in which two demons watch the limits and turn a logical variable round. It works, but the
limiter is spread over three places, and one missed crossing would leave it wrong for ever.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 4, program LimiterTest",
      passage = "The correct program in the old language has two logical variables, two statements that schedule
events where x crosses a limit, and two blocks that turn the variables round. The numbers are right then, but the
limiter leaves traces in three places of the program, which defies every idea of object orientation.",
      look = "The curve of figure 2. Look at the first crossing in the log: the residue becomes exactly zero there, but
it is on its way, so `x < HighLimit` ends and `x > HighLimit` begins at one event, and the variable is turned once.",
      plot = {"x", "y", "High", "Low"}, modes = false, log = true)));
end Sec4_LimiterScheduled;
