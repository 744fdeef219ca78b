"""What is asked of a run, and when something is due.

quantities       numbers with arithmetic and units
assignments      values of parameters, read from the command line
signals          what inputs are over time
value_files      values of parameters, read from files
stepping         how long a run is, and how it takes its steps: the first of its options
settings         the options of a run: the table, and the values in force
grid             the output points
clocks           periodic time events at exact rational times
diagnostic_data  diagnostics as plain data and back
"""
