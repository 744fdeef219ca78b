"""One program at work: its memory, its rows, its integrator, its native driver.

continuous       what varies continuously, and how it is computed
at_zero          relations whose residues are zero when a mode is entered
pivots           whether the chosen states still determine the rest well
engine_surfaces  surfaces as one program sees them
guards           where the values are that modes take for granted
engine_mode      the mode of one program, entered and left
transfer         numbers that go from one engine to another
driver_context   the context of the native driver, and what it says between two calls
driver           the native driver of an engine: its context filled in, its results taken out
engine           one program at work
assertions       what a model says of its own run
open_warnings    W406: what a mode leaves open, said once
parting          equations that a mode has in excess, and when they part
loop_branches    where the solution of a loop ends, and where it goes on
progress         whether a run gets anywhere
"""
