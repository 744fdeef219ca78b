// TRUTH: v = max of the sources
model MaxSel
  constant Integer n=7;
  Saltus.Electrical.Sources.SineVoltage src[n](V={10+k/7 for k in 1:n},f={1+0.1*k for k in 1:n},phase={0*k for k in 1:n});
  Saltus.Electrical.Diode D[n];
  Saltus.Electrical.Resistor R(R=1);
  Saltus.Electrical.Sources.ConstantVoltage neg(V=-50);
  Saltus.Electrical.Ground g;
equation
  for k in 1:n loop connect(src[k].n,g.p); connect(src[k].p,D[k].p); connect(D[k].n,R.p); end for;
  connect(R.n,neg.p); connect(neg.n,g.p);
end MaxSel;
