"""Petri nets as text (`.pn`): text to nets and back, and nets to Modelica.

parser    statements to nets: `parse`
checks    what a net must be, in words: places, arcs, conditions
lowering  nets to classes of Modelica
writer    nets to text: `net_text`
files     reading from disk, and what lowering asks of a reader
"""
