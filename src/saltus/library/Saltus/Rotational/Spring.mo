within Saltus.Rotational;
model Spring "A linear torsion spring"
  extends Saltus.Rotational.Interfaces.Compliant;
  parameter Saltus.Units.RotationalSpringConstant c = 1 "Stiffness";
  parameter Saltus.Units.Angle phi_rel0 = 0 "Relative angle at which it is slack";
equation
  tau = c*(phi_rel - phi_rel0);
  annotation(Documentation(info = "<html>
<p>The torque grows with the twist: <code>tau = c*(phi_rel - phi_rel0)</code>. The energy <code>c*(phi_rel -
phi_rel0)^2/2</code> is kept and given back.</p>
<p>Angles do not jump, so neither does its torque. A stiff shaft is better written as no spring at all: connect the
flanges.</p>
</html>"),
    Icon(graphics = {
      Line(points = {{-100, 0}, {-60, 0}, {-50, 40}, {-30, -40}, {-10, 40}, {10, -40}, {30, 40}, {50, -40}, {60, 0},
        {100, 0}},
        color = {95, 95, 95}, thickness = 0.5),
      Text(extent = {{-150, -60}, {150, -90}}, textString = "c = %c")}));
end Spring;
