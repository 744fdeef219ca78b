"""Steps by number: every mode that a run has been in or passed through, in the order of the run.

passed  the modes that events have passed through, as a run leaves them behind
steps   `result.steps`: the rows of a run and those modes, numbered
csv     steps as comma-separated values
"""
