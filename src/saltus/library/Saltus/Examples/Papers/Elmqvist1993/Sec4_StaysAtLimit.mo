within Saltus.Examples.Papers.Elmqvist1993;
model Sec4_StaysAtLimit "A residue that becomes zero, stays there, and leaves to either side"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Ratio HighLimit = 1 "The limit";
  Saltus.Units.Ratio up(start = 2, fixed = true) "Falls to the limit, rests, and rises again";
  Saltus.Units.Ratio down(start = 2, fixed = true) "Falls to the limit, rests, and falls on";
  Saltus.Units.Ratio y_up "The first one, limited";
  Saltus.Units.Ratio y_down "The second one, limited";
  Real slope(unit = "1/s") "Of the first one";
equation
  slope = if time < 1 then -1 elseif time < 2 then 0 else 1;
  der(up) = slope;
  der(down) = if time < 2 then slope else -1;
  y_up = if up > HighLimit then HighLimit else up;
  y_down = if down > HighLimit then HighLimit else down;
  annotation(
    experiment(StopTime = 3, Tolerance = 1e-8, Interval = 0.02),
    Documentation(info = "<html>
<p>Both reach the limit exactly, stay equal to it for a second, and leave it in opposite directions.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 4, two crossing functions for a relation",
      passage = "If x falls to the limit and stays there, one crossing function is not enough: when x leaves zero
again, nothing crosses zero. Dymola has two for each relation. While the residue is zero they are shifted by a tiny
eps, about the smallest number of the machine (1e-38), to both sides; when it leaves this interval there is an event,
and the branch is chosen anew.",
      look = "After 2 s the one that rises is limited to 1, and the one that falls is not. Saltus takes two functions
as well, with a band of 1e-10 of the nominal value: computed zeros are never exact.",
      plot = {"up", "y_up", "down", "y_down"}, modes = false, log = true)));
end Sec4_StaysAtLimit;
