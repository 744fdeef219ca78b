// TRUTH: y(2) = 2
model SNI "same without the intermediate variable"
  Real x(start=0.5,fixed=true),y(start=0,fixed=true);
equation
  der(x)=-(if x>0 then 1 else -1); der(y)=(if x>0 then 1 else -1)^2;
end SNI;
