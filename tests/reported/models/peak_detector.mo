// TRUTH: v stays above 9.98 V; two events a period (90)
model PeakDetector "sine 50 Hz, ideal diode, C = 1e-4, R: RC = 10 s: v stays within 0.02 V of 10 V"
  Real v(start=0,fixed=true),i,ud,s; Boolean off=s<0;
equation
  10*sin(2*3.141592653589793*50*time)=ud+v; 1e-4*der(v)=i-v/1e5;
  i=if off then 0 else s; ud=if off then s else 0;
end PeakDetector;
