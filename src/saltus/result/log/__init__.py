"""The log: what was written down about events during a run, raw, and counted.

records   what the event loop and the driver write down, cheaply
columns   all events as columns of numbers
step_times  how long each fixed step has taken
activity  how busy relations and clocks were
"""
