// TRUTH: floor(-4)=-4, ceil(3)=3, mod(-4,2)=0, mod(-4,4)=0, integer(-4)=-4 for ever
model T7
  Real a(start=3,fixed=true),b(start=-4,fixed=true);
  Real f1=floor(a),f2=floor(b),c1=ceil(a),c2=ceil(b),m1=mod(a,3),m2=mod(b,2),r1=rem(a,3),r2=rem(b,2),d1=div(a,3),d2=div(b,2),m3=mod(b,4),m4=mod(-b,2),d3=div(-b,2),d4=div(b,-2);
  Integer i1=integer(a),i2=integer(b);
equation
  der(a)=0; der(b)=0;
end T7;
