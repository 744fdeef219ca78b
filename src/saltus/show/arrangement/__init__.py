"""Where the parts of a diagram stand and how its wires run, if annotations do not say it.

stress      distances along a graph -> points of the plane
sheet       nouns: parts in their poses, pins, nets
icons       what stands for a class that draws nothing, and where its connectors are
poses       a component with its icon -> the ways in which it may stand
reading     a picture with parts that have no place -> a sheet
flow        where signals come from, and which potential is higher: what is left, what is at the top
rough       wires before anything is routed
estimate    what a placement costs
board       a placement with its rough wires
beginnings  where parts stand at first
groups      rows, columns and sides moved together
placement   poses and places for the parts of a sheet
grid        the points at which wires may run and bend
routing     wires for the nets of a sheet
arrange     the driver: a picture -> the same with all places and wires; parts moved apart, wires straight
"""
