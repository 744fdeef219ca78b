within Saltus.Examples.Papers;
package Beek1998 "Van Beek, Rooda: Specification of discontinuities in hybrid models"
  annotation(
    __Saltus(Omitted(items = {
      "Figure 1: a drawing of the tank of Sec41_TCD1",
      "Figures 2 and 3: on the page that is lost",
      "section 4.2, the process TOV as printed there: on the page that is lost; Sec42_TOV has its equations from
section 5.1",
      "section 4.3, discontinuities by functions: on the page that is lost",
      "section 4.4, its beginning up to the definition of the sliding friction: on the page that is lost",
      "section 3, syntax and semantics of chi: a language, no model; guarded equations are if-equations here,
state events and selective waiting are when-clauses",
      "section 5, how DASSL meets discontinuities: a property of the solver"})),
    Documentation(info = "<html>
<p>Models and figures of this paper (1998), with its parameters where it gives them.</p>
<p>Processes of the language chi, written as models. The paper gives data for friction only; those of the tanks are
ours.</p>
</html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20)}));
end Beek1998;
