"""A run from instant to instant.

state    the engine at work, the time, and the records so far
course   the effects of events, and which engine takes over
outflow  rows that leave a run during it
breaks   solutions that end, and equations that part, although nothing switches
"""
