within Saltus.Examples.Papers.Cellier2013;
partial model Rectifier "What all rectifiers of the lecture have in common: all but inductor and diode"
  parameter Saltus.Units.Voltage U = 10 "Amplitude of the source";
  parameter Saltus.Units.Frequency f = 50 "Frequency of the source";
  parameter Saltus.Units.Resistance R_i = 1 "Of the source";
  parameter Saltus.Units.Resistance R_L = 50 "Of the load";
  parameter Saltus.Units.Inductance L = 0.01 "In series with the source";
  parameter Saltus.Units.Capacitance C = 1e-3 "Beside the load";
  Saltus.Units.Voltage u_0 "Of the source";
  Saltus.Units.Voltage u_1 "Of its resistance";
  Saltus.Units.Voltage u_L "Of the inductor";
  Saltus.Units.Voltage u_d "Of the diode";
  Saltus.Units.Voltage u_2(start = 0, fixed = true) "Of capacitor and load";
  Saltus.Units.Current i_0 "Through source, inductor and diode";
  Saltus.Units.Current i_C "Into the capacitor";
  Saltus.Units.Current i_R "Through the load";
  Saltus.Units.Ratio s "Along the curve of the diode: volts while it blocks, amperes while it conducts";
  Integer m_o "1 while the diode is open, else 0";
protected
  constant Saltus.Units.Voltage volt = 1 "Unit of s while the diode blocks";
  constant Saltus.Units.Current ampere = 1 "Unit of s while it conducts";
  constant Saltus.Units.Resistance ohm = 1 "Unit of a resistance";
  constant Saltus.Units.Conductance siemens = 1 "Unit of a conductance";
equation
  u_0 = U*sin(2*Saltus.Units.pi*f*time);
  u_1 = R_i*i_0;
  u_2 = R_L*i_R;
  i_C = C*der(u_2);
  u_0 = u_L + u_1 + u_d + u_2;
  i_0 = i_C + i_R;
  m_o = if s < 0 then 1 else 0;
  annotation(Documentation(info = "<html>
<p>Source, its resistance, an inductor, a diode, and a capacitor beside the load: seven of the equations of the
slide &quot;Variable Structure Models&quot;, with data of our own, since the lecture gives none. What is missing are
the laws of inductor and diode.</p>
</html>"),
    Icon(graphics = {
      Polygon(points = {{-40, 40}, {40, 0}, {-40, -40}, {-40, 40}}, lineColor = {0, 0, 255}),
      Line(points = {{40, 40}, {40, -40}}, color = {0, 0, 255}),
      Line(points = {{-90, 0}, {90, 0}}, color = {0, 0, 255})}));
end Rectifier;
