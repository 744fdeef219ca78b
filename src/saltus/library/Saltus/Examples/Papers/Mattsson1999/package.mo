within Saltus.Examples.Papers;
package Mattsson1999 "Mattsson, Otter, Elmqvist: Modelica hybrid modeling and efficient simulation"
  annotation(Documentation(info = "<html>
<p>Models and figures of this paper (1999), with its parameters where it gives them: it gives hardly any. Its sections
have no numbers; they are counted here: 1 introduction, 2 hybrid modelling, 3 efficient simulation, 4 friction, 5
real-time simulation.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}),
    __Saltus(Omitted(items = {
      "Figures 1 to 7 as drawings: missing from our copy; the classes follow the text",
      "Section 1, a speed-up by one or two orders of magnitude with ideal diodes: a claim without a model; make bench
compares ideal and leaky elements",
      "Section 3, code optimisation (common subexpressions, analytic Jacobians): properties of a code generator
without an example",
      "Section 4, the drawing of the state machine: Sec4_FrictionMachine has its transitions as equations",
      "Section 5, the gearbox with 11 clutches of an automotive company, and the sizes of its equation systems: not
published",
      "Section 5, times on a DEC alpha of 500 MHz (0.18 ms and 2 ms for a step of Euler's method): a machine and a
program of that time",
      "Section 5, hardware in the loop with an electronic control unit: no model"})));
end Mattsson1999;
