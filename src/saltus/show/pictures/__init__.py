"""What is drawn, as SVG.

matrix        structure -> incidence matrix
drawing       picture of a class -> SVG
svg              lines, texts and colours; drawings that know how much room they take
machine_drawing  state machines as graphs
bond_places   where the elements of a bond graph stand
bond_signals  who reads what in a bond graph, and where the boxes of signals stand
signal_drawing  active bonds and signals: full arrows and boxes
net_drawing   Petri nets with their tokens
chart_drawing  state machines with hierarchy, active states filled
bond_drawing  bond graphs with half arrows, causal strokes and machines
"""
