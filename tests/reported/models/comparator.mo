// TRUTH: n = 50 at 1 s
model Comparator "counts the periods of a 50 Hz sine, beside a slow state"
  Integer n(start=0,fixed=true); Real x(start=1,fixed=true);
equation
  der(x)=-x/10;
  when sin(2*3.141592653589793*50*time)>0.5 then n=pre(n)+1; end when;
end Comparator;
