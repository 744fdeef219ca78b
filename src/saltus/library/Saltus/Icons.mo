within Saltus;
package Icons "Pictures that several classes share"
  partial class Package "Of a package"
    annotation(Documentation(info = "<html><p>The frame of a package.</p></html>"),
      Icon(graphics = {
        Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
          fillPattern = FillPattern.Solid, radius = 20)}));
  end Package;

  partial class Example "Of a model that can be simulated"
    annotation(Documentation(info = "<html><p>A circle with an arrow: press to run.</p></html>"),
      Icon(graphics = {
        Ellipse(extent = {{-90, -90}, {90, 90}}, lineColor = {40, 110, 60}, fillColor = {240, 250, 242},
          fillPattern = FillPattern.Solid),
        Polygon(points = {{-30, 50}, {60, 0}, {-30, -50}, {-30, 50}}, lineColor = {40, 110, 60},
          fillColor = {40, 110, 60}, fillPattern = FillPattern.Solid)}));
  end Example;

  partial block Block "Of a block: a frame with the name above"
    annotation(Documentation(info = "<html><p>The frame of all blocks.</p></html>"),
      Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 127}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Text(extent = {{-150, 150}, {150, 110}}, textString = "%name", textColor = {0, 0, 255})}));
  end Block;

  annotation(Documentation(info = "<html><p>Only pictures: extending them adds no equation.</p></html>"),
    Icon(graphics = {
      Rectangle(extent = {{-90, -90}, {90, 90}}, lineColor = {90, 90, 90}, fillColor = {248, 248, 248},
        fillPattern = FillPattern.Solid, radius = 20),
      Ellipse(extent = {{-50, -50}, {50, 50}}, lineColor = {200, 60, 30})}));
end Icons;
