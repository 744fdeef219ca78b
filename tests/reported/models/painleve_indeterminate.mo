// TRUTH: two solutions at t = 0: lift-off (N = 0, normal acceleration +3.65) and contact (N = 4.29); docs promise W404
model Painleve
  // rod of mass 1, half length l, moment I=1/3 l^2, sliding with tip on rough plane with speed to the right
  parameter Real l=1,g=9.81,mu=2,th0=1,w0=4,u0=-5;
  parameter Real I=l^2/3;
  Real x(start=0,fixed=true),th(start=th0,fixed=true),u(start=u0,fixed=true),w(start=w0,fixed=true);
  Real y(start=l*sin(th0),fixed=true),vy(start=l*cos(th0)*w0,fixed=true);
  Real N,T,s,gap,vt;
  Boolean apart=s>0;
equation
  der(x)=u; der(y)=vy; der(th)=w;
  der(u)=T; der(vy)=N-g;
  I*der(w)= -l*cos(th)*N + l*sin(th)*T*(1);
  gap=y-l*sin(th);
  vt=u+l*sin(th)*w;
  T=mu*N;  // sliding to the left
  gap=if apart then s else 0;
  N=if apart then 0 else -s;
end Painleve;
