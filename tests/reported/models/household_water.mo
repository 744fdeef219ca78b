// TRUTH: 480 events up to 6000 s (auto, rk45, and bdf with --max-step 0.15 agree)
model Household "the shipped example, longer"
  extends Saltus.Examples.Fluid.HouseholdWater;
end Household;
