"""Layout: where everything is in memory, and which block goes into which routine.

schedule      which blocks a routine needs
table_phases  phases of tables: which piece is active
phases        quantities that bound how fast a residue can change
thresholds    relations that ask whether something is zero
layout        where everything is in the memory of a program
implicit      the implicit form of the differential equations, for IDA
invariants    what depends on parameters only is computed once per run
rolling       equal parts become loops
system_units  parts of a system whose structure is found by numbers, which become loops, too
parts         which entries of a program an event in one part of the model concerns
splitting     long straight-line code becomes routines of its own
"""
