"""A run from instant to instant.

state    the engine at work, the time, and what has been written down
course   what events do to it, and which engine goes on
outflow  rows that leave a run while it lasts
breaks   solutions that end, and equations that part, although nothing switches
"""
