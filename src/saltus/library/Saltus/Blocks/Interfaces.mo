within Saltus.Blocks;
package Interfaces "Connectors and what parts have in common"
  extends Saltus.Icons.Package;

  connector RealInput = input Real "A signal in: Real"
    annotation(Documentation(info = "<html>
<p>A connector that is one input of type Real.</p>
</html>"),
      Icon(graphics = {
        Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {0, 0, 127},
          fillColor = {0, 0, 127}, fillPattern = FillPattern.Solid)}));

  connector RealOutput = output Real "A signal out: Real"
    annotation(Documentation(info = "<html>
<p>A connector that is one output of type Real.</p>
</html>"),
      Icon(graphics = {
        Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {0, 0, 127},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}));

  connector IntegerInput = input Integer "A signal in: Integer"
    annotation(Documentation(info = "<html>
<p>A connector that is one input of type Integer.</p>
</html>"),
      Icon(graphics = {
        Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {255, 127, 0},
          fillColor = {255, 127, 0}, fillPattern = FillPattern.Solid)}));

  connector IntegerOutput = output Integer "A signal out: Integer"
    annotation(Documentation(info = "<html>
<p>A connector that is one output of type Integer.</p>
</html>"),
      Icon(graphics = {
        Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {255, 127, 0},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}));

  connector BooleanInput = input Boolean "A signal in: Boolean"
    annotation(Documentation(info = "<html>
<p>A connector that is one input of type Boolean.</p>
</html>"),
      Icon(graphics = {
        Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {255, 0, 255},
          fillColor = {255, 0, 255}, fillPattern = FillPattern.Solid)}));

  connector BooleanOutput = output Boolean "A signal out: Boolean"
    annotation(Documentation(info = "<html>
<p>A connector that is one output of type Boolean.</p>
</html>"),
      Icon(graphics = {
        Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}, {-100, 100}}, lineColor = {255, 0, 255},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}));

  partial block Source "One Real output"
    extends Saltus.Icons.Block;
    RealOutput y "The signal" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    annotation(Documentation(info = "<html>
<p>Extend it and say what <code>y</code> is.</p>
</html>"));
  end Source;

  partial block SingleInput "One Real input, one Real output"
    extends Saltus.Icons.Block;
    RealInput u "Input" annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
    RealOutput y "Output" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    annotation(Documentation(info = "<html>
<p>Extend it and say how <code>y</code> follows from <code>u</code>.</p>
</html>"));
  end SingleInput;

  partial block TwoInputs "Two Real inputs, one Real output"
    extends Saltus.Icons.Block;
    RealInput u1 "First input" annotation(Placement(transformation(extent = {{-140, 40}, {-100, 80}})));
    RealInput u2 "Second input" annotation(Placement(transformation(extent = {{-140, -80}, {-100, -40}})));
    RealOutput y "Output" annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    annotation(Documentation(info = "<html>
<p>Extend it and say how <code>y</code> follows from the inputs.</p>
</html>"));
  end TwoInputs;

  annotation(Documentation(info = "<html>
<p>Connectors, and partial models to extend when you write a part of your own.</p>
</html>"));
end Interfaces;
