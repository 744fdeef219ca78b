"""The language chi (`.chi`): processes to classes of Modelica.

names        names in ASCII, and words that are products of names
pieces       pieces of syntax trees
types        Real, Integer, Boolean or an enumeration
tokens       text to tokens, mathematical spelling or ASCII
syntax       processes as data
parser_expressions  tokens to expressions
parser_statements   tokens to statements
parser       tokens to processes: `parse`
equations    equations and guarded equations
automaton    locations and edges
control      statements to an automaton
stepping     an automaton as Modelica
lowering     processes to classes of Modelica
files        reading from disk, and what lowering asks of a reader
"""
