"""Hybrid bond graphs as text (`.bg`): text to graphs and back, and graphs to Modelica.

parser      statements to graphs: `parse`
checks      what a graph must be, in words: bonds, arguments, machines
causality   which end of a bond gives what, mode by mode
redundancy  what numbers say where something is determined twice
starts      start values that the initial mode contradicts
prior       `pre(...)` in expressions: relations and values before the instant
lowering    graphs to classes of Modelica, made of parts of `Saltus.BondGraphs`
writer      graphs to text: `graph_text`
files       reading from disk, and what lowering asks of a reader
"""
