"""One program at work: its memory, its rows, its integrator, its native driver.

at_zero        relations whose residues are zero when a mode is entered
driver         the native driver of an engine: its context filled in, its results taken out
engine         one program at work
assertions     what a model says of its own run
open_warnings  W406: what a mode leaves open, said once
loop_branches  where the solution of a loop ends, and where it goes on
progress       whether a run gets anywhere
"""
