"""Every row obeys: relations in force agree with the numbers of each row. `python -m tools.obedience MODEL`.

column_values  values of expressions in all rows of a recording at once
row_values     the rows of one program, and how far a value moves with the states
judge          which rows do not obey, and what is no violation; the command line
"""
