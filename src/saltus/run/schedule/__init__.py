"""What is asked of a run, and when something is due.

settings         what a run can be asked for
grid             the output points
clocks           periodic time events at exact rational times
diagnostic_data  diagnostics as plain data and back
"""
