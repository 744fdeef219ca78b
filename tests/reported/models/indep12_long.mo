// TRUTH: 12 uncoupled rectifiers, 4813 events
model Indep12 "12 uncoupled half-wave rectifiers with incommensurate frequencies"
  constant Integer n=12;
  Real i[n](each start=0,each fixed=true),u[n],s[n]; Boolean b[n];
equation
  for k in 1:n loop
    10*sin(2*3.141592653589793*sqrt(1+k/7)*time)=der(i[k])+u[k]+2*i[k];
    b[k]=s[k]<0; u[k]=if b[k] then s[k] else 0; i[k]=if b[k] then 0 else s[k];
  end for;
end Indep12;
