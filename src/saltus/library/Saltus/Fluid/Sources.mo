within Saltus.Fluid;
package Sources "Flows and pressures that are given"
  extends Saltus.Icons.Package;

  partial model Source "One port"
    extends Saltus.Fluid.Interfaces.Boundary;
    annotation(Documentation(info = "<html><p>Extend it and say what is given.</p></html>"),
      Icon(graphics = {
        Ellipse(extent = {{-60, 60}, {60, -60}}, lineColor = {0, 90, 180}, fillColor = {230, 242, 252},
          fillPattern = FillPattern.Solid),
        Line(points = {{60, 0}, {90, 0}}, color = {0, 90, 180})}));
  end Source;

  model ConstantFlow "A flow that never changes"
    extends Source;
    parameter Saltus.Units.VolumeFlowRate q = 1e-3 "Flow out of the source";
  equation
    port.q = -q;
    annotation(Documentation(info = "<html><p>Gives <code>q</code>, whatever the pressure.</p></html>"),
      Icon(graphics = {
        Text(extent = {{-40, 30}, {40, -30}}, textString = "q"),
        Text(extent = {{-150, -70}, {150, -100}}, textString = "q=%q")}));
  end ConstantFlow;

  model SignalFlow "A flow prescribed by a signal"
    extends Source;
    Saltus.Blocks.Interfaces.RealInput q(final quantity = "VolumeFlowRate", final unit = "m3/s")
      "Flow out of the source"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  equation
    port.q = -q;
    annotation(Documentation(info = "<html><p>Gives the flow of its input, whatever the pressure.</p></html>"),
      Icon(graphics = {
        Line(points = {{-100, 0}, {-60, 0}}, color = {0, 0, 127}),
        Text(extent = {{-40, 30}, {40, -30}}, textString = "q")}));
  end SignalFlow;

  model ConstantPressure "A pressure that never changes"
    extends Source;
    parameter Saltus.Units.Pressure p = 1e5 "Pressure above that of the air";
  equation
    port.p = p;
    annotation(Documentation(info =
      "<html><p>Keeps the pressure <code>p</code>, whatever flows: a water main.</p></html>"),
      Icon(graphics = {
        Text(extent = {{-40, 30}, {40, -30}}, textString = "p"),
        Text(extent = {{-150, -70}, {150, -100}}, textString = "p=%p")}));
  end ConstantPressure;

  model SignalPressure "A pressure prescribed by a signal"
    extends Source;
    Saltus.Blocks.Interfaces.RealInput p(final quantity = "Pressure", final unit = "Pa")
      "Pressure above that of the air"
      annotation(Placement(transformation(extent = {{-140, -20}, {-100, 20}})));
  equation
    port.p = p;
    annotation(Documentation(info = "<html><p>Keeps the pressure of its input, whatever flows.</p></html>"),
      Icon(graphics = {
        Line(points = {{-100, 0}, {-60, 0}}, color = {0, 0, 127}),
        Text(extent = {{-40, 30}, {40, -30}}, textString = "p")}));
  end SignalPressure;

  annotation(Documentation(info =
    "<html><p>Flows are given whatever the pressure, pressures whatever flows.</p></html>"));
end Sources;
