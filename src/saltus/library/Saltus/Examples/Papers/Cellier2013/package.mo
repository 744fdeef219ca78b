within Saltus.Examples.Papers;
package Cellier2013 "Cellier: Numerical Simulation of Dynamic Systems XXIII"
  annotation(
    __Saltus(Omitted(items = {
      "slides Variable Structure Models, Mechanical Friction, VII, X, XIII and XIV, Petri Nets IV, VII and VIII:
the pictures are not in the text that we have; the models are written after the equations beside them",
      "slide Variable Structure Models VII: text; its numbers of states are those of
Slide_VariableStructureI_IdealDiode",
      "slides Mixed-mode Integration III to V: steps of one causalisation, coloured by hand; saltus explain prints
the loop and its tearing for Slide_MixedModeII_Rectifier, and a test compares them",
      "slide Mixed-mode Integration VII: text; Slide_MixedModeVI_SortedEquations is the model it speaks of",
      "slide Mixed-mode Integration VIII: text; its index 0 and index 2 are those of
Slide_VariableStructureI_IdealDiode",
      "slides Mechanical Friction VI and VII: a table of regions and a diagram of states without a program;
Slide_MechanicalFrictionVIII_SixStates is their program",
      "slide Mechanical Friction IX: text about golden section, which we do not need",
      "slide Mechanical Friction XII: text; Slide_MechanicalFrictionXI_Declarative does what it says cannot be
done",
      "slides Petri Nets, II and III: definitions in words; bounded nets with more than one token have no
equations in the lecture",
      "slides Petri Nets IX to XI: text; Slide_PetriNetsVIII_Friction and Slide_PetriNetsXIV_SimpleConditions are
written in the three sets of equations",
      "slide Petri Nets XII, p_1 = not pre(p_1): has no solution and is refused (E404), as the lecture says it
should; a test runs it",
      "slides Conclusions and References: no models"})),
    Documentation(info = "<html>
<p>Models and figures of this paper (2013), with its parameters where it gives them.</p>
<p>Classes are named after the titles of the slides. The lecture gives no numbers: data are ours, the same for all
rectifiers, and the same for all friction models.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}));
end Cellier2013;
