// TRUTH: 20 impacts or so, then at rest (bdf, adams, ida do it)
model CB
  Saltus.Translational.Mass m(m=2,s(start=1,fixed=true),v(start=0,fixed=true)); Saltus.Translational.Contact c(e=0.8,v_rest=0.05); Saltus.Translational.Fixed floor(s0=0); Saltus.Translational.Sources.ConstantForce w(f=-2*9.81);
equation
  connect(floor.flange,c.flange_a);connect(c.flange_b,m.flange_a);connect(w.flange,m.flange_b);
end CB;
