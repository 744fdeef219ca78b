within Saltus.Logic;
package Interfaces "What Boolean blocks have in common"
  extends Saltus.Icons.Package;

  partial block Block "The frame of Boolean blocks"
    annotation(Documentation(info = "<html>
<p>The frame, with the name above.</p>
</html>"),
      Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {140, 0, 140}, fillColor = {252, 246, 252},
          fillPattern = FillPattern.Solid),
        Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
  end Block;

  partial block Source "One Boolean output"
    extends Saltus.Logic.Interfaces.Block;
    Saltus.Blocks.Interfaces.BooleanOutput y "The signal"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    annotation(Documentation(info = "<html>
<p>Extend it and say when <code>y</code> is true.</p>
</html>"));
  end Source;

  partial block SingleInput "One Boolean input, one Boolean output"
    extends Saltus.Logic.Interfaces.Block;
    Saltus.Blocks.Interfaces.BooleanInput u "Input"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    Saltus.Blocks.Interfaces.BooleanOutput y "Output"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    annotation(Documentation(info = "<html>
<p>Extend it and say how <code>y</code> follows from <code>u</code>.</p>
</html>"));
  end SingleInput;

  partial block TwoInputs "Two Boolean inputs, one Boolean output"
    extends Saltus.Logic.Interfaces.Block;
    Saltus.Blocks.Interfaces.BooleanInput u1 "First input"
      annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
    Saltus.Blocks.Interfaces.BooleanInput u2 "Second input"
      annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
    Saltus.Blocks.Interfaces.BooleanOutput y "Output"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    annotation(Documentation(info = "<html>
<p>Extend it and say how <code>y</code> follows from the inputs.</p>
</html>"));
  end TwoInputs;

  partial block VectorInput "Any number of Boolean inputs, one Boolean output"
    extends Saltus.Logic.Interfaces.Block;
    parameter Integer n(min = 1) = 3 "Number of inputs";
    Saltus.Blocks.Interfaces.BooleanInput u[n] "Inputs"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    Saltus.Blocks.Interfaces.BooleanOutput y "Output"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    annotation(Documentation(info = "<html>
<p>Extend it and say how <code>y</code> follows from the vector.</p>
</html>"));
  end VectorInput;

  annotation(Documentation(info = "<html>
<p>Partial blocks to extend when you write a block of your own. The connectors are those of
<code>Saltus.Blocks.Interfaces</code>.</p>
</html>"));
end Interfaces;
