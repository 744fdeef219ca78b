// TRUTH: n = 63586737412824305271441649801, last digit 1; or a refusal
model IO
  Integer n(start=1,fixed=true); Integer last(start=0,fixed=true);
equation
  when sample(0.01,0.01) then n=3*pre(n)+1; last=mod(n,10); end when;
end IO;
