within Saltus.Examples.Papers.Elmqvist1993;
model Sec7_EventLog "The first hundredth of a second of the rectifier, and its event log"
  extends Fig5_Rectifier;
  annotation(
    experiment(StopTime = 0.01, Tolerance = 1e-8, Interval = 1e-5),
    Documentation(info = "<html>
<p>The log of the paper ends with the first opening of the diode; so does this run.</p>
</html>"),
    __Saltus(Gallery(
      paper = "Elmqvist, Cellier, Otter 1993",
      place = "section 7, the event log",
      passage = "Voltage and current of the diode are zero initially, and the switch is open. At 4.999e-10 s the
voltage is 1.57e-7 V and positive: the switch closes, the equations are evaluated again, the current is positive, and
the run goes on. At 8.708e-3 s the current becomes negative, the switch opens, and the voltage becomes negative in the
same iteration.",
      look = "The same expressions in the same order, and 8.708e-3 s. What the paper has at 4.999e-10 s is earlier
here: a residue counts as zero within 1e-10 of its nominal value; the voltage leaves this band after 3.2e-13 s, the
current after 3.2e-12 s, while the root finder of 1993 looked no closer than 5e-10 s. The paper prints
the same value for u and i at each event, although 10 ohm are between them and i should be a tenth of u.",
      plot = {"Diode.i", "Diode.u"}, modes = true, log = true)));
end Sec7_EventLog;
