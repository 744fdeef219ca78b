within Saltus.BondGraphs;
package Interfaces "Bonds and what parts have in common"
  extends Saltus.Icons.Package;

  type Effort = Real(quantity = "Effort") "Force, torque, voltage, pressure";
  type Flow = Real(quantity = "Flow") "Velocity, angular velocity, current, volume flow";
  type Momentum = Real(quantity = "GeneralizedMomentum") "Integral of an effort: momentum, flux";
  type Displacement = Real(quantity = "GeneralizedDisplacement") "Integral of a flow: position, charge, volume";
  type Coefficient = Real(quantity = "Coefficient") "What relates two of them";

  connector Bond "The end of a bond"
    Effort e "Effort";
    flow Flow f "Flow into the part";
    annotation(Documentation(info = "<html>
<p>Two connected ends are one bond. More ends at one place would be a 0-junction; use <code>J0</code> for that.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {30, 30, 30}, fillColor = {30, 30, 30},
          fillPattern = FillPattern.Solid)}));
  end Bond;

  connector OtherBond "The end of a bond whose half arrow leads away: an empty symbol"
    extends Bond;
    annotation(Documentation(info = "<html>
<p>The same as <code>Bond</code>; the symbol tells the directions apart.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-60, 60}, {60, -60}}, lineColor = {30, 30, 30}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid)}));
  end OtherBond;

  partial model OnePort "One bond, whose half arrow points to the part"
    Effort e "Effort";
    Flow f "Flow, positive where power comes in";
    Bond bond "The bond" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  equation
    bond.e = e;
    bond.f = f;
    annotation(Documentation(info = "<html>
<p>Extend it and say how <code>e</code> and <code>f</code> are related.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-150, -100}, {150, -140}}, textString = "%name", textColor = {0, 0, 255})}));
  end OnePort;

  partial model Source "One bond, whose half arrow points away from the part"
    Effort e "Effort";
    Flow f "Flow, positive where power goes out, or comes in if inward";
    OtherBond bond "The bond" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Boolean inward = false "Power counts as positive where it comes in" annotation(Evaluate = true);
  equation
    bond.e = e;
    bond.f = if inward then f else -f;
    annotation(Documentation(info = "<html>
<p>Extend it and say what <code>e</code> or <code>f</code> is.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-150, -100}, {150, -140}}, textString = "%name", textColor = {0, 0, 255})}));
  end Source;

  partial model TwoPort "One bond in, one bond out"
    Effort e_in "Effort of the bond that comes in";
    Flow f_in "Its flow";
    Effort e_out "Effort of the bond that goes out";
    Flow f_out "Its flow";
    Bond into "The bond that comes in" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    OtherBond out "The bond that goes out" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  equation
    into.e = e_in;
    into.f = f_in;
    out.e = e_out;
    out.f = -f_out;
    annotation(Documentation(info = "<html>
<p>Extend it and say how one pair follows from the other, so that <code>e_in*f_in = e_out*f_out</code>.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-150, -100}, {150, -140}}, textString = "%name", textColor = {0, 0, 255})}));
  end TwoPort;

  partial model Junction "Any number of bonds in and out"
    parameter Integer nIn = 0 "Number of bonds whose half arrow points to the junction";
    parameter Integer nOut = 0 "Number of bonds whose half arrow points away from it";
    Bond into[nIn] "Bonds that come in" annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    OtherBond out[nOut] "Bonds that go out" annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    annotation(Documentation(info = "<html>
<p>Connect every element of <code>into</code> and <code>out</code> to one bond.</p>
</html>"),
      Icon(graphics = {Text(extent = {{-150, -100}, {150, -140}}, textString = "%name", textColor = {0, 0, 255})}));
  end Junction;

  partial model CommonEffort "A junction whose bonds have one effort"
    extends Junction;
    Effort e "Of all bonds";
  equation
    for k in 1:nIn loop
      into[k].e = e;
    end for;
    for k in 1:nOut loop
      out[k].e = e;
    end for;
    annotation(Documentation(info = "<html>
<p>Extend it and say what the flows do, or the effort.</p>
</html>"));
  end CommonEffort;

  partial model CommonFlow "A junction whose bonds have one flow"
    extends Junction;
    Flow f "Of all bonds, along their half arrows";
  equation
    for k in 1:nIn loop
      into[k].f = f;
    end for;
    for k in 1:nOut loop
      out[k].f = -f;
    end for;
    annotation(Documentation(info = "<html>
<p>Extend it and say what the efforts do, or the flow.</p>
</html>"));
  end CommonFlow;

  annotation(Documentation(info = "<html>
<p>Connectors, and partial models to extend when you write a part of your own.</p>
</html>"));
end Interfaces;
