// TRUTH: runs if ref is written with sin(314.159*time) in place of src.v
model PFC "boost PFC with hysteresis current control: diode bridge, boost switch and diode"
  Saltus.Electrical.Sources.SineVoltage src(V=100,f=50); Saltus.Electrical.Diode D1,D2,D3,D4,Db; Saltus.Electrical.Inductor L(L=2e-3,i(start=0,fixed=true)); Saltus.Electrical.Switch S(closed=on); Saltus.Electrical.Capacitor C(C=2e-4,v(start=150,fixed=true)); Saltus.Electrical.Resistor R(R=100); Saltus.Electrical.Ground g;
  Real ref=0.04*abs(src.v)+0.05; Boolean on(start=true,fixed=true);
equation
  on = L.i < ref-0.2 or pre(on) and L.i < ref+0.2;
  connect(src.p,D1.p);connect(src.p,D2.n);connect(src.n,D3.p);connect(src.n,D4.n);connect(D1.n,L.p);connect(D3.n,L.p);connect(D2.p,g.p);connect(D4.p,g.p);
  connect(L.n,S.p);connect(S.n,g.p);connect(L.n,Db.p);connect(Db.n,C.p);connect(C.n,g.p);connect(R.p,C.p);connect(R.n,g.p);
end PFC;
