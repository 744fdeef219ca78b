within Saltus.Examples.Papers;
package Elmqvist1993 "Elmqvist, Cellier, Otter: Object-oriented modeling of hybrid systems"
  annotation(Documentation(info = "<html>
<p>Models and figures of this paper (1993), with its parameters where it gives them. Its sections have no numbers;
they are counted here: 1 introduction, 2 object-oriented modelling, 3 causality, 4 discontinuous equations, 5
instantaneous equations, 6 variable structure (the switch), 7 the ideal diode, 8 dry friction.</p>
<p>The paper speaks the Dymola language of 1993. What it calls <code>new(x)</code> is <code>x</code> in Modelica, and
its <code>x</code> is
<code>pre(x)</code>, in continuous equations too. Its classes are in <code>Parts</code>.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}),
    __Saltus(Omitted(items = {
      "Section 2, listings of Resistor and TwoPort: lost in our copy of the paper; Fig1_Resistor and Sec2_TwoPorts
have the classes as the text describes them",
      "Section 4, the ACSL macro and program: another language; Sec4_LimiterMacro and Sec4_LimiterScheduled say the
same in Modelica",
      "Section 5, general form of the when-clause: a pattern, not a model; Sec5_Hysteresis, Sec5_SampledSystem and
Sec5_BouncingBall are instances of it",
      "Section 7, generated code with QRel, QM, QZp, QZn and HandleEvent: output of a code generator for ACSL and
DSblock; Sec7_EventLog shows what it does",
      "Section 8, listing of TwoBlock: its beginning is lost in our copy, with all parameters; Fig7_TwoBlocks has
values of our own",
      "Section 8, a robot with six joints and friction in all of them: mentioned without equations or data",
      "Figure 6 as an image: missing from our copy; Fig6_RectifierVoltages is compared with the closed form"})));
end Elmqvist1993;
