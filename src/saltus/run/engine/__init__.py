"""One program at work: its memory, its rows, its integrator, its native driver.

continuous       what varies continuously, and how it is computed
at_zero          relations whose residues are zero when a mode is entered
pivots           whether the chosen states still determine the rest well
engine_surfaces  surfaces as one program sees them
guards           where the values that modes assume are stored
engine_mode      the mode of one program, entered and left
transfer         numbers copied from one engine to another
driver_context   the context of the native driver, and its content between two calls
driver           the native driver of an engine: its context filled in, its results taken out
engine           one program at work
assertions       assertions and terminations of the model
open_warnings    W406: what a mode leaves open, reported once
parting          redundant equations of a mode, and when they diverge
loop_branches    where the solution of a loop ends, and where it continues
progress         whether a run makes progress
"""
