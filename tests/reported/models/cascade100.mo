// TRUTH: all true at 0.5, cnt = 1
model Casc
  constant Integer n=100;
  Boolean b[n](each start=false,each fixed=true); Integer cnt(start=0,fixed=true); Real t_last(start=-1,fixed=true);
equation
  b[1]= time>=0.5;
  for k in 2:n loop b[k]=pre(b[k-1]); end for;
  when b[n] then t_last=time; cnt=pre(cnt)+1; end when;
end Casc;
