"""Structure that varies: the model in a mode, on a surface, and the way into a mode.

modes         the model with guards fixed, and which of them have to be
presence      equations that exist in some modes only
absence       variables that do not exist in a mode, and what may still speak of them
leastchange   quantities that a mode leaves open stay as near as they can
undetermined  what a mode leaves open, and what it demands twice
entry         how a mode is entered: what jumps, and which impulses make it jump
local         guards that one program follows by itself: components, cases, one order for all
local_entry   the ways into the modes of such a program
tails         what can be found after all parts of a component whose structure is found by numbers
spares        rows of such a component for constraints that its equations have together
leading       one program for all modes of such a component
following     the search for one program that follows as many guards as it can
weighting     mean values of what the side of a surface decides
sliding       the model on a surface, along which it slides or on which it rests
"""
