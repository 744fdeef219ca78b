// TRUTH: i(2.3) = 0.8435e-12 A, never negative
model TS "current of 1e-12 A, no nominal: half-wave rectifier with huge R"
  Real i(start=0,fixed=true),u,s; Boolean blocks=s<0;
equation
  1e-9*sin(2*3.141592653589793*time)=1e2*der(i)+u+1e3*i;
  u=if blocks then s else 0;
  i=if blocks then 0 else s;
end TS;
