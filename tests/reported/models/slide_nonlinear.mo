// TRUTH: Filippov: y(2) = q(2) = 2, as the inlined form (slide_nonlinear_inline.mo) gives
model SNL "Filippov: y' = s^2 = 1 on both sides, so y' = 1 while sliding"
  Real x(start=0.5,fixed=true),y(start=0,fixed=true),q(start=0,fixed=true); Real s=if x>0 then 1 else -1;
equation
  der(x)=-s; der(y)=s^2; der(q)=abs(s);
end SNL;
