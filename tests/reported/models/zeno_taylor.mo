// TRUTH: a^2 + b^2 = 1 for ever, A = 1
model ZenoTaylor "an oscillator of 500 Hz beside a bouncing ball, nothing couples them: a^2+b^2 = 1 for ever"
  Real h(start=1,fixed=true),v(start=0,fixed=true),a(start=0,fixed=true),b(start=1,fixed=true); constant Real w=2*3.141592653589793*500; Real A=sqrt(a^2+b^2);
equation
  der(h)=v; der(v)=-9.81; der(a)=w*b; der(b)=-w*a;
  when h<=0 then reinit(v,-0.5*pre(v)); end when;
end ZenoTaylor;
