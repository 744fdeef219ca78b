// TRUTH: first impact at 0.0623709
model VT "ball falls on a table that vibrates fast (500 Hz, 1 mm)"
  Real h(start=0.02,fixed=true),v(start=0,fixed=true),z,zd; constant Real w=2*3.141592653589793*500; Integer n(start=0,fixed=true);
equation
  z=0.001*sin(w*time); zd=0.001*w*cos(w*time); der(h)=v; der(v)=-9.81;
  when h<z then reinit(v,zd-0.5*(pre(v)-zd)); n=pre(n)+1; end when;
end VT;
