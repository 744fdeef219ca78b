"""Analysis: from the hybrid DAE to sorted blocks.

`analysis` is the driver: `analyse(model)` sorts a model, `Analysis` sorts it again in other modes, with other
states, on surfaces. Its parts, bottom to top:

    passes     the rewrites by name, and what each has made of the model
    trivial    equations simplified before anything is sorted
    sizes      how large variables are, where nobody says it
    order      which equation for which unknown, and in which order
    index      index reduction and the choice of states
    blocks     components solved: explicit, linear, nonlinear; the Jacobian
    start      the initial system
    modes      structure that varies: modes and surfaces
    inline     formulas of inline integration in place of derivatives
    analysis   all of it: `analyse`, `Analysis`, `Sorting`
"""
