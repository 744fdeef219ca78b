"""Matching and sorting: which equation determines which unknown, and in which order.

system         rows and columns: which equation may determine which unknown
matching       each unknown gets an equation (integers only)
sort           strongly connected components in order of evaluation (integers only)
feedback       which discrete unknowns are presumed so that no loop is left (integers only)
parameters     the order of dependent parameters
contradiction  Boolean equations that no values satisfy
network        faults of networks: a ground is missing, two sources are side by side
singular       why a model cannot be sorted
"""
