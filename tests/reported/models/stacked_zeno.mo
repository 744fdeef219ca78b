// TRUTH: both balls come to rest on the floor: h1 = h2 = 0
model SZ "ball 2 bounces on ball 1, which bounces on the floor; equal masses"
  Real h1(start=1,fixed=true),h2(start=2,fixed=true),v1(start=0,fixed=true),v2(start=0,fixed=true); parameter Real e=0.5; Real vm=(pre_v1+pre_v2)/2; Real pre_v1,pre_v2;
  Boolean f,c;
equation
  pre_v1=v1;pre_v2=v2;
  der(h1)=v1;der(h2)=v2;der(v1)=-9.81;der(v2)=-9.81;
  f=h1<=0; c=h2<=h1;
  when {f,c} then
    reinit(v1, if edge(f) then -e*pre(v1) else (pre(v1)+pre(v2))/2-e/2*(pre(v1)-pre(v2)));
  end when;
  when c then
    reinit(v2,(pre(v1)+pre(v2))/2+e/2*(pre(v1)-pre(v2)));
  end when;
end SZ;
