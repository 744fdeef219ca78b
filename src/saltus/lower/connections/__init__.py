"""Connections: which there are, and the equations that they mean (chapters 9 and 15 of the specification).

connectors            what a connector may consist of
cuts                  connectors whose variables meet by position
connection_ends       what the arguments of connect name
compatibility         which parts of two connectors belong together
connection_sets       what is connected with what
signals               sources of connected inputs and outputs
expandable            expandable connectors: what connections add to them
overconstrained       overdetermined types: spanning trees, and constraints in place of equations too many
streams               what flows carry: mixtures in connection points
connection_operators  what expressions ask about connections
connect               connections, and the equations that they mean
connect_sections      the connect-equations of all sections, taken in first
"""
