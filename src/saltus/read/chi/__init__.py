"""The language chi (`.chi`): processes to classes of Modelica.

names        names in ASCII, and words that are products of names
pieces       pieces of syntax trees
types        Real, Integer, Boolean or an enumeration
tokens       text to tokens, mathematical spelling or ASCII
syntax       processes as data
parser_expressions  tokens to expressions
parser       tokens to processes: `parse`
equations    equations and guarded equations
lowering     processes to classes of Modelica
files        reading from disk, and what lowering asks of a reader
"""
