// TRUTH: rests upright from 5.0621285 on
model Rock
  parameter Real p=2, al=0.3, r=0.8;
  Real th(start=0.2,fixed=true), w(start=0,fixed=true);
  Boolean pos(start=true,fixed=true);
equation
  der(th)=w;
  der(w)= p^2*(th - (if pos then al else -al));
  pos = th > 0;
  when change(pos) then
    reinit(w, r*pre(w));
  end when;
end Rock;
