"""The language chi (`.chi`): processes to classes of Modelica.

names        names in ASCII, and words that are products of names
pieces       pieces of syntax trees
types        Real, Integer, Boolean or an enumeration
syntax       processes as data
parsing      text to processes
equations    equations and guarded equations
automaton    locations and edges
sampling     samples of distributions
channels     the ends of channels, and what joins them
control      statements to an automaton
doing        what is done on an edge
stepping     an automaton as Modelica
systems      processes side by side
lowering     processes to classes of Modelica
files        reading from disk, and what lowering asks of a reader
"""
