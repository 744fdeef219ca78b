"""Modes: which branches of the equations were in force, from when to when.

guards        what selects branches
stays         a mode as users see it, and a stay in it
timeline      the modes of a run, decoded from the log and the recording
components    the timeline of each part that switches independently
modes         `result.modes`: the timeline as users see it
recorded      modes in a file, and what they mean in a program
guard_values  what guards were at any row, where a program follows them by itself
restructured  the meaning of a switch to other equations
"""
