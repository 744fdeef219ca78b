within Saltus.Examples.Papers.Mattsson1999;
model Sec2_DiodeWithoutS "The ideal diode in one equation, without a curve parameter"
  extends Saltus.Icons.Example;
  parameter Saltus.Units.Resistance R = 2 "In series";
  parameter Saltus.Units.Voltage V = 1 "Largest voltage of the source";
  parameter Saltus.Units.Frequency f = 1 "Of the source";
  Saltus.Units.Voltage v0 "Of the source";
  Saltus.Units.Voltage u "Of the diode";
  Saltus.Units.Current i "Through the diode";
equation
  v0 = V*sin(2*Saltus.Units.pi*f*time);
  v0 = R*i + u;
  0 = if u > 0 or i > 0 then u else i;
  annotation(
    experiment(StopTime = 2, Tolerance = 1e-8, Interval = 0.01),
    Documentation(info = "<html>
<p>The relations ask for the unknowns that their own truth determines; it is the same characteristic.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Mattsson, Otter, Elmqvist 1999",
      place = "section 2, after figure 2",
      passage = "The ideal diode can also be declared without a parameter: zero is the voltage if u > 0 or i > 0, and
else the current. The paper finds this more difficult to understand. (It prints v where it means u.)",
      look = "The same curves as figure 2.",
      plot = {"u", "i"}, modes = true, log = true)));
end Sec2_DiodeWithoutS;
