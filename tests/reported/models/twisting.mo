// TRUTH: rests at x = v = 0 from t = 4.4615 on
model Twisting
  parameter Real r1=2,r2=1;
  Real x(start=1,fixed=true),v(start=0,fixed=true),z(start=0,fixed=true);
  Real a=if x>0 then -r1 else r1, b=if v>0 then -r2 else r2;
equation
  der(x)=v; der(v)=a+b; der(z)=1+x;
end Twisting;
