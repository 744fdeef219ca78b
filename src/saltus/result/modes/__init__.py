"""Modes: which branches of the equations were in force, from when to when.

guards        what decides between branches
stays         a mode as people see it, and a stay in it
timeline      the modes of a run, decoded from the log and the recording
components    the same part by part, for each that decides for itself
modes         `result.modes`: the timeline as users see it
recorded      modes in a file, and what they mean in a program
guard_values  what guards were at any row, where a program follows them by itself
restructured  what it means that a run goes on with other equations
"""
