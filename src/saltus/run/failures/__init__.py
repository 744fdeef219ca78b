"""Why a run failed, in the model's own words.

coupling    which truths depend on each other
diagnose    which variables, which equations, which relations
standstill  steps without number in which no state moves
"""
