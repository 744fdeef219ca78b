within Saltus.BondGraphs;
model NamedBond "A bond with a name, whose effort and flow can be asked for"
  extends Saltus.BondGraphs.Interfaces.TwoPort;
  Saltus.BondGraphs.Interfaces.Effort e "Effort";
  Saltus.BondGraphs.Interfaces.Flow f "Flow along the half arrow";
equation
  e = e_in;
  f = f_in;
  e_out = e_in;
  f_out = f_in;
  annotation(Documentation(info = "<html>
<p>Put between two parts it changes nothing: it is the bond, with a name for its effort and its flow.</p>
</html>"),
    Icon(graphics = {
      Text(extent = {{-80, 60}, {80, -60}}, textString = "b", textColor = {30, 30, 30})}));
end NamedBond;
