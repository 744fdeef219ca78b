"""Any source language to `ir`. One folder per language, independent of each other but for expressions, which
are Modelica's in all of them.

modelica   Modelica
lines      what languages have in common that have one statement a line
bondgraph  hybrid bond graphs, to classes of Modelica
petri      Petri nets, to classes of Modelica
statechart state machines, to classes of Modelica
dymola     the Dymola language of 1993, to classes of Modelica
chi        processes of the language chi, to classes of Modelica
"""
