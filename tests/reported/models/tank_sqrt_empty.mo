// TRUTH: h = (1-t/2)^2, 0 from t = 2 on
model TSE
  Real h(start=1,fixed=true);
equation
  der(h)=-(if h>0 then sqrt(h) else 0);
end TSE;
