// TRUTH: two solutions, w = 0 and w = 2: W404 expected
model LM "two solutions: w=0,z=1 and w=2,z=0"
  Real w,z,s;
equation
  w=if s>0 then s else 0; z=if s>0 then 0 else -s; z=-0.5*w+1;
end LM;
